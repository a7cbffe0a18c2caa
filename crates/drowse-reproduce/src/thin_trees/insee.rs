//! Times that INSEE, the paper's simulator, takes for the workloads, and ours.
//!
//! Measured with its part FSIN (github.com/navaridas/insee, commit 2140aec of 2017) with the paper's switch: packets of 16
//! phits, queues of four packets, random arbiters, adaptive routing, ranks placed one after the other. Seeds begin at 13.
//! On 64 nodes random messages are 4,096 in all.
//!
//! All-to-all was run with messages to the next node first, and to the first node first.
//!
//! No two messages of BI ever meet, so its time is the same to the cycle. Others depend on the seed: the mean of ours must
//! lie between the least and the most of INSEE's, or 5 % outside; the ratio to the whole tree within 10 %, or half of the way
//! to 1.
//!
//! BU's ratios differ, by one rule. A packet of INSEE that goes up asks for the output whose next queue holds least, be
//! the output busy or not; ours asks for free outputs only, and hardly two messages of BU wait for each other on a whole
//! tree. With `switch.allocator.request_busy` ours asks for busy ones, too, but takes credits for a whole packet at its
//! grant, where INSEE counts what has arrived. INSEE's time lies between the two.

use super::effectiveness::RANDOM;
use super::runs::{Case, Runs};
use super::tree::{Tree, tree};
use super::workloads::{self, BUSY, Workload};
use crate::comparison::{Comparison, Theirs};
use crate::trivial::Kind;

/// How many cycles INSEE takes.
struct Measured {
    workload: &'static str,
    /// All nodes send to the first node first, not each to the next: only all-to-all was run so.
    from_zero: bool,
    bytes: u64,
    tree: Tree,
    seeds: u32,
    /// The mean, the least and the most of all seeds.
    cycles: [u64; 3],
}

/// Random messages of a tree of 64 nodes.
const SMALL_RANDOM: u64 = 4_096;
/// Our seeds there; on larger trees one, as INSEE, but where those of Fig. 4 are the same runs.
const SEEDS: u32 = 3;
/// How far our ratios may lie from INSEE's, as a share of them, but no more than half of the way to trees that are all as
/// fast.
const SHARE: f64 = 0.1;
const WAY: f64 = 0.5;
/// The rule, after a quantity.
pub const ALL_ASK: &str = "packets ask for busy outputs";

const fn row(workload: &'static str, bytes: u64, tree: Tree, seeds: u32, cycles: [u64; 3]) -> Measured {
    Measured { workload, from_zero: false, bytes, tree, seeds, cycles }
}

/// All-to-all, to the first node first.
const fn to_first(tree: Tree, cycles: [u64; 3]) -> Measured {
    Measured { from_zero: true, ..row("AA", 512, tree, 3, cycles) }
}

