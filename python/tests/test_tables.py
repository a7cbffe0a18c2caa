"""Tables in other libraries."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from conftest import stencil

import drowse as dr


@pytest.fixture(scope="module")
def channels() -> dr.Table:
    return stencil().run().channels


def test_pyarrow_reads_without_a_copy(channels):
    pa = pytest.importorskip("pyarrow")
    table = pa.table(channels)
    assert table.column_names == channels.columns and table.num_rows == len(channels)
    for name in ["wakes", "energy_j"]:
        address = channels._table.numbers(name).__array_interface__["data"][0]
        assert table[name].chunk(0).buffers()[1].address == address
        assert table[name].to_pylist() == channels[name]
    assert table.schema.field("energy_j").metadata[b"unit"] == b"J"
    # A stream is taken once; the table makes another.
    assert pa.RecordBatchReader.from_stream(channels).read_all() == table


def test_polars_and_duckdb(channels):
    pl, duckdb = pytest.importorskip("polars"), pytest.importorskip("duckdb")
    frame = pl.DataFrame(channels)
    assert frame["wakes"].to_list() == channels["wakes"] and frame["from"].to_list() == channels["from"]
    ((total,),) = duckdb.sql("select sum(wakes) from channels").fetchall()
    assert total == sum(channels["wakes"])


def test_numbers_outlive_their_table():
    numpy = pytest.importorskip("numpy")
    expected = stencil().run().channels["energy_j"]
    energies = stencil().run().channels.to_numpy("energy_j")
    assert energies.tolist() == expected and not energies.flags.writeable
    # A node has no port: what is absent is NaN.
    ports = stencil().run().channels.to_numpy("from_port")
    assert numpy.isnan(ports).sum() == 16


def test_pandas_needs_no_pyarrow():
    pytest.importorskip("pandas")
    code = """
import sys
sys.modules["pyarrow"] = None
from conftest import stencil
res = stencil().run()
frame = res.ranks.to_pandas()
assert frame["running_ps"].tolist() == res.ranks["running_ps"] and frame["job"].tolist() == res.ranks["job"]
"""
    subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parent, check=True)


def test_a_column_says_what_it_means(channels):
    assert channels.describe("energy_j").endswith("(J)")
    with pytest.raises(KeyError):
        channels["energy"]
    assert "<table>" in channels._repr_html_()
