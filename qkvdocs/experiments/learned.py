"""What the small trained model can do, and how its three matrices come apart."""

from dataclasses import dataclass

from qkvdocs.attention import FloatArray, attention_scores
from qkvdocs.kept import kept
from qkvdocs.training import TaskName, Variant, task, train


@dataclass(frozen=True)
class Trained:
    """What a model answers right after training, on sequences it never saw.

    Parameters
    ----------
    accuracy
        mean over the seeds
    spread
        standard deviation over the seeds
    lowest, highest
        of the seeds
    chance
        the accuracy of a blind guess
    seeds
        how many models
    """

    accuracy: float
    spread: float
    lowest: float
    highest: float
    chance: float
    seeds: int


def trained(variant: Variant = "separate", task_name: TaskName = "same") -> Trained:
    """Train five models of a variant on a task; `qkvdocs.training` describes both.

    Examples
    --------
    Directed relations between the same tokens need W^Q ≠ W^K; they do without W^V, as W^O follows:

    >>> [round(trained(variant).accuracy, 2) for variant in ("separate", "tied", "no_value")]
    [1.0, 0.36, 1.0]

    Where those who ask are never asked, tying costs nothing:

    >>> trained("tied", "different").accuracy
    1.0

    No gradient passes argmax, so W^Q and W^K stay as they were and answers stay at chance:

    >>> round(trained("hard").accuracy, 2), trained("hard").chance
    (0.13, 0.125)
    """
    record = train(variant, task_name)
    return Trained(
        accuracy=record.mean,
        spread=record.spread,
        lowest=float(record.test_accuracy.min()),
        highest=float(record.test_accuracy.max()),
        chance=task(task_name).chance,
        seeds=len(record.seeds),
    )


@dataclass(frozen=True, eq=False)
class ComeApart:
    """How three equal matrices became three different ones.

    Parameters
    ----------
    qk_before, qv_before, kv_before
        the cosine of each pair before training
    qk, qv, kv
        after training
    q_reads_token, k_reads_token, v_reads_token
        the share of each matrix (of its squared length) that reads which token it is; the rest
        reads which symbol it carries
    reads_token_before
        the same before training, equal for the three
    sources_found
        share of tokens whose largest score is that of their source, over all seeds
    score_table : (m, m)
        scores between tokens, mean over the seeds; row asks, column is asked
    norm_q, norm_k, norm_v : (steps,)
        length of each gradient, mean over the seeds
    accuracy : (steps,)
        mean over the seeds, on the sequences of the step, before it
    """

    qk_before: float
    qv_before: float
    kv_before: float
    qk: float
    qv: float
    kv: float
    q_reads_token: float
    k_reads_token: float
    v_reads_token: float
    reads_token_before: float
    sources_found: float
    score_table: FloatArray
    norm_q: FloatArray
    norm_k: FloatArray
    norm_v: FloatArray
    accuracy: FloatArray

    @property
    def first_step_all_right(self) -> int:
        """The first step at which all five models answered every question of the step right."""
        return int((self.accuracy == 1).argmax())

    @property
    def v_signal_at_start(self) -> float:
        """The length of the gradient of W^V over that of W^Q, before the first step."""
        return float(self.norm_v[0] / self.norm_q[0])


@kept
def come_apart() -> ComeApart:
    """Train W^Q, W^K and W^V from one and the same start, and measure what they became.

    Examples
    --------
    >>> apart = come_apart()
    >>> round(apart.qk_before, 2), round(abs(apart.qk), 1)
    (1.0, 0.0)
    >>> apart.q_reads_token > 0.9, apart.k_reads_token > 0.9, apart.v_reads_token < 0.1
    (True, True, True)
    """
    record = train("separate", "same")
    relation = task("same").relation
    m = len(relation)
    w_q, w_k = record.after["w_q"], record.after["w_k"]
    scores = attention_scores(w_q[:, :m], w_k[:, :m])  # (seeds, m, m)

    def token_share(matrix: FloatArray) -> float:
        squares = matrix**2
        return float((squares[:, :m].sum(axis=(1, 2)) / squares.sum(axis=(1, 2))).mean())

    def overlap(pair: str, step: int) -> float:
        return float(record.overlap[pair][:, step].mean())

    return ComeApart(
        qk_before=overlap("qk", 0),
        qv_before=overlap("qv", 0),
        kv_before=overlap("kv", 0),
        qk=overlap("qk", -1),
        qv=overlap("qv", -1),
        kv=overlap("kv", -1),
        q_reads_token=token_share(w_q),
        k_reads_token=token_share(w_k),
        v_reads_token=token_share(record.after["w_v"]),
        reads_token_before=token_share(record.before["w_q"]),
        sources_found=float((scores.argmax(axis=-1) == relation.argmax(axis=-1)).mean()),
        score_table=scores.mean(axis=0),
        norm_q=record.norms["w_q"].mean(axis=0),
        norm_k=record.norms["w_k"].mean(axis=0),
        norm_v=record.norms["w_v"].mean(axis=0),
        accuracy=record.accuracy.mean(axis=0),
    )
