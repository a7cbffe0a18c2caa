//! A format of `network.file`: a text that begins with `cables`. A line `rack NAME NODES` is a switch with its compute
//! nodes, and a line `NAME NAME CABLES` the cables between two.

use std::ops::Range;

use drowse_fabric::{Layout, Options, OtherFormat, Wrong};

/// The format.
pub const FORMAT: OtherFormat =
    OtherFormat { name: "a list of cables", recognises: |text| text.starts_with("cables\n"), read };

fn read(text: &str, options: &Options) -> Result<Layout, Wrong> {
    if options.uplinks.is_some() {
        let message = "a list of cables says itself how many there are";
        return Err(Wrong::new(&(0..6), message, "remove `uplinks` from [network]"));
    }
    let mut layout = Layout::default();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let span = start..start + line.trim_end().len();
        start += line.len();
        match line.split_whitespace().collect::<Vec<_>>()[..] {
            [] | ["cables"] => {}
            ["rack", name, nodes] => {
                let nodes = number(nodes, &span)?;
                let rack = layout.switch(name, &span);
                layout.set_nodes(rack, nodes);
            }
            [one, other, cables] if one != other => {
                let ends = [one, other].map(|name| layout.switch(name, &span));
                layout.link(ends, number(cables, &span)?, None, None, &span)?;
            }
            _ => return Err(Wrong::new(&span, "this is no cable", "write two racks and a number, as in `a b 4`")),
        }
    }
    Ok(layout)
}

fn number(word: &str, span: &Range<usize>) -> Result<u32, Wrong> {
    let number = word.parse().ok().filter(|number| (1..=64).contains(number));
    number.ok_or_else(|| Wrong::new(span, format!("`{word}` is no number of cables or nodes"), "write 1 to 64"))
}
