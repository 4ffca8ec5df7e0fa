// What is seen: the program as a row of nodes, or cells if there are many, its circuit, and the fitness curve.
// A view has one function, which shows a state: genes, which nodes are lit, the gene picked, those changed.

function svgElement(name, attributes, parent, text) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const key in attributes) element.setAttribute(key, attributes[key]);
  if (text !== undefined) element.textContent = text;
  if (parent) parent.append(element);
  return element;
}

const shortened = (text, most) => (text.length <= most ? text : text.slice(0, most - 1) + "…");
const marked = (names) => Object.keys(names).filter((name) => names[name]).join(" ");
function setClass(element, names) {
  if (element.getAttribute("class") !== names) element.setAttribute("class", names);
}

const ROW_MOST = 48, LETTERS_MOST = 400, DRAWN_MOST = 500;

function programView(run, box, details) {
  const total = run.inputs + run.nodes + run.outputs;
  let last = null;
  const tell = (number) => { if (last) details.textContent = run.describe(number, last.genes, last.lit); };
  const show = total <= ROW_MOST ? rowView(run, box, tell) : cellView(run, box, tell);
  return (state) => { last = state; show(state); };
}

function rowView(run, box, tell) {
  const RADIUS = 15, HIGH = 92, LEFT = 26, total = run.inputs + run.nodes + run.outputs;
  const COLUMN = Math.max(46, Math.min(66, (box.clientWidth - 2 * LEFT) / (total - 1)));
  const width = 2 * LEFT + COLUMN * (total - 1);
  const row = HIGH + 34, genesTop = row + HIGH + 12, height = genesTop + 17 * run.block + 6;
  const svg = svgElement("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img" }, box);
  const x = (number) => LEFT + COLUMN * number;
  const edges = new Map();
  for (let gene = 0; gene < run.start.length; gene++) {
    if (gene >= run.outputGenes || gene % run.block) edges.set(gene, svgElement("path", { class: "edge" }, svg));
  }
  const sources = [], genes = [];
  const letter = (number) => number < run.inputs ? shortened(run.inputLabels[number], 4)
    : number < run.inputs + run.nodes ? "" : shortened(run.outputLabels[number - run.inputs - run.nodes], 4);
  for (let number = 0; number < total; number++) {
    const kind = number < run.inputs ? "input" : number < run.inputs + run.nodes ? "node" : "output";
    const group = svgElement("g", { class: `source ${kind}` }, svg);
    const at = x(number);
    if (kind === "input") svgElement("rect", { class: "shape", x: at - RADIUS, y: row - 13, width: 2 * RADIUS, height: 26, rx: 3 }, group);
    else if (kind === "node") svgElement("circle", { class: "shape", cx: at, cy: row, r: RADIUS }, group);
    else svgElement("path", { class: "shape", d: `M${at - 18} ${row}L${at} ${row - 18}L${at + 18} ${row}L${at} ${row + 18}Z` }, group);
    const sign = svgElement("text", { x: at, y: row + 4.5 }, group, letter(number));
    setClass(sign, letter(number).length > 2 ? "long" : "");
    if (kind !== "output") svgElement("text", { class: "number", x: at, y: row - RADIUS - 5 }, group, number);
    const title = svgElement("title", {}, group);
    group.addEventListener("pointerenter", () => tell(number));
    group.addEventListener("click", () => tell(number));
    sources.push({ group, sign, title, kind });
    const first = kind === "input" ? 0 : kind === "node" ? (number - run.inputs) * run.block : run.outputGenes + number - run.inputs - run.nodes;
    const count = kind === "input" ? 0 : kind === "node" ? run.block : 1;
    for (let j = 0; j < count; j++) {
      const group = svgElement("g", { class: "gene" }, svg), y = genesTop + 17 * j;
      svgElement("rect", { x: at - 19, y, width: 38, height: 16, rx: 3 }, group);
      genes[first + j] = { group, text: svgElement("text", { x: at, y: y + 12.5 }, group), title: svgElement("title", {}, group) };
    }
  }
  const arch = (from, to, j) => {
    const length = x(to) - x(from), side = j <= 1 ? -1 : 1;
    const edge = to >= run.inputs + run.nodes ? 18 : RADIUS, start = row + side * 14, end = row + side * edge;
    const high = side * (HIGH - 6) * Math.pow(length / (COLUMN * total), 0.6) * 4 / 3;
    return `M${x(from)} ${start}C${x(from) + length * 0.15} ${start + high} ${x(to) - length * 0.15} ${end + high} ${x(to)} ${end}`;
  };
  return (state) => {
    sources.forEach(({ group, sign, title, kind }, number) => {
      const node = number - run.inputs, isLit = kind === "node" && state.lit[node] === 1;
      const isTarget = state.picked >= 0 && run.owner(state.picked) === number;
      setClass(group, `source ${kind} ${marked({ lit: isLit, target: isTarget })}`.trim());
      if (kind === "node") {
        sign.textContent = run.gates[state.genes[node * run.block]].sign;
        setClass(sign, sign.textContent.length > 2 ? "long" : "");
      }
      title.textContent = run.describe(number, state.genes, state.lit);
    });
    genes.forEach(({ group, text, title }, gene) => {
      const v = state.genes[gene], isGate = gene < run.outputGenes && gene % run.block === 0;
      text.textContent = isGate ? run.gates[v].sign : v;
      title.textContent = `${run.place(gene)}: ${run.value(gene, v)}`;
      const isChanged = state.changed.has(gene), isPicked = gene === state.picked;
      const isIdle = !run.isActive(gene, state.lit), isUnused = !run.isUsed(gene, state.genes);
      setClass(group, `gene ${marked({ idle: isIdle || isUnused, unused: isUnused, changed: isChanged, picked: isPicked })}`.trim());
    });
    edges.forEach((path, gene) => {
      const j = gene >= run.outputGenes ? 1 : gene % run.block;
      path.setAttribute("d", arch(state.genes[gene], run.owner(gene), j));
      const isLit = run.isActive(gene, state.lit), isChanged = state.changed.has(gene);
      setClass(path, `edge ${marked({ lit: isLit, changed: isChanged, unused: !run.isUsed(gene, state.genes) })}`.trim());
    });
    svg.setAttribute("aria-label", state.summary);
    const [seen] = state.picked >= 0 ? [state.picked] : state.changed;
    if (seen !== undefined) reveal(box, x(run.owner(seen)));
  };
}

