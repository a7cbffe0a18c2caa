"""Programs of Python: recorded as traces, read back, and run as any other."""

from __future__ import annotations

import inspect
import lzma
import pickle
import sys
from pathlib import Path

import pytest

import drowse as dr
from drowse import _drowse


def ring(rank: int, ranks: int):
    for _ in range(10):
        yield dr.iteration()
        yield dr.compute("20 us")
        yield dr.isend((rank + 1) % ranks, "8 KiB", request=1)
        yield dr.recv((rank - 1) % ranks)
        yield dr.wait(1)
    yield dr.allreduce(8, count=1, compute=500)


# Arguments for the words of a line, of two ranks.
WORDS = {
    "RANK": {"to": 1, "source": 1},
    "RANK|any": {"source": "any"},
    "ROOT": {"root": 1},
    "SIZE": {"bytes": "8 KiB"},
    "SIZE...": {"bytes": [8, "1 kB"]},
    "TIME": {"time": "1.5 ns"},
    "REQUEST": {"request": 3},
}
OPTIONS = {
    "tag N": {"tag": 4},
    "tag N|any": {"tag": "any"},
    "in COMM": {"comm": "both"},
    "as REQUEST": {"request": 5},
    "count N": {"count": 2},
    "compute TIME": {"compute": "7 ns"},
}


def variants(form: str) -> list[dr.Operation]:
    """An operation with as little as may be, and one with all that its line can have."""
    function = getattr(dr, form.split()[0].replace("-", "_"))
    if form.endswith("[REQUEST...]"):
        return [function(), function(1, 2, 3)]
    names = set(inspect.signature(function).parameters)
    must, may = {}, {}
    rest = form.split(" ", 1)[1] if " " in form else ""
    for option, values in OPTIONS.items():
        given = {name: value for name, value in values.items() if name in names}
        if f"[{option}]" in rest:
            may |= given
        elif rest.endswith(option):
            must |= given
        rest = rest.replace(f"[{option}]", "").removesuffix(option)
    for word in rest.split():
        must |= {name: value for name, value in WORDS[word].items() if name in names}
    return [function(**must), function(**must, **may)]


def all_operations() -> list[dr.Operation]:
    return [operation for form in _drowse.operation_forms() for operation in variants(form)]


def test_each_operation_is_its_line_and_comes_back(tmp_path):
    operations = all_operations()
    assert {operation.kind for operation in operations} == {form.split()[0] for form in _drowse.operation_forms()}
    # Whoever starts a request waits for it, before another one starts it.
    program = [step for operation in operations for step in (operation, dr.waitall())]
    trace = dr.record(lambda rank, ranks: program, tmp_path / "all.drowse", ranks=2, communicators={"both": [1, 0]})
    for rank in range(2):
        assert list(trace.operations(rank)) == program
    lines = (tmp_path / "all.drowse").read_text().splitlines()
    assert [line for line in lines if line != "waitall"][4:] [: len(operations) - 2] == [
        str(operation) for operation in operations if operation != dr.waitall()
    ]
    assert trace.ranks == 2 and trace.communicators == {"both": [1, 0]}


def test_lines_are_those_of_the_reference(tmp_path):
    said = {
        dr.send(1, "8 KiB"): "send 1 8192",
        dr.isend(1, 5, tag=2, comm="row", request=3): "isend 1 5 tag 2 in row as 3",
        dr.recv("any", tag="any"): "recv any tag any",
        dr.compute("10 us"): "compute 10000",
        dr.compute(3): "compute 3",
        dr.compute("1.5 ns"): "compute 1500 ps",
        dr.ireduce(0, 16, count=2, compute=4, request=1): "ireduce 0 16 count 2 compute 4 as 1",
        dr.alltoallv([1, 2]): "alltoallv 1 2",
        dr.waitany(1, 2): "waitany 1 2",
        dr.ibarrier(request=9): "ibarrier as 9",
    }
    for operation, line in said.items():
        assert str(operation) == line
        assert pickle.loads(pickle.dumps(operation)) == operation