#[rustfmt::skip]
const MEASURED: [Measured; 48] = [
    row("AA", 512, tree(4, 4, 3), 7, [17_651, 16_758, 18_643]),
    row("AA", 512, tree(4, 2, 3), 7, [34_348, 33_005, 35_089]),
    row("AA", 512, tree(4, 1, 3), 6, [115_382, 113_286, 116_999]),
    to_first(tree(4, 4, 3), [81_339, 78_907, 82_821]),
    to_first(tree(4, 2, 3), [109_356, 108_060, 111_840]),
    to_first(tree(4, 1, 3), [214_800, 211_078, 218_709]),
    row("BI", 10_240, tree(4, 4, 3), 7, [15_386, 15_386, 15_386]),
    row("BI", 10_240, tree(4, 2, 3), 7, [15_386, 15_386, 15_386]),
    row("BI", 10_240, tree(4, 1, 3), 6, [15_386, 15_386, 15_386]),
    row("BU", 10_240, tree(4, 4, 3), 7, [18_428, 15_981, 21_283]),
    row("BU", 10_240, tree(4, 2, 3), 7, [37_252, 37_112, 37_378]),
    row("BU", 10_240, tree(4, 1, 3), 6, [110_080, 109_691, 110_491]),
    row("M2", 10_240, tree(4, 4, 3), 7, [20_412, 20_028, 20_904]),
    row("M2", 10_240, tree(4, 2, 3), 7, [25_368, 24_926, 25_780]),
    row("M2", 10_240, tree(4, 1, 3), 6, [62_461, 61_287, 64_712]),
    row("M3", 10_240, tree(4, 4, 3), 7, [33_533, 32_702, 34_223]),
    row("M3", 10_240, tree(4, 2, 3), 7, [48_611, 47_946, 49_338]),
    row("M3", 10_240, tree(4, 1, 3), 6, [132_916, 132_216, 133_547]),
    row("W2", 10_240, tree(4, 4, 3), 7, [77_127, 75_905, 78_904]),
    row("W2", 10_240, tree(4, 2, 3), 7, [90_310, 89_323, 91_739]),
    row("W2", 10_240, tree(4, 1, 3), 6, [96_770, 91_229, 108_939]),
    row("W3", 10_240, tree(4, 4, 3), 7, [81_147, 80_081, 83_099]),
    row("W3", 10_240, tree(4, 2, 3), 7, [86_413, 85_970, 87_037]),
    row("W3", 10_240, tree(4, 1, 3), 6, [110_227, 105_195, 114_751]),
    row("R1", 1_024, tree(4, 4, 3), 3, [78_921, 78_448, 79_233]),
    row("R1", 1_024, tree(4, 2, 3), 3, [110_289, 109_402, 111_115]),
    row("R1", 1_024, tree(4, 1, 3), 3, [337_345, 335_127, 338_941]),
    row("R2", 1_024, tree(4, 4, 3), 3, [58_949, 57_987, 59_546]),
    row("R2", 1_024, tree(4, 2, 3), 3, [100_333, 100_206, 100_450]),
    row("R2", 1_024, tree(4, 1, 3), 3, [320_540, 317_640, 322_988]),
    row("R3", 1_024, tree(4, 4, 3), 3, [50_595, 49_354, 51_378]),
    row("R3", 1_024, tree(4, 2, 3), 3, [93_937, 93_405, 94_666]),
    row("R3", 1_024, tree(4, 1, 3), 3, [306_489, 305_663, 306_939]),
    row("R4", 1_024, tree(4, 4, 3), 3, [48_381, 47_987, 48_791]),
    row("R4", 1_024, tree(4, 2, 3), 3, [88_625, 86_516, 90_887]),
    row("R4", 1_024, tree(4, 1, 3), 3, [301_541, 300_113, 303_335]),
    row("BI", 1_024, tree(8, 8, 4), 1, [3_134, 3_134, 3_134]),
    row("BI", 10_240, tree(8, 8, 4), 1, [30_782, 30_782, 30_782]),
    row("BI", 1_024, tree(8, 4, 4), 1, [3_134, 3_134, 3_134]),
    row("BI", 1_024, tree(8, 2, 4), 1, [3_134, 3_134, 3_134]),
    row("BU", 1_024, tree(8, 8, 4), 1, [3_396, 3_396, 3_396]),
    row("BU", 1_024, tree(8, 4, 4), 1, [13_778, 13_778, 13_778]),
    row("M2", 1_024, tree(8, 8, 4), 1, [1_829, 1_829, 1_829]),
    row("M3", 1_024, tree(8, 8, 4), 1, [3_399, 3_399, 3_399]),
    row("M3", 1_024, tree(8, 4, 4), 1, [5_962, 5_962, 5_962]),
    row("M3", 1_024, tree(8, 2, 4), 1, [28_011, 28_011, 28_011]),
    row("R4", 1_024, tree(8, 8, 4), 1, [18_000, 18_000, 18_000]),
    row("R4", 1_024, tree(8, 2, 4), 1, [371_303, 371_303, 371_303]),
];

/// Returns our runs of the same; a quick reproduction has those of 64 nodes.
pub fn cases(quick: bool) -> Vec<Case> {
    let mut cases = Vec::new();
    for measured in all(quick) {
        let (tree, Some(workload)) = (measured.tree, measured.workload()) else { continue };
        let rules: &[bool] = if measured.is_studied() { &[false, true] } else { &[false] };
        for &asks_busy in rules {
            let case = |seed| Case { asks_busy, ..Case::new(tree, workload, seed) };
            cases.extend((1..=measured.our_seeds()).map(case));
        }
    }
    cases
}

