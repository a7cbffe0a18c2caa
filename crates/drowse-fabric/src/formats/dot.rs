//! DOT, the language of Graphviz: undirected graphs without subgraphs.
//!
//! Attributes are those of GraphML, by the same names; those of `node [...]` and `edge [...]` hold for what is named
//! first after them.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

use crate::model::attributes::Links;
use crate::model::vertices::Vertices;
use crate::model::wrong::Wrong;

/// A word, a sign, or an operator, with its place.
#[derive(Clone, Debug)]
struct Token<'t> {
    text: Cow<'t, str>,
    span: Range<usize>,
    /// It is a name: a word, a number or a text in quotes.
    is_name: bool,
    /// It was written in quotes, so that it is no keyword.
    quoted: bool,
}

/// An attribute: name, value, and where this stands.
type Attribute = (String, String, Range<usize>);

/// Reads DOT.
pub(crate) fn parse(text: &str) -> Result<Vertices, Wrong> {
    let mut reader = Reader {
        text,
        at: 0,
        ahead: None,
        vertices: Vertices::default(),
        of_vertices: Vec::new(),
        of_edges: Vec::new(),
        seen: None,
    };
    reader.graph()?;
    Ok(reader.vertices)
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    ahead: Option<Token<'t>>,
    vertices: Vertices,
    /// Attributes of all vertices named first from here on, and of all edges.
    of_vertices: Vec<Attribute>,
    of_edges: Vec<Attribute>,
    /// In a strict graph, the edges there are: another between the same vertices is the same.
    seen: Option<HashSet<[usize; 2]>>,
}

impl<'t> Reader<'t> {
    fn graph(&mut self) -> Result<(), Wrong> {
        let mut word = self.expect("graph")?;
        if word.is("strict") {
            self.seen = Some(HashSet::new());
            word = self.expect("graph")?;
        }
        if word.is("digraph") {
            return Err(Wrong::new(
                &word.span,
                "this graph is directed",
                "links go both ways: write graph, and -- for ->",
            ));
        }
        if !word.is("graph") {
            return Err(Wrong::new(&word.span, "this is no DOT", "it begins with graph { ... }"));
        }
        if self.peek()?.is_some_and(|token| token.is_name) {
            self.next()?;
        }
        self.sign("{")?;
        loop {
            let token = self.expect("}")?;
            if token.is("}") {
                break;
            }
            if !token.is(";") {
                self.statement(&token)?;
            }
        }
        match self.next()? {
            Some(token) => Err(Wrong::new(&token.span, "the graph has ended before this", "write one graph")),
            None => Ok(()),
        }
    }

    fn statement(&mut self, first: &Token<'t>) -> Result<(), Wrong> {
        if first.is("subgraph") || first.is("{") {
            return Err(Wrong::new(&first.span, "subgraphs are not read here", "write each edge by itself: a -- b"));
        }
        if !first.is_name {
            return Err(Wrong::new(
                &first.span,
                format!("`{}` begins no statement", first.text),
                "write a -- b or a [...]",
            ));
        }
        if first.is("graph") || first.is("node") || first.is("edge") {
            let attributes = self.attributes()?;
            match first.text.to_ascii_lowercase().as_str() {
                "node" => self.of_vertices.extend(attributes),
                "edge" => self.of_edges.extend(attributes),
                _ => {}
            }
            return Ok(());
        }
        if self.takes("=")? {
            self.expect("a value")?;
            return Ok(());
        }
        let mut chain = vec![self.vertex(first)?];
        let mut last = first.span.clone();
        while self.takes("--")? {
            let next = self.expect("a vertex")?;
            if !next.is_name || next.is("subgraph") {
                return Err(Wrong::new(
                    &next.span,
                    "an edge leads to a vertex",
                    "write a -- b; subgraphs are not read here",
                ));
            }
            last = next.span.clone();
            chain.push(self.vertex(&next)?);
        }
        let attributes = self.attributes()?;
        if let [vertex] = chain[..] {
            return attributes
                .iter()
                .try_for_each(|(name, value, span)| self.vertices.set(vertex, name, &(value, span.clone())));
        }
        let span = first.span.start..last.end;
        let mut links = Links::default();
        for (name, value, span) in self.of_edges.iter().chain(&attributes) {
            links.set(name, &(value, span.clone()))?;
        }
        for ends in chain.windows(2).map(|pair| [pair[0], pair[1]]) {
            let is_new = |seen: &mut HashSet<[usize; 2]>| seen.insert([ends[0].min(ends[1]), ends[0].max(ends[1])]);
            if self.seen.as_mut().is_none_or(is_new) {
                self.vertices.link(ends, &span, links.clone())?;
            }
        }
        Ok(())
    }

    /// Returns the vertex of a name; the port that may follow is of no interest.
    fn vertex(&mut self, token: &Token<'t>) -> Result<usize, Wrong> {
        while self.takes(":")? {
            self.expect("a port")?;
        }
        let is_new = !self.vertices.has(&token.text);
        let vertex = self.vertices.named(&(&token.text, token.span.clone()));
        for (name, value, span) in self.of_vertices.iter().filter(|_| is_new) {
            self.vertices.set(vertex, name, &(value, span.clone()))?;
        }
        Ok(vertex)
    }

