//! Names of columns are written down in the schema only: sources that read and write rows use its constants.

use std::collections::BTreeSet;

use super::finding::Finding;
use super::tree::Tree;
use crate::failure::Outcome;
use crate::rust::tokens::{Kind, Token, tokens};

const SCHEMA: &str = "crates/drowse-tables/src/schema/";

/// Folders of sources that read and write rows.
const FOLDERS: [&str; 5] = [
    "crates/drowse-run/src/",
    "crates/drowse-describe/src/",
    "crates/drowse-reproduce/src/",
    "crates/drowse-reproduce/examples/",
    "crates/drowse/src/",
];

/// Finds strings that are the name of a column.
pub fn check(tree: &Tree) -> Outcome<Vec<Finding>> {
    let schema = tree.rust().filter(|(file, _)| file.starts_with(SCHEMA));
    let columns: BTreeSet<&str> = schema.flat_map(|(_, text)| columns(&tokens(text).tokens)).collect();
    let mut found = Vec::new();
    for (file, text) in tree.rust().filter(|(file, _)| FOLDERS.iter().any(|folder| file.starts_with(folder))) {
        for token in tokens(text).tokens.iter().filter(|token| token.kind == Kind::Text && columns.contains(token.text))
        {
            let message = format!("\"{}\" is a column: use its constant of drowse_tables::schema", token.text);
            let key = format!("{file} {}", token.text);
            found.push(Finding { key, extent: 1, file: file.to_owned(), line: token.line, message });
        }
    }
    Ok(found)
}

/// Returns the columns that a file of the schema has: `NAME: kind("name", ...)`. A name of one word is also that of other things.
fn columns<'a>(tokens: &[Token<'a>]) -> Vec<&'a str> {
    let named = tokens.windows(5).filter_map(|window| match window {
        [constant, colon, kind, open, name]
            if constant.kind == Kind::Word
                && colon.is(":")
                && kind.kind == Kind::Word
                && open.is("(")
                && name.kind == Kind::Text =>
        {
            Some(name.text)
        }
        _ => None,
    });
    named.filter(|name| name.contains(['.', '_']) && !name.contains('*')).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_column_in_a_source_is_found() {
        let tree = Tree::of(&[
            (
                "crates/drowse-tables/src/schema/a.rs",
                "table! { ON_PS: integer(\"on_ps\", \"ps\"), TO: text(\n\"to\", \"\") }",
            ),
            ("crates/drowse-run/src/a.rs", "// \"on_ps\"\nfn f() { g(\"to\"); g(\"on_ps\") }"),
            ("crates/drowse-core/src/a.rs", "fn f() { g(\"on_ps\") }"),
        ]);
        let found: Vec<String> = check(&tree).unwrap().iter().map(ToString::to_string).collect();
        assert_eq!(
            found,
            ["crates/drowse-run/src/a.rs:2: \"on_ps\" is a column: use its constant of drowse_tables::schema"]
        );
    }
}