/// Compares times, and their ratios to those of the whole tree.
pub fn comparisons(quick: bool, runs: &Runs) -> Vec<Comparison> {
    let mut comparisons = Vec::new();
    for measured in all(quick) {
        let Some(workload) = measured.workload() else { continue };
        comparisons.push(measured.compare_time(workload, runs));
        if measured.is_studied() {
            comparisons.push(measured.with_busy(workload, runs));
        }
        let whole = all(quick).find(|other| other.is_same_on(measured, measured.tree.whole()));
        if let Some(whole) = whole.filter(|_| measured.tree.is_thin() && !workload.is_exact()) {
            comparisons.push(measured.compare_ratio(whole, workload, runs));
        }
    }
    comparisons
}

fn all(quick: bool) -> impl Iterator<Item = &'static Measured> {
    MEASURED.iter().filter(move |measured| measured.is_small() || !quick)
}

impl Measured {
    fn is_small(&self) -> bool {
        self.tree.nodes() == 64
    }

    /// Returns whether it is run by both rules for busy outputs: where one alone does not give INSEE's time.
    fn is_studied(&self) -> bool {
        let large = self.tree == tree(8, 4, 4) && self.workload == "M3";
        self.workload == BUSY && self.is_small() || large
    }

    fn is_same_on(&self, other: &Measured, tree: Tree) -> bool {
        (self.workload, self.from_zero, self.bytes, self.tree) == (other.workload, other.from_zero, other.bytes, tree)
    }

    fn our_seeds(&self) -> u32 {
        if self.is_small() { SEEDS } else { 1 }
    }

    fn workload(&self) -> Option<Workload> {
        let nodes = self.tree.nodes();
        let messages = if self.is_small() { SMALL_RANDOM } else { RANDOM * nodes };
        let named = workloads::all(nodes, messages).find(|workload| workload.name == self.workload);
        let named = named.map(|workload| workload.with_messages_of(self.bytes));
        named.map(|workload| if self.from_zero { workload } else { workload.to_next_first() })
    }

    fn place(&self) -> String {
        format!("INSEE, {} nodes, {}", self.tree.nodes(), self.tree.name())
    }

    fn what(&self) -> String {
        let order = if self.from_zero { " to the first node first" } else { "" };
        format!("{}{order}, messages of {} B", self.workload, self.bytes)
    }

    fn compare_time(&self, workload: Workload, runs: &Runs) -> Comparison {
        let ours = runs.times(Case::new(self.tree, workload, 1));
        let quantity = format!("time of {}", self.what());
        let [mean, least, most] = self.cycles;
        if workload.is_exact() {
            let how = "no two messages meet";
            return Comparison::printed(self.place(), quantity, "cycles", mean.to_string(), ours.mean(), how);
        }
        let (low, high) = (0.95 * least as f64, 1.05 * most as f64);
        let trivial = Kind::Time.trivial();
        let theirs = Theirs::found(low.midpoint(high), (high - low) / 2.0, &trivial);
        let how = format!(
            "{}; INSEE: {mean} by {} seeds, {least} to {most}, and 5 % more either way",
            ours.text(),
            self.seeds,
        );
        let comparison = Comparison::own(self.place(), quantity, "cycles", ours.mean(), how);
        self.with_rule(Comparison { theirs, trivial, ..comparison })
    }

    /// Notes the cause of a row if it is of BU.
    fn with_rule(&self, comparison: Comparison) -> Comparison {
        if self.workload == BUSY { comparison.with_cause(RULE) } else { comparison }
    }

    /// Makes the row of the time if packets ask for busy outputs, too.
    fn with_busy(&self, workload: Workload, runs: &Runs) -> Comparison {
        let ours = runs.times(Case { asks_busy: true, ..Case::new(self.tree, workload, 1) });
        let quantity = format!("time of {}, {ALL_ASK}", self.what());
        let how = format!("{}, with switch.allocator.request_busy; INSEE: {}", ours.text(), self.cycles[0]);
        Comparison::own(self.place(), quantity, "cycles", ours.mean(), how)
    }

