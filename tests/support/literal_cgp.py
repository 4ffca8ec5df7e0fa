"""The (1+1) CGP on And_n and Xor_n with one gate, written from Algorithms 1-3 with lists.

A program is a list of genes: node b has a function gene 3b and connections 3b+1, 3b+2; the output is last.
"""

from fractions import Fraction


def values(n, nodes, gene):
    """How many values a gene can take (Algorithm 2, one gate)."""
    if gene == 3 * nodes:
        return n + nodes
    return 1 if gene % 3 == 0 else n + gene // 3


def random_program(n, nodes, rng):
    return [rng.randrange(values(n, nodes, gene)) for gene in range(3 * nodes + 1)]


def active_nodes(n, program):
    nodes = len(program) // 3
    active = set()
    open_ = [program[3 * nodes]]
    while open_:
        source = open_.pop()
        if source >= n and source - n not in active:
            active.add(source - n)
            open_ += program[3 * (source - n) + 1 : 3 * (source - n) + 3]
    return active


def used_inputs(n, program):
    """Inputs in reach of the output."""
    nodes = len(program) // 3
    reads = {program[3 * nodes]}
    for b in active_nodes(n, program):
        reads |= set(program[3 * b + 1 : 3 * b + 3])
    return {source for source in reads if source < n}


def parity(n, program):
    """Inputs the output depends on when every gate is Xor."""
    nodes = len(program) // 3
    sets = [{i} for i in range(n)]
    for b in range(nodes):
        sets.append(sets[program[3 * b + 1]] ^ sets[program[3 * b + 2]])
    return sets[program[3 * nodes]]


def sam(n, program, rng):
    """Algorithm 3."""
    nodes = len(program) // 3
    active = active_nodes(n, program)
    child = list(program)
    while True:
        gene = rng.randrange(3 * nodes + 1)
        count = values(n, nodes, gene)
        if count > 1:
            child[gene] = (child[gene] + rng.randrange(1, count)) % count
        if (gene == 3 * nodes or gene // 3 in active) and child[gene] != program[gene]:
            return child


def conjunction_time(n, nodes, *, strict, rng):
    """Iterations until all inputs are used, Algorithm 1 with fitness 2^(n-i) - 1."""
    program = random_program(n, nodes, rng)
    level = len(used_inputs(n, program))
    time = 0
    while level < n:
        child = sam(n, program, rng)
        reached = len(used_inputs(n, child))
        time += 1
        if reached > level or (reached == level and not strict):
            program, level = child, reached
    return time


def leave_chance(n, start):
    """Probability that one SAM call from `start` uses all inputs, by solving the chain over inactive genes.

    States: the values of the inactive connection genes; every gene is picked with 1/(3D+1).
    """
    nodes = len(start) // 3
    active = active_nodes(n, start)
    free = [g for g in range(3 * nodes) if g % 3 and g // 3 not in active]
    genes = 3 * nodes + 1
    origin = tuple(start[g] for g in free)
    index = {origin: 0}
    rows = []
    gains = []
    todo = [origin]
    while todo:
        state = todo.pop(0)
        child = list(start)
        for g, value in zip(free, state, strict=True):
            child[g] = value
        row = {}
        gain = Fraction(0)
        for gene in range(genes):
            count = values(n, nodes, gene)
            if count == 1:
                row[index[state]] = row.get(index[state], Fraction(0)) + Fraction(1, genes)
                continue
            for value in range(count):
                if value == child[gene]:
                    continue
                chance = Fraction(1, genes * (count - 1))
                moved = list(child)
                moved[gene] = value
                if gene in free:
                    key = tuple(moved[g] for g in free)
                    if key not in index:
                        index[key] = len(index)
                        todo.append(key)
                    row[index[key]] = row.get(index[key], Fraction(0)) + chance
                elif len(used_inputs(n, moved)) == n:
                    gain += chance
        rows.append(row)
        gains.append(gain)
    return solve_first(rows, gains)


def solve_first(rows, gains):
    """x_0 of x = gains + rows x, exactly, eliminating the states from the last to the first."""
    rows = [dict(row) for row in rows]
    gains = list(gains)
    for last in range(len(rows) - 1, 0, -1):
        row = rows[last]
        stay = 1 - row.pop(last, Fraction(0))
        row = {key: value / stay for key, value in row.items()}
        gain = gains[last] / stay
        for state in range(last):
            weight = rows[state].pop(last, None)
            if weight is not None:
                gains[state] += weight * gain
                for key, value in row.items():
                    rows[state][key] = rows[state].get(key, Fraction(0)) + weight * value
    return gains[0] / (1 - rows[0].get(0, Fraction(0)))
