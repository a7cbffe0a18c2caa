"""Result tables, which other libraries read without a copy."""

from __future__ import annotations

import html
import importlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from drowse import _drowse

if TYPE_CHECKING:
    import numpy

# Rows that a notebook shows.
_SHOWN = 10


class Table:
    """A table of results: columns by their names, as in the files that the command writes.

    Polars, pyarrow and DuckDB take it as it is, by Arrow's PyCapsule interface: `pl.DataFrame(table)`,
    `pa.table(table)`, `duckdb.sql("from table")`. For pandas, see `to_pandas`. What each column means is said by
    `describe`.
    """

    __slots__ = ("_table",)

    def __init__(self, table: _drowse.Table) -> None:
        self._table = table

    @property
    def name(self) -> str:
        """The name of the table, which is that of its file without ending."""
        return self._table.name

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return self._table.columns

    def __len__(self) -> int:
        """The number of rows."""
        return len(self._table)

    def __getitem__(self, column: str) -> list[Any]:
        """The values of a column; an absent value is None."""
        return self._table.values(column)

    def __contains__(self, column: object) -> bool:
        return column in self.columns

    def rows(self) -> Iterator[dict[str, Any]]:
        """The rows, one after the other."""
        names = self.columns
        for values in zip(*(self[name] for name in names)):
            yield dict(zip(names, values))

    def describe(self, column: str) -> str:
        """What a column means, with its unit."""
        unit, meaning = self._table.describe(column)
        return f"{meaning} ({unit})" if unit else meaning

    def to_numpy(self, column: str) -> numpy.ndarray[Any, Any]:
        """A column as an array of numpy.

        Numbers are read where they lie, and cannot be written. Where values are absent, numbers are copied and these
        become NaN.
        """
        import numpy

        numbers = self._table.numbers(column)
        if numbers is not None:
            return numpy.asarray(numbers)
        values = self[column]
        if all(value is None or isinstance(value, (int, float)) for value in values) and not all(
            value is None or isinstance(value, bool) for value in values
        ):
            return numpy.array([numpy.nan if value is None else value for value in values], dtype=float)
        return numpy.array(values, dtype=object)

    def to_pandas(self) -> Any:
        """The table as a DataFrame of pandas; pyarrow is not needed."""
        pandas: Any = importlib.import_module("pandas")
        return pandas.DataFrame({name: self.to_numpy(name) for name in self.columns})

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The stream of Arrow's PyCapsule interface."""
        return self._table.__arrow_c_stream__(requested_schema)

    def __arrow_c_schema__(self) -> object:
        """The schema of Arrow's PyCapsule interface."""
        return self._table.__arrow_c_schema__()

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (self.name, {name: self[name] for name in self.columns})

    def __repr__(self) -> str:
        return f"<Table {self.name}: {len(self)} rows, {len(self.columns)} columns>"

    def _repr_html_(self) -> str:
        return self.to_html()

    def to_html(self) -> str:
        """The first rows as a table of HTML."""
        names = self.columns
        head = "".join(f"<th title='{html.escape(self.describe(name))}'>{html.escape(name)}</th>" for name in names)
        shown = [self[name][:_SHOWN] for name in names]
        cells = ("".join(f"<td>{'' if value is None else html.escape(str(value))}</td>" for value in row) for row in zip(*shown))
        body = "".join(f"<tr>{row}</tr>" for row in cells)
        more = f"<p>{len(self)} rows</p>" if len(self) > _SHOWN else ""
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def _again(name: str, columns: dict[str, list[Any]]) -> Table:
    """Makes a table again that was pickled."""
    return Table(_drowse.Table(name, columns))
