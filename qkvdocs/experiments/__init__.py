"""The measured claims of the course: one function a claim, each returning named numbers.

A page prints `{value: nudge(0.01).soft_change | .3f}`; a figure, a demo or a snippet asks the same
function, so that a claim has one number wherever it is shown. What is random is drawn from a
generator whose seed is a parameter; what takes more than a few milliseconds is cached.
"""

from qkvdocs.experiments.gradients import STEP, ThreeGradients, measured_gradient, three_gradients
from qkvdocs.experiments.learned import ComeApart, Trained, come_apart, trained
from qkvdocs.experiments.projections import (
    Equality,
    Projections,
    ScoreFactors,
    SelfPreference,
    no_projection,
    score_factors,
    self_preference,
    separate,
    tied,
    tied_unit,
    value_then_output,
)
from qkvdocs.experiments.referent import Coreference, coreference
from qkvdocs.experiments.retrieval import (
    TEMPERATURES,
    Dilution,
    DilutionAt,
    Nudge,
    RetrievalGradients,
    RetrievalSweep,
    Temperature,
    Tie,
    TwoSources,
    dilution,
    nudge,
    retrieval_gradients,
    retrieval_sweep,
    temperature,
    tie,
    two_sources,
)
from qkvdocs.experiments.sources import (
    CONTEXTS,
    MEMORY,
    MemoryLookup,
    NextWord,
    ValueReplaced,
    memory_lookup,
    next_word,
    value_replaced,
)
from qkvdocs.experiments.weights import LongValue, NoMatch, long_value, no_match

__all__ = [
    "CONTEXTS",
    "MEMORY",
    "STEP",
    "TEMPERATURES",
    "ComeApart",
    "Coreference",
    "Dilution",
    "DilutionAt",
    "Equality",
    "LongValue",
    "MemoryLookup",
    "NextWord",
    "NoMatch",
    "Nudge",
    "Projections",
    "RetrievalGradients",
    "RetrievalSweep",
    "ScoreFactors",
    "SelfPreference",
    "Temperature",
    "ThreeGradients",
    "Tie",
    "Trained",
    "TwoSources",
    "ValueReplaced",
    "come_apart",
    "coreference",
    "dilution",
    "long_value",
    "measured_gradient",
    "memory_lookup",
    "next_word",
    "no_match",
    "no_projection",
    "nudge",
    "retrieval_gradients",
    "retrieval_sweep",
    "score_factors",
    "self_preference",
    "separate",
    "temperature",
    "three_gradients",
    "tie",
    "tied",
    "tied_unit",
    "trained",
    "two_sources",
    "value_replaced",
    "value_then_output",
]
