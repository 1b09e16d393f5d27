# SPDX-License-Identifier: Apache-2.0
"""`budgie identify --priors`, and --languages for text in others."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Command

import budgie as package
from budgie.cli import main


def test_priors(budgie: Command) -> None:
    model = package.load("langid")
    answer = model.identify("Berg", priors={"de": 20, "en": 50})
    row = f"de\t{answer.probability:.4f}\tno\tBerg\n".encode()
    assert budgie("identify", "--priors", "German=20, en=50", stdin=b"Berg") == row
    assert budgie("identify", "--priors", "de=20,en=50", "--spans", stdin=b"Berg") == b"1\t0\t4\t" + row
    assert budgie("identify", "--priors", "de=20,en=50", "--rank", 1, stdin=b"Berg").startswith(b"de:0.")


@pytest.mark.parametrize(
    ("priors", "message"),
    [
        ("germn=3", "this model does not know the language 'germn'; did you mean german?"),
        ("=3", "this model does not know the language ''"),
        ("de=0", "the prior of 'de' must be a number"),
    ],
)
def test_priors_that_make_no_sense(priors: str, message: str, budgie: Command, tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    text.write_text("Hallo\n")
    budgie.fails("identify", "--priors", priors, text, message=message)


@pytest.mark.parametrize("priors", ["de", "de=", "de=x", "de:5"])
def test_what_is_no_prior(priors: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["identify", "--priors", priors])
    assert "is not CODE=N, as in en=5,de=2" in capsys.readouterr().err


def test_french_is_no_reliable_german(budgie: Command) -> None:
    text = b"Le petit chat dort au soleil"
    assert budgie("identify", "--languages", "de,ja", "--no-text", stdin=text) == b"de\t0.9999\tno\n"