function reveal(box, x) {
  if (x < box.scrollLeft + 40 || x > box.scrollLeft + box.clientWidth - 40) box.scrollLeft = x - box.clientWidth / 2;
}

function cellView(run, box, tell) {
  const total = run.inputs + run.nodes + run.outputs;
  const hasLetters = total <= LETTERS_MOST;
  const grid = document.createElement("div");
  grid.className = hasLetters ? "cells" : "cells tiny";
  grid.setAttribute("role", "img");
  box.append(grid);
  const cells = [], shown = [];
  for (let number = 0; number < total; number++) {
    const cell = document.createElement("span");
    cell.dataset.number = number;
    cells.push(cell);
    grid.append(cell);
  }
  const point = (event) => { if (event.target.dataset.number) tell(Number(event.target.dataset.number)); };
  grid.addEventListener("pointerover", point);
  grid.addEventListener("click", point);
  return (state) => {
    const owners = new Set(Array.from(state.changed, run.owner));
    const target = state.picked >= 0 ? run.owner(state.picked) : -1;
    for (let number = 0; number < total; number++) {
      const node = number - run.inputs;
      const kind = node < 0 ? "input" : node < run.nodes ? "node" : "output";
      const names = `cell ${kind} ${marked({ lit: kind === "node" && state.lit[node], changed: owners.has(number), target: number === target })}`.trim();
      const letter = !hasLetters ? "" : kind === "node" ? run.gates[state.genes[node * run.block]].sign
        : shortened(kind === "input" ? run.inputLabels[number] : run.outputLabels[node - run.nodes], 3);
      if (shown[number] !== names + letter) {
        shown[number] = names + letter;
        cells[number].className = names;
        if (hasLetters) cells[number].textContent = letter;
      }
    }
    grid.setAttribute("aria-label", state.summary);
    if (target >= 0) {
      const top = cells[target].offsetTop - grid.offsetTop;
      if (top < grid.scrollTop || top > grid.scrollTop + grid.clientHeight - 20) grid.scrollTop = top - grid.clientHeight / 2;
    }
  };
}

