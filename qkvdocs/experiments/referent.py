"""What *it* finds, with and without what comes after it."""

from dataclasses import dataclass
from typing import Literal

from qkvdocs import examples
from qkvdocs.examples import Sentence, find_referent


@dataclass(frozen=True)
class Coreference:
    """How *it* scores and weighs its two candidates, in the second of the two hand-built layers.

    Parameters
    ----------
    animal_score, street_score
        q_it · k
    animal, street
        the weights of *it*
    """

    animal_score: float
    street_score: float
    animal: float
    street: float


def coreference(ending: Literal["tired", "wide"], causal: bool = False) -> Coreference:
    """Let *it* look for what it means, seeing the whole sentence or, `causal`, the words up to it.

    With `causal`, both layers have the mask: at *it*, neither *tired* nor *wide* has been seen.

    Examples
    --------
    >>> round(coreference("tired").animal, 2), round(coreference("wide").animal, 2)
    (0.93, 0.03)
    >>> coreference("tired", causal=True) == coreference("wide", causal=True)
    True
    """
    endings: dict[str, Sentence] = {"tired": examples.tired_first, "wide": examples.wide_first}
    if ending not in endings:
        raise ValueError(f"ending: wanted one of {', '.join(endings)}; got {ending!r}")
    first = endings[ending]
    if causal:
        first = first.causal
    second = find_referent(first, ending)
    return Coreference(
        animal_score=second.score("it", "animal"),
        street_score=second.score("it", "street"),
        animal=second.weight("it", "animal"),
        street=second.weight("it", "street"),
    )
