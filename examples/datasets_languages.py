# SPDX-License-Identifier: Apache-2.0
"""Languages of a column of texts with datasets of Hugging Face: Parquet in, Parquet with three more columns out.

python datasets_languages.py 'crawl/*.parquet' labelled.parquet de,nl
"""

import sys

import pyarrow as pa
import pyarrow.compute as pc
from datasets import Dataset

import budgie

# The cache knows answers by the code that asked for them: those of another version of Budgie would stay.
SETTINGS = {"batched": True, "load_from_cache_file": False}


def identify(table: pa.Table) -> pa.Table:
    """Runs in the workers, of which each loads the model once, by its first batch."""
    return pa.table(budgie.identify_column(table, column="text", keep=table.column_names))


def with_languages(dataset: Dataset, processes: int = 2) -> Dataset:
    """The same rows with `language`, `probability` and `reliable`, of their column `text`."""
    return dataset.with_format("arrow").map(identify, batch_size=10_000, num_proc=processes, **SETTINGS)


def main(source: str, target: str, languages: str = "") -> None:
    """Without `languages`, all rows stay."""
    dataset = with_languages(Dataset.from_parquet(source))
    if languages:
        wanted = pa.array(languages.split(","))
        dataset = dataset.filter(lambda rows: pc.and_(rows["reliable"], pc.is_in(rows["language"], wanted)), **SETTINGS)
    dataset.to_parquet(target)


if __name__ == "__main__":
    main(*sys.argv[1:])
