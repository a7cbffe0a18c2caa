//! Pages of which a program writes parts: those between a mark `<!-- NAME: ... -->` and the next `<!-- end of ... -->`.

/// Returns a page with what belongs below each mark; a mark is named by how it begins.
pub fn fill(page: &str, end: &str, parts: &[(&str, String)]) -> String {
    let mut filled = String::new();
    let mut inside = false;
    for line in page.lines() {
        if line.starts_with(end) {
            inside = false;
        }
        if !inside {
            filled += line;
            filled.push('\n');
        }
        if let Some((_, part)) = parts.iter().find(|(mark, _)| line.starts_with(mark)) {
            inside = true;
            filled += part;
        }
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_stands_between_marks_is_written_anew() {
        let page = "a\n<!-- one: by x -->\nold\n<!-- end of it -->\nb\n<!-- two: by x -->\n<!-- end of it -->\n";
        let parts = [("<!-- one", "1\n".to_owned()), ("<!-- two", "2\n".to_owned())];
        let filled = "a\n<!-- one: by x -->\n1\n<!-- end of it -->\nb\n<!-- two: by x -->\n2\n<!-- end of it -->\n";
        assert_eq!(fill(page, "<!-- end of it", &parts), filled);
    }
}
