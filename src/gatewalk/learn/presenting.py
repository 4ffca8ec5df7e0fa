"""What was learnt, for readers: rules and a drawing."""

from __future__ import annotations

from pathlib import Path

from gatewalk.circuit.circuit import Circuit
from gatewalk.circuit.drawing import schematic
from gatewalk.circuit.picture_files import check_suffix, write_picture
from gatewalk.learn.learning import Learnt
from gatewalk.learn.rules import needed, rules_of, texts_of


def rules(learnt: Learnt) -> list[str]:
    """If-then rules of the chosen circuit."""
    return texts_of(rules_of(learnt.choice.circuit, learnt.questions), learnt.coding)


def draw(circuit: Circuit, path: str | Path) -> None:
    """Draw a circuit with the inputs that it reads."""
    check_suffix(path)
    write_picture(schematic(needed(circuit)), path)
