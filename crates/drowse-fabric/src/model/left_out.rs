//! What of a file is not simulated: counted while it is read, and said in a few sentences.

use super::attributes::Described;
use super::wrong::shown;

/// Counts of what is left out, each with the first example.
#[derive(Debug, Default)]
pub(crate) struct LeftOut {
    /// Links between switches, those of them without a class or a bandwidth, and those with a bandwidth.
    links: usize,
    bare: usize,
    measured: usize,
    unread: Counted,
    planned: Counted,
    types: Counted,
    hyperedges: Counted,
    /// Links from a switch to itself.
    loops: Counted,
    /// A program has written the file, whose links should have a bandwidth: it is told where none has.
    pub by_program: bool,
    /// What is said of parts that no link joins.
    pub part: Option<String>,
}

/// A number, and the first of those that are counted.
#[derive(Debug, Default)]
struct Counted {
    number: usize,
    example: String,
}

impl Counted {
    fn add(&mut self, example: impl Into<String>) {
        if self.number == 0 {
            self.example = example.into();
        }
        self.number += 1;
    }

    /// Says something, if anything is counted.
    fn say(&self, note: impl Fn(usize, &str) -> String) -> Option<String> {
        (self.number > 0).then(|| note(self.number, &self.example))
    }
}

impl LeftOut {
    /// Counts a link between switches.
    pub fn link(&mut self, described: &Described) {
        self.links += 1;
        self.measured += usize::from(described.has_speed);
        self.bare += usize::from(described.class.is_none() || described.measured.is_some() && !described.has_speed);
        if let Some(unread) = &described.unread {
            self.unread.add(format!("{} `{}`", unread.name, shown(&unread.text)));
        }
        if let Some(status) = &described.status {
            self.planned.add(shown(status));
        }
    }

    /// Counts vertices whose type is free text.
    pub fn types(&mut self, number: usize, example: &str) {
        self.types = Counted { number, example: shown(example) };
    }

    /// Counts a vertex that stands for a link of several ends.
    pub fn hyperedge(&mut self) {
        self.hyperedges.add("");
    }

    /// Counts a link from a switch to itself.
    pub fn own(&mut self) {
        self.loops.add("");
    }

    /// Says what is left out; of links without a bandwidth on maps, and where others have one.
    pub fn notes(self, is_map: bool) -> Vec<String> {
        let bare = is_map || self.measured > 0 || self.by_program;
        let notes = [
            self.part.clone(),
            self.bare().filter(|_| bare),
            self.planned.say(|number, example| {
                format!("links that are simulated though their LinkStatus says `{example}` or the like: {number}")
            }),
            self.types.say(|number, example| {
                format!("vertices whose type is free text, such as `{example}`, and which are switches: {number}")
            }),
            self.hyperedges.say(|number, _| {
                format!("vertices that are links of several ends (hyperedge), switches without compute nodes: {number}")
            }),
            self.loops.say(|number, _| format!("links from a switch to itself, which are left out: {number}")),
        ];
        notes.into_iter().flatten().collect()
    }

    fn bare(&self) -> Option<String> {
        let (bare, links) = (self.bare, self.links);
        let text =
            |number, example: &str| format!("; the text of {number} tells none that is clear, such as {example}");
        let text = self.unread.say(text).unwrap_or_default();
        let (has, take) = if bare == 1 { ("has", "takes") } else { ("have", "take") };
        (bare > 0).then(|| {
            format!(
                "{bare} of {links} links {has} no bandwidth in the file and {take} that of [link], 10 GB/s by \
                 default{text}"
            )
        })
    }
}
