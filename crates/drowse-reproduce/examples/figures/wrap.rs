//! Breaks the paragraphs of a page into lines, so that a number that becomes longer leaves no line too long or short.

/// Columns of a line.
const WIDTH: usize = 120;
/// What a line begins with that is no text, and belongs to no paragraph.
const OTHERS: [&str; 4] = ["|", "#", "<!--", "!["];
/// What begins a fenced block, and ends it.
const FENCE: &str = "```";

/// Returns a page with the lines of its paragraphs and items of lists as long as they may be. Tables, headings, pictures,
/// comments and code stay.
pub fn paragraphs(page: &str) -> String {
    let mut wrapped = String::new();
    let mut paragraph = Paragraph::default();
    let mut is_code = false;
    for line in page.lines() {
        let text = line.trim_start();
        let is_fence = text.starts_with(FENCE);
        if is_code || is_fence || stays(line, text, &paragraph) {
            paragraph.end(&mut wrapped);
            wrapped.push_str(line);
            wrapped.push('\n');
        } else {
            let (indent, mark) = (line.len() - text.len(), mark(text));
            if paragraph.words.is_empty() || mark > 0 {
                paragraph.end(&mut wrapped);
                paragraph = Paragraph { first: indent, others: indent + mark, words: Vec::new() };
            }
            paragraph.words.extend(text.split_ascii_whitespace());
        }
        is_code ^= is_fence;
    }
    paragraph.end(&mut wrapped);
    wrapped
}

/// Whether a line is part of no paragraph: what is indented by four is code, unless it goes on with a paragraph.
fn stays(line: &str, text: &str, before: &Paragraph<'_>) -> bool {
    let is_code = before.words.is_empty() && line.starts_with("    ");
    text.is_empty() || is_code || OTHERS.iter().any(|other| text.starts_with(other))
}

/// Returns the columns of the mark of an item and the space behind it, none if a line begins no item.
fn mark(text: &str) -> usize {
    let Some((mark, _)) = text.split_once(' ') else { return 0 };
    if is_mark(mark) { mark.len() + 1 } else { 0 }
}

/// Whether a word at the beginning of a line would begin an item.
fn is_mark(word: &str) -> bool {
    let number = word.strip_suffix(['.', ')']).unwrap_or("");
    ["-", "*", "+"].contains(&word) || (!number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Whether a word may begin a line in the middle of a paragraph, and is text there.
fn may_begin(word: &str) -> bool {
    let begins = |with: &&str| word.starts_with(*with);
    !is_mark(word) && !OTHERS.iter().chain([&FENCE, &">", &"="]).any(begins)
}

/// A paragraph, or an item of a list.
#[derive(Default)]
struct Paragraph<'a> {
    /// The spaces before its first line, and before the others.
    first: usize,
    others: usize,
    words: Vec<&'a str>,
}

impl Paragraph<'_> {
    /// Writes the paragraph, and begins an empty one.
    fn end(&mut self, page: &mut String) {
        let mut words = std::mem::take(&mut self.words).into_iter().peekable();
        let mut line = " ".repeat(self.first);
        let mut is_begun = false;
        while let Some(word) = words.next() {
            // A word that must not begin a line goes on with the word before it.
            let mut piece = word.to_owned();
            while let Some(next) = words.next_if(|next| !may_begin(next)) {
                piece = piece + " " + next;
            }
            if is_begun && line.chars().count() + 1 + piece.chars().count() > WIDTH {
                page.push_str(&line);
                page.push('\n');
                line = " ".repeat(self.others);
                is_begun = false;
            }
            line.push_str(if is_begun { " " } else { "" });
            line.push_str(&piece);
            is_begun = true;
        }
        if is_begun {
            page.push_str(&line);
            page.push('\n');
        }
    }
}
