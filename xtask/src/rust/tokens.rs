//! Rust's tokens with their lines, and comments apart from them.

/// A token of a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token<'a> {
    pub kind: Kind,
    /// Its text; of a string, what stands between the quotes, as it is written.
    pub text: &'a str,
    /// The line on which it begins, from 1.
    pub line: usize,
}

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// An identifier or keyword.
    Word,
    /// A string of any kind.
    Text,
    /// One character of punctuation; `::` is one token.
    Sign,
    /// A number, character or lifetime.
    Other,
}

impl Token<'_> {
    /// Whether it is this word or sign.
    pub fn is(&self, text: &str) -> bool {
        self.text == text && matches!(self.kind, Kind::Word | Kind::Sign)
    }
}

/// A comment, without its slashes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Comment<'a> {
    pub text: &'a str,
    pub line: usize,
    /// Whether it is documentation.
    pub documents: bool,
}

/// A source, taken apart.
#[derive(Debug, Default)]
pub struct Source<'a> {
    pub tokens: Vec<Token<'a>>,
    pub comments: Vec<Comment<'a>>,
}

/// Takes a source apart. What is no Rust becomes tokens of some kind: the compiler complains of it.
pub fn tokens(text: &str) -> Source<'_> {
    let mut reader = Reader { text, at: 0, line: 1, found: Source::default() };
    while reader.next() {}
    reader.found
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    line: usize,
    found: Source<'a>,
}

impl<'a> Reader<'a> {
    /// Takes the next token, comment or space. Returns whether there was one.
    fn next(&mut self) -> bool {
        let rest = &self.text[self.at..];
        let Some(first) = rest.chars().next() else { return false };
        if first.is_whitespace() {
            self.skip(first.len_utf8());
        } else if rest.starts_with("//") {
            self.line_comment(rest);
        } else if rest.starts_with("/*") {
            self.skip(block_comment(rest));
        } else if let Some(hashes) = raw_string(rest) {
            self.raw(rest, hashes);
        } else if first == '"' || ["b\"", "c\""].iter().any(|start| rest.starts_with(start)) {
            self.string(rest);
        } else if first == '\'' || rest.starts_with("b'") {
            self.take(Kind::Other, quoted(rest));
        } else if first.is_alphabetic() || first == '_' {
            self.take(Kind::Word, while_in(rest, |c| c.is_alphanumeric() || c == '_'));
        } else if first.is_ascii_digit() {
            self.take(Kind::Other, while_in(rest, |c| c.is_alphanumeric() || c == '_'));
        } else {
            self.take(Kind::Sign, if rest.starts_with("::") { 2 } else { first.len_utf8() });
        }
        true
    }

    /// Goes on by so many bytes, and counts lines.
    fn skip(&mut self, length: usize) {
        self.line += self.text[self.at..self.at + length].matches('\n').count();
        self.at += length;
    }

    fn take(&mut self, kind: Kind, length: usize) {
        let token = Token { kind, text: &self.text[self.at..self.at + length], line: self.line };
        self.found.tokens.push(token);
        self.skip(length);
    }

    fn line_comment(&mut self, rest: &'a str) {
        let length = rest.find('\n').unwrap_or(rest.len());
        let whole = &rest[..length];
        let documents = (whole.starts_with("///") && !whole.starts_with("////")) || whole.starts_with("//!");
        let text = whole.trim_start_matches(['/', '!']);
        self.found.comments.push(Comment { text, line: self.line, documents });
        self.skip(length);
    }

    fn string(&mut self, rest: &'a str) {
        let start = rest.find('"').map_or(0, |quote| quote + 1);
        let mut escaped = false;
        let inside = rest[start..].find(|c: char| {
            let ends = c == '"' && !escaped;
            escaped = c == '\\' && !escaped;
            ends
        });
        let length = inside.unwrap_or(rest.len() - start);
        self.found.tokens.push(Token { kind: Kind::Text, text: &rest[start..start + length], line: self.line });
        self.skip((start + length + 1).min(rest.len()));
    }

    fn raw(&mut self, rest: &'a str, hashes: usize) {
        let start = rest.find('"').map_or(0, |quote| quote + 1);
        let end = format!("\"{}", "#".repeat(hashes));
        let length = rest[start..].find(&end).unwrap_or(rest.len() - start);
        self.found.tokens.push(Token { kind: Kind::Text, text: &rest[start..start + length], line: self.line });
        self.skip((start + length + end.len()).min(rest.len()));
    }
}

/// Returns how many bytes at the beginning are such characters.
fn while_in(text: &str, is: impl Fn(char) -> bool) -> usize {
    text.find(|c| !is(c)).unwrap_or(text.len())
}

/// Returns the length of a block comment; they nest.
fn block_comment(rest: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < rest.len() {
        if rest[at..].starts_with("/*") {
            depth += 1;
            at += 2;
        } else if rest[at..].starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += rest[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    rest.len()
}

/// Returns how many hashes a raw string begins with, if it is one.
fn raw_string(rest: &str) -> Option<usize> {
    let after = ["r", "br", "cr"].iter().find_map(|start| {
        let after = rest.strip_prefix(start)?;
        after.starts_with(['"', '#']).then_some(after)
    })?;
    let hashes = while_in(after, |c| c == '#');
    after[hashes..].starts_with('"').then_some(hashes)
}

/// Returns the length of a character or a lifetime.
fn quoted(rest: &str) -> usize {
    let start = rest.find('\'').map_or(0, |quote| quote + 1);
    let inside = &rest[start..];
    if inside.starts_with('\\') {
        // The character after the backslash may be a quote itself.
        let after = inside.char_indices().nth(2).map_or(inside.len(), |(at, _)| at);
        return start + inside[after..].find('\'').map_or(inside.len(), |quote| after + quote + 1);
    }
    let mut characters = inside.char_indices();
    characters.next();
    match characters.next() {
        Some((at, '\'')) => start + at + 1,
        _ => start + while_in(inside, |c| c.is_alphanumeric() || c == '_'),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<&str> {
        tokens(text).tokens.iter().map(|token| token.text).collect()
    }

    #[test]
    fn strings_and_characters_hide_what_is_in_them() {
        assert_eq!(
            words(r##"a("} \" //", r#"{ " }"#, '{', '\'', 'x')"##),
            ["a", "(", r#"} \" //"#, ",", r#"{ " }"#, ",", "'{'", ",", "'\\''", ",", "'x'", ")"]
        );
    }

    #[test]
    fn lifetimes_are_no_characters() {
        assert_eq!(words("&'a str, '_, b'x'"), ["&", "'a", "str", ",", "'_", ",", "b'x'"]);
    }

    #[test]
    fn comments_are_apart_and_lines_count() {
        let source = tokens("/// What.\n//! Of.\n// Why.\n/* {\n/* } */ */ a\n::b");
        let said: Vec<_> = source.comments.iter().map(|comment| (comment.line, comment.documents)).collect();
        assert_eq!(said, [(1, true), (2, true), (3, false)]);
        let placed: Vec<_> = source.tokens.iter().map(|token| (token.text, token.line)).collect();
        assert_eq!(placed, [("a", 5), ("::", 6), ("b", 6)]);
    }
}
