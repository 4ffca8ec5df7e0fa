"""The one style sheet of all pages: light and dark, from a telephone to a wide screen, and on paper.

Colours are variables; the dark page has other values for them. Every text has a contrast of at least 4.5 to 1
to its background (WCAG 2.1, AA). Figures keep their white background on the dark page, because their colours
were chosen for it.
"""

from __future__ import annotations

CSS = """
:root { color-scheme: light dark; --text: #1d1d1f; --soft: #4c4c52; --ground: #ffffff; --raised: #f4f4f6;
  --line: #d6d6da; --link: #0b57a4; --yes: #007a59; --partly: #8f5f00; --no: #b84300; --unknown: #5f5f66;
  --differs: #fbe3d6; --borderline: #fdf5d8; }
@media (prefers-color-scheme: dark) { :root { --text: #e8e8ea; --soft: #b4b4bb; --ground: #17171a;
  --raised: #242429; --line: #3e3e45; --link: #7fb8f5; --yes: #35c79b; --partly: #e6ae3c; --no: #ff8d57;
  --unknown: #a5a5ad; --differs: #4d2a1a; --borderline: #443a12; } }
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, "Segoe UI", "Helvetica Neue", Arial, sans-serif; color: var(--text);
  background: var(--ground); max-width: 70rem; margin: 2rem auto 4rem; padding: 0 1rem;
  overflow-wrap: break-word; }
h1 { font-size: 1.7rem; line-height: 1.25; margin-bottom: .3rem; }
h2 { margin-top: 2.6rem; border-bottom: 1px solid var(--line); padding-bottom: .2rem; }
h3 { margin: 1.6rem 0 .3rem; font-size: 1.05rem; }
nav { display: flex; flex-wrap: wrap; gap: .2rem 1rem; font-size: .92rem; margin: 1rem 0; }
a { color: var(--link); } q { font-style: italic; }
p, li { max-width: 56rem; }
figure { margin: 1.4rem 0 2rem; max-width: 60rem; }
figure img { display: block; max-width: 100%; height: auto; background: #ffffff; border-radius: .3rem; }
figure.wide img { width: 100%; }
.frame { overflow-x: auto; } sup, sub { line-height: 0; }
@media screen and (max-width: 44rem) { .frame img, figure.wide .frame img { max-width: none; width: auto; } }
figcaption { font-size: .9rem; color: var(--soft); margin-top: .4rem; max-width: 56rem; }
.scroll { overflow: auto; max-height: 32rem; border: 1px solid var(--line); margin: .6rem 0 1.2rem; }
.scroll.low { max-height: none; }
table { border-collapse: collapse; font-size: .8rem; font-variant-numeric: tabular-nums; width: 100%; }
caption { caption-side: top; text-align: left; font-weight: 600; padding: .4rem .6rem; }
th { position: sticky; top: 0; background: var(--raised); text-align: left; }
th, td { padding: .16rem .5rem; border-bottom: 1px solid var(--line); white-space: nowrap;
  vertical-align: top; }
td.n, th.n { text-align: right; } .words td { white-space: normal; }
tr.differs td { background: var(--differs); } tr.borderline td { background: var(--borderline); }
.verdict { display: block; padding: .3rem .6rem; border-left: .35rem solid var(--unknown);
  background: var(--raised); margin: .35rem 0; max-width: 56rem; }
.verdict.yes { border-color: var(--yes); } .verdict.partly { border-color: var(--partly); }
.verdict.no { border-color: var(--no); }
.verdict.yes > b { color: var(--yes); } .verdict.partly > b { color: var(--partly); }
.verdict.no > b { color: var(--no); } .verdict.unknown > b { color: var(--unknown); }
.question { font-size: 1.1rem; margin: .4rem 0; }
.note, small { color: var(--soft); font-size: .88rem; } .note { margin: .2rem .6rem .6rem; }
code, pre { font: .85rem/1.45 ui-monospace, Menlo, Consolas, monospace; background: var(--raised); }
pre { padding: .7rem .9rem; overflow: auto; } code { padding: .05rem .25rem; }
summary { cursor: pointer; font-weight: 600; margin: .5rem 0; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(20rem, 100%), 1fr)); gap: 1rem; }
.card { border: 1px solid var(--line); border-radius: .4rem; padding: .2rem 1rem .8rem; }
.card img { max-width: 100%; height: auto; background: #ffffff; border-radius: .3rem; }
@media print { :root { color-scheme: light; --text: #000000; --soft: #333333; --ground: #ffffff;
  --raised: #ffffff; --line: #999999; --link: #000000; --yes: #005c43; --partly: #6d4800; --no: #8a3200;
  --unknown: #444444; --differs: #ffffff; --borderline: #ffffff; }
  nav { display: none; } .scroll { max-height: none; overflow: visible; border: none; }
  figure, tr, .verdict, .card { break-inside: avoid; } h2, h3 { break-after: avoid; }
  details > * { display: block; } table { font-size: .6rem; } th { position: static; }
  th, td { padding: .1rem .25rem; white-space: normal; } }
"""
