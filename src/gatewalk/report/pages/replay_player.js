// The player: where the replay is, its buttons and keys, and what it says.

function play(run) {
  const byId = (id) => document.getElementById(id);
  const number = (n) => n.toLocaleString("en");
  const SPEEDS = [
    ["1 pick a second", "step", 1000, 1], ["3 picks a second", "step", 333, 1], ["10 picks a second", "step", 100, 1],
    ["4 iterations a second", "frame", 250, 1], ["15 iterations a second", "frame", 66, 1],
    ["60 iterations a second", "frame", 16, 1], ["600 iterations a second", "frame", 16, 10],
  ];
  const LISTED = 40;
  const last = run.frames.length - 1;
  const total = run.frames[last].time;
  const at = { frame: 0, step: 0 };
  let timer = null;
  const steps = (frame) => run.plan(run.frames[frame]);

  const state = () => {
    const frame = run.frames[at.frame], step = steps(at.frame)[at.step];
    const parent = run.parentBefore(at.frame);
    if (step.what === "select") {
      const genes = run.parentAfter(at.frame);
      const changed = frame.chosen >= 0 ? run.changes(parent, genes) : new Set();
      return { frame, step, parent, genes, lit: run.active(genes), picked: -1, changed };
    }
    const picks = frame.made[step.offspring].picks;
    const genes = parent.slice();
    run.write(genes, step.what === "pick" ? picks.slice(0, step.pick + 1) : picks);
    const lit = run.active(step.what === "pick" ? parent : genes);
    return { frame, step, parent, genes, lit, picked: step.what === "pick" ? picks[step.pick][0] : -1, changed: run.changes(parent, genes) };
  };

  const NAMES = { improved: "▲ improved", neutral: "● neutral", rejected: "○ rejected" };
  const ownNode = (gene, lit) => (run.isActive(gene, lit) ? "active" : "inactive");
  const offspringName = (step, frame) => (frame.made.length > 1 ? `offspring ${step.offspring + 1} of ${frame.made.length}` : "the offspring");
  const gates = (lit) => { const n = lit.reduce((a, b) => a + b, 0); return `${n} of ${run.nodes} nodes active`; };

  const left = (f) => `${run.words(f)} ${run.words(f) === "1" ? "mismatch" : "mismatches"}`;
  // The words of a state: a badge or none, and a sentence.
  const said = (now) => {
    const { frame, step, parent, genes, lit } = now;
    const before = run.words(frame.before);
    const gap = frame.skipped > 0 ? `${number(frame.skipped)} iterations before it are not recorded` + (frame.jump.length ? ` (${frame.jump.length} genes differ). ` : ". ") : "";
    if (frame.kind === "start") return [null, `Start: a random program with ${left(frame.after)}, ${gates(lit)}.`.replace("a random program", run.isRandom ? "a random program" : "the given program")];
    if (frame.kind === "end") return [null, `The recording ends after ${number(frame.time)} iterations with ${left(frame.after)}. ${gap}`];
    if (step.what === "pick") {
      const [gene, v] = frame.made[step.offspring].picks[step.pick];
      const earlier = parent.slice();
      run.write(earlier, frame.made[step.offspring].picks.slice(0, step.pick));
      const old = earlier[gene];
      const move = old === v ? `stays ${run.value(gene, v)}` : `${run.value(gene, old)} → ${run.value(gene, v)}`;
      const isLast = step.pick === frame.made[step.offspring].picks.length - 1;
      const how = run.mutation !== "sam" ? "" : isLast ? " SAM ends here." : ownNode(gene, lit) === "inactive" ? " SAM goes on." : " It has not changed: SAM goes on.";
      return [null, `Pick ${step.pick + 1} for ${offspringName(step, frame)}: ${run.place(gene)}, ${move}; ${ownNode(gene, lit)}.${how} ${step.pick === 0 && step.offspring === 0 ? gap : ""}`];
    }
    if (step.what === "evaluate") {
      const one = frame.made[step.offspring];
      return [null, `Evaluated: ${offspringName(step, frame)} has ${left(one.fitness)}, the parent ${before}; ${gates(lit)}.`];
    }
    const change = run.changes(parent, genes).size;
    const genesWords = `${change} ${change === 1 ? "gene" : "genes"} changed, ${gates(lit)}`;
    if (frame.kind === "improved") return ["improved", `${before} → ${left(frame.after)}${run.height(frame.after) === 0 ? ": solved" : ""}; ${genesWords}.`];
    if (frame.kind === "neutral") return ["neutral", `still ${left(frame.after)}, the offspring becomes the parent; ${genesWords}.`];
    const best = frame.made.reduce((a, b) => (b.fitness < a.fitness ? b : a));
    const why = best.fitness > frame.before ? "more mismatches" : run.strict ? "a tie, and selection is strict" : "a tie, and the coin chose the parent";
    return ["rejected", `${run.words(best.fitness)} against ${left(frame.before)}: ${why}. The parent stays.`];
  };

  const when = ({ frame, step }) => {
    if (!frame.made.length) return "";
    const first = frame.time - frame.made.length + 1;
    if (step.what !== "select") return `Iteration ${number(first + step.offspring)}. `;
    return frame.made.length > 1 ? `Iterations ${number(first)} to ${number(frame.time)}. ` : `Iteration ${number(frame.time)}. `;
  };

  const element = (name, text, className) => {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (className) made.className = className;
    return made;
  };
  const table = (heads) => {
    const made = element("table"), row = element("tr"), head = element("thead"), body = element("tbody");
    for (const text of heads) row.append(Object.assign(element("th", text), { scope: "col" }));
    head.append(row);
    made.append(head, body);
    return [made, body];
  };

  const showPicks = (now) => {
    const { frame, step, parent } = now, box = byId("picks");
    const which = step.what === "select" ? Math.max(0, frame.chosen) : step.offspring;
    const one = frame.made[which];
    if (!one) { box.replaceChildren(element("p", "Nothing is picked here.", "quiet")); return; }
    const shown = step.what === "pick" ? step.pick + 1 : one.picks.length, first = Math.max(0, shown - LISTED);
    const [made, body] = table(["", "gene", "was", "is", "node"]);
    const genes = parent.slice(), lit = run.active(parent);
    one.picks.slice(0, shown).forEach(([gene, v], k) => {
      const old = genes[gene];
      genes[gene] = v;
      if (k < first) return;
      const row = element("tr", undefined, step.what === "pick" && k === step.pick ? "now" : "");
      row.append(element("td", k + 1), element("td", run.place(gene)), element("td", run.value(gene, old)),
        element("td", run.value(gene, v), old === v ? "" : "changed"), element("td", ownNode(gene, lit)));
      body.append(row);
    });
    const words = first > 0 ? [element("p", `${first} earlier picks are not listed.`, "quiet")] : [];
    box.replaceChildren(...words, made);
    if (step.what === "pick") box.scrollTop = box.scrollHeight;
  };

  const showProgram = programView(run, byId("program"), byId("details"));
  const showCircuit = circuitView(run, byId("circuit"));
  const curve = () => fitnessView(run, byId("fitness"), (frame) => { pause(); go(frame, Infinity); });
  let showNow = curve(), width = innerWidth;
  addEventListener("resize", () => {
    if (innerWidth === width) return;
    width = innerWidth;
    showNow = curve();
    showNow(run.frames[at.frame]);
  });

  const show = () => {
    const now = state();
    const [badge, sentence] = said(now);
    now.summary = `${gates(now.lit)}. ${sentence}`;
    showProgram(now);
    // The circuit of the parent is shown until all picks of the offspring are made.
    const isPick = now.step.what === "pick";
    showCircuit(isPick ? { ...now, genes: now.parent, changed: new Set() } : now);
    byId("h-circuit").textContent = `Circuit of the ${now.step.what === "evaluate" ? "offspring" : "parent"}`;
    showNow(now.frame);
    showPicks(now);
    const status = byId("status");
    status.setAttribute("aria-live", timer === null ? "polite" : "off");
    status.replaceChildren();
    if (badge) status.append(element("span", NAMES[badge], `badge ${badge}`), " ");
    status.append(when(now) + sentence);
    byId("seek").value = at.frame;
    byId("seek-words").textContent = `${number(now.frame.time)} of ${number(total)}`;
    byId("seek").setAttribute("aria-valuetext", `iteration ${number(now.frame.time)} of ${number(total)}`);
    const isEnd = at.frame === last && at.step === steps(last).length - 1;
    byId("step").disabled = byId("iteration").disabled = isEnd;
    byId("back").disabled = at.frame === 0;
    byId("improvement").disabled = nextImprovement() < 0;
    document.body.dataset.frame = at.frame;
    document.body.dataset.step = at.step;
    document.body.dataset.kind = now.step.what === "select" ? now.frame.kind : now.step.what;
  };

  const go = (frame, step) => {
    at.frame = Math.min(last, Math.max(0, frame));
    at.step = Math.min(step, steps(at.frame).length - 1);
    show();
  };
  const forward = () => {
    if (at.step + 1 < steps(at.frame).length) go(at.frame, at.step + 1);
    else if (at.frame < last) go(at.frame + 1, 0);
  };
  const backward = () => {
    if (at.step > 0) go(at.frame, at.step - 1);
    else if (at.frame > 0) go(at.frame - 1, Infinity);
  };
  const nextImprovement = () => {
    const isHere = at.step === steps(at.frame).length - 1;
    return run.frames.findIndex((frame, i) => frame.kind === "improved" && (i > at.frame || (i === at.frame && !isHere)));
  };

  const pause = () => {
    clearTimeout(timer);
    timer = null;
    byId("play").textContent = "Play";
    byId("status").setAttribute("aria-live", "polite");
  };
  const tick = () => {
    const [, unit, pace, count] = SPEEDS[byId("speed").value];
    if (unit === "step") forward(); else go(at.frame + count, Infinity);
    if (at.frame === last && at.step === steps(last).length - 1) pause();
    else timer = setTimeout(tick, pace);
  };
  const start = () => {
    if (at.frame === last) go(0, 0);
    byId("play").textContent = "Pause";
    timer = setTimeout(tick, SPEEDS[byId("speed").value][2]);
    show();
  };
  const toggle = () => (timer === null ? start() : pause());
  const speed = (value) => {
    byId("speed").value = value;
    const words = SPEEDS[byId("speed").value][0];
    byId("speed-words").textContent = words;
    byId("speed").setAttribute("aria-valuetext", words);
  };

  const moves = {
    back: backward,
    step: forward,
    iteration: () => go(at.frame + (steps(at.frame).length - 1 > at.step ? 0 : 1), Infinity),
    previous: () => go(at.frame - 1, Infinity),
    improvement: () => { const next = nextImprovement(); if (next >= 0) go(next, Infinity); },
    restart: () => go(0, 0),
    end: () => go(last, Infinity),
  };
  const move = (name) => { pause(); moves[name](); };
  for (const name of ["back", "step", "iteration", "improvement", "restart"]) byId(name).addEventListener("click", () => move(name));
  byId("play").addEventListener("click", toggle);
  byId("speed").addEventListener("input", () => speed(byId("speed").value));
  byId("seek").max = last;
  byId("seek").addEventListener("input", () => { pause(); go(Number(byId("seek").value), Infinity); });
  const KEYS = { ArrowLeft: "back", ArrowRight: "step", ArrowDown: "iteration", ArrowUp: "previous", n: "improvement", N: "improvement", Home: "restart", End: "end" };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const own = event.target.closest("input, button, .scroll");
    const isSpace = event.key === " ", isMove = event.key in KEYS && event.key.length > 1;
    if (isSpace && own && own.tagName === "BUTTON") return; // the button is pressed
    if (isMove && own && own.tagName !== "BUTTON") return; // a slider moves, a panel scrolls
    if (isSpace) toggle();
    else if (event.key in KEYS) move(KEYS[event.key]);
    else if (event.key === "+" || event.key === "=") speed(Number(byId("speed").value) + 1);
    else if (event.key === "-") speed(Number(byId("speed").value) - 1);
    else return;
    event.preventDefault();
  });

  const [improvements, body] = table(["iteration", "mismatches", ""]);
  run.frames.forEach((frame, i) => {
    if (frame.kind !== "improved" && i > 0) return;
    const row = element("tr"), cell = element("td"), button = element("button", "Show");
    button.type = "button";
    button.setAttribute("aria-label", `Show iteration ${frame.time}`);
    button.addEventListener("click", () => { pause(); go(i, Infinity); });
    cell.append(button);
    row.append(element("td", number(frame.time)), element("td", run.words(frame.after)), cell);
    body.append(row);
  });
  byId("improvements").append(improvements);

  speed(1);
  go(0, 0);
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) start();
}

play(readRun(JSON.parse(document.getElementById("run").textContent)));
