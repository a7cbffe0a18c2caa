//! A file's text as recognisers look at it: its first lines, and what kind of document it begins.

/// Lines that recognisers look at: enough for headers and a few records.
const LINES: usize = 64;

/// The beginning of a file.
pub(crate) struct Text<'t> {
    /// All of it.
    pub whole: &'t str,
    /// The first lines that are neither empty nor comments, without blanks around them.
    pub lines: Vec<&'t str>,
}

impl<'t> Text<'t> {
    /// Takes the first lines of a text.
    pub fn new(whole: &'t str) -> Self {
        let is_said = |line: &&str| !line.is_empty() && !line.starts_with('#');
        Text { whole, lines: whole.lines().map(str::trim).filter(is_said).take(LINES).collect() }
    }

    /// Returns the first line; none is an empty one.
    pub fn first(&self) -> &'t str {
        self.lines.first().copied().unwrap_or_default()
    }

    /// Returns whether the first word of some line is the given one, and what follows suits.
    pub fn has_line(&self, word: &str, suits: impl Fn(&str) -> bool) -> bool {
        let rest = |line: &&'t str| line.strip_prefix(word).filter(|rest| !rest.starts_with(is_of_word));
        self.lines.iter().filter_map(rest).any(|rest| suits(rest.trim()))
    }

    /// Returns whether some line begins so.
    pub fn begins(&self, start: &str) -> bool {
        self.lines.iter().any(|line| line.starts_with(start))
    }

    /// Returns the name of an XML document's first element, without the prefix of its namespace.
    pub fn root(&self) -> Option<&'t str> {
        let mut rest = self.whole.trim_start();
        loop {
            rest = rest.strip_prefix('<')?;
            let end = match rest {
                comment if comment.starts_with("!--") => comment.find("-->")? + 3,
                // A document type may hold declarations in brackets.
                typed if typed.starts_with('!') && typed.split('>').next()?.contains('[') => typed.find("]>")? + 2,
                other if other.starts_with(['?', '!']) => other.find('>')? + 1,
                element => {
                    let name = element.split(|c: char| c.is_whitespace() || c == '>' || c == '/').next()?;
                    return Some(name.rsplit(':').next().unwrap_or(name));
                }
            };
            rest = rest[end..].trim_start();
        }
    }

    /// Returns whether this is JSON in which these names stand.
    pub fn is_json_with(&self, names: &[&str]) -> bool {
        self.is_json() && names.iter().all(|name| self.whole.contains(&format!("\"{name}\"")))
    }

    /// Returns whether this begins as JSON does.
    pub fn is_json(&self) -> bool {
        let first = self.first();
        first.starts_with('{') && first[1..].trim_start().starts_with(['"', '}'])
            || first == "{" && self.lines.get(1).is_some_and(|line| line.starts_with(['"', '}']))
            || first.starts_with('[') && !first.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '"')
    }
}

/// Returns whether a character may stand within a word.
pub(crate) fn is_of_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// Returns the words of a line.
pub(crate) fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

/// Returns whether a word is a whole number.
pub(crate) fn is_whole(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns whether a text begins with a word, in any case.
pub(crate) fn starts(text: &str, word: &str) -> bool {
    text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
}
