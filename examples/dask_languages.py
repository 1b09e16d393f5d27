# SPDX-License-Identifier: Apache-2.0
"""Languages of a column of texts with Dask: Parquet in, Parquet with three more columns out.

python dask_languages.py crawl.parquet labelled.parquet de,nl
"""

import sys

import dask.dataframe as dd
import pandas as pd
import pyarrow as pa
from dask.distributed import Client

import budgie


def identify(frame: pd.DataFrame) -> pd.DataFrame:
    """Runs in the workers, of which each loads the model once, by its first partition."""
    answers = pa.table(budgie.identify_column(frame, column="text", keep=frame.columns))
    return answers.to_pandas(types_mapper=pd.ArrowDtype).set_axis(frame.index)


def with_languages(frame: dd.DataFrame) -> dd.DataFrame:
    """The same rows with `language`, `probability` and `reliable`, of their column `text`."""
    return frame.map_partitions(identify, meta=identify(frame._meta))


def main(source: str, target: str, languages: str = "") -> None:
    """Without `languages`, all rows stay."""
    with Client(processes=True, threads_per_worker=1):
        frame = with_languages(dd.read_parquet(source, dtype_backend="pyarrow"))
        if languages:
            frame = frame[frame["reliable"] & frame["language"].isin(languages.split(","))]
        frame.to_parquet(target, write_index=False)


if __name__ == "__main__":  # workers import this file, too
    main(*sys.argv[1:])
