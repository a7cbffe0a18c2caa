//! The advice, made of the figures of policies.

use super::asked::Asked;
use super::cables::Cables;
use super::figures::{Figures, Spread, Table, without_name};
use crate::results::Results;

/// A policy, and what it does by flows and, where that was asked, by packets.
#[derive(Clone, Debug)]
pub struct Policy {
    /// Its name.
    pub name: String,
    /// Its keys, as a value of `power.policy`.
    pub keys: String,
    /// Whether it is the oracle, which cannot be built.
    pub is_oracle: bool,
    /// Whether it lets no link sleep.
    pub is_always_on: bool,
    /// By flows, in all windows.
    pub flows: Figures,
    /// By flows, in those windows that packets ran, too.
    pub flows_beside: Figures,
    /// By packets.
    pub packets: Option<Figures>,
}

/// What a policy does in the busiest windows if something else is so.
#[derive(Clone, Debug)]
pub struct Otherwise {
    /// What is otherwise: the programs of jobs, or the policy.
    pub words: String,
    /// What the policy does then.
    pub figures: Figures,
}

/// The advice.
#[derive(Clone, Debug)]
pub struct Advice {
    /// All policies, those that save most first; the oracle last.
    pub policies: Vec<Policy>,
    /// The policy that is advised, by its number; `None` where none saves within the bound.
    pub best: Option<usize>,
    /// What cables and switches do under it.
    pub cables: Option<Cables>,
    /// What it does if jobs run other programs, the assumed ones first.
    pub otherwise: Vec<Otherwise>,
    /// Policies that flows refuse, by packets in the busiest windows.
    pub by_packets_only: Vec<Otherwise>,
    /// Warnings of the cases, each once.
    pub warnings: Vec<String>,
    /// By how much flows and packets differ.
    pub spread: Option<Spread>,
}

/// Returns the policies that packets should check: those that save something and can be built, whatever run times flows
/// see, since these may be off.
pub fn candidates(flows: &Results, asked: &Asked) -> Vec<String> {
    let advice = advice(flows, None, asked);
    let is_saving = |policy: &&Policy| !policy.is_oracle && policy.flows.saved().mean > 0.0;
    advice.policies.iter().filter(is_saving).map(|policy| policy.name.clone()).collect()
}

/// Makes the advice of cases by flows, and of those by packets, where there are some.
pub fn advice(flows: &Results, packets: Option<&Results>, asked: &Asked) -> Advice {
    let all = Table::of(flows, asked);
    let checked = packets.map(|packets| Table::of(packets, asked));
    let everywhere = |_: usize| true;
    let policy = |name: &String| {
        let beside = |window: usize| checked.as_ref().is_some_and(|table| table.has(name, window));
        let is_checked = (0..asked.windows.len()).any(beside);
        Policy {
            name: name.clone(),
            keys: without_name(&all.keys(name)),
            is_oracle: all.is_oracle(name),
            is_always_on: all.is_always_on(name),
            flows: all.figures(name, everywhere),
            flows_beside: all.figures(name, beside),
            packets: checked.as_ref().filter(|_| is_checked).map(|table| table.figures(name, everywhere)),
        }
    };
    let mut policies: Vec<Policy> = all.names().iter().map(policy).collect();
    policies.sort_by(|one, other| {
        let saved = |policy: &Policy| policy.flows.saved().mean;
        one.is_oracle.cmp(&other.is_oracle).then(saved(other).total_cmp(&saved(one)))
    });
    let spread = checked.as_ref().map(|checked| all.spread(checked));
    let best = policies.iter().position(|policy| is_advised(policy, spread, asked.bound));
    let warnings = all.warnings();
    let (otherwise, by_packets_only) = (Vec::new(), Vec::new());
    Advice { policies, best, cables: None, otherwise, by_packets_only, warnings, spread }
}

/// Returns whether a policy can be advised: it saves, and keeps the bound by packets, where these were asked, and by flows
/// within what they are off.
fn is_advised(policy: &Policy, spread: Option<Spread>, bound: f64) -> bool {
    let off = spread.map_or(0.0, |spread| spread.longer);
    let keeps = |figures: &Figures, bound: f64| figures.slower.p95 <= bound && figures.saved().mean > 0.0;
    let by_packets = policy.packets.as_ref().map_or(spread.is_none(), |packets| keeps(packets, bound));
    !policy.is_oracle && by_packets && keeps(&policy.flows, bound + off)
}

impl Advice {
    /// Returns the policy that is advised.
    pub fn advised(&self) -> Option<&Policy> {
        self.policies.get(self.best?)
    }
}

/// Returns what the same cases with other programs say of a policy.
pub fn otherwise(words: &str, results: &Results, policy: &str, asked: &Asked) -> Otherwise {
    let table = Table::of(results, asked);
    let has_busiest = asked.windows.iter().any(|window| window.is_busiest);
    let is_wanted = |window: usize| !has_busiest || asked.windows[window].is_busiest;
    Otherwise { words: words.to_owned(), figures: table.figures(policy, is_wanted) }
}