    /// Reads lists of attributes, none or more.
    fn attributes(&mut self) -> Result<Vec<Attribute>, Wrong> {
        let mut attributes = Vec::new();
        while self.takes("[")? {
            while !self.takes("]")? {
                let name = self.expect("]")?;
                if !name.is_name {
                    return Err(Wrong::new(&name.span, format!("`{}` is no attribute", name.text), "write name=value"));
                }
                self.sign("=")?;
                let value = self.expect("a value")?;
                if !value.is_name {
                    return Err(Wrong::new(&value.span, format!("`{}` is no value", value.text), "write name=value"));
                }
                attributes.push((name.text.into_owned(), value.text.into_owned(), value.span));
                if !self.takes(",")? {
                    self.takes(";")?;
                }
            }
        }
        Ok(attributes)
    }

    fn sign(&mut self, sign: &str) -> Result<(), Wrong> {
        let token = self.expect(sign)?;
        if token.is(sign) && !token.is_name {
            return Ok(());
        }
        Err(Wrong::new(&token.span, format!("`{}` is out of place", token.text), format!("write {sign} here")))
    }

    /// Takes a sign if it comes next.
    fn takes(&mut self, sign: &str) -> Result<bool, Wrong> {
        let comes = self.peek()?.is_some_and(|token| !token.is_name && token.is(sign));
        if comes {
            self.ahead = None;
        }
        Ok(comes)
    }

    /// Returns the next token, which must come.
    fn expect(&mut self, what: &str) -> Result<Token<'t>, Wrong> {
        let end = self.text.len();
        self.next()?.ok_or_else(|| Wrong::new(&(end..end), "the file ends too early", format!("write {what}")))
    }

    fn peek(&mut self) -> Result<Option<&Token<'t>>, Wrong> {
        if self.ahead.is_none() {
            self.ahead = self.next()?;
        }
        Ok(self.ahead.as_ref())
    }

    fn next(&mut self) -> Result<Option<Token<'t>>, Wrong> {
        if let Some(token) = self.ahead.take() {
            return Ok(Some(token));
        }
        self.skip()?;
        let (rest, start) = (&self.text[self.at..], self.at);
        let Some(first) = rest.chars().next() else { return Ok(None) };
        if first == '"' {
            return self.quoted(rest, start).map(Some);
        }
        let word = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.')).unwrap_or(rest.len());
        let length = match first {
            _ if word > 0 => word,
            '-' if rest.starts_with("--") => 2,
            '-' if rest.starts_with("->") => {
                let help = "links go both ways: write graph for digraph, and -- for ->";
                return Err(Wrong::new(&(start..start + 2), "this edge is directed", help));
            }
            '-' => 1 + rest[1..].find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(rest.len() - 1),
            '{' | '}' | '[' | ']' | ';' | ',' | '=' | ':' => 1,
            _ => {
                let span = start..start + first.len_utf8();
                return Err(Wrong::new(
                    &span,
                    format!("`{first}` is out of place"),
                    "put names with such signs in quotes",
                ));
            }
        };
        self.at += length;
        let text = &rest[..length];
        let is_name = word > 0 || (first == '-' && text.len() > 1 && text != "--");
        Ok(Some(Token { text: Cow::Borrowed(text), span: start..self.at, is_name, quoted: false }))
    }

    /// Reads a text in quotes.
    fn quoted(&mut self, rest: &'t str, start: usize) -> Result<Token<'t>, Wrong> {
        let mut text = String::new();
        let mut characters = rest.char_indices().skip(1);
        while let Some((at, character)) = characters.next() {
            match character {
                '"' => {
                    self.at = start + at + 1;
                    return Ok(Token { text: Cow::Owned(text), span: start..self.at, is_name: true, quoted: true });
                }
                '\\' => match characters.next() {
                    Some((_, '"')) => text.push('"'),
                    // A line that goes on in the next.
                    Some((_, '\n')) => {}
                    Some((_, other)) => text.extend(['\\', other]),
                    None => break,
                },
                other => text.push(other),
            }
        }
        Err(Wrong::new(&(start..start + 1), "this text has no end", "write \" behind it"))
    }

    /// Skips blanks and comments.
    fn skip(&mut self) -> Result<(), Wrong> {
        loop {
            let rest = &self.text[self.at..];
            let blanks = rest.len() - rest.trim_start().len();
            self.at += blanks;
            let rest = &rest[blanks..];
            if rest.starts_with("//") || rest.starts_with('#') {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if rest.starts_with("/*") {
                let wrong = || Wrong::new(&(self.at..self.at + 2), "this comment has no end", "write */");
                self.at += rest.find("*/").ok_or_else(wrong)? + 2;
            } else if blanks == 0 {
                return Ok(());
            }
        }
    }
}

impl Token<'_> {
    /// Returns whether it is a sign or a keyword, which may be in any case.
    fn is(&self, word: &str) -> bool {
        !self.quoted && self.text.eq_ignore_ascii_case(word)
    }
}