// Columns by depth; inputs stay where they are, and a gate is as high as what it reads.
function arranged(run, genes, lit) {
  const GAP = 40, spot = new Map(), columns = [];
  let used = [];
  const reads = (node) => Array.from(genes.subarray(node * run.block + 1, node * run.block + 1 + run.gates[genes[node * run.block]].arity));
  const outputs = Array.from(genes.subarray(run.outputGenes));
  const inUse = new Set(outputs.filter((v) => v < run.inputs));
  for (let node = 0; node < run.nodes; node++) if (lit[node]) reads(node).forEach((v) => { if (v < run.inputs) inUse.add(v); });
  for (let i = 0; i < run.inputs; i++) if (run.inputs <= 24 || inUse.has(i)) used.push(i);
  used.forEach((i, k) => spot.set(i, { column: 0, y: k * 34, idle: !inUse.has(i) }));
  for (let node = 0; node < run.nodes; node++) {
    if (!lit[node]) continue;
    const read = reads(node);
    const column = 1 + Math.max(0, ...read.map((v) => spot.get(v).column));
    spot.set(run.inputs + node, { column, y: 0, read });
    (columns[column] ??= []).push(run.inputs + node);
  }
  const place = (ids, wish) => {
    ids.sort((a, b) => wish(a) - wish(b) || a - b);
    let floor = -Infinity, excess = 0;
    for (const id of ids) {
      const y = Math.max(wish(id), floor + GAP);
      excess += y - wish(id);
      floor = spot.get(id).y = y;
    }
    for (const id of ids) spot.get(id).y -= excess / ids.length;
  };
  const middle = (used.length - 1) * 17;
  for (const ids of columns) {
    if (ids) {
      const wishes = new Map(ids.map((id) => {
        const ys = spot.get(id).read.map((v) => spot.get(v).y);
        return [id, ys.length ? ys.reduce((a, b) => a + b) / ys.length : middle];
      }));
      place(ids, (id) => wishes.get(id));
    }
  }
  const end = Math.max(1, columns.length);
  const ids = outputs.map((_, j) => run.inputs + run.nodes + j);
  ids.forEach((id, j) => spot.set(id, { column: end, y: 0, read: [outputs[j]] }));
  const wishes = new Map(ids.map((id, j) => [id, spot.get(outputs[j]).y]));
  place(ids, (id) => wishes.get(id));
  return { spot, end };
}

