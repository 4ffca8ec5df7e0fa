"""What a journal asks of every figure: marks are explained, labels do not touch, nothing is cut off."""

from itertools import pairwise

from gatewalk.analysis.style import BLACK, EXACT, EXACT_LINE, arrange, length, styled

CAPS = ("_", "|")  # the ends of error bars
LEAST_GAP = 1.2  # points between minor ticks


def check(figure, *, named=()):
    """Every property, at the size at which the figure is published; named: marks that no legend needs."""
    arrange(figure)
    with styled():
        for axes in figure.axes:
            if axes.get_visible() and axes.axison:
                _labels_do_not_touch(figure, axes)
                _minor_ticks_do_not_merge(axes)
                _black_is_exact(axes)
        _marks_are_explained(figure, named)
        _legends_fit(figure)


def _labels_do_not_touch(figure, axes):
    renderer = figure.canvas.get_renderer() if hasattr(figure.canvas, "get_renderer") else None
    for axis, start, end in ((axes.xaxis, "x0", "x1"), (axes.yaxis, "y0", "y1")):
        low, high = sorted(axis.get_view_interval())
        labels = [*axis.get_ticklabels(), *axis.get_ticklabels(minor=True)]
        coordinate = 0 if axis.axis_name == "x" else 1
        shown = [
            label for label in labels if label.get_text() and low <= label.get_position()[coordinate] <= high
        ]
        boxes = sorted(
            (label.get_window_extent(renderer) for label in shown), key=lambda box: getattr(box, start)
        )
        for first, second in pairwise(boxes):
            assert getattr(first, end) <= getattr(second, start), [label.get_text() for label in shown]


def _minor_ticks_do_not_merge(axes):
    for axis in (axes.xaxis, axes.yaxis):
        low, high = sorted(axis.get_view_interval())
        scale = axis.get_transform()
        inside = [tick for tick in axis.get_minorticklocs() if low <= tick <= high]
        ticks = sorted(scale.transform(inside)) if inside else []
        whole = scale.transform([high])[0] - scale.transform([low])[0]
        gaps = [(second - first) / whole * length(axis) for first, second in pairwise(ticks)]
        assert all(gap > LEAST_GAP for gap in gaps), gaps


def _black_is_exact(axes):
    for line in axes.lines:
        if line.get_color() == BLACK and len(line.get_xdata()):
            assert line.get_marker() == EXACT["marker"] or line.get_linewidth() == EXACT_LINE["linewidth"]


def _marks_are_explained(figure, named):
    boxes = [*figure.legends, *(axes.get_legend() for axes in figure.axes if axes.get_legend())]
    handles = [handle for box in boxes for handle in box.legend_handles]
    said = {*named} | {handle.get_marker() for handle in handles if hasattr(handle, "get_marker")}
    texts = {text.get_text() for box in boxes for text in box.get_texts()}
    for axes in figure.axes:
        said |= {
            bars.lines[0].get_marker()
            for bars in axes.containers
            if str(bars.get_label()) in texts and bars.lines[0]
        }
        for line in axes.lines:
            mark = line.get_marker()
            if len(line.get_xdata()) and mark not in (None, "", "None", "none", *CAPS):
                assert mark in said, f"{mark} is in no legend"
        labels = {*axes.get_legend_handles_labels()[1]}
        assert labels <= texts, labels - texts


def _legends_fit(figure):
    renderer = figure.canvas.get_renderer() if hasattr(figure.canvas, "get_renderer") else None
    for box in figure.legends:
        size = box.get_window_extent(renderer)
        assert 0 <= size.x0 < size.x1 <= figure.bbox.width, "the legend is wider than the figure"
        assert 0 <= size.y0 < size.y1 <= figure.bbox.height, "the legend is higher than the figure"
