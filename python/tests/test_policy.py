"""Policies of one's own: in Python and compiled, they do what the same policy does in Rust."""

from __future__ import annotations

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
    native, own = stencil().run(), stencil().run(policy=Stall("50 us"))
    assert measured(own) == measured(native)
    assert own.energy.to_dict() == native.energy.to_dict() if hasattr(own.energy, "to_dict") else True
    assert own.case_id != native.case_id
    longer = stencil().run(policy=Stall("500 us"))
    assert measured(longer) != measured(native)


def test_compiled_and_plain_policies_are_equal():
    pytest.importorskip("numba")
    compiled = dr.policy.compiled(deep="20 us")(twice_the_mean)
    plain = measured(stencil().run(policy=TwiceTheMean("20 us")))
    assert measured(stencil().run(policy=compiled)) == plain
    assert measured(stencil().run(policy=compiled, threads=2)) == plain
    assert measured(stencil().run(policy=TwiceTheMean("20 us"), threads=2)) == plain


def test_parameters_and_sources_name_a_policy():
    ids = {stencil().run(policy=policy).case_id for policy in (Stall("50 us"), Stall("51 us"), TwiceTheMean("50 us"))}
    assert len(ids) == 3
    assert stencil().run(policy=Stall("50 us")).case_id in ids
    made = eval("type('Made', (), {})()")
    with pytest.raises(ValueError, match="field `version`"):
        stencil().run(policy=made)


@pytest.mark.parametrize("call", [1, 1000])
def test_what_a_policy_raises_comes_out(call):
    class Raises(Stall):
        calls = 0

        def idle_ended(self, link_class, state, since, until):
            self.calls += 1
            if self.calls == call:
                raise RuntimeError("on purpose")

    with pytest.raises(RuntimeError, match="on purpose") as caught:
        stencil(200).run(policy=Raises("50 us"))
    assert caught.traceback[-1].name == "idle_ended"


def test_wrong_answers_of_a_policy():
    class Wrong(Stall):
        def timers(self, link_class, state):
            return "soon"

    with pytest.raises(TypeError):
        stencil().run(policy=Wrong("50 us"))


def test_a_compiled_policy_that_fails():
    pytest.importorskip("numba")

    def fails(link_class, state, since, until, timers):
        return 0

    with pytest.raises(dr.InputError, match="did not return 1"):
        stencil().run(policy=dr.policy.compiled(deep="20 us")(fails))


def test_its_folder_says_which_policy_it_was(tmp_path, command):
    stencil().run(policy=Stall("50 us")).write(tmp_path)
    manifest = (tmp_path / "manifest.json").read_text()
    assert "Stall" in manifest and "python" in manifest
    done = command("rerun", str(tmp_path))
    assert done.returncode == 2 and "python" in done.stderr
