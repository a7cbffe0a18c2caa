//! What one file says of modules: those that it declares, what it defines and imports, and the paths that it names.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::tokens::{Kind, Token, tokens};

/// An import of one name, or of `*`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Use {
    /// The name that it has here.
    pub name: String,
    pub path: Vec<String>,
    pub line: usize,
    /// Whether it is there for others: `pub use`.
    pub reexports: bool,
}

/// How often a word stands in a module.
#[derive(Debug, Clone, Copy, Default)]
pub struct Uses {
    pub count: usize,
}

/// What a module says.
#[derive(Debug, Default)]
pub struct Found {
    pub defines: BTreeSet<String>,
    /// Child modules in files of their own, with the value of a `path` attribute.
    pub declared: Vec<(String, Option<String>)>,
    /// Child modules within the file.
    pub inline: BTreeSet<String>,
    pub uses: Vec<Use>,
    /// Paths of two names or more that stand in code, each with its line.
    pub paths: Vec<(Vec<String>, usize)>,
    pub words: HashMap<String, Uses>,
}

impl Found {
    /// Whether a child module has this name.
    pub fn has_child(&self, name: &str) -> bool {
        self.inline.contains(name) || self.declared.iter().any(|(child, _)| child == name)
    }

    /// Whether something other than a child module has this name.
    pub fn has_item(&self, name: &str) -> bool {
        self.defines.contains(name) || self.uses.iter().any(|import| import.name == name)
    }
}

/// Reads a file: a module for itself, under no name, and one for each module within it.
pub fn scan(text: &str) -> BTreeMap<Vec<String>, Found> {
    let all = tokens(text).tokens;
    let kept = without_tests(&all);
    let mut scanner = Scanner { tokens: &kept, at: 0, scopes: Vec::new(), modules: BTreeMap::new() };
    scanner.modules.insert(Vec::new(), Found::default());
    while scanner.at < kept.len() {
        scanner.step();
    }
    scanner.modules
}

/// Returns the tokens of what is not only for tests.
pub fn without_tests<'a>(all: &[Token<'a>]) -> Vec<Token<'a>> {
    let mut kept = Vec::new();
    let mut at = 0;
    while at < all.len() {
        match test_attribute(&all[at..]) {
            Some((_, true)) => return Vec::new(),
            Some((length, false)) => at = end_of_item(all, at + length),
            None => {
                kept.push(all[at]);
                at += 1;
            }
        }
    }
    kept
}

/// Returns the length of an attribute that keeps what follows for tests, and whether it is of the whole file.
fn test_attribute(tokens: &[Token]) -> Option<(usize, bool)> {
    let inner = tokens.get(1)?.is("!");
    let start = 1 + usize::from(inner);
    if !tokens[0].is("#") || !tokens.get(start)?.is("[") {
        return None;
    }
    let length = tokens.iter().position(|token| token.is("]"))? + 1;
    let said: Vec<&str> = tokens[start + 1..length - 1].iter().map(|token| token.text).collect();
    let only_for_tests = matches!(said[..], ["test"] | ["cfg", "(", "test", ..] | ["cfg", "(", "all", "(", "test", ..]);
    only_for_tests.then_some((length, inner))
}

/// Returns where an item ends that begins here: behind its semicolon or its last brace.
fn end_of_item(tokens: &[Token], mut at: usize) -> usize {
    let mut depth = 0_usize;
    while let Some(token) = tokens.get(at) {
        at += 1;
        match token.text {
            "(" | "[" | "{" if token.kind == Kind::Sign => depth += 1,
            ")" | "]" | "}" if token.kind == Kind::Sign => {
                depth = depth.saturating_sub(1);
                if depth == 0 && token.text == "}" {
                    break;
                }
            }
            ";" if depth == 0 => break,
            _ => {}
        }
    }
    at
}

/// What a brace belongs to.
enum Scope {
    Module(String),
    Block,
}

struct Scanner<'a> {
    tokens: &'a [Token<'a>],
    at: usize,
    scopes: Vec<Scope>,
    modules: BTreeMap<Vec<String>, Found>,
}

