//! A table of many rows: a header, then cells in aligned columns.

use std::fmt;

/// Collects rows, then lays them out; the first columns of words are flush left, the others flush right.
pub struct Columns {
    /// So many columns are flush left.
    left: usize,
    /// All rows, the header first.
    rows: Vec<Vec<String>>,
}

impl Columns {
    /// Makes a table with this header.
    pub fn new(left: usize, header: Vec<String>) -> Self {
        Columns { left, rows: vec![header] }
    }

    /// Adds a row; it may be shorter than the header.
    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }
}

impl Columns {
    /// Returns all rows, the header first.
    pub fn rows(&self) -> &[Vec<String>] {
        &self.rows
    }

    /// Returns the width of the widest row.
    pub fn width(&self) -> usize {
        self.to_string().lines().map(|line| line.chars().count()).max().unwrap_or(0)
    }
}

impl fmt::Display for Columns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| {
            self.rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..count).map(width).collect();
        for row in &self.rows {
            let cell = |(column, (cell, &width)): (usize, (&String, &usize))| {
                if column < self.left { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
            };
            let cells: Vec<String> = row.iter().zip(&widths).enumerate().map(cell).collect();
            writeln!(f, "{}", cells.join("  ").trim_end())?;
        }
        Ok(())
    }
}
