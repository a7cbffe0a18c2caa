//! The modules of a target: its files, what each module defines, and what it imports. Test modules are left out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::scan::{Found, Use, scan};

/// A module by its names below the root of its target.
pub type Name = Vec<String>;

/// A module of a target.
#[derive(Debug, Default)]
pub struct Module {
    /// The file in which it stands.
    pub file: String,
    pub found: Found,
}

/// A library, program or example with all its modules.
#[derive(Debug, Default)]
pub struct Target {
    pub modules: BTreeMap<Name, Module>,
}

/// One file imports from another.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Arrow {
    pub from: String,
    pub to: String,
    /// The line of the import.
    pub line: usize,
    pub name: String,
}

/// What a path leads to.
enum End {
    /// A module as such.
    Module,
    /// An item of a file.
    Item(String),
}

impl Target {
    /// Reads a target from its root file on. `read` returns the text of a file, if it is there.
    pub fn load(root: &str, read: &dyn Fn(&str) -> Option<String>) -> Self {
        let mut target = Self::default();
        target.add(&Vec::new(), root, read);
        target
    }

    fn add(&mut self, name: &Name, file: &str, read: &dyn Fn(&str) -> Option<String>) {
        let Some(text) = read(file) else { return };
        for (below, found) in scan(&text) {
            let inner: Name = name.iter().chain(&below).cloned().collect();
            let declared = found.declared.clone();
            self.modules.insert(inner.clone(), Module { file: file.to_owned(), found });
            for (child, path) in declared {
                let places = path
                    .map_or_else(|| places(file, name.is_empty(), &below, &child), |path| vec![beside(file, &path)]);
                let place = places.into_iter().find(|place| !is_of_tests(place) && read(place).is_some());
                if let Some(place) = place {
                    let child: Name = inner.iter().chain([&child]).cloned().collect();
                    self.add(&child, &place, read);
                }
            }
        }
    }

    /// Returns the imports between files, sorted, each pair of files and name once.
    pub fn arrows(&self) -> BTreeSet<Arrow> {
        let mut arrows = BTreeMap::new();
        for (name, module) in &self.modules {
            let mut add = |to: String, line: usize, what: &str| {
                if to != module.file {
                    arrows.entry((module.file.clone(), to, what.to_owned())).or_insert(line);
                }
            };
            for import in &module.found.uses {
                if import.name == "*" {
                    self.glob(name, module, import, &mut add);
                } else if !import.reexports || module.found.words.get(&import.name).is_some_and(|uses| uses.count > 1) {
                    self.item(name, &import.path, import.line, &mut add);
                }
            }
            for (path, line) in &module.found.paths {
                self.item(name, path, *line, &mut add);
            }
        }
        arrows.into_iter().map(|((from, to, name), line)| Arrow { from, to, line, name }).collect()
    }

    fn item(&self, name: &Name, path: &[String], line: usize, add: &mut dyn FnMut(String, usize, &str)) {
        if let Some(End::Item(file)) = self.resolve(name, path, 0) {
            add(file, line, path.last().map_or("", String::as_str));
        }
    }

    /// Adds what a module takes from all that another one has.
    fn glob(&self, name: &Name, module: &Module, import: &Use, add: &mut dyn FnMut(String, usize, &str)) {
        match self.resolve(name, &import.path, 0) {
            Some(End::Item(file)) => add(file, import.line, "*"),
            Some(End::Module) if !import.reexports => {
                let own = |word: &String| {
                    module.found.defines.contains(word) || module.found.uses.iter().any(|import| import.name == *word)
                };
                for word in module.found.words.keys().filter(|word| !own(word)) {
                    let path: Name = import.path.iter().chain([word]).cloned().collect();
                    if let Some(End::Item(file)) = self.known(name, &path, 0) {
                        add(file, import.line, word);
                    }
                }
            }
            _ => {}
        }
    }

    /// Returns what a path leads to, as a module sees it; nothing where it leads out of the target.
    fn resolve(&self, from: &Name, path: &[String], depth: usize) -> Option<End> {
        let (module, rest) = self.begin(from, path)?;
        // What is not seen is made by a macro of the module that should have it.
        self.look(&module, rest, depth).or_else(|| Some(End::Item(self.modules.get(&module)?.file.clone())))
    }

    /// As [`Self::resolve`], but nothing where the last module does not visibly have the item.
    fn known(&self, from: &Name, path: &[String], depth: usize) -> Option<End> {
        let (module, rest) = self.begin(from, path)?;
        self.look(&module, rest, depth)
    }

