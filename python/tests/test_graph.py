"""Networks of graphs: of networkx, of tables, and of lists of edges."""

from __future__ import annotations

import pytest

import drowse as dr

EDGES = [
    ("west", "north", {"class": "short"}),
    ("west", "south", {"class": "short"}),
    ("north", "south", {"links": 2, "class": "long"}),
]


class Graph:
    """As much of a graph of networkx as is used."""

    def __init__(self, vertices, edges, *, directed=False, multi=False):
        self._vertices, self._edges = vertices, edges
        self._directed, self._multi = directed, multi

    def nodes(self, data=False):
        assert data
        return list(self._vertices.items())

    def edges(self, data=False):
        assert data
        return list(self._edges)

    def is_directed(self):
        return self._directed

    def is_multigraph(self):
        return self._multi


def described(graph, tmp_path, **keys) -> dr.Description:
    return dr.Experiment(dr.network_of(graph, tmp_path / "net.dot", replace=True, **keys)).describe()


def test_edges_are_links(tmp_path):
    found = described(EDGES, tmp_path, nodes={"west": 3, "south": 1})
    assert found.switches == ["west", "north", "south"]
    assert (found.figures.nodes, found.figures.switches) == (4, 3)
    # Three pairs of switches, one of them with two links.
    assert found.figures.links.by_class.short == 2 and found.figures.links.by_class.long == 2
    # A node of west is on switch 0, that of south on switch 2, as in the order of the list.
    network = dr.network_of(EDGES, tmp_path / "net.dot", nodes={"west": 3, "south": 1})
    channels = dr.Experiment(network, jobs=[dr.app.PingPong(ranks=4, bytes="8 B")]).run().channels
    ends = [(row["from_node"], row["to_switch"]) for row in channels.rows() if row["from_kind"] == "node"]
    assert ends == [(0, 0), (1, 0), (2, 0), (3, 2)]


@pytest.mark.parametrize("library", ["polars", "pandas", "pyarrow", "dict", "dicts"])
def test_tables_of_edges(tmp_path, library):
    columns = {"a": ["x", "y", "z"], "b": ["y", "z", "x"], "bandwidth(Gb/s)": [10.0, 10.0, None], "latency": ["5 us", None, None]}
    if library == "dict":
        table = columns
    elif library == "dicts":
        table = [dict(zip(columns, row)) for row in zip(*columns.values())]
    elif library == "pyarrow":
        table = pytest.importorskip("pyarrow").table(columns)
    else:
        table = pytest.importorskip(library).DataFrame(columns)
    found = described(table, tmp_path, nodes=2)
    assert found.figures.nodes == 6 and found.switches == ["x", "y", "z"]
    classes = {name for name in found.figures.links.by_class}
    assert classes == {"10Gb/s-5us", "10Gb/s", "link", "node"}


def test_graphs_of_networkx(tmp_path):
    vertices = {(0, 0): {}, (0, 1): {"nodes": 3}, "host 1": {"kind": "node"}}
    edges = [((0, 0), (0, 1), {"bandwidth": "25 Gb/s", "weight": 7}), ((0, 1), "host 1", {})]
    found = described(Graph(vertices, edges), tmp_path, ignore=["weight"])
    assert found.switches == ["(0, 0)", "(0, 1)"] and found.figures.nodes == 4
    # Parallel edges of a multigraph are links of one.
    edges = [("a", "b", {}), ("b", "a", {}), ("a", "b", {"class": "fast"})]
    found = described(Graph({"b": {}, "a": {}}, edges, multi=True), tmp_path)
    assert found.switches == ["b", "a"]
    assert found.figures.links.by_class.link == 2 and found.figures.links.by_class.fast == 1


def test_networkx_itself(tmp_path):
    networkx = pytest.importorskip("networkx")
    graph = networkx.grid_2d_graph(3, 3)
    networkx.set_node_attributes(graph, 2, "nodes")
    found = described(graph, tmp_path)
    assert found.switches == [str(vertex) for vertex in graph] and found.figures.nodes == 18
    assert found.figures.diameter == networkx.diameter(graph)
    with pytest.raises(dr.InputError, match="directed"):
        described(networkx.DiGraph([(0, 1)]), tmp_path)
    multi = networkx.MultiGraph([("a", "b"), ("a", "b")])
    assert described(multi, tmp_path).figures.links.by_class.link == 2


@pytest.mark.parametrize(
    ("edges", "said"),
    [
        ([("a", "a")], "'a' is linked with itself"),
        ([("a", "b"), ("b", "a")], "two edges between 'b' and 'a'"),
        ([("a", 1), ("a", "1")], "two switches are named '1': '1' and 1"),
        ([("a", "b", "c", "d")], "edge 1 is"),
        ([{"a": "x"}], "edge 1 has no b"),
        ({"a": ["x"], "to": ["y"]}, "no column `b`"),
        ([("a", "")], "cannot be the name of a switch"),
        (Graph({}, [], directed=True), "directed"),
    ],
)
def test_wrong_graphs(tmp_path, edges, said):
    with pytest.raises(dr.InputError, match=said):
        dr.network_of(edges, tmp_path / "net.dot")
    assert not list(tmp_path.iterdir())


def test_what_the_reader_refuses_has_its_place(tmp_path):
    with pytest.raises(dr.InputError, match="`weight` of an edge is not known") as caught:
        described([("a", "b", {"weight": 3})], tmp_path)
    assert caught.value.file is not None and caught.value.file.endswith("net.dot") and caught.value.line == 5
    with pytest.raises(dr.InputError, match="no way from switch"):
        # At once, not where the network is used.
        dr.network_of([("a", "b"), ("c", "d")], tmp_path / "net.dot", replace=True)
    with pytest.raises(dr.InputError, match="nodes: the graph has no switch 'z'"):
        described([("a", "b")], tmp_path, nodes={"z": 1})
    with pytest.raises(TypeError, match="no graph, no table"):
        described(7, tmp_path)
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(dr.InputError, match="is there already"):
        dr.network_of([("a", "b")], tmp_path / "mine.txt")
