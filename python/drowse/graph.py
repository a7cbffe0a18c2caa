"""Networks of graphs that are there already: of networkx, or as edges in a table or a list."""

from __future__ import annotations

import os
import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, cast

from drowse import _drowse
from drowse.errors import InputError
from drowse.experiment import Experiment
from drowse.files import MARK, NewFile
from drowse.spec import network

__all__ = ["network_of"]

# A name with the unit of its bare numbers, as in the header of a list of edges.
_WITH_UNIT = re.compile(r"(\w+)\((.+)\)")


def network_of(
    graph: Any,
    path: str | os.PathLike[str],
    *,
    nodes: int | Mapping[Any, int] | None = None,
    ignore: Sequence[str] = (),
    routing: Literal["minimal", "valiant", "ugal", "progressive", "up-down", "k-shortest"] | None = None,
    replace: bool = False,
) -> network.Graph:
    """Writes a graph as a file of DOT, and returns the network that reads it.

    graph: A graph of networkx; or edges: a table of polars, pandas or pyarrow with columns `a` and `b`, or any number
        of pairs, triples with a dict, or dicts with `a` and `b`.
    path: The file.
    nodes: The compute nodes of each switch of which the graph says nothing; or of some switches, by their names.
    ignore: Names of attributes or columns that are not of the network.
    routing: How packets are routed.
    replace: Replaces a file that is there, even if Drowse has not made it.

    Vertices are switches, or compute nodes where `kind` is `node`. Edges may have `class`, `links`, `bandwidth` and
    `latency`, with a unit in the value (`10 Gb/s`) or in the name (`bandwidth(Gb/s)`). Switches are numbered in the
    order of the graph, or in that in which edges name them: `Experiment.describe().switches` has their names.
    The file is read once, so that what is wrong in the graph is told here.
    """
    vertices, edges = _of_networkx(graph) if hasattr(graph, "is_directed") else ({}, _edges(graph))
    named = _Named()
    for vertex in vertices:
        named.add(vertex)
    links = _joined(edges, named, hasattr(graph, "is_multigraph") and graph.is_multigraph(), frozenset(ignore))
    own: Mapping[Any, int] = {} if nodes is None or isinstance(nodes, int) else nodes
    for vertex in own:
        if vertex not in named.names:
            raise InputError(f"error: nodes: the graph has no switch {vertex!r}")
    with NewFile(os.fspath(path), replace) as file:
        file.write(f"// {MARK}\ngraph {{\n")
        for vertex, name in named.names.items():
            count = {"nodes": own[vertex]} if vertex in own else {}
            file.write(f"  {_quoted(name)}{_attributes({**vertices.get(vertex, {}), **count}, ignore)};\n")
        for (a, b), said in links:
            file.write(f"  {_quoted(a)} -- {_quoted(b)}{said};\n")
        file.write("}\n")
        file.close()
    found = network.Graph(file=os.fspath(path), nodes=nodes if isinstance(nodes, int) else None, routing=routing)
    # What the reader refuses is told here, not where the network is first used.
    _drowse.switch_names(Experiment(found).written())
    return found


class _Named:
    """The vertices with their names, which are unlike each other."""

    def __init__(self) -> None:
        self.names: dict[Hashable, str] = {}
        self._taken: dict[str, Hashable] = {}

    def add(self, vertex: Hashable) -> str:
        """Returns the name of a vertex."""
        known = self.names.get(vertex)
        if known is not None:
            return known
        name = str(vertex)
        if not name or "\\" in name or "\n" in name:
            raise InputError(f"error: {name!r} cannot be the name of a switch: it is empty, or has a line end or a backslash")
        if name in self._taken:
            raise InputError(f"error: two switches are named {name!r}: {vertex!r} and {self._taken[name]!r}")
        self._taken[name] = vertex
        self.names[vertex] = name
        return name


def _of_networkx(graph: Any) -> tuple[dict[Hashable, Mapping[str, Any]], Iterator[tuple[Any, Any, Mapping[str, Any]]]]:
    """Returns the vertices and the edges of a graph with their attributes."""
    if graph.is_directed():
        raise InputError("error: this graph is directed\nhelp: links go both ways: give graph.to_undirected()")
    return dict(graph.nodes(data=True)), iter(graph.edges(data=True))


