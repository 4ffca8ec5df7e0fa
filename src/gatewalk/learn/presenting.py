"""A learnt circuit presented to people: as if-then rules and as a drawing."""

from __future__ import annotations

from pathlib import Path

from gatewalk.circuit.circuit import Circuit
from gatewalk.circuit.drawing import schematic
from gatewalk.circuit.picture_files import check_suffix, write_picture
from gatewalk.learn.learning import Learnt
from gatewalk.learn.rules import needed, rules_of, texts_of


def rules(learnt: Learnt) -> list[str]:
    """The if-then rules of the chosen circuit, as sentences."""
    return texts_of(rules_of(learnt.choice.circuit, learnt.questions), learnt.coding)


def draw(circuit: Circuit, path: str | Path) -> None:
    """Draw a circuit, with only the inputs that it reads, into a picture file."""
    check_suffix(path)
    write_picture(schematic(needed(circuit)), path)
