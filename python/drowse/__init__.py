"""Drowse simulates HPC interconnection networks whose links sleep.

Which network, with which link power policy, runs an application at what speed and for how much energy?

    import drowse as dr

    net = dr.Torus(dims=[4, 4], trunk=4, nodes=4)
    exp = dr.Experiment(net, power=dr.StallTimer(deep="50 us"), jobs=[dr.Trace("cg.A.64.tar.zst")])
    res = exp.run(baseline="always-on")
    print(res, res.relative.makespan, res.energy.network_j)

Networks are in `dr.network`, link power policies in `dr.policy`, applications in `dr.app`; the usual ones are here, too.
A program of one's own is recorded by `dr.record`; what its ranks do is `dr.send`, `dr.compute`, `dr.allreduce` and so on.
"""

from __future__ import annotations

from drowse import _drowse, spec
from drowse.catalogue import devices, link_states, schema
from drowse.errors import DrowseError, Fault, InputError, MachineError, NotFinished, OtherBuild, SweepBusy
from drowse.experiment import Description, Experiment, Sweep
from drowse.figures import Figures
from drowse.folder import Answer, Found, SweepResult, merge
from drowse.graph import network_of
from drowse.operations import (
    Operation,
    allgather,
    allgatherv,
    allreduce,
    alltoall,
    alltoallv,
    barrier,
    bcast,
    bsend,
    compute,
    exscan,
    gather,
    gatherv,
    iallgather,
    iallgatherv,
    iallreduce,
    ialltoall,
    ialltoallv,
    ibarrier,
    ibcast,
    ibsend,
    iexscan,
    igather,
    igatherv,
    irecv,
    ireduce,
    ireduce_scatter,
    irsend,
    iscan,
    iscatter,
    iscatterv,
    isend,
    issend,
    iteration,
    probe,
    recv,
    reduce,
    reduce_scatter,
    rsend,
    scan,
    scatter,
    scatterv,
    send,
    ssend,
    wait,
    waitall,
    waitany,
    waitsome,
)
from drowse.own import CompiledPolicy, SleepPolicy
from drowse.papers import reproduce
from drowse.program import record
from drowse.result import Result
from drowse.spec import (
    Cost,
    Job,
    Link,
    Node,
    Power,
    Scheduler,
    Search,
    Simulation,
    Switch,
    Traffic,
    Transport,
    app,
    control,
    network,
    policy,
)
from drowse.table import Table
from drowse.trace import Trace, TraceWarning

__version__: str = _drowse.version
"""The version."""
build: str = _drowse.build
"""What was built: a hash of the sources that decide results. A folder of results is of one build."""

Torus = network.Torus
Dragonfly = network.Dragonfly
Tree = network.Tree
StallTimer = policy.StallTimer
PerfBound = policy.PerfBound

__all__ = [
    "Answer",
    "CompiledPolicy",
    "Cost",
    "Description",
    "Dragonfly",
    "DrowseError",
    "Experiment",
    "Fault",
    "Figures",
    "Found",
    "InputError",
    "Job",
    "Link",
    "MachineError",
    "Node",
    "NotFinished",
    "Operation",
    "OtherBuild",
    "PerfBound",
    "Power",
    "Result",
    "Scheduler",
    "Search",
    "Simulation",
    "SleepPolicy",
    "StallTimer",
    "Sweep",
    "SweepBusy",
    "SweepResult",
    "Switch",
    "Table",
    "Torus",
    "Trace",
    "TraceWarning",
    "Traffic",
    "Transport",
    "Tree",
    "allgather",
    "allgatherv",
    "allreduce",
    "alltoall",
    "alltoallv",
    "app",
    "barrier",
    "bcast",
    "bsend",
    "build",
    "compute",
    "control",
    "devices",
    "exscan",
    "gather",
    "gatherv",
    "iallgather",
    "iallgatherv",
    "iallreduce",
    "ialltoall",
    "ialltoallv",
    "ibarrier",
    "ibcast",
    "ibsend",
    "iexscan",
    "igather",
    "igatherv",
    "irecv",
    "ireduce",
    "ireduce_scatter",
    "irsend",
    "iscan",
    "iscatter",
    "iscatterv",
    "isend",
    "issend",
    "iteration",
    "link_states",
    "merge",
    "network",
    "network_of",
    "policy",
    "probe",
    "record",
    "recv",
    "reduce",
    "reduce_scatter",
    "reproduce",
    "rsend",
    "scan",
    "scatter",
    "scatterv",
    "schema",
    "send",
    "spec",
    "ssend",
    "wait",
    "waitall",
    "waitany",
    "waitsome",
]
