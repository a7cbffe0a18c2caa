//! All routes to one LID. Each switch has one output for it, so they make a tree whose root is the destination; what
//! is no part of the tree ends elsewhere, or goes round in a loop.

use super::fit::Rows;
use super::wiring::{Destination, Owner, Target, Wiring};

/// What becomes of packets at a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// They arrive after so many links between switches.
    Arrives(u32),
    /// They are dropped at this switch: it has no table.
    NoTable(u32),
    /// At this switch, which has no entry.
    NoEntry(u32),
    /// At this switch, whose entry leads to no cable, to another host or to a switch that is not the destination.
    Astray(u32),
    /// They never leave a loop, of which this switch is a part or the entrance.
    Loops(u32),
}

/// No channel.
pub(super) const NONE: u32 = u32::MAX;

/// The routes to a LID, from all switches. Its buffers are used again for the next LID.
#[derive(Debug)]
pub(super) struct Tree {
    /// The channel that each switch sends on, to a switch; [`NONE`] where packets end here.
    pub channel: Vec<u32>,
    /// The switch that it leads to.
    pub next: Vec<u32>,
    pub fate: Vec<Fate>,
    /// The switches so that each comes before the next one; those in loops are left out.
    pub order: Vec<u32>,
    /// How many switches send to each.
    senders: Vec<u32>,
}

impl Tree {
    pub fn new(switches: usize) -> Self {
        let none = || vec![NONE; switches];
        Tree { channel: none(), next: none(), fate: vec![Fate::Arrives(0); switches], order: none(), senders: none() }
    }

    /// Finds the routes to a LID.
    pub fn build(&mut self, wiring: &Wiring<'_>, rows: &Rows<'_>, to: Destination) {
        let switches = rows.len();
        self.senders.fill(0);
        for switch in 0..switches {
            self.step(wiring, rows, to, switch);
            if let Some(senders) = self.senders.get_mut(self.next[switch] as usize) {
                *senders += 1;
            }
        }
        self.order.clear();
        self.order.extend((0..switches as u32).filter(|&switch| self.senders[switch as usize] == 0));
        let mut done = 0;
        while let Some(&switch) = self.order.get(done) {
            done += 1;
            let next = self.next[switch as usize];
            if next != NONE {
                self.senders[next as usize] -= 1;
                if self.senders[next as usize] == 0 {
                    self.order.push(next);
                }
            }
        }
        for &switch in self.order.iter().rev() {
            let next = self.next[switch as usize];
            if next != NONE {
                self.fate[switch as usize] = match self.fate[next as usize] {
                    Fate::Arrives(links) => Fate::Arrives(links + 1),
                    other => other,
                };
            }
        }
    }

    /// Finds the output of a switch. The fate of one that sends on is set later; until then it loops.
    fn step(&mut self, wiring: &Wiring<'_>, rows: &Rows<'_>, to: Destination, switch: usize) {
        let number = switch as u32;
        (self.channel[switch], self.next[switch]) = (NONE, NONE);
        self.fate[switch] = match rows[switch].map(|row| row.port(to.lid)) {
            None => Fate::NoTable(number),
            Some(None) => Fate::NoEntry(number),
            Some(Some(0)) if to.owner == Owner::Switch(number) => Fate::Arrives(0),
            Some(Some(0)) => Fate::Astray(number),
            Some(Some(port)) if u32::from(port) > wiring.ports(number) => Fate::Astray(number),
            Some(Some(port)) => {
                let channel = wiring.channel(number, u16::from(port));
                match wiring.targets[channel as usize] {
                    Target::Switch(next, _) => {
                        (self.channel[switch], self.next[switch]) = (channel, next);
                        Fate::Loops(number)
                    }
                    Target::Host(host) if to.owner == Owner::Host(host) => Fate::Arrives(0),
                    Target::Host(_) | Target::Nothing => Fate::Astray(number),
                }
            }
        };
    }

    /// Sends `flow` packets from each switch along the tree: adds what comes from others, and calls `on` with each
    /// channel between switches that is used, the one after it, and how many packets take it.
    pub fn send(&self, flow: &mut [u64], mut on: impl FnMut(u32, u32, u64)) {
        for &switch in &self.order {
            let (switch, next) = (switch as usize, self.next[switch as usize]);
            if flow[switch] > 0 && next != NONE {
                flow[next as usize] += flow[switch];
                on(self.channel[switch], self.channel[next as usize], flow[switch]);
            }
        }
        // Whatever enters a loop takes all of its channels, which are told once.
        for switch in 0..flow.len() {
            if self.senders[switch] == 0 || flow[switch] == 0 {
                continue;
            }
            let mut at = switch;
            loop {
                let next = self.next[at] as usize;
                on(self.channel[at], self.channel[next], 0);
                flow[at] = 0;
                at = next;
                if at == switch {
                    break;
                }
            }
        }
    }
}
