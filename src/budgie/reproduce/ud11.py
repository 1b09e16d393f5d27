# SPDX-License-Identifier: Apache-2.0
"""What a tagger of Universal Dependencies 1.1 learns from: treebank, silver text and clusters, by the language."""

from __future__ import annotations

from pathlib import Path

from budgie.clusters.table import read_clusters
from budgie.errors import ConfigError
from budgie.train.pos import Material
from budgie.train.recipe import Recipe
from budgie.treebanks import UD11


def check_languages(languages: list[str]) -> None:
    """Refuse languages without data before any training begins."""
    if unknown := set(languages) - set(UD11):
        raise ConfigError(f"no data for {', '.join(sorted(unknown))}; there are {', '.join(UD11)}")


def read_material(recipe: Recipe, language: str, silver: str | None, clusters: str | None) -> Material:
    """The material; `silver` and `clusters` are folders, of which a recipe uses what it has a use for."""
    treebank, files, table = UD11[language], list[Path](), None
    if silver is not None and recipe.optimise.silver > 0:
        pattern = f"ud11-{language}-*.silver.tsv.xz"
        if not (files := sorted(Path(silver).glob(pattern))):
            raise ConfigError(f"--silver {silver}: there is no {pattern}; budgie teach makes such files")
    if any(group.kind == "clusters" for group in recipe.network.groups):
        if clusters is None:
            raise ConfigError("rows with clusters need tables of them: give --clusters, or other --rows")
        table = read_clusters(Path(clusters) / f"{language}.tsv")
    return Material(treebank.read("train"), treebank.read("dev"), files, table)
