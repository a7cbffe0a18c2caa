"""Holds each Parquet file of a folder against the CSV file beside it, as DuckDB and pandas read them."""

import sys
from pathlib import Path

import duckdb

database = duckdb.connect()
TYPES = {"BIGINT", "DOUBLE", "VARCHAR", "BOOLEAN"}


def check(parquet):
    table = f"'{parquet}'"
    columns = {name: kind for name, kind, *_ in database.sql(f"describe from {table}").fetchall()}
    assert set(columns.values()) <= TYPES, f"{parquet}: {columns}"
    typed = ", ".join(f"'{name}': '{kind}'" for name, kind in columns.items())
    csv = f"read_csv('{parquet.with_suffix('.csv')}', header = true, auto_detect = false, delim = ',', quote = '\"', escape = '\"', columns = {{{typed}}})"
    header = parquet.with_suffix(".csv").read_text().split("\n", 1)[0].split(",")
    assert header == list(columns), f"{parquet}: other columns than in CSV"
    for one, other in [(table, csv), (csv, table)]:
        more = database.sql(f"select count(*) from (from {one} except all from {other})").fetchall()[0][0]
        assert more == 0, f"{parquet}: {more} rows differ from CSV"
    said = dict(database.sql(f"select key::varchar, value::varchar from parquet_kv_metadata({table})").fetchall())
    for name, kind in columns.items():
        assert said[f"{name}.meaning"] and said[f"{name}.since"], f"{parquet}: nothing is said of {name}"
        assert kind != "BIGINT" or not name.endswith("_ps") or said[f"{name}.unit"] == "ps", f"{parquet}: {name}"
    codec = {row[0] for row in database.sql(f"select distinct compression from parquet_metadata({table})").fetchall()}
    assert codec <= {"ZSTD"}, f"{parquet}: {codec}"
    rows = database.sql(f"select count(*) from {table}").fetchall()[0][0]
    try:
        import pandas

        assert list(pandas.read_parquet(parquet).columns) == list(columns) and len(pandas.read_parquet(parquet)) == rows
        by = "DuckDB and pandas"
    except ImportError:
        by = "DuckDB"
    print(f"{parquet.name}: {rows} rows as in CSV, by {by}")


for file in sorted(Path(sys.argv[1]).glob("*.parquet")):
    check(file)
database.close()