    fn compare_ratio(&self, whole: &Measured, workload: Workload, runs: &Runs) -> Comparison {
        let mean = |tree| runs.times(Case::new(tree, workload, 1)).mean();
        let ours = mean(self.tree) / mean(whole.tree);
        let value = self.cycles[0] as f64 / whole.cycles[0] as f64;
        let quantity = format!("time of {}, {} = 1", self.what(), whole.tree.name());
        let trivial = Kind::TimeOnTree { top: self.tree.slimmed() }.trivial();
        let theirs = Theirs::found(value, (SHARE * value).min(WAY * (value - 1.0)), &trivial);
        let comparison = Comparison::own(self.place(), quantity, "1", ours, "of the means");
        self.with_rule(Comparison { theirs, trivial, ..comparison })
    }
}

/// Why BU differs.
const RULE: &str = "packets of INSEE ask for busy outputs up, too; by our rule for that \
                    (switch.allocator.request_busy) BU takes longer on the whole tree than INSEE's, by the other it is \
                    shorter";

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use super::*;
    use crate::options::Options;
    use crate::thin_trees::test::{ours_of, verdicts};

    /// Ours on 64 nodes.
    static SMALL: LazyLock<Vec<Comparison>> = LazyLock::new(|| {
        let options = Options { quick: true, threads: 2, ..Options::default() };
        comparisons(true, &Runs::run(cases(true), &options, &|_| ()).unwrap())
    });

    /// Of 36 times those of BI are INSEE's to the cycle, and all others within the seeds; so are the ratios, but for
    /// those of BU.
    #[test]
    fn times_on_64_nodes() {
        assert_eq!(["equal", "within", "differs"].map(|verdict| verdicts(&SMALL, verdict).len()), [3, 53, 2]);
        assert!(verdicts(&SMALL, "differs").iter().all(|row| row.quantity.starts_with("time of BU")));
        assert!(SMALL.iter().all(|row| !row.is_blind()));
    }

    /// INSEE's mean of BU on the whole tree, 18,428 cycles, lies between our two rules for busy outputs. Where none
    /// meet, each of its six messages of 160 packets takes 16 cycles a packet and one for each of 2, 2, 4, 4, 6 and 6
    /// links; the clock starts at 1, and the last receive takes a cycle. Four packets that come up at one edge may ask
    /// for one output: the last of them goes three cycles later, at each of the 0, 0, 1, 1, 2 and 2 switches that it
    /// passes upwards.
    #[test]
    fn the_rule_of_busy_outputs_brackets_insee() {
        let place = "INSEE, 64 nodes, 4,3-tree";
        let free = ours_of(&SMALL, place, "time of BU, messages of 10240 B");
        let busy = ours_of(&SMALL, place, "time of BU, messages of 10240 B, packets ask for busy outputs");
        let alone = f64::from(6 * 16 * 160 + 2 + 2 + 4 + 4 + 6 + 6 + 2);
        assert!((alone..=alone + f64::from(3 * (1 + 1 + 2 + 2))).contains(&free), "{free} and {alone}");
        assert!(free < 18_428.0 && 18_428.0 < busy, "{busy}");
    }

    /// A packet keeps a link busy for 16 cycles. All-to-all, 8 packets a message, crosses the links out of each block
    /// of 16 nodes, k'^2 of them, with 16 x 48 messages; it cannot end before, and ends soon after where they are few.
    #[test]
    fn links_to_the_top_bound_all_to_all() {
        for (name, links) in [("4:2,3-thintree", 4.0), ("4:1,3-thintree", 1.0)] {
            let least = 16.0 * 48.0 * 8.0 * 16.0 / links;
            let time = ours_of(&SMALL, &format!("INSEE, 64 nodes, {name}"), "time of AA, messages of 512 B");
            assert!((least..1.5 * least).contains(&time), "{name}: {time} and {least}");
        }
    }
}