def test_a_program_runs_as_any_trace(tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    trace = dr.record(ring, "ring.drowse", ranks=4)
    assert trace.check() == [] and trace.info().messages.count == 40
    exp = dr.Experiment(dr.Torus(dims=[4]), power=dr.StallTimer(deep="10 us"), jobs=[trace])
    # Ten iterations compute 20 us each, and wait for messages.
    assert 200e-6 < exp.run().makespan_s < 400e-6
    found = exp.sweep({"power.policy.deep": ["10 us", "1 ms"]}).run("out")
    assert found.best("energy").best is not None and "<html" in found.report()
    assert set(found.rerun().values()) <= {"", None}
    # Its content tells which program it is, not its folder.
    (tmp_path / "there").mkdir()
    for ranks in (4, 3):
        there = dr.record(ring, "there/ring.drowse", ranks=ranks)
        moved = dr.Experiment(dr.Torus(dims=[4]), power=dr.StallTimer(deep="10 us"), jobs=[there]).run()
        assert (moved.case_id == exp.run().case_id) == (ranks == 4)


@pytest.mark.parametrize("ending", ["", ".gz", ".xz", ".zst"])
def test_endings_compress(tmp_path, ending):
    if ending == ".zst":
        pytest.importorskip("compression.zstd" if sys.version_info >= (3, 14) else "zstandard")
    path = tmp_path / f"ring.drowse{ending}"
    trace = dr.record(ring, path, ranks=4)
    first = path.read_bytes()
    assert list(trace.operations(3)) == list(ring(3, 4))
    # What was recorded is recorded again, and is the same; nothing else is left.
    dr.record(ring, path, ranks=4)
    assert path.read_bytes() == first and [path] == list(tmp_path.iterdir())
    assert list(trace.operations(0)) == list(ring(0, 4))
    if ending == ".xz":
        assert lzma.decompress(first).startswith(b"drowse-trace 1")


def test_a_trace_is_written_again_changed(tmp_path):
    """Reading and recording are enough for a program that changes a trace."""
    trace = dr.record(ring, tmp_path / "ring.drowse", ranks=4, communicators={"even": range(0, 4, 2)})

    def larger(rank: int, ranks: int):
        for operation in trace.operations(rank):
            yield operation._replace(bytes=2 * operation.bytes) if operation.kind == "isend" else operation

    new = dr.record(larger, tmp_path / "larger.drowse", ranks=trace.ranks, communicators=trace.communicators)
    assert new.info().messages.bytes == 2 * trace.info().messages.bytes
    assert new.communicators == {"even": [0, 2]}


def yields(*operations: object):
    return lambda rank, ranks: operations if rank == 1 else ()


@pytest.mark.parametrize(
    ("operations", "said"),
    [
        ([dr.compute(5), None], r"rank 1, operation 2: is None, a NoneType"),
        (["send 1 8"], r"rank 1, operation 1: is 'send 1 8', a str"),
        ([dr.compute(5), dr.send(2, 8)], r"rank 1, operation 2: .*names rank 2, but the job has 2 ranks: `send 2 8`"),
        ([dr.send(-1, 8)], r"rank 1, operation 1: the receiver is `-1`"),
        ([dr.send(0, 1 << 36)], r"rank 1, operation 1: .*the most is"),
        ([dr.barrier(comm="row")], r"rank 1, operation 1: communicator `row` is not declared"),
        ([dr.barrier(comm="a\nb")], r"rank 1, operation 1: has a name of two lines"),
        ([dr.alltoallv([1, 2, 3])], r"rank 1, operation 1: .*lists sizes for 3 ranks"),
        ([dr.irecv(0, request=1), dr.irecv(0, request=1)], r"rank 1, operation 2: .*starts request 1"),
        ([dr.Operation("jump")], r"rank 1, operation 1: `jump` is no operation"),
    ],
)
def test_what_is_yielded_wrongly_has_its_place(tmp_path, operations, said):
    with pytest.raises(dr.InputError, match=said):
        dr.record(yields(*operations), tmp_path / "wrong.drowse", ranks=2)
    assert list(tmp_path.iterdir()) == []


def test_what_a_program_raises_comes_out(tmp_path):
    def fails(rank: int, ranks: int):
        yield dr.compute(1)
        if rank == 1:
            raise OSError("on purpose")

    with pytest.raises(OSError, match="on purpose") as caught:
        dr.record(fails, tmp_path / "fails.drowse", ranks=2)
    assert caught.traceback[-1].name == "fails" and list(tmp_path.iterdir()) == []
    if sys.version_info >= (3, 11):
        assert caught.value.__notes__ == ["raised by the program of rank 1"]


def test_other_wrong_input(tmp_path):
    with pytest.raises(dr.InputError, match="10 parsecs"):
        dr.compute("10 parsecs")
    with pytest.raises(dr.InputError, match="no name of a communicator"):
        dr.record(ring, tmp_path / "x.drowse", ranks=4, communicators={"my row": [0]})
    with pytest.raises(dr.InputError, match="communicator row 0 9.*names rank 9"):
        dr.record(ring, tmp_path / "x.drowse", ranks=4, communicators={"row": [0, 9]})
    with pytest.raises(dr.InputError, match="0 ranks are no program"):
        dr.record(ring, tmp_path / "x.drowse", ranks=0)
    with pytest.raises(dr.InputError, match="cannot be written: No such file"):
        dr.record(ring, tmp_path / "none" / "x.drowse", ranks=4)
    with pytest.raises(TypeError, match="one size, and a list"):
        dr.alltoallv("8 KiB")  # type: ignore[arg-type]
    mine = tmp_path / "notes.txt"
    mine.write_text("mine")
    with pytest.raises(dr.InputError, match="is there already"):
        dr.record(ring, mine, ranks=4)
    assert mine.read_text() == "mine"
    dr.record(ring, mine, ranks=4, replace=True)
    assert mine.read_text().startswith("drowse-trace 1")
    assert Path(tmp_path / "x.drowse").exists() is False
