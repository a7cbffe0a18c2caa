//! The form of a page: tables whose rows have as many cells as their heads, rows that belong to a table, blocks that end, and lines
//! of at most 120 columns.

const WIDTH: usize = 120;

/// Returns all faults of a page, each with the number of its line.
pub fn faults(text: &str) -> Vec<(usize, String)> {
    let mut page = Page::default();
    for (at, line) in text.lines().chain([""]).enumerate() {
        page.read(at + 1, line);
    }
    if let Some((_, line)) = page.fence {
        page.faults.push((line, "a block does not end".to_owned()));
    }
    page.faults
}

#[derive(Default)]
struct Page<'a> {
    /// The mark that began the block, and its line.
    fence: Option<(&'a str, usize)>,
    /// The rows of the table.
    rows: Vec<&'a str>,
    before: &'a str,
    faults: Vec<(usize, String)>,
}

impl<'a> Page<'a> {
    fn read(&mut self, number: usize, line: &'a str) {
        let is_row = self.fence.is_none() && line.trim_start().starts_with('|');
        if is_row && self.rows.is_empty() && !self.before.trim().is_empty() {
            self.fault(number, "no empty line before a table");
        }
        if !self.rows.is_empty() && !is_row {
            let rows = std::mem::take(&mut self.rows);
            self.faults.extend(faults_of_table(number - rows.len(), &rows));
            if !line.trim().is_empty() {
                self.fault(number, "no empty line after a table, so that this is a row of it");
            }
        }
        if is_row {
            self.rows.push(line);
        } else if line.trim_start().starts_with("<!--=") {
            self.fault(number, "a line that begins with a comment ends its paragraph");
        } else if without_comments(line).chars().count() > WIDTH {
            self.fault(number, &format!("over {WIDTH} columns"));
        }
        self.mark(number, line);
        self.before = line;
    }

    /// Takes note of a line that begins or ends a block.
    fn mark(&mut self, number: usize, line: &'a str) {
        let text = line.trim_start_matches(' ');
        let Some(mark) = mark(text) else { return };
        match self.fence {
            None => self.fence = Some((mark, number)),
            Some((begun, _)) if mark.starts_with(begun) && line.trim() == mark => self.fence = None,
            Some(_) => {}
        }
    }

    fn fault(&mut self, line: usize, what: &str) {
        self.faults.push((line, what.to_owned()));
    }
}

/// Returns the three or more backquotes or tildes with which a line begins.
fn mark(text: &str) -> Option<&str> {
    let first = text.chars().next().filter(|first| "`~".contains(*first))?;
    let mark = &text[..text.find(|c| c != first).unwrap_or(text.len())];
    (mark.len() >= 3).then_some(mark)
}

/// Returns what a page shows of a line: comments, such as the command that makes a number, do not count.
fn without_comments(line: &str) -> String {
    let mut shown = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once("<!--") {
        let Some((_, behind)) = after.split_once("-->") else { break };
        shown += before;
        rest = behind;
    }
    shown + rest
}

/// Finds what is wrong with rows that follow each other, the first of which has this number.
fn faults_of_table(first: usize, rows: &[&str]) -> Vec<(usize, String)> {
    if rows.len() < 2 || !is_rule(rows[1]) {
        let what = "a row without a table: its head and a line of dashes are missing, or a line stands between";
        return vec![(first, what.to_owned())];
    }
    let wanted = cells(rows[0]);
    let fault = |row: &&str| {
        if !row.trim().ends_with('|') {
            Some("a row of a table does not end with a bar".to_owned())
        } else if cells(row) == wanted {
            None
        } else {
            Some(format!("{} cells in a table of {wanted}: is a bar in code without a backslash?", cells(row)))
        }
    };
    (first..).zip(rows).filter_map(|(number, row)| Some((number, fault(row)?))).collect()
}

/// Whether a row is the line of dashes below a head.
fn is_rule(row: &str) -> bool {
    let row = row.trim();
    let inner = row.strip_prefix('|').unwrap_or(row);
    let is_cell = |cell: &str| {
        let cell = cell.trim();
        let dashes = cell.strip_prefix(':').unwrap_or(cell);
        let dashes = dashes.strip_suffix(':').unwrap_or(dashes);
        !dashes.is_empty() && dashes.chars().all(|c| c == '-')
    };
    inner.contains('|') && inner.strip_suffix('|').unwrap_or(inner).split('|').all(is_cell)
}

/// Counts the cells of a row as Markdown does: a bar parts cells in code, too, unless a backslash is before it.
fn cells(row: &str) -> usize {
    let row = row.trim();
    let row = row.strip_prefix('|').unwrap_or(row);
    let row = row.strip_suffix('|').unwrap_or(row);
    let bars = row.match_indices('|').filter(|(at, _)| !row[..*at].ends_with('\\'));
    bars.count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Vec<String> {
        faults(text).into_iter().map(|(line, fault)| format!("{line}: {fault}")).collect()
    }

    #[test]
    fn a_page_of_the_right_form_has_no_faults() {
        let page = "# A\n\n| a | b |\n|---|---:|\n| `x \\| y` | 1 |\n\n~~~text\n| no row\n```\n~~~\n";
        assert_eq!(said(page), Vec::<String>::new());
    }

    #[test]
    fn each_fault_is_found_at_its_line() {
        let wide = "x".repeat(WIDTH + 1);
        let hidden = format!("{}<!-- {wide} -->", "ä".repeat(WIDTH));
        let page = format!(
            "a\n| a | b |\n|---|---|\n| x | y | z |\n| x | y\nb\n\n| lone |\n\n{wide}\n{hidden}\n<!--=told-->\n```sh\n"
        );
        assert_eq!(
            said(&page),
            [
                "2: no empty line before a table",
                "4: 3 cells in a table of 2: is a bar in code without a backslash?",
                "5: a row of a table does not end with a bar",
                "6: no empty line after a table, so that this is a row of it",
                "8: a row without a table: its head and a line of dashes are missing, or a line stands between",
                "10: over 120 columns",
                "12: a line that begins with a comment ends its paragraph",
                "13: a block does not end",
            ]
        );
    }
}
