"""The attention cases that the onnx package carries: an independent implementation to agree with.

The cases are exported by onnx.backend.test.case.node.attention alone; collecting the cases of all
operators would take far longer.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from unittest import mock

import numpy as np
import onnx
import pytest
from onnx.backend.test.case.node import attention as onnx_attention

from qkvdocs.attention import attention, causal_mask

IN_SCOPE = {
    "test_attention_4d",
    "test_attention_4d_gqa",
    "test_attention_4d_diff_heads_sizes",
    "test_attention_4d_scaled",
    "test_attention_4d_gqa_scaled",
    "test_attention_4d_diff_heads_sizes_scaled",
    "test_attention_4d_causal",
    "test_attention_4d_gqa_causal",
    "test_attention_4d_diff_heads_sizes_causal",
    "test_attention_4d_attn_mask",
    "test_attention_4d_attn_mask_3d",
    "test_attention_4d_attn_mask_3d_causal",
    "test_attention_4d_attn_mask_4d",
    "test_attention_4d_attn_mask_4d_causal",
    "test_attention_4d_attn_mask_bool",
    "test_attention_4d_attn_mask_bool_4d",
    "test_attention_4d_gqa_attn_mask",
    "test_attention_4d_diff_heads_sizes_attn_mask",
    "test_attention_causal_boolmask_nan_robustness",
    "test_attention_23_boolmask_fullymasked_row_nan_robustness",
    "test_attention_local_window_default",
}


@dataclass(frozen=True)
class Case:
    name: str
    inputs: Mapping[str, np.ndarray]
    outputs: Mapping[str, np.ndarray]
    attributes: Mapping[str, Any]


def collect_cases() -> list[Case]:
    cases = []

    def record(
        node: onnx.NodeProto,
        inputs: list[np.ndarray],
        outputs: list[np.ndarray],
        name: str,
        **_: Any,
    ) -> None:
        input_names = [each for each in node.input if each]
        output_names = [each for each in node.output if each]
        cases.append(
            Case(
                name,
                dict(zip(input_names, inputs, strict=True)),
                dict(zip(output_names, outputs, strict=True)),
                {each.name: onnx.helper.get_attribute_value(each) for each in node.attribute},
            )
        )

    # The exporters draw from NumPy's global generator.
    state = np.random.get_state()  # noqa: NPY002
    with mock.patch.object(onnx_attention, "expect", record):
        for name, exporter in vars(onnx_attention.Attention).items():
            if name.startswith("export"):
                np.random.seed(0)  # noqa: NPY002
                exporter()
    np.random.set_state(state)  # noqa: NPY002
    return cases


# The first reason that applies to a case counts.
OUT_OF_SCOPE: dict[str, Callable[[Case], bool]] = {
    "3-D: heads packed into the width are for the caller to unpack": (
        lambda case: case.inputs["Q"].ndim == 3
    ),
    "float16 or bfloat16: qkvdocs computes in float32 and float64": (
        lambda case: case.inputs["Q"].dtype.itemsize == 2
    ),
    "cache: keys and values of earlier calls, or their number, as inputs of their own": (
        lambda case: bool({"past_key", "nonpad_kv_seqlen"} & case.inputs.keys())
    ),
    "softcap: tanh on the scores": lambda case: "softcap" in case.attributes,
    "qk_matmul_output: the scores or weights as a second output": (
        lambda case: "qk_matmul_output" in case.outputs
    ),
    "window: a mask built from an attribute; -1 turns it off": (
        lambda case: case.attributes.get("left_window_size", -1) != -1
    ),
}


def reason_to_leave_out(case: Case) -> str | None:
    return next((reason for reason, applies in OUT_OF_SCOPE.items() if applies(case)), None)


def run(case: Case) -> np.ndarray:
    query = case.inputs["Q"]
    repeats = query.shape[1] // case.inputs["K"].shape[1]
    key, value = (np.repeat(case.inputs[name], repeats, axis=1) for name in "KV")
    allowed = np.ones((query.shape[-2], key.shape[-2]), dtype=bool)
    if case.attributes.get("is_causal"):
        allowed &= causal_mask(*allowed.shape)
    bias = case.inputs.get("attn_mask")
    if bias is not None and bias.dtype == np.bool_:
        allowed, bias = allowed & bias, None
    scale = case.attributes.get("scale")
    return attention(query, key, value, mask=allowed, bias=bias, scale=scale)


CASES = {case.name: case for case in collect_cases()}


@pytest.mark.parametrize("name", sorted(IN_SCOPE))
def test_attention_agrees_with_onnx(name: str) -> None:
    case = CASES[name]
    output = run(case)
    assert output.dtype == np.float32
    assert case.outputs.keys() == {"Y"}
    assert case.attributes.keys() <= {
        "scale",
        "is_causal",
        "left_window_size",
        "right_window_size",
    }
    np.testing.assert_allclose(output, case.outputs["Y"], rtol=1e-6, atol=1e-6)


def test_every_onnx_case_runs_or_has_a_reason() -> None:
    reasons = {name: reason_to_leave_out(case) for name, case in CASES.items()}
    assert {name for name, reason in reasons.items() if reason is None} == IN_SCOPE
    left_out = Counter(reason.partition(":")[0] for reason in reasons.values() if reason)
    assert left_out == {
        "3-D": 25,
        "float16 or bfloat16": 10,
        "cache": 22,
        "softcap": 7,
        "qk_matmul_output": 5,
        "window": 3,
    }
    assert (len(CASES), len(IN_SCOPE)) == (93, 21)


def test_the_cases_cover_what_attention_offers() -> None:
    chosen = [CASES[name] for name in IN_SCOPE]
    masks = [case.inputs["attn_mask"] for case in chosen if "attn_mask" in case.inputs]
    shapes = [{name: case.inputs[name].shape for name in "QKV"} for case in chosen]
    assert any("scale" in case.attributes for case in chosen)
    assert any(case.attributes.get("is_causal") for case in chosen)
    assert any(mask.dtype == np.float32 for mask in masks)
    assert any(mask.dtype == np.bool_ and not mask.all() for mask in masks)
    assert any(shape["Q"][-1] != shape["V"][-1] for shape in shapes)
    assert any(shape["Q"][1] != shape["K"][1] for shape in shapes)
    assert any(shape["Q"][-2] != shape["K"][-2] for shape in shapes)
