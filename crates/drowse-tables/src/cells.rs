//! Texts as cells. A spreadsheet computes what begins as a formula, which a title or a name may do: such a text gets an
//! apostrophe in front, by which spreadsheets know texts. Numbers stay as they are.

use std::borrow::Cow;

/// How formulas begin.
const FORMULA: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// Returns whether a text would be computed, behind the apostrophes that it begins with. A sign alone is none.
fn is_formula(text: &str) -> bool {
    let text = text.trim_start_matches('\'');
    text.starts_with(FORMULA) && text.len() > 1 && text.parse::<f64>().is_err()
}

/// Returns the cell of a text.
pub(crate) fn cell(text: &str) -> Cow<'_, str> {
    if is_formula(text) { Cow::Owned(format!("'{text}")) } else { Cow::Borrowed(text) }
}

/// Returns the text of a cell.
pub fn text(cell: &str) -> &str {
    cell.strip_prefix('\'').filter(|text| is_formula(text)).unwrap_or(cell)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_become_texts_and_are_read_back() {
        for formula in ["=1+1", "+SUM(A1)", "-2+3", "@x", "\t=1", "'=1", "''-x"] {
            assert_eq!(cell(formula), format!("'{formula}"));
            assert_eq!(text(&cell(formula)), formula);
        }
        for plain in ["a=1", "-1.5e3", "+2", "", "it's", "'quoted'", "'", "\"=1", "=", "-", "'=", "'-5"] {
            assert_eq!((cell(plain).as_ref(), text(plain)), (plain, plain));
        }
    }
}
