//! Texts in lines of at most 80 columns.

/// The columns of a terminal that everything fits in.
pub const WIDTH: usize = 80;

/// Breaks a text between words into lines of at most so many characters; a longer word has a line of its own.
pub fn lines(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Breaks a text between words into lines of at most so many characters, and a longer word anywhere.
pub fn hard(text: &str, width: usize) -> Vec<String> {
    let cut = |line: String| {
        let letters: Vec<char> = line.chars().collect();
        letters.chunks(width.max(1)).map(|part| part.iter().collect()).collect::<Vec<String>>()
    };
    lines(text, width).into_iter().flat_map(cut).collect()
}

/// Breaks a paragraph into lines of a terminal; all but the first are indented by two columns.
pub fn paragraph(text: &str) -> String {
    if text.chars().count() <= WIDTH { text.to_owned() } else { lines(text, WIDTH - 2).join("\n  ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_broken_between_words() {
        assert_eq!(lines("one two  three", 7), ["one two", "three"]);
        assert_eq!(lines("one incomprehensible", 5), ["one", "incomprehensible"]);
        assert!(lines("", 5).is_empty());
        assert_eq!(hard("one incomprehensible", 9), ["one", "incompreh", "ensible"]);
        let long = "word ".repeat(30);
        assert!(paragraph(&long).lines().all(|line| line.len() <= WIDTH));
        assert_eq!(paragraph(&long).lines().nth(1).map(|line| line.starts_with("  word")), Some(true));
    }
}