def _edges(given: Any) -> Iterator[tuple[Any, Any, Mapping[str, Any]]]:
    """Returns the edges of a table, or of pairs, triples and dicts."""
    is_table = hasattr(given, "columns") or _is(given, dict)
    if not is_table and not hasattr(given, "__iter__"):
        raise TypeError(f"{given!r} is no graph, no table and no list of edges: it is a {type(given).__name__}")
    rows: Iterable[Any] = _rows(given) if is_table else given
    for number, row in enumerate(rows, 1):
        if _is(row, dict):
            edge: dict[str, Any] = row.copy()
            if edge.get("a") is None or edge.get("b") is None:
                raise InputError(f"error: edge {number} has no {'a' if edge.get('a') is None else 'b'}: {row!r}")
            yield edge.pop("a"), edge.pop("b"), edge
        elif _is(row, tuple) and len(row) in (2, 3):
            yield row[0], row[1], row[2] if len(row) > 2 else {}
        else:
            raise InputError(f"error: edge {number} is {row!r}\nhelp: give pairs, triples with a dict, or dicts with a and b")


def _is(given: Any, kind: type) -> bool:
    """Returns whether something is of a kind; checkers of types would know too little of what is in it."""
    return isinstance(given, kind)


def _rows(table: Any) -> Iterator[dict[str, Any]]:
    """Returns the rows of a table of polars, pandas or pyarrow, or of a dict of columns."""
    # Of a dict of columns, the names are what it iterates.
    columns: Any = getattr(table, "column_names", getattr(table, "columns", table))
    names: list[str] = list(columns)
    for end in ("a", "b"):
        if end not in names:
            there = ", ".join(map(str, names))
            raise InputError(f"error: this table has no column `{end}`; it has {there}\nhelp: name the ends of edges a and b")
    for values in zip(*(_values(table[name]) for name in names)):
        yield dict(zip(names, values))


def _values(column: Any) -> list[Any]:
    for name in ("to_pylist", "to_list"):
        if hasattr(column, name):
            return cast("list[Any]", getattr(column, name)())
    return list(column)


def _joined(
    edges: Iterable[tuple[Any, Any, Mapping[str, Any]]], named: _Named, parallel: bool, ignore: frozenset[str]
) -> list[tuple[tuple[str, str], str]]:
    """Returns the ends of all edges by name, and what is said of each; edges of a multigraph that say the same are links
    of one."""
    links: dict[tuple[tuple[str, str], str], int] = {}
    pairs: set[frozenset[str]] = set()
    for a, b, said in edges:
        ends = named.add(a), named.add(b)
        if ends[0] == ends[1]:
            raise InputError(f"error: {ends[0]!r} is linked with itself\nhelp: remove the edge")
        if not parallel and frozenset(ends) in pairs:
            raise InputError(f"error: there are two edges between {ends[0]!r} and {ends[1]!r}\nhelp: give one with links = 2")
        pairs.add(frozenset(ends))
        count = int(said.get("links", 1)) if parallel else 1
        key = (min(ends), max(ends)), _attributes(said, {*ignore, "links"} if parallel else ignore)
        links[key] = links.get(key, 0) + count
    return [(ends, _more(said, count) if parallel else said) for (ends, said), count in links.items()]


def _more(said: str, links: int) -> str:
    """Adds a number of links to what is said of an edge."""
    return said if links == 1 else f'{said[:-1]}, "links"="{links}"]' if said else f' ["links"="{links}"]'


def _attributes(said: Mapping[str, Any], ignore: Iterable[str]) -> str:
    """Writes attributes, those without a value left out."""
    words: list[str] = []
    for name, value in said.items():
        # What is not a number is not equal to itself.
        if value is None or value != value or name in ignore:
            continue
        with_unit = _WITH_UNIT.fullmatch(name)
        if with_unit:
            name, value = with_unit[1], f"{value} {with_unit[2]}"
        words.append(f"{_quoted(name)}={_quoted(str(value))}")
    return f" [{', '.join(words)}]" if words else ""


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '\\"') + '"'
