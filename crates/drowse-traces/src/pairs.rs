//! Compares the numbers of sends and receives between each pair of ranks.

use rustc_hash::FxHashMap;

/// The largest number of pairs that are compared, which bounds memory.
const MOST_PAIRS: usize = 1 << 22;

/// Sends minus receives, by sender and receiver.
#[derive(Default)]
pub(crate) struct Pairs {
    balance: FxHashMap<(u32, u32), i64>,
    /// Receives from any rank, by receiver.
    any: FxHashMap<u32, i64>,
    too_many: bool,
}

impl Pairs {
    /// Counts a send.
    pub fn send(&mut self, from: u32, to: u32) {
        self.add(from, to, 1);
    }

    /// Counts a receive.
    pub fn receive(&mut self, from: Option<u32>, to: u32) {
        match from {
            Some(from) => self.add(from, to, -1),
            None => *self.any.entry(to).or_default() += 1,
        }
    }

    /// Returns warnings about messages that cannot have a partner.
    pub fn warnings(mut self) -> Vec<String> {
        if self.too_many {
            return vec![format!(
                "more than {MOST_PAIRS} pairs of ranks exchange messages: sends and receives were not compared"
            )];
        }
        let mut pairs: Vec<_> = self.balance.into_iter().filter(|(_, balance)| *balance != 0).collect();
        pairs.sort_unstable();
        let (mut lacking, mut unreceived) = (Vec::new(), FxHashMap::default());
        for ((from, to), balance) in pairs {
            if balance < 0 {
                lacking.push((from, to, -balance));
            } else {
                *unreceived.entry(to).or_insert(0) += balance;
            }
        }
        let mut warnings = Vec::new();
        if let Some((from, to, missing)) = lacking.first() {
            warnings.push(format!(
                "between {} pairs of ranks there are more receives than sends: rank {to} posts {missing} \
                    receives from rank {from} that no send matches, and a run waits for them for ever",
                lacking.len()
            ));
        }
        // Receives from any rank match the messages that receives from named ranks leave.
        for (to, posted) in self.any.drain() {
            *unreceived.entry(to).or_insert(0) -= posted;
        }
        let mut uneven: Vec<_> = unreceived.into_iter().filter(|(_, balance)| *balance != 0).collect();
        uneven.sort_unstable();
        if let Some((to, balance)) = uneven.first() {
            let what = if *balance > 0 {
                "more messages are sent than received, which take time and energy all the same"
            } else {
                "fewer messages are sent than received from any rank, and a run waits for them for ever"
            };
            warnings.push(format!(
                "at {} ranks sends and receives differ: to rank {to}, {} {what}",
                uneven.len(),
                balance.abs()
            ));
        }
        warnings
    }

    /// Changes the balance of a pair.
    fn add(&mut self, from: u32, to: u32, change: i64) {
        if self.balance.len() < MOST_PAIRS {
            *self.balance.entry((from, to)).or_default() += change;
        } else {
            self.too_many = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matching_pairs_give_no_warning() {
        let mut pairs = Pairs::default();
        pairs.send(0, 1);
        pairs.send(2, 1);
        pairs.receive(Some(0), 1);
        pairs.receive(None, 1);
        assert_eq!(pairs.warnings(), Vec::<String>::new());
    }

    #[test]
    fn missing_partners_are_named() {
        let mut pairs = Pairs::default();
        pairs.receive(Some(0), 1);
        pairs.send(1, 0);
        assert_eq!(
            pairs.warnings(),
            [
                "between 1 pairs of ranks there are more receives than sends: rank 1 posts 1 receives from rank 0 that no send matches, and a run waits for them for ever",
                "at 1 ranks sends and receives differ: to rank 0, 1 more messages are sent than received, which take time and energy all the same"
            ]
        );
    }
}
