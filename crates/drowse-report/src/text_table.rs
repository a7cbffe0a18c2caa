//! The comparison of the cases as a table for papers: LaTeX or Markdown. Cases whose figures need a word are marked, and
//! columns that say the same of all cases stand below the table.

use crate::comparison::{Column, columns, named};
use crate::error::ReportError;
use crate::results::Results;
use crate::study::{Case, Study};

/// The language of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// A `tabular` with the rules of the package booktabs.
    Latex,
    /// A table of GitHub's Markdown.
    Markdown,
}

/// A mark of cases: its sign in each language, its words, and which cases have it.
struct Mark {
    latex: &'static str,
    markdown: &'static str,
    words: &'static str,
    is_of: fn(&Case) -> bool,
}

/// The marks that cases may have.
const MARKS: [Mark; 2] = [
    Mark {
        latex: "$^{\\dagger}$",
        markdown: "†",
        words: "saturated: the network did not accept the offered load; latencies depend on the length of the run",
        is_of: |case| case.is_saturated,
    },
    Mark {
        latex: "$^{\\ddagger}$",
        markdown: "‡",
        words: "unfinished: packets were still in the network when the run ended; latencies leave them out",
        is_of: |case| case.warnings.iter().any(|warning| warning.contains("not drained")),
    },
];

/// Writes a row a case with these columns of cases.csv, or with the usual figures.
pub fn text_table(results: &Results, names: &[String], language: Language) -> Result<String, ReportError> {
    let study = Study::new(results);
    // What was asked for is shown, whatever it says.
    let (shown, alike) = match names {
        [] => columns(&study).into_iter().partition(|column| !is_alike(&study, column, language)),
        names => (named(results, names)?, Vec::new()),
    };
    let head: Vec<String> =
        std::iter::once("case".to_owned()).chain(shown.iter().map(|column| heading(column, language))).collect();
    let rows = study.cases.iter().enumerate().map(|(number, case)| {
        let name = escaped(&case.label, language) + &marks(case, language);
        std::iter::once(name).chain(shown.iter().map(|column| cell(column, number, language))).collect()
    });
    let rows: Vec<Vec<String>> = rows.collect();
    let notes = notes(results, &study, &alike, language);
    Ok(match language {
        Language::Latex => latex(&head, &rows, &notes),
        Language::Markdown => markdown(&head, &rows, &notes),
    })
}

/// Returns the words and the unit of a column.
fn heading(column: &Column, language: Language) -> String {
    match column.unit.as_str() {
        "" => escaped(&column.heading, language),
        unit => escaped(&format!("{}, {unit}", column.heading), language),
    }
}

fn cell(column: &Column, case: usize, language: Language) -> String {
    let (missing, sign) = if language == Language::Latex { ("--", "$\\pm$") } else { ("–", "±") };
    column.cell(case, sign).unwrap_or_else(|| missing.into())
}

/// Returns whether a column shows the same for all of several cases.
fn is_alike(study: &Study, column: &Column, language: Language) -> bool {
    let first = cell(column, 0, language);
    study.cases.len() > 1 && (1..study.cases.len()).all(|case| cell(column, case, language) == first)
}

/// Returns the marks of a case.
fn marks(case: &Case, language: Language) -> String {
    let marks: Vec<&str> = MARKS.iter().filter(|mark| (mark.is_of)(case)).map(|mark| sign(mark, language)).collect();
    if marks.is_empty() { String::new() } else { format!(" {}", marks.concat()) }
}

fn sign(mark: &Mark, language: Language) -> &'static str {
    if language == Language::Latex { mark.latex } else { mark.markdown }
}

/// Says what marks mean, what is the same of all cases, and how many cases have no row.
fn notes(results: &Results, study: &Study, alike: &[Column], language: Language) -> Vec<String> {
    let used = MARKS.iter().filter(|mark| study.cases.iter().any(mark.is_of));
    let mut notes: Vec<String> =
        used.map(|mark| format!("{} {}.", sign(mark, language), escaped(mark.words, language))).collect();
    let same: Vec<String> = alike
        .iter()
        .filter(|column| column.values[0].is_some())
        .map(|column| format!("{} {}", heading(column, language), cell(column, 0, language)))
        .collect();
    if !same.is_empty() {
        notes.push(format!("The same for all cases: {}.", same.join("; ")));
    }
    if results.failed > 0 {
        let cases = if results.failed == 1 { "1 case has".into() } else { format!("{} cases have", results.failed) };
        notes.push(format!("{cases} no result; {} says why.", escaped("failed.csv", language)));
    }
    notes
}

fn markdown(head: &[String], rows: &[Vec<String>], notes: &[String]) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let rule = format!("|---|{}\n", "---:|".repeat(head.len() - 1));
    let notes: String = notes.iter().map(|note| ["\n", note, "\n"].concat()).collect();
    line(head) + &rule + &rows.iter().map(|row| line(row)).collect::<String>() + &notes
}

fn latex(head: &[String], rows: &[Vec<String>], notes: &[String]) -> String {
    let line = |cells: &[String]| format!("{} \\\\\n", cells.join(" & "));
    let numbers = "r".repeat(head.len() - 1);
    let body: String = rows.iter().map(|row| line(row)).collect();
    let note = |note: &String| format!("\\multicolumn{{{}}}{{l}}{{\\footnotesize {note}}} \\\\\n", head.len());
    let notes: String = notes.iter().map(note).collect();
    format!(
        "% \\usepackage{{booktabs}}\n\\begin{{tabular}}{{l{numbers}}}\n\\toprule\n{}\\midrule\n{body}\\bottomrule\n\
         {notes}\\end{{tabular}}\n",
        line(head)
    )
}

/// Escapes what has a meaning in a language.
fn escaped(text: &str, language: Language) -> String {
    let mut safe = String::new();
    for c in text.chars() {
        match (language, c) {
            (Language::Markdown, '|' | '*' | '_' | '`' | '<' | '\\')
            | (Language::Latex, '&' | '%' | '$' | '#' | '_' | '{' | '}') => safe.extend(['\\', c]),
            (Language::Latex, '\\') => safe += "\\textbackslash{}",
            (Language::Latex, '~') => safe += "\\textasciitilde{}",
            (Language::Latex, '^') => safe += "\\textasciicircum{}",
            (Language::Latex, '·') => safe += "$\\cdot$",
            (_, '\n' | '\r') => safe.push(' '),
            _ => safe.push(c),
        }
    }
    safe
}
