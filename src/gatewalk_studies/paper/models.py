"""The five models of the paper and the models of the Xor experiment: names, settings, labels."""

from __future__ import annotations

from dataclasses import dataclass

SELECTIONS = ("nonstrict", "strict")
SELECTION_WORDS = {"nonstrict": "non-strict", "strict": "strict"}
PROFILES = ("tinyverse", "paper")
PROFILE_WORDS = {
    "tinyverse": "as the published experiments ran",
    "paper": "Algorithms 1\N{EN DASH}3 to the letter",
}
PARTS = ("complete", "incomplete", "xor")


@dataclass(frozen=True)
class Model:
    """An algorithm with its number of nodes; `nodes` is an expression in n, empty for trees."""

    name: str
    algorithm: str
    nodes: str

    def nodes_under(self, profile: str) -> str:
        """The number of nodes: S n by the text of the paper; the published runs had one more."""
        return f"{self.nodes}+1" if profile == "tinyverse" and self.nodes else self.nodes

    def label(self, profile: str = "paper") -> str:
        if not self.nodes:
            return "TGP " + self.algorithm.removeprefix("tgp-")
        nodes = self.nodes_under(profile).removeprefix("1") if "n" in self.nodes else self.nodes
        return f"CGP, D = {nodes.replace('-', MINUS)}"

    @property
    def short(self) -> str:
        return self.nodes.replace("-", MINUS) if self.nodes else self.algorithm.removeprefix("tgp-")


MINUS = "\N{MINUS SIGN}"
CGP = (Model("cgp-1n", "cgp", "1n"), Model("cgp-2n", "cgp", "2n"), Model("cgp-3n", "cgp", "3n"))
TGP = (Model("tgp-single", "tgp-single", ""), Model("tgp-multi", "tgp-multi", ""))
MODELS = (*CGP, *TGP)
XOR_CGP = (Model("cgp-n-1", "cgp", "n-1"), Model("cgp-1n", "cgp", "1n"), Model("cgp-2n", "cgp", "2n"))
XOR_MODELS = (*XOR_CGP, *TGP)
