# SPDX-License-Identifier: Apache-2.0
"""What is in a model: what `budgie info` prints."""

from __future__ import annotations

import dataclasses
import json
import math
from typing import Any

from budgie._core import HASH
from budgie.licences import classify_model
from budgie.model.accounting import KB, account, paper_bits
from budgie.model.config import Config
from budgie.model.file import Model
from budgie.tasks import TASKS

_INDENT = 14
_SPACES = {
    "break": "spaces end words",
    "join": "words may have spaces inside",
    "between": "spaces stand between words",
}

Json = dict[str, Any]


def describe(model: Model) -> Json:
    """Everything but the weights, as JSON-ready data."""
    counts, config = account(model.config), model.config.to_dict()
    calibration = model.tensors.get("calibration")
    return {
        "task": model.config.task,
        "weights": counts.weights,
        "size": counts.size,
        "file_size": len(model.to_bytes()),
        "h0": counts.h0,
        "hidden": model.config.hidden,
        "flops": counts.flops,
        "layer_bits": model.config.layer_bits,
        "groups": config["groups"],
        "text": config["text"],
        "labels": list(model.config.labels),
        "standards": list(model.config.standards),
        "lexicon": config["lexicon"],
        "multiword": config["multiword"],
        "variants": model.config.variants,
        "bloom": _bloom(model),
        "networks": {name: _inside(network) for name, network in model.config.networks.items()},
        "calibration": list(memoryview(bytes(calibration.data)).cast("f")) if calibration else None,
        "licence_class": classify_model(model.task, model.info),
        "info": {name: _parsed(text) for name, text in model.info.items()},
        "hash": HASH,
        "unicode": model.core.unicode,
        "sha256": model.sha256,
    }


def show(description: Json) -> str:
    """The description for people."""
    rows = description | {
        "weights": f"{description['weights']:,}",
        "size": f"{description['size']:,} bytes of parameters "
        f"({description['size'] / KB:,.0f} KB of 1,024 bytes, as the paper counts)",
        "file_size": f"{description['file_size']:,} bytes",
        "flops": f"{description['flops']:,} a decision ({description['flops'] / 1e6:.2f}m)",
        "groups": "\n".join(map(_group, description["groups"])),
        "text": _text(description["task"], description["text"]),
        "networks": None,  # but the tagger, below
        "labels": f"{len(description['labels'])}: {' '.join(description['labels'])}",
        "info": "\n".join(
            f"{_harmless(name)}: {_harmless(_flat(value))}" for name, value in description["info"].items()
        ),
    }
    if description["standards"]:
        rows["standards"] = " ".join(description["standards"])
    if lexicon := description["lexicon"]:
        bits = f"{8 * lexicon['size'] / max(1, lexicon['words']):.1f} bits a word"
        rows["lexicon"] = f"{lexicon['words']:,} words of 2 to {lexicon['longest']} units, {bits}"
    if multiword := description["multiword"]:
        rows["multiword"] = f"{multiword['rules']:,} rules that split tokens into words, {multiword['size']:,} bytes"
    if variants := description["variants"]:
        rows["variants"] = f"{variants:,} characters that count as others"
    if tagger := description["networks"].get("tagger"):
        own = description["flops"] - tagger["flops"]
        rows["flops"] = f"{own:,} a move and {tagger['flops']:,} a tag ({description['flops'] / 1e6:.2f}m)"
        rows["tagger"] = (
            f"{len(tagger['labels'])} tags: {' '.join(tagger['labels'])}\n"
            f"{size_of(tagger['size'])} of parameters, {tagger['weights']:,} weights, {tagger['hidden']} hidden units; "
            "in all sums above"
        )
    if description["bloom"]:
        rows["bloom"] = _show_bloom(description["bloom"])
    if description["calibration"]:
        rows["calibration"] = "temperature = {:.4g} + {:.4g} / sqrt(letters)".format(*description["calibration"])
    lines = [f"{name.replace('_', ' '):<{_INDENT}}{value}" for name, value in rows.items() if value]
    return "".join(line.replace("\n", "\n" + " " * _INDENT) + "\n" for line in lines)