    /// Returns the deepest module that a path names, and what follows.
    fn begin<'a>(&self, from: &Name, path: &'a [String]) -> Option<(Name, &'a [String])> {
        let mut module = from.clone();
        let mut rest = path;
        match path.first()?.as_str() {
            "crate" => {
                module.clear();
                rest = &rest[1..];
            }
            "self" => rest = &rest[1..],
            "super" => {}
            first => {
                let found = &self.modules.get(from)?.found;
                let is_here = found.has_child(first)
                    || found.defines.contains(first)
                    || found.uses.iter().any(|import| import.name == first);
                if !is_here {
                    return None;
                }
            }
        }
        while rest.first().is_some_and(|first| first == "super") {
            module.pop()?;
            rest = &rest[1..];
        }
        while let [first, more @ ..] = rest {
            let child: Name = module.iter().chain([first]).cloned().collect();
            let is_item =
                more.is_empty() && self.modules.get(&module).is_some_and(|module| module.found.has_item(first));
            if is_item || !self.modules.contains_key(&child) {
                break;
            }
            module = child;
            rest = more;
        }
        self.modules.contains_key(&module).then_some((module, rest))
    }

    fn look(&self, module: &Name, rest: &[String], depth: usize) -> Option<End> {
        let Some(first) = rest.first() else { return Some(End::Module) };
        let here = self.modules.get(module)?;
        if here.found.defines.contains(first) {
            return Some(End::Item(here.file.clone()));
        }
        if depth > 20 {
            return None;
        }
        let named = here.found.uses.iter().filter(|import| import.name == *first).find_map(|import| {
            let path: Name = import.path.iter().chain(&rest[1..]).cloned().collect();
            self.resolve(module, &path, depth + 1)
        });
        named.or_else(|| {
            here.found.uses.iter().filter(|import| import.name == "*").find_map(|import| {
                let path: Name = import.path.iter().chain(rest).cloned().collect();
                self.known(module, &path, depth + 1)
            })
        })
    }
}

/// Whether a file belongs to tests, although a module outside takes it in.
fn is_of_tests(file: &str) -> bool {
    file.contains("/tests/")
}

/// Returns where the file of a child module may lie.
fn places(file: &str, is_root: bool, below: &[String], child: &str) -> Vec<String> {
    let path = Path::new(file);
    let mut folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
    if !is_root && path.file_name().is_some_and(|name| name != "mod.rs") {
        folder.push(path.file_stem().unwrap_or_default());
    }
    folder.extend(below);
    [folder.join(format!("{child}.rs")), folder.join(child).join("mod.rs")].iter().map(|path| text(path)).collect()
}

/// Returns a path as seen from the folder of a file.
fn beside(file: &str, path: &str) -> String {
    let mut whole = Path::new(file).parent().map(Path::to_path_buf).unwrap_or_default();
    for part in Path::new(path).components() {
        match part.as_os_str().to_str() {
            Some("..") => {
                whole.pop();
            }
            _ => whole.push(part),
        }
    }
    text(&whole)
}

fn text(path: &Path) -> String {
    PathBuf::from(path).to_string_lossy().replace('\\', "/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arrows(files: &[(&str, &str)]) -> Vec<String> {
        let read = |file: &str| files.iter().find(|(name, _)| *name == file).map(|(_, text)| (*text).to_owned());
        let arrows = Target::load(files[0].0, &read).arrows();
        arrows.iter().map(|arrow| format!("{} -> {}:{} {}", arrow.from, arrow.to, arrow.line, arrow.name)).collect()
    }

    #[test]
    fn names_lead_through_what_is_imported_again_to_their_file() {
        let files = [
            ("src/lib.rs", "mod a;\nmod b;"),
            ("src/a.rs", "use crate::b::Thing;\nfn f() { super::b::deep::g(Thing) }"),
            ("src/b/mod.rs", "pub mod deep;\npub use deep::Thing;"),
            ("src/b/deep.rs", "pub struct Thing;\npub fn g(_: Thing) {}"),
        ];
        assert_eq!(arrows(&files), ["src/a.rs -> src/b/deep.rs:1 Thing", "src/a.rs -> src/b/deep.rs:2 g"]);
    }

    #[test]
    fn declarations_imports_for_others_and_tests_are_no_arrows() {
        let files = [
            (
                "src/lib.rs",
                "mod a;\npub use a::A;\n#[cfg(test)] mod tests;\n#[cfg(test)]\nmod more { use crate::a::A; }",
            ),
            ("src/a.rs", "pub struct A;\n#[cfg(test)]\nuse crate::B;"),
            ("src/tests.rs", "use crate::a::A;"),
        ];
        assert_eq!(arrows(&files), Vec::<String>::new());
    }

    #[test]
    fn what_is_imported_for_others_and_used_is_an_arrow() {
        let files = [("src/lib.rs", "mod a;\npub use a::A;\npub fn f() -> A { A }"), ("src/a.rs", "pub struct A;")];
        assert_eq!(arrows(&files), ["src/lib.rs -> src/a.rs:2 A"]);
    }

    #[test]
    fn a_star_imports_what_is_named() {
        let files = [
            ("src/lib.rs", "mod a;\nmod b;"),
            ("src/a.rs", "pub struct A;"),
            ("src/b.rs", "use super::a::*;\nfn f(_: A) {}"),
        ];
        assert_eq!(arrows(&files), ["src/b.rs -> src/a.rs:1 A"]);
    }

    #[test]
    fn modules_within_a_file_see_its_children() {
        let files = [
            ("src/main.rs", "mod a;\nmod inner { use super::a::A; use super::Own; }\nstruct Own;"),
            ("src/a.rs", "pub struct A; use super::inner::Z;"),
        ];
        assert_eq!(arrows(&files), ["src/a.rs -> src/main.rs:1 Z", "src/main.rs -> src/a.rs:2 A"]);
    }
}
