//! The comparison of the cases as a table for papers: LaTeX or Markdown.

use crate::comparison::{Column, columns, named};
use crate::error::ReportError;
use crate::results::Results;
use crate::study::Study;

/// The language of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// A `tabular` with the rules of the package booktabs.
    Latex,
    /// A table of GitHub's Markdown.
    Markdown,
}

/// Writes a row a case with these columns of cases.csv, or with the usual figures.
pub fn text_table(results: &Results, names: &[String], language: Language) -> Result<String, ReportError> {
    let study = Study::new(results);
    let columns = if names.is_empty() { columns(&study) } else { named(results, names)? };
    let label = |text: &str| escaped(text, language);
    let heading = |column: &Column| match column.unit.as_str() {
        "" => label(&column.heading),
        unit => label(&format!("{}, {unit}", column.heading)),
    };
    let head: Vec<String> = std::iter::once("case".to_owned()).chain(columns.iter().map(heading)).collect();
    let rows = study.cases.iter().enumerate().map(|(number, case)| {
        let missing = || if language == Language::Latex { "--".into() } else { "–".into() };
        let sign = if language == Language::Latex { "$\\pm$" } else { "±" };
        let cell = |column: &Column| column.cell(number, sign).unwrap_or_else(missing);
        std::iter::once(label(&case.label)).chain(columns.iter().map(cell)).collect()
    });
    let rows: Vec<Vec<String>> = rows.collect();
    Ok(match language {
        Language::Latex => latex(&head, &rows),
        Language::Markdown => markdown(&head, &rows),
    })
}

fn markdown(head: &[String], rows: &[Vec<String>]) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let rule = format!("|---|{}\n", "---:|".repeat(head.len() - 1));
    line(head) + &rule + &rows.iter().map(|row| line(row)).collect::<String>()
}

fn latex(head: &[String], rows: &[Vec<String>]) -> String {
    let line = |cells: &[String]| format!("{} \\\\\n", cells.join(" & "));
    let numbers = "r".repeat(head.len() - 1);
    let body: String = rows.iter().map(|row| line(row)).collect();
    format!(
        "% \\usepackage{{booktabs}}\n\\begin{{tabular}}{{l{numbers}}}\n\\toprule\n{}\\midrule\n{body}\\bottomrule\n\
         \\end{{tabular}}\n",
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
