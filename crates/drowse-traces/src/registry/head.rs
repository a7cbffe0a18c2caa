//! What a format is recognised by: the first bytes of a file, and where these say nothing, its name.

/// The first bytes of a file, and its name without folders.
pub(crate) struct Head<'a> {
    pub bytes: &'a [u8],
    pub name: &'a str,
}

/// How many bytes of a JSON file are searched: what stands before its events may be long.
const SEARCHED: usize = 4096;

impl<'a> Head<'a> {
    /// Makes that of a file with a path.
    pub fn new(bytes: &'a [u8], path: &'a str) -> Self {
        Head { bytes, name: path.rsplit(['/', '\\']).next().unwrap_or(path) }
    }

    /// Returns whether the file begins with some bytes, in upper or lower case.
    pub fn starts(&self, start: &[u8]) -> bool {
        self.bytes.get(..start.len()).is_some_and(|bytes| bytes.eq_ignore_ascii_case(start))
    }

    /// Returns whether some bytes are near the begin.
    pub fn holds(&self, text: &[u8]) -> bool {
        let searched = self.bytes.get(..SEARCHED).unwrap_or(self.bytes);
        searched.windows(text.len()).any(|bytes| bytes == text)
    }

    /// Returns whether the file may be JSON in which all of some texts are near the begin.
    pub fn is_json_with(&self, texts: &[&[u8]]) -> bool {
        let text = self.bytes.trim_ascii_start();
        (text.starts_with(b"{") || text.starts_with(b"[")) && texts.iter().all(|text| self.holds(text))
    }

    /// Returns whether the bytes are no text.
    pub fn is_binary(&self) -> bool {
        self.bytes.contains(&0)
    }

    /// Returns the first lines that are not blank, without the blanks around them.
    pub fn lines(&self) -> impl Iterator<Item = &'a [u8]> {
        self.bytes.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty())
    }

    /// Returns the first of these lines; nothing if there is none.
    pub fn first_line(&self) -> &'a [u8] {
        self.lines().next().unwrap_or_default()
    }

    /// Returns whether the name has an ending.
    pub fn ends(&self, ending: &str) -> bool {
        self.name.len() > ending.len() && self.name.to_ascii_lowercase().ends_with(ending)
    }
}

/// Returns the fields of a line between blanks.
pub(super) fn fields(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty())
}

/// Returns whether a field is a whole number without a sign.
pub(super) fn is_number(field: &[u8]) -> bool {
    !field.is_empty() && field.iter().all(u8::is_ascii_digit)
}
