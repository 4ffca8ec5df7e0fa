// The run that the page holds: frames as changes, and the programs and steps that they stand for.

function readRun(data) {
  const { inputs, outputs, nodes, block } = data;
  const outputGenes = nodes * block;
  const EVERY = 64; // frames between two programs that are kept whole

  // A frame in the page: offspring made so far, 1 + the chosen one (0: none), genes changed since the frame
  // before (gene, value, ...), the parent's fitness, and of each offspring its fitness and its picks. A fitness is its place among all, from the best on.
  const pairs = (flat) => {
    const found = [];
    for (let i = 0; i < flat.length; i += 2) found.push([flat[i], flat[i + 1]]);
    return found;
  };
  const frames = [{ time: 0, chosen: -1, jump: [], before: data.startFitness, made: [], after: data.startFitness, kind: "start", skipped: 0 }];
  for (const [time, chosen, jump, before, ...rest] of data.frames) {
    const made = [];
    for (let i = 0; i < rest.length; i += 2) made.push({ fitness: rest[i], picks: pairs(rest[i + 1]) });
    const after = chosen ? made[chosen - 1].fitness : before;
    const kind = !made.length ? "end" : !chosen ? "rejected" : after < before ? "improved" : "neutral";
    const skipped = time - made.length - frames[frames.length - 1].time;
    frames.push({ time, chosen: chosen - 1, jump: pairs(jump), before, made, after, kind, skipped });
  }

  const write = (genes, picks) => { for (const [gene, value] of picks) genes[gene] = value; };
  // cursor: the parent after frame `cursor.at`; kept[k]: after frame k * EVERY.
  const kept = [Int32Array.from(data.start)];
  let cursor = { at: 0, genes: kept[0].slice() };
  const advance = () => {
    const frame = frames[cursor.at + 1];
    write(cursor.genes, frame.jump);
    if (frame.chosen >= 0) write(cursor.genes, frame.made[frame.chosen].picks);
    cursor.at += 1;
    if (cursor.at % EVERY === 0 && !kept[cursor.at / EVERY]) kept[cursor.at / EVERY] = cursor.genes.slice();
  };
  const seek = (at) => {
    if (cursor.at > at || at - cursor.at > EVERY) {
      const start = Math.min(Math.floor(at / EVERY), kept.length - 1);
      if (cursor.at > at || cursor.at < start * EVERY) cursor = { at: start * EVERY, genes: kept[start].slice() };
    }
    while (cursor.at < at) advance();
    return cursor.genes;
  };
  const parentAfter = (at) => seek(at).slice();
  const parentBefore = (at) => {
    if (at === 0) return kept[0].slice();
    const genes = seek(at - 1).slice();
    write(genes, frames[at].jump);
    return genes;
  };

  const active = (genes) => {
    const lit = new Uint8Array(nodes);
    const wanted = Array.from(genes.subarray(outputGenes));
    while (wanted.length) {
      const node = wanted.pop() - inputs;
      if (node < 0 || lit[node]) continue;
      lit[node] = 1;
      const arity = data.gates[genes[node * block]].arity;
      for (let j = 1; j <= arity; j++) wanted.push(genes[node * block + j]);
    }
    return lit;
  };

  // Step k of a frame: its picks one by one, what each offspring is worth, then the selection.
  const plan = (frame) => {
    const steps = [];
    frame.made.forEach((one, offspring) => {
      one.picks.forEach((_, pick) => steps.push({ what: "pick", offspring, pick }));
      steps.push({ what: "evaluate", offspring });
    });
    steps.push({ what: "select" });
    return steps;
  };

  const source = (number) => number < inputs ? data.inputLabels[number] : `node ${number}`;
  const owner = (gene) => gene >= outputGenes ? inputs + nodes + gene - outputGenes : inputs + Math.floor(gene / block);
  const place = (gene) => {
    if (gene >= outputGenes) return `output ${data.outputLabels[gene - outputGenes]}`;
    const j = gene % block;
    return `node ${owner(gene)}, ${j === 0 ? "gate" : `input ${j}`}`;
  };
  const value = (gene, v) => gene < outputGenes && gene % block === 0 ? data.gates[v].name : source(v);
  const isActive = (gene, lit) => gene >= outputGenes || lit[Math.floor(gene / block)] === 1;
  const isUsed = (gene, genes) =>
    gene >= outputGenes || gene % block <= data.gates[genes[gene - (gene % block)]].arity;
  const describe = (number, genes, lit) => {
    if (number < inputs) return `${number}: input ${data.inputLabels[number]}`;
    if (number >= inputs + nodes) {
      const j = number - inputs - nodes;
      return `output ${data.outputLabels[j]} reads ${source(genes[outputGenes + j])}`;
    }
    const node = number - inputs, gate = data.gates[genes[node * block]];
    const read = Array.from(genes.subarray(node * block + 1, node * block + 1 + gate.arity), source);
    return `node ${number}: ${gate.name}(${read.join(", ")}), ${lit[node] ? "active" : "inactive"}`;
  };
  const changes = (a, b) => {
    const found = new Set();
    for (let gene = 0; gene < a.length; gene++) if (a[gene] !== b[gene]) found.add(gene);
    return found;
  };

  return {
    ...data, frames, outputGenes, parentAfter, parentBefore, active, plan, source, owner, place, value, isActive,
    isUsed, describe, changes, write, words: (f) => data.fitness[f][0], height: (f) => data.fitness[f][1],
  };
}
