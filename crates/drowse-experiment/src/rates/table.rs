//! Rows of a file whose first line names the columns: fields between commas, semicolons or tabs, some of them in quotes.

use std::ops::Range;

use super::Wrong;

/// A field and where it stands.
pub type Word<'t> = (&'t str, Range<usize>);

/// A file taken apart.
pub struct Table<'t> {
    header: Vec<Word<'t>>,
    rows: Vec<Vec<Word<'t>>>,
    separator: char,
}

impl<'t> Table<'t> {
    /// Takes a text apart; every row has as many fields as the header.
    pub fn of(text: &'t str) -> Result<Self, Wrong> {
        let mut lines = lines(text).filter(|(line, _)| !line.trim().is_empty());
        let Some((first, start)) = lines.next() else {
            let help = "begin the file with a line time,value, and write the series below it";
            return Err((0..0, "the series is empty".into(), help.into()));
        };
        let separator = [',', ';', '\t'].into_iter().max_by_key(|&mark| first.matches(mark).count()).unwrap_or(',');
        let header = fields(first, start, separator)?;
        let mut rows = Vec::new();
        for (line, start) in lines {
            let row = fields(line, start, separator)?;
            if row.len() != header.len() {
                let message = format!("{} values for {} columns", row.len(), header.len());
                let help = "write one value per column; a number has a point, not a comma, before its decimals";
                return Err((start..start + line.len(), message, help.into()));
            }
            rows.push(row);
        }
        if rows.is_empty() {
            let message = "the series has no values".into();
            return Err((
                start..start + first.len(),
                message,
                "write a line for each value below these columns".into(),
            ));
        }
        Ok(Table { header, rows, separator })
    }

    /// Returns the place of the header.
    pub fn header_span(&self) -> Range<usize> {
        let start = self.header.first().map_or(0, |(_, span)| span.start);
        start..self.header.last().map_or(start, |(_, span)| span.end)
    }

    /// Returns the number of the first column whose name, in lower case, passes a test.
    pub fn column(&self, is: impl Fn(&str) -> bool) -> Option<usize> {
        self.header.iter().position(|(name, _)| is(&normal(name)))
    }

    /// Returns the name of a column as it is written.
    pub fn name(&self, column: usize) -> &str {
        self.header[column].0
    }

    /// Returns the place of the name of a column.
    pub fn name_span(&self, column: usize) -> Range<usize> {
        self.header[column].1.clone()
    }

    /// Returns the names of the columns, in lower case and without what differs from program to program.
    pub fn names(&self) -> Vec<String> {
        self.header.iter().map(|(name, _)| normal(name)).collect()
    }

    /// Returns the rows.
    pub fn rows(&self) -> impl Iterator<Item = &[Word<'t>]> {
        self.rows.iter().map(Vec::as_slice)
    }

    /// Returns whether fields are separated so that a number may have a comma.
    pub fn has_commas_in_numbers(&self) -> bool {
        self.separator != ','
    }
}

/// Returns a name as it is compared: in lower case, with a plain 2, and with one blank where there are several.
fn normal(name: &str) -> String {
    let plain = name.to_lowercase().replace('\u{2082}', "2");
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the lines of a text and where each starts.
fn lines(text: &str) -> impl Iterator<Item = (&str, usize)> {
    let mut start = 0;
    text.split_inclusive('\n').map(move |line| {
        let here = start;
        start += line.len();
        (line.trim_end_matches(['\n', '\r']), here)
    })
}

/// Returns the fields of a line. Quotes around one are no part of it, and a separator within them separates nothing.
fn fields(line: &str, start: usize, separator: char) -> Result<Vec<Word<'_>>, Wrong> {
    let (mut fields, mut from, mut quoted) = (Vec::new(), 0, false);
    let ends = line.char_indices().chain([(line.len(), separator)]);
    for (at, c) in ends {
        match c {
            '"' => quoted = !quoted,
            _ if c == separator && !quoted => {
                let field = &line[from..at];
                let word = field.trim().trim_matches('"').trim();
                let begins = start + from + field.find(word).unwrap_or_default();
                fields.push((word, begins..begins + word.len()));
                from = (at + c.len_utf8()).min(line.len());
            }
            _ => {}
        }
    }
    if quoted {
        let message = "a quote is opened and not closed in this line";
        return Err((start..start + line.len(), message.into(), "close it, or remove it".into()));
    }
    Ok(fields)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_and_separators() {
        let words = |line: &'static str, separator| -> Vec<&str> {
            fields(line, 0, separator).expect("closed").into_iter().map(|(word, _)| word).collect()
        };
        assert_eq!(words("a, \"b, c\" ,,", ','), ["a", "b, c", "", ""]);
        assert_eq!(words("1,5;\"2\"", ';'), ["1,5", "2"]);
        assert!(fields("a,\"b", 0, ',').is_err());
        assert_eq!(normal("Carbon  intensity gCO\u{2082}eq/kWh"), "carbon intensity gco2eq/kwh");
    }
}
