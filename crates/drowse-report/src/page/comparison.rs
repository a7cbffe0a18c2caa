//! The table that compares the cases.

use std::fmt::Write;

use crate::comparison::columns;
use crate::page::html::escaped;
use crate::study::Study;

/// Writes the table; each row has the number of its case.
pub fn table(study: &Study) -> String {
    let columns = columns(study);
    let mut text = String::from(
        "<section class=\"card wide\" id=\"comparison\">\n<h3>Cases</h3>\n\
         <div class=\"scroll\" tabindex=\"0\"><table>\n<thead><tr><th scope=\"col\">case</th>",
    );
    for column in &columns {
        let unit =
            if column.unit.is_empty() { String::new() } else { format!(" <small>{}</small>", escaped(&column.unit)) };
        // Writing into a text cannot fail.
        let _ = write!(
            text,
            "<th scope=\"col\" title=\"{}\">{}{unit}</th>",
            escaped(&column.words),
            escaped(&column.short)
        );
    }
    text += "</tr></thead>\n<tbody>\n";
    for (case, known) in study.cases.iter().enumerate() {
        let warned = if known.warnings.is_empty() { "" } else { " <abbr title=\"has warnings\">⚠</abbr>" };
        let _ = write!(text, "<tr data-case=\"{case}\"><th scope=\"row\">{}{warned}</th>", escaped(&known.label));
        for column in &columns {
            match column.values[case].zip(column.cell(case, "±")) {
                Some((value, cell)) => {
                    let _ = write!(text, "<td data-value=\"{value}\">{cell}</td>");
                }
                None => text.push_str("<td>–</td>"),
            }
        }
        text += "</tr>\n";
    }
    text + "</tbody>\n</table></div>\n</section>\n"
}
