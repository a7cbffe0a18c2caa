"""Policies of one's own: in Python and compiled, they do what the same policy does in Rust."""

from __future__ import annotations

import multiprocessing
from concurrent.futures import ProcessPoolExecutor

import pytest
from conftest import stencil

import drowse as dr


class Stall:
    """A stall timer: what `kind = "stall-timer"` is in Rust."""

    def __init__(self, deep: str) -> None:
        self.deep = dr.policy.picoseconds(deep)

    def start(self, channel, link_class):
        return None

    def timers(self, link_class, state):
        return None, self.deep

    def idle_ended(self, link_class, state, since, until):
        assert since <= until
        return None


class TwiceTheMean:
    """Sleeps after twice the mean idle period, but not before a time."""

    def __init__(self, least: str) -> None:
        self.least = dr.policy.picoseconds(least)

    def start(self, channel, link_class):
        return 0

    def timers(self, link_class, mean):
        return None, max(2 * mean, self.least)

    def idle_ended(self, link_class, mean, since, until):
        return mean - mean // 8 + (until - since) // 8


def twice_the_mean(link_class, state, since, until, timers):
    mean = state[0] - state[0] // 8 + (until - since) // 8
    state[0] = mean
    timers[1] = max(2 * mean, 20_000_000)
    return 1


def measured(res: dr.Result) -> list[dict[str, object]]:
    """What channels and ranks did, the name of the case left out."""
    rows = [*res.channels.rows(), *res.ranks.rows()]
    return [{name: value for name, value in row.items() if name != "case_id"} for row in rows]


def test_a_stall_timer_of_python_is_that_of_rust():
    native, own = stencil().run(), stencil(policy=Stall("50 us")).run()
    assert measured(own) == measured(native)
    assert repr(own.energy) == repr(native.energy)
    assert own.case_id != native.case_id
    longer = stencil(policy=Stall("500 us")).run()
    assert measured(longer) != measured(native)


def test_compiled_and_plain_policies_are_equal():
    pytest.importorskip("numba")
    compiled = dr.policy.compiled(deep="20 us")(twice_the_mean)
    plain = measured(stencil(policy=TwiceTheMean("20 us")).run())
    assert measured(stencil(policy=compiled).run()) == plain
    assert measured(stencil(policy=compiled).run(threads=2)) == plain
    assert measured(stencil(policy=TwiceTheMean("20 us")).run(threads=2)) == plain


def test_parameters_and_sources_name_a_policy():

    class Other(Stall):
        """The same, but for a number in its class."""

        slower = 2

    assert dr.Experiment.__hash__(stencil(policy=Other("50 us"))) != hash(stencil(policy=Stall("50 us")))
    ids = {stencil(policy=policy).run().case_id for policy in (Stall("50 us"), Stall("51 us"), TwiceTheMean("50 us"))}
    assert len(ids) == 3
    assert stencil(policy=Stall("50 us")).run().case_id in ids
    names: dict[str, type] = {}
    exec("def timers(self, link_class, state):\n    return None, 0", names)
    made = type("Made", (Stall,), {"timers": names["timers"]})("50 us")
    with pytest.raises(ValueError, match="field `version`"):
        stencil(policy=made).run()


@pytest.mark.parametrize("call", [1, 1000])
def test_what_a_policy_raises_comes_out(call):
    class Raises(Stall):
        calls = 0

        def idle_ended(self, link_class, state, since, until):
            self.calls += 1
            if self.calls == call:
                raise RuntimeError("on purpose")

    with pytest.raises(RuntimeError, match="on purpose") as caught:
        stencil(200, policy=Raises("50 us")).run()
    assert caught.traceback[-1].name == "idle_ended"


def test_wrong_answers_of_a_policy():
    class Wrong(Stall):
        def timers(self, link_class, state):
            return "soon"

    with pytest.raises(TypeError):
        stencil(policy=Wrong("50 us")).run()


def test_a_compiled_policy_that_fails():
    pytest.importorskip("numba")

    def fails(link_class, state, since, until, timers):
        return 0

    with pytest.raises(dr.InputError, match="did not return 1"):
        stencil(policy=dr.policy.compiled(deep="20 us")(fails)).run()


def test_its_folder_says_which_policy_it_was(tmp_path, command):
    stencil(policy=Stall("50 us")).run().write(tmp_path)
    manifest = (tmp_path / "manifest.json").read_text()
    assert "Stall" in manifest and "python" in manifest
    done = command("rerun", str(tmp_path))
    assert done.returncode == 2 and "from Python" in done.stderr, done.stderr
    folder = dr.SweepResult(tmp_path)
    assert not any(folder.rerun(policies=[Stall("50 us")]).values())
    with pytest.raises(dr.InputError, match="not given here"):
        folder.rerun(policies=[Stall("51 us")])


def test_policies_are_values_of_a_sweep(tmp_path, command):
    sweep = stencil().sweep(
        {"power.policy": [Stall("50 us"), dr.StallTimer(deep="50 us"), TwiceTheMean("20 us")]}, baseline="always-on"
    )
    found = sweep.run(tmp_path / "here")
    rows = [row for row in found.cases.rows() if not row["baseline"]]
    assert len(rows) == 3
    # The first two sleep alike, whoever decides; the third does not.
    energy = [row["energy.links.all_j"] for row in rows]
    assert energy[0] == energy[1] != energy[2]
    assert "TwiceTheMean" in rows[2]["set.power.policy"]
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        sweep.run(tmp_path / "there", executor=pool, tasks=3)
    assert (tmp_path / "there/cases.csv").read_bytes() == (tmp_path / "here/cases.csv").read_bytes()
    answer = command("best", str(tmp_path / "here"), "--minimize", "energy")
    assert answer.returncode == 0, answer.stderr
    assert "<svg" in found.report()


def test_what_a_policy_raises_in_a_sweep_comes_out(tmp_path):
    class Raises(Stall):
        def idle_ended(self, link_class, state, since, until):
            raise RuntimeError("on purpose")

    sweep = stencil().sweep({"power.policy": [Stall("50 us"), Raises("50 us")]})
    with pytest.raises(RuntimeError, match="on purpose"):
        sweep.run(tmp_path)


def test_an_object_that_is_no_policy():
    class Half:
        def idle_ended(self, link_class, state, since, until):
            return None

    with pytest.raises(TypeError, match="no method start and no timers"):
        stencil(policy=Half())
