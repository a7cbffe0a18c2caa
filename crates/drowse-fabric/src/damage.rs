//! Damaged files of all formats that are read: whatever they hold, the answer is a network or a message that points
//! into them, soon.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use drowse_core::model::units::BitRate;
use drowse_core::topology::TableKind;

use crate::{Options, read};

/// Damages of each file: some thousand in all.
const DAMAGES: u64 = 40;
/// The longest that one may take, on a machine that does other things too.
const LONGEST: Duration = Duration::from_secs(10);

/// Pieces that are put in, so that more of the readers is reached.
const PIECES: [&str; 40] = [
    "[",
    "]",
    "{",
    "}",
    "<",
    ">",
    "/>",
    "\"",
    "'",
    "=",
    ",",
    ";",
    ":",
    "-",
    "0",
    "9",
    "99999999999999999999",
    "-1",
    "1e9",
    "é",
    "\u{0}",
    "\n",
    "\r\n",
    "\t",
    " ",
    "#",
    "&",
    "*",
    "|",
    "%",
    "[0-9]",
    "[1-999999]",
    "1,1,1",
    "65535",
    "1048576",
    "null",
    "true",
    ".",
    "x",
    "\\",
];

#[test]
fn damaged_files_are_read_or_refused() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/networks");
    let mut texts: Vec<String> = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder") {
        texts.push(fs::read_to_string(entry.expect("an entry").path()).expect("a text"));
    }
    texts.sort();
    let mut random = Random(0x5eed);
    for text in &texts {
        for _ in 0..DAMAGES {
            let damaged = damage(text, &mut random);
            let began = Instant::now();
            answers(&damaged);
            let took = began.elapsed();
            assert!(
                took < LONGEST,
                "{took:?} for {} bytes:\n{}",
                damaged.len(),
                &damaged[..damaged.floor_char_boundary(400)]
            );
        }
    }
}

/// Puts pieces in, takes parts out, and swaps parts, one to three times.
fn damage(text: &str, random: &mut Random) -> String {
    let mut text = text.to_owned();
    for _ in 0..=random.below(3) {
        let at = |at: usize, text: &str| text.floor_char_boundary(at.min(text.len()));
        let start = at(random.below(text.len() + 1), &text);
        let end = at(start + random.below(20), &text).max(start);
        match random.below(4) {
            0 => text.insert_str(start, PIECES[random.below(PIECES.len())]),
            1 => text.replace_range(start..end, PIECES[random.below(PIECES.len())]),
            2 => text.replace_range(start..end, ""),
            _ => {
                let copied = text[start..end].to_owned();
                let to = at(random.below(text.len() + 1), &text);
                text.insert_str(to, &copied);
            }
        }
    }
    text
}

fn answers(text: &str) {
    let full = Options { nodes: Some(1), uplinks: Some(2), speed: Some(BitRate(100_000_000_000)) };
    for options in [Options::default(), full] {
        match read(text, &options, TableKind::Shortest) {
            Ok(fabric) => {
                let (nodes, names) = (fabric.graph.nodes.iter().sum::<u32>() as usize, fabric.graph.node_names.len());
                assert!(names == nodes || names == 0, "{names} names of {nodes} nodes");
            }
            Err(wrong) => {
                assert!(text.get(wrong.span.clone()).is_some(), "{:?}: {}", wrong.span, wrong.message);
                assert!(!wrong.message.is_empty() && !wrong.help.is_empty());
                assert!(wrong.message.len() < 600 && wrong.help.len() < 800, "{}", wrong.message);
            }
        }
    }
}

/// A generator of numbers (xorshift64), the same on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound.max(1) as u64) as usize
    }
}