def _text(task: str, text: Json) -> str:
    if TASKS[task].reads_units:
        return f"{text['units']}; {_SPACES[text['spaces']]}"
    of_units = ("units", "spaces")
    return ", ".join(name for name, wanted in text.items() if wanted and name not in of_units) or "as it is"


def _bloom(model: Model) -> Json | None:
    bloom = model.config.bloom
    if bloom is None:
        return None
    lengths = bytes(model.tensors["bloom.lengths"].data)
    # Of the distribution that the codes are for, which is that of the words as nearly as codes of whole bits can be.
    entropy = sum(length * 2.0**-length for length in lengths if length)
    size = bloom.size + len(lengths)
    return {
        **dataclasses.asdict(bloom),
        "classes": sum(length > 0 for length in lengths),
        "size": size,
        "bits_per_word": 8 * size / bloom.words,
        "paper_size": math.ceil(bloom.words * paper_bits(entropy, bloom.error_bits) / 8),
        "paper_bits_per_word": paper_bits(entropy, bloom.error_bits),
    }


def _inside(config: Config) -> Json:
    """A network of a pipeline."""
    counted = dataclasses.asdict(account(config))
    return {"task": config.task, **counted, "hidden": config.hidden, "labels": list(config.labels)}


def _show_bloom(bloom: Json) -> str:
    folds = " and ".join(name for name in ("case", "digits") if bloom[f"fold_{name}"])
    return (
        f"{bloom['words']:,} words in {bloom['classes']} clusters{f', {folds} folded' if folds else ''}\n"
        f"{bloom['error_bits']} error bits: {100 * 2.0 ** -bloom['error_bits']:.3g} % of unknown words get a cluster\n"
        f"{bloom['bits_per_word']:.2f} bits a word, {size_of(bloom['size'])}; by the paper's formula "
        f"{bloom['paper_bits_per_word']:.2f} and {size_of(bloom['paper_size'])}"
    )


def size_of(size: int) -> str:
    """Bytes for people; a KB has 1,000 of them."""
    return f"{size / 1e3:.0f} KB" if size < 1e6 else f"{size / 1e6:.2f} MB"


def _parsed(text: str) -> Any:
    """Scores and settings are JSON objects; all else stays as it is."""
    if not text.startswith("{"):
        return text
    try:
        value = json.loads(text)
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError):  # information is free: nobody has checked it
        return text
    return value


def _flat(value: Any) -> str:
    return ", ".join(f"{name} {one}" for name, one in value.items()) if isinstance(value, dict) else str(value)


def _harmless(text: str) -> str:
    """Free information must not speak to the terminal."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def _group(group: Json) -> str:
    kinds = {"ngrams": f"{group['n']}-grams", "bytes": f"first and last {group['n']} bytes"}
    inside = " inside words" if group["n"] > 2 and not group["across"] else ""
    if group["kind"] == "ngrams" and not group["ends"]:
        inside += " without word ends"
    places = "" if tuple(group["positions"]) == (0,) else f" at {' '.join(map(str, group['positions']))}"
    if group["places"]:
        places = f" at {' '.join(group['places'])}" + (f", each with the words{places}" if places else "")
    if group["starts"]:
        places += f" and at {' '.join(map(str, group['starts']))} from the start of the word"
    combine = "" if group["kind"] in ("tags", "swapped", "length") else f"{group['combine']} of "
    ids = f"{combine}{kinds.get(group['kind'], group['kind'])}{inside}{places}"
    stored = f"{group['bits']} bits" + (f", one scale a {group['scale']}" if group["bits"] < 32 else "")
    return f"{group['name']}: {ids}, {group['buckets']:,} x {group['dim']}, {stored}"