function circuitView(run, box) {
  const COLUMN = 86, LEFT = 44;
  const svg = svgElement("svg", { role: "img" }, box), note = document.createElement("p");
  note.className = "quiet";
  box.append(note);
  const size = { width: 0, top: 0, bottom: 0 };
  let before = "";
  return (state) => {
    const gates = state.lit.reduce((a, b) => a + b, 0);
    note.textContent = gates > DRAWN_MOST ? `${gates} gates are too many to draw here.` : "";
    svg.style.display = gates > DRAWN_MOST ? "none" : "block";
    if (gates > DRAWN_MOST) return;
    const drawn = [...state.genes.subarray(run.outputGenes)];
    state.lit.forEach((on, node) => { if (on) for (let j = 0; j < run.block; j++) drawn.push(node, state.genes[node * run.block + j]); });
    const key = drawn.join(",") + "|" + Array.from(state.changed).join(",");
    if (key === before) return;
    before = key;
    const { spot, end } = arranged(run, state.genes, state.lit);
    svg.replaceChildren();
    const x = (column) => (column === 0 ? 8 : LEFT + COLUMN * column - 30);
    const wires = svgElement("g", {}, svg);
    spot.forEach((at, id) => {
      const left = x(at.column);
      if (id < run.inputs || id >= run.inputs + run.nodes) {
        const isInput = id < run.inputs;
        const label = isInput ? run.inputLabels[id] : run.outputLabels[id - run.inputs - run.nodes];
        const part = svgElement("g", { class: `part ${isInput ? "input" : "output"}${at.idle ? " idle" : ""}` }, svg);
        svgElement("rect", { class: "shape", x: left, y: at.y - 11, width: 40, height: 22, rx: 4 }, part);
        svgElement("text", { x: left + 20, y: at.y + 4, "text-anchor": "middle" }, part, shortened(label, 6));
        svgElement("title", {}, part, label);
        at.out = left + 40;
        at.pins = [[left, at.y]];
      } else {
        const node = id - run.inputs, gate = run.gates[state.genes[node * run.block]];
        const part = svgElement("g", { class: `part${state.changed.has(node * run.block) ? " changed" : ""}`, transform: `translate(${left} ${at.y})` }, svg);
        for (const [kind, role, ...rest] of gate.marks) {
          if (kind === "path") svgElement("path", { class: role, d: rest[0] }, part);
          else if (kind === "disc") svgElement("circle", { class: role, cx: rest[0], cy: rest[1], r: rest[2] }, part);
          else svgElement("text", { x: rest[0], y: rest[1], "text-anchor": "middle", style: `font-size:${rest[3]}px` }, part, rest[2]);
        }
        svgElement("text", { x: gate.middle[0], y: gate.middle[1], "text-anchor": "middle" }, part, id);
        svgElement("title", {}, part, run.describe(id, state.genes, state.lit));
        at.out = left + gate.width;
        at.pins = gate.pins.map(([dx, dy]) => [left + dx, at.y + dy]);
      }
    });
    spot.forEach((at, id) => (at.read || []).forEach((v, j) => {
      const from = spot.get(v), [px, py] = at.pins[j];
      const gene = id >= run.inputs + run.nodes ? run.outputGenes + id - run.inputs - run.nodes : (id - run.inputs) * run.block + 1 + j;
      const bend = Math.min(60, (px - from.out) / 2);
      svgElement("path", { class: `wire${state.changed.has(gene) ? " changed" : ""}`, d: `M${from.out} ${from.y}C${from.out + bend} ${from.y} ${px - bend} ${py} ${px} ${py}` }, wires);
    }));
    const ys = Array.from(spot.values(), (at) => at.y);
    size.width = Math.max(size.width, x(end) + 50);
    size.top = Math.min(size.top, Math.min(...ys) - 20);
    size.bottom = Math.max(size.bottom, Math.max(...ys) + 20);
    const height = size.bottom - size.top;
    svg.setAttribute("viewBox", `0 ${size.top} ${size.width} ${height}`);
    svg.setAttribute("style", `display:block;width:100%;max-width:${size.width * 1.15}px;min-width:${size.width * 0.85}px`);
    svg.setAttribute("aria-label", `${gates} gates`);
  };
}