impl Scanner<'_> {
    fn step(&mut self) {
        let token = self.tokens[self.at];
        match (token.kind, token.text) {
            (Kind::Sign, "{") => self.scopes.push(Scope::Block),
            (Kind::Sign, "}") => {
                self.scopes.pop();
            }
            (Kind::Word, "mod") if self.is(2, ";") || self.is(2, "{") => return self.module(),
            (Kind::Word, "use") if self.begins_item() => return self.import(),
            (Kind::Word, _) => {
                self.count(token.text);
                self.define(token.text);
                if !self.follows("::") && self.is(1, "::") {
                    return self.path();
                }
            }
            _ => {}
        }
        self.at += 1;
    }

    fn is(&self, ahead: usize, text: &str) -> bool {
        self.tokens.get(self.at + ahead).is_some_and(|token| token.is(text))
    }

    fn follows(&self, text: &str) -> bool {
        self.at > 0 && self.tokens[self.at - 1].is(text)
    }

    fn begins_item(&self) -> bool {
        self.at == 0 || ["pub", ")", ";", "{", "}", "]"].iter().any(|before| self.follows(before))
    }

    fn word(&self, ahead: usize) -> Option<&str> {
        self.tokens.get(self.at + ahead).filter(|token| token.kind == Kind::Word).map(|token| token.text)
    }

    /// The module in which the scanner is.
    fn here(&mut self) -> &mut Found {
        let name = self.scopes.iter().filter_map(|scope| match scope {
            Scope::Module(name) => Some(name.clone()),
            Scope::Block => None,
        });
        self.modules.entry(name.collect()).or_default()
    }

    fn module(&mut self) {
        let Some(name) = self.word(1).map(str::to_owned) else {
            self.at += 1;
            return;
        };
        if self.is(2, ";") {
            let path = self.path_attribute();
            self.here().declared.push((name, path));
        } else {
            self.here().inline.insert(name.clone());
            self.scopes.push(Scope::Module(name));
            self.here();
        }
        self.at += 3;
    }

    /// Returns the value of `#[path = "..."]` right before a declaration.
    fn path_attribute(&self) -> Option<String> {
        let before = &self.tokens[self.at.saturating_sub(10)..self.at];
        let end = before.iter().rposition(|token| token.is("]"))?;
        let is_next = before[end + 1..].iter().all(|token| ["pub", "(", "crate", "super", ")"].contains(&token.text));
        match &before[..end] {
            [.., path, equals, value] if is_next && path.is("path") && equals.is("=") => Some(value.text.to_owned()),
            _ => None,
        }
    }

    fn count(&mut self, word: &str) {
        self.here().words.entry(word.to_owned()).or_default().count += 1;
    }

    /// Notes the item that a keyword begins, unless it stands in a block.
    fn define(&mut self, keyword: &str) {
        let ahead = match keyword {
            "fn" | "struct" | "enum" | "union" | "trait" | "type" | "const" | "static" => 1,
            "macro_rules" => 2,
            _ => return,
        };
        let Some(name) = self.word(ahead).map(str::to_owned) else { return };
        if self.scopes.iter().all(|scope| matches!(scope, Scope::Module(_))) {
            self.here().defines.insert(name);
        }
    }

    fn path(&mut self) {
        let line = self.tokens[self.at].line;
        let mut path = Vec::new();
        while let Some(word) = self.word(0).map(str::to_owned) {
            if !path.is_empty() {
                self.count(&word);
            }
            path.push(word);
            self.at += 1;
            if !self.is(0, "::") || self.word(1).is_none() {
                break;
            }
            self.at += 1;
        }
        if path.len() > 1 {
            self.here().paths.push((path, line));
        }
    }

    fn import(&mut self) {
        let reexports = self.follows("pub") || self.follows(")");
        self.at += 1;
        if self.is(0, "::") {
            self.at += 1;
        }
        let mut found = Vec::new();
        self.tree(&mut Vec::new(), reexports, &mut found);
        for import in &found {
            self.count(&import.name);
        }
        self.here().uses.extend(found);
    }

    /// Reads one branch of an import.
    fn tree(&mut self, path: &mut Vec<String>, reexports: bool, found: &mut Vec<Use>) {
        let depth = path.len();
        while let Some(token) = self.tokens.get(self.at).copied() {
            self.at += 1;
            if token.is("{") {
                while self.at < self.tokens.len() && !self.is(0, "}") {
                    self.tree(path, reexports, found);
                    if self.is(0, ",") {
                        self.at += 1;
                    }
                }
                self.at += 1;
                break;
            }
            let renamed = self.is(0, "as").then(|| self.word(1).map(str::to_owned)).flatten();
            let goes_on = self.is(0, "::");
            if token.text != "*" && !(token.text == "self" && depth > 0) {
                path.push(token.text.to_owned());
            }
            if goes_on {
                self.at += 1;
                continue;
            }
            let own = if token.text == "*" { "*".to_owned() } else { path.last().cloned().unwrap_or_default() };
            if renamed.is_some() {
                self.at += 2;
            }
            let name = renamed.unwrap_or(own);
            found.push(Use { name, path: path.clone(), line: token.line, reexports });
            break;
        }
        path.truncate(depth);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uses(text: &str) -> Vec<String> {
        let found = &scan(text)[&Vec::new()];
        found.uses.iter().map(|import| format!("{} = {}", import.name, import.path.join("::"))).collect()
    }

    #[test]
    fn trees_of_imports() {
        assert_eq!(
            uses("pub(crate) use a::{self, b::{C as D, *}, e};\nuse f;"),
            ["a = a", "D = a::b::C", "* = a::b", "e = a::e", "f = f"]
        );
    }

    #[test]
    fn items_in_blocks_are_not_of_the_module() {
        let found =
            &scan("struct A; impl A { fn b() {} const C: u8 = 1; } fn d() { fn e() {} } macro_rules! f { () => {} }")
                [&Vec::new()];
        assert_eq!(found.defines.iter().map(String::as_str).collect::<Vec<_>>(), ["A", "d", "f"]);
    }

    #[test]
    fn a_module_may_name_its_file() {
        let found = &scan("mod a;\n#[path = \"x/y.rs\"]\npub mod b;")[&Vec::new()];
        assert_eq!(found.declared, [("a".to_owned(), None), ("b".to_owned(), Some("x/y.rs".to_owned()))]);
    }
}
