# SPDX-License-Identifier: Apache-2.0
"""Languages of a column of texts with Spark: Parquet in, Parquet with three more columns out.

PYSPARK_PYTHON=$(which python) python spark_languages.py crawl.parquet labelled.parquet de,nl
"""

import sys
from collections.abc import Iterator

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import StructType

import budgie

ANSWERS = StructType().add("language", "string").add("probability", "float").add("reliable", "boolean")


def identify(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Runs in the workers, of which each loads the model once, by its first batch."""
    for batch in batches:
        yield from pa.table(budgie.identify_column(batch, column="text", keep=batch.schema.names)).to_batches()


def with_languages(frame: DataFrame) -> DataFrame:
    """The same rows with `language`, `probability` and `reliable`, of their column `text`."""
    return frame.mapInArrow(identify, StructType([*frame.schema, *ANSWERS]))


def main(source: str, target: str, languages: str = "") -> None:
    """Without `languages`, all rows stay."""
    frame = with_languages(SparkSession.builder.getOrCreate().read.parquet(source))
    if languages:
        frame = frame.filter(frame.reliable & frame.language.isin(languages.split(",")))
    frame.write.parquet(target)


if __name__ == "__main__":
    main(*sys.argv[1:])