function fitnessView(run, box, go) {
  const last = run.frames[run.frames.length - 1].time, isLog = last > 2000;
  const LEFT = 64, RIGHT = 16, TOP = 12, HIGH = 130, RUG = 36;
  const width = Math.max(280, box.clientWidth - 2), bottom = TOP + HIGH, height = bottom + RUG + 24;
  const svg = svgElement("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img" });
  box.replaceChildren(svg);
  const flat = (t) => (isLog ? Math.log(1 + t) / Math.log(1 + last) : last ? t / last : 0);
  const x = (t) => LEFT + (width - LEFT - RIGHT) * flat(t);
  const most = Math.max(1, ...run.frames.map((frame) => run.height(frame.after)));
  const y = (f) => bottom - HIGH * run.height(f) / most;
  svg.setAttribute("aria-label", `Fitness from ${run.words(run.frames[0].after)} to ${run.words(run.frames[run.frames.length - 1].after)} mismatches in ${last} iterations`);
  const seen = [];
  const levels = [...new Set(run.frames.map((frame) => frame.after))].sort((a, b) => run.height(a) - run.height(b));
  for (const f of levels) {
    if (seen.every((other) => Math.abs(other - y(f)) > 15)) {
      seen.push(y(f));
      svgElement("line", { class: "axis", x1: LEFT, x2: width - RIGHT, y1: y(f), y2: y(f) }, svg);
      svgElement("text", { class: "tick", x: LEFT - 6, y: y(f) + 4, "text-anchor": "end" }, svg, shortened(run.words(f).replace("about ", ""), 9));
    }
  }
  const ticks = [0];
  if (isLog) for (let t = 10; t < last * 0.7; t *= 10) ticks.push(t);
  else if (last > 3) ticks.push(Math.round(last / 4), Math.round(last / 2), Math.round(3 * last / 4));
  if (last) ticks.push(last);
  svgElement("text", { class: "tick", x: LEFT - 10, y: height - 5, "text-anchor": "end" }, svg, "iteration");
  let free = -Infinity;
  for (const t of ticks) {
    const text = t.toLocaleString("en"), half = 4 * text.length, middle = Math.min(x(t), width - half - 2);
    const isLast = t === last;
    if (middle - half < free || (!isLast && x(last) - x(t) < 100 && t > 0)) continue;
    free = middle + half + 8;
    svgElement("text", { class: "tick", x: middle, y: height - 5, "text-anchor": "middle" }, svg, text);
  }
  const rows = { improved: 0, neutral: 1, rejected: 2 };
  const signs = { improved: "▲", neutral: "●", rejected: "○" };
  for (const kind in rows) svgElement("text", { class: `sign ${kind}`, x: LEFT - 6, y: bottom + 14.5 + 11 * rows[kind], "text-anchor": "end" }, svg, signs[kind]);
  const rug = { improved: "", neutral: "", rejected: "" };
  let path = `M${x(0)} ${y(run.frames[0].after)}`;
  run.frames.forEach((frame) => {
    path += `H${x(frame.time).toFixed(1)}V${y(frame.after).toFixed(1)}`;
    if (frame.kind in rug) rug[frame.kind] += `M${x(frame.time).toFixed(1)} ${bottom + 6 + 11 * rows[frame.kind]}v9`;
  });
  svgElement("path", { class: "curve", d: path }, svg);
  for (const kind in rug) svgElement("path", { class: `rug ${kind}`, d: rug[kind] }, svg);
  run.frames.forEach((frame) => {
    if (frame.kind !== "improved") return;
    const dot = svgElement("circle", { class: "dot", cx: x(frame.time), cy: y(frame.after), r: 3.5 }, svg);
    svgElement("title", {}, dot, `iteration ${frame.time.toLocaleString("en")}: ${run.words(frame.after)} left`);
  });
  const now = svgElement("line", { class: "now", y1: TOP - 6, y2: bottom + RUG + 4 }, svg);
  const hit = svgElement("rect", { class: "hit", x: LEFT - 8, y: 0, width: width - LEFT - RIGHT + 16, height }, svg);
  const title = svgElement("title", {}, hit);
  const nearest = (event) => {
    const frame = svg.getBoundingClientRect(), at = (event.clientX - frame.left) * width / frame.width;
    let low = 0, high = run.frames.length - 1;
    while (low < high) {
      const half = (low + high) >> 1;
      if (x(run.frames[half].time) < at) low = half + 1; else high = half;
    }
    return low > 0 && at - x(run.frames[low - 1].time) < x(run.frames[low].time) - at ? low - 1 : low;
  };
  hit.addEventListener("click", (event) => go(nearest(event)));
  hit.addEventListener("pointermove", (event) => {
    const frame = run.frames[nearest(event)];
    title.textContent = `iteration ${frame.time.toLocaleString("en")}: ${run.words(frame.after)} mismatches left, ${frame.kind}`;
  });
  return (frame) => { now.setAttribute("x1", x(frame.time)); now.setAttribute("x2", x(frame.time)); };
}
