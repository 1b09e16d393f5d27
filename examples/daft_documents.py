# SPDX-License-Identifier: Apache-2.0
"""Languages, sentences, tokens and tags of a column of texts with Daft: Parquet in, Parquet with them as columns out.

python daft_documents.py crawl.parquet annotated.parquet de,nl
"""

import sys

import daft
import pyarrow as pa

import budgie


def annotate(texts: daft.Series | pa.Array) -> pa.StructArray:
    """Runs in the workers, of which each loads the models once, by its first batch."""
    return pa.table(budgie.annotate_column(texts)).to_struct_array().combine_chunks()


ANSWERS = daft.DataType.from_arrow_type(annotate(pa.array([], pa.string())).type)


def with_documents(frame: daft.DataFrame) -> daft.DataFrame:
    """The same rows with `language`, `probability`, `reliable`, `spans` and `sentences`, of their column `text`."""
    function = daft.func.batch(return_dtype=ANSWERS, unnest=True)(annotate)
    return frame.select("*", function(frame["text"]))


def main(source: str, target: str, languages: str = "") -> None:
    """Without `languages`, all rows stay."""
    frame = with_documents(daft.read_parquet(source))
    if languages:
        frame = frame.where(frame["reliable"] & frame["language"].is_in(languages.split(",")))
    frame.write_parquet(target, write_mode="overwrite")


if __name__ == "__main__":
    main(*sys.argv[1:])
