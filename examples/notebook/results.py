# ---
# jupyter:
#   jupytext:
#     formats: ipynb,py:percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Results in a notebook
#
# Reads the tables of a run and a sweep, and draws two figures of the page "Show results as pictures" anew. Make the
# tables first, in the folder above `examples`:
#
#     drowse run examples/cg-torus.toml --baseline always-on --out results/run
#     drowse sweep examples/stall-timer-sweep.toml --out results/sweep
#
# This file is a notebook in the percent format: Jupyter opens it by jupytext, and Python runs it as it is:
#
#     python3 examples/notebook/results.py results

# %%
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg" if "ipykernel" not in sys.modules else matplotlib.get_backend())
import matplotlib.pyplot as plt
import pandas as pd

given = sys.argv[1] if "ipykernel" not in sys.modules and len(sys.argv) > 1 else "results"
results = Path(given)


def table(folder, name):
    """Reads a table: Parquet where there is one and pandas can read it, else CSV."""
    parquet = results / folder / f"{name}.parquet"
    if parquet.exists():
        try:
            return pd.read_parquet(parquet)
        except ImportError:
            pass
    return pd.read_csv(results / folder / f"{name}.csv")


# %% [markdown]
# ## States of links
#
# What the channels of each link class did, of the case (the first row of `cases.csv`) and of its baseline.

# %%
cases = table("run", "cases")
channels = table("run", "channels")
states = ["on", "entering", "shallow", "deep", "waking"]
times = channels.groupby(["case_id", "class"], sort=False)[[f"{state}_ps" for state in states]].sum()
shares = times.div(times.sum(axis=1), axis=0)
shares.columns = states

# Each channel was in one of the states at any time.
lasts = channels[[f"{state}_ps" for state in states]].sum(axis=1)
assert lasts.groupby(channels["case_id"]).nunique().eq(1).all()

colours = dict(zip(states, ["#d55e00", "#e69f00", "#56b4e9", "#0072b2", "#cc79a7"]))
figure, axes = plt.subplots(figsize=(7, 2.8), layout="constrained")
names = {case: "this case" if number == 0 else "baseline" for number, case in enumerate(cases["case_id"])}
shares.index = [f"{link}, {names[case]}" for case, link in shares.index]
shares.iloc[::-1].plot.barh(stacked=True, ax=axes, color=colours, width=0.8)
axes.set(xlabel="share of channel time", ylabel="", xlim=(0, 1))
axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.2), ncols=5, frameon=False)
figure.savefig(results / "states.svg")

# %% [markdown]
# ## Energy against run time
#
# The sweep sets two keys: how wide trunks are, and how long a link idles until it sleeps.

# %%
sweep = table("sweep", "cases")
keys = [name for name in sweep.columns if name.startswith("set.")]
figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
for (value, group), marker in zip(sweep.groupby(keys[0], sort=False), "os^vD"):
    axes.scatter(group["makespan_s"] * 1e3, group["energy.network_j"], marker=marker, label=f"{keys[0][4:]} = {value}")
    for _, case in group.iterrows():
        axes.annotate(case[keys[-1]], (case["makespan_s"] * 1e3, case["energy.network_j"]), xytext=(5, 4),
                      textcoords="offset points", fontsize=8)
most = sweep["energy.network_j"].max()
axes.set(xlabel="run time, ms", ylabel="energy of links, switches and NICs, J", ylim=(0, 1.1 * most))
axes.margins(x=0.12)
axes.legend(loc="lower left", frameon=False)
figure.savefig(results / "energy.svg")

# %% [markdown]
# ## The same by SQL
#
# DuckDB asks the files directly, where it is installed.

# %%
try:
    import duckdb
except ImportError:
    print("duckdb is not installed")
else:
    run = results / "run"
    source = f"'{run}/channels.parquet'" if (run / "channels.parquet").exists() else f"read_csv('{run}/channels.csv')"
    asked = duckdb.sql(
        f"""select class, sum(deep_ps) / sum(on_ps + entering_ps + shallow_ps + deep_ps + waking_ps) as deep
        from {source}
        where case_id = '{cases["case_id"][0]}' group by class order by class"""
    ).df()
    print(asked.to_string(index=False))
    for row in asked.itertuples():
        assert abs(row.deep - shares.loc[f"{row[1]}, this case", "deep"]) < 1e-9

print(shares.round(4).to_string())
