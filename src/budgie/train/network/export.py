# SPDX-License-Identifier: Apache-2.0
"""From trained weights to a model file, and back."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np
import numpy.typing as npt
import torch

from budgie.model.config import Config
from budgie.model.file import Model
from budgie.model.tensors import Dtype, Tensor
from budgie.tasks import TASKS
from budgie.train.network.quantise import quantise_packed, quantise_rows, quantise_table, unpack

_DTYPES: dict[str, Dtype] = {"uint8": "U8", "float16": "F16", "float32": "F32"}
_NAMES = {dtype: name for name, dtype in _DTYPES.items()}


def make_model(
    config: Config,
    weights: Mapping[str, torch.Tensor],
    calibration: tuple[float, float] = (1.0, 0.0),
    info: Mapping[str, str] | None = None,
    resources: Mapping[str, Tensor] | None = None,
) -> Model:
    """Quantise and name the weights of one network (`loop.Trained.weights`) as the model file has them.

    `resources` has the tensors that nobody trained, such as those of the Bloom map.
    """
    arrays: dict[str, npt.NDArray[np.generic]] = {}
    for i, group in enumerate(config.groups):
        table = weights[f"tables.{i}"].numpy()
        if group.bits == 32:
            arrays[f"{group.name}.rows"] = table
        else:
            quantise = (
                partial(quantise_packed, bits=group.bits)
                if group.bits < 8
                else quantise_rows
                if group.scale == "row"
                else quantise_table
            )
            arrays[f"{group.name}.rows"], arrays[f"{group.name}.scales"] = quantise(table)
    layer = np.float16 if config.layer_bits == 16 else np.float32
    arrays["hidden.weight"] = weights["hidden"].T.numpy().astype(layer)
    arrays["hidden.bias"] = weights["hidden_bias"].numpy()
    arrays["output.weight"] = weights["output"].T.numpy().astype(layer)
    arrays["output.bias"] = weights["output_bias"].numpy()
    if TASKS[config.task].calibrated:
        arrays["calibration"] = np.array(calibration, dtype=np.float32)
    tensors = {
        name: Tensor(_DTYPES[array.dtype.name], array.shape, np.ascontiguousarray(array).tobytes())
        for name, array in arrays.items()
    }
    return Model(config, {**(resources or {}), **tensors}, info or {})


def weights_of(model: Model) -> dict[str, torch.Tensor]:
    """The weights that `make_model` made a model of, as far as they can be known from it."""

    def array(name: str) -> npt.NDArray[np.generic]:
        tensor = model.tensors[name]
        return np.frombuffer(bytes(tensor.data), dtype=_NAMES[tensor.dtype]).reshape(tensor.shape)

    arrays = {}
    for i, group in enumerate(model.config.groups):
        rows = array(f"{group.name}.rows")
        if group.bits < 32:
            rows = unpack(rows.astype(np.uint8), group.bits) * array(f"{group.name}.scales").astype(np.float32)[:, None]
        arrays[f"tables.{i}"] = rows
    for name in ("hidden", "output"):
        arrays[name], arrays[f"{name}_bias"] = array(f"{name}.weight").T, array(f"{name}.bias")
    return {name: torch.tensor(values.astype(np.float32)) for name, values in arrays.items()}
