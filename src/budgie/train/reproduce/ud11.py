# SPDX-License-Identifier: Apache-2.0
"""What a tagger of Universal Dependencies 1.1 learns from: treebank, silver text and clusters, by the language."""

from __future__ import annotations

from pathlib import Path

from budgie.clusters.table import read_clusters
from budgie.errors import ConfigError
from budgie.train.data.treebanks import UD11
from budgie.train.network.recipe import Recipe
from budgie.train.tagging.train import TaggingMaterial


def check_languages(languages: list[str]) -> None:
    """Refuse languages without data before any training begins."""
    if unknown := set(languages) - set(UD11):
        raise ConfigError(f"no data for {', '.join(sorted(unknown))}; there are {', '.join(UD11)}")


def uses_clusters(recipe: Recipe) -> bool:
    """Whether a recipe needs a table of clusters."""
    return any(group.kind == "clusters" for group in recipe.network.groups)


def check_material(recipe: Recipe, language: str, silver: str | None, clusters: str | None) -> None:
    """Refuse what `read_material` would, before any training begins."""
    _find_silver(recipe, language, silver)
    if uses_clusters(recipe):
        if clusters is None:
            raise ConfigError("rows with clusters need tables of them: give --clusters, or other --rows")
        if not (table := Path(clusters) / f"{language}.tsv").exists():
            raise ConfigError(f"--clusters {clusters}: there is no {table.name}; budgie cluster makes such files")


def read_material(recipe: Recipe, language: str, silver: str | None, clusters: str | None) -> TaggingMaterial:
    """The material; `silver` and `clusters` are folders, of which a recipe uses what it has a use for."""
    check_material(recipe, language, silver, clusters)
    treebank, files = UD11[language], _find_silver(recipe, language, silver)
    table = read_clusters(Path(clusters) / f"{language}.tsv") if clusters and uses_clusters(recipe) else None
    return TaggingMaterial(treebank.read("train"), treebank.read("dev"), files, table)


def _find_silver(recipe: Recipe, language: str, folder: str | None) -> list[Path]:
    if folder is None or recipe.optimise.silver == 0:
        return []
    pattern = f"ud11-{language}-*.silver.tsv.xz"
    if not (files := sorted(Path(folder).glob(pattern))):
        raise ConfigError(f"--silver {folder}: there is no {pattern}; budgie teach makes such files")
    return files
