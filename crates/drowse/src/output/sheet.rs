//! A sheet of figures: headed groups of lines, each with a label and a value per column, aligned.

use std::fmt;

use drowse_tables::number::significant;

use super::number::Style;
use super::wrap;

/// Collects lines, then lays them out.
pub struct Sheet {
    lead: Option<String>,
    title: String,
    subtitle: Option<String>,
    columns: Vec<String>,
    groups: Vec<Group>,
    notes: Vec<String>,
}

struct Group {
    heading: &'static str,
    lines: Vec<Line>,
    /// Its values differ from run to run: other groups are laid out as if it were not there.
    varies: bool,
}

struct Line {
    label: String,
    cells: Vec<Cell>,
    ratio: Option<f64>,
}

/// A number and its unit, aligned apart.
struct Cell {
    number: String,
    unit: &'static str,
}

impl Sheet {
    /// Makes a sheet with as many columns of values as there are names; one column needs no header.
    pub fn new(title: &str, columns: Vec<String>) -> Self {
        Sheet { lead: None, title: title.into(), subtitle: None, columns, groups: Vec::new(), notes: Vec::new() }
    }

    /// Adds a line above the title: what the figures mean.
    pub fn lead(&mut self, lead: String) {
        self.lead = Some(lead);
    }

    /// Adds a line below the title.
    pub fn subtitle(&mut self, subtitle: String) {
        self.subtitle = Some(subtitle);
    }

    /// Begins a group of lines; one without a heading has none of its own.
    pub fn group(&mut self, heading: &'static str) {
        self.groups.push(Group { heading, lines: Vec::new(), varies: false });
    }

    /// Begins a group of lines that differ from run to run, such as times that were measured. However wide they are, the
    /// lines of other groups stay as they are.
    pub fn varying_group(&mut self, heading: &'static str) {
        self.groups.push(Group { heading, lines: Vec::new(), varies: true });
    }

    /// Adds a line, one value per column; it is left out when all are absent.
    pub fn line(&mut self, label: impl Into<String>, style: Style, values: &[Option<f64>], ratio: Option<f64>) {
        // A zero takes the unit of what it is compared with.
        let mut given = values.iter().flatten();
        let Some(leading) = given.clone().find(|value| **value != 0.0).or(given.next()) else { return };
        let (factor, unit) = style.unit(*leading);
        let cell = |value: &Option<f64>| match value {
            Some(value) => Cell { number: style.show(value * factor), unit },
            None => Cell { number: "-".into(), unit: "" },
        };
        self.add(Line { label: label.into(), cells: values.iter().map(cell).collect(), ratio });
    }

    /// Adds a line of words, one per column.
    pub fn words(&mut self, label: impl Into<String>, words: Vec<String>) {
        let cells = words.into_iter().map(|word| Cell { number: word, unit: "" }).collect();
        self.add(Line { label: label.into(), cells, ratio: None });
    }

    /// Adds a sentence below all groups.
    pub fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }

    fn add(&mut self, line: Line) {
        if let Some(group) = self.groups.last_mut() {
            group.lines.push(line);
        }
    }
}

impl fmt::Display for Sheet {
    /// Lays the sheet out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let widths = Widths::of(self, |group| !group.varies);
        let wider = Widths::of(self, |_| true);
        self.lead.iter().try_for_each(|lead| writeln!(f, "{}\n", wrap::paragraph(lead)))?;
        writeln!(f, "{}", wrap::paragraph(&self.title))?;
        self.subtitle.iter().try_for_each(|subtitle| writeln!(f, "{subtitle}"))?;
        writeln!(f)?;
        if self.columns.len() > 1 {
            widths.write_header(f, &self.columns)?;
        }
        for (index, group) in self.groups.iter().filter(|group| !group.lines.is_empty()).enumerate() {
            if index > 0 {
                writeln!(f)?;
            }
            if !group.heading.is_empty() {
                writeln!(f, "{}", group.heading)?;
            }
            let widths = if group.varies { &wider } else { &widths };
            group.lines.iter().try_for_each(|line| widths.write_line(f, line))?;
        }
        for (index, note) in self.notes.iter().enumerate() {
            writeln!(f, "{}{}", if index == 0 { "\n" } else { "" }, wrap::paragraph(note))?;
        }
        Ok(())
    }
}

/// How wide the parts of a sheet's lines are, in characters.
struct Widths {
    label: usize,
    number: usize,
    unit: usize,
}

impl Widths {
    /// Returns the widths that some groups need.
    fn of(sheet: &Sheet, wanted: impl Fn(&Group) -> bool) -> Self {
        let width = |text: &str| text.chars().count();
        let lines = || sheet.groups.iter().filter(|group| wanted(group)).flat_map(|group| &group.lines);
        let cells = || lines().flat_map(|line| &line.cells);
        let unit = cells().map(|cell| width(cell.unit)).max().unwrap_or(0);
        let header = sheet.columns.iter().map(|name| width(name).saturating_sub(unit + 1)).max().unwrap_or(0);
        Widths {
            label: lines().map(|line| width(&line.label)).max().unwrap_or(0),
            number: cells().map(|cell| width(&cell.number)).max().unwrap_or(0).max(header),
            unit,
        }
    }

    /// Writes the names of the columns, and that of the ratios behind them.
    fn write_header(&self, f: &mut fmt::Formatter<'_>, columns: &[String]) -> fmt::Result {
        write!(f, "  {:label$}", "", label = self.label)?;
        columns.iter().try_for_each(|name| write!(f, "  {name:>cell$}", cell = self.number + 1 + self.unit))?;
        writeln!(f, "  {:>8}", "relative")
    }

    /// Writes one line, without blanks at its end.
    fn write_line(&self, f: &mut fmt::Formatter<'_>, line: &Line) -> fmt::Result {
        write!(f, "  {:label$}", line.label, label = self.label)?;
        // A unit is filled up only where something follows it.
        let mut gap = String::new();
        for Cell { number, unit } in &line.cells {
            write!(f, "{gap}  {number:>width$}", width = self.number)?;
            let blank = if unit.is_empty() { "" } else { " " };
            write!(f, "{blank}{unit}")?;
            gap = " ".repeat(self.unit + 1 - unit.chars().count() - blank.len());
        }
        match line.ratio {
            Some(ratio) => writeln!(f, "{gap}  {:>8}", significant(ratio)),
            None => writeln!(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// So what a machine measured moves no other column.
    #[test]
    fn lines_that_vary_leave_the_others_as_they_are() {
        let sheet = |events: f64, rate: f64| {
            let mut sheet = Sheet::new("Title", vec!["this case".into(), "always-on".into()]);
            sheet.group("run");
            sheet.line("time", Style::Seconds, &[Some(1e-4), Some(2e-4)], Some(0.5));
            sheet.varying_group("simulation");
            sheet.line("a label that is longer than any other", Style::Plain("hops/s"), &[Some(rate), None], None);
            sheet.line("events", Style::Count(""), &[Some(events), Some(events)], None);
            sheet.to_string()
        };
        let stable = |text: &str| text.split_once("simulation\n").unwrap().0.to_owned();
        let [narrow, wide] = [sheet(1.0, 2.0), sheet(1e15, 1e11)];
        assert_eq!(stable(&narrow), stable(&wide));
        assert!(wide.contains("100,000,000,000 hops/s"), "{wide}");
    }
}
