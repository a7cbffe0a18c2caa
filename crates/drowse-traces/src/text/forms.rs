//! The operations by name, and how they are written.

use drowse_core::workload::operation::SendMode;
use drowse_core::workload::operation_kind::{CollectiveKind as Name, OperationKind as Kind};

/// An operation, and how it is written.
pub(super) struct Form {
    name: &'static str,
    pub kind: Kind,
    /// What a line of it is: the name, then what follows.
    pub text: &'static str,
    /// Which of the options it has.
    has: [bool; OPTIONS.len()],
}

/// The words that may stand behind the first numbers of an operation, each before what it names.
const OPTIONS: [&str; 5] = ["tag", "in", "as", "count", "compute"];

/// Frequent operations come first, because the table is searched from the front.
const FORMS: &[Form] = &[
    form(Kind::Compute, "compute TIME"),
    form(Kind::Send(SendMode::Standard), "send RANK SIZE [tag N] [in COMM]"),
    form(Kind::Isend(SendMode::Standard), "isend RANK SIZE [tag N] [in COMM] [as REQUEST]"),
    form(Kind::Recv, "recv RANK|any [tag N|any] [in COMM]"),
    form(Kind::Irecv, "irecv RANK|any [tag N|any] [in COMM] as REQUEST"),
    form(Kind::Wait, "wait REQUEST"),
    form(Kind::WaitAll, "waitall"),
    form(Kind::WaitAny, "waitany [REQUEST...]"),
    form(Kind::WaitSome, "waitsome [REQUEST...]"),
    form(Kind::Probe, "probe RANK|any [tag N|any] [in COMM]"),
    form(Kind::Iteration, "iteration"),
    form(Kind::Collective(Name::Barrier), "barrier [in COMM]"),
    form(Kind::Collective(Name::Bcast), "bcast ROOT SIZE [count N] [in COMM]"),
    form(Kind::Collective(Name::Reduce), "reduce ROOT SIZE [count N] [compute TIME] [in COMM]"),
    form(Kind::Collective(Name::Allreduce), "allreduce SIZE [count N] [compute TIME] [in COMM]"),
    form(Kind::Collective(Name::Gather), "gather ROOT SIZE [in COMM]"),
    form(Kind::Collective(Name::Gatherv), "gatherv ROOT SIZE... [in COMM]"),
    form(Kind::Collective(Name::Scatter), "scatter ROOT SIZE [in COMM]"),
    form(Kind::Collective(Name::Scatterv), "scatterv ROOT SIZE... [in COMM]"),
    form(Kind::Collective(Name::Allgather), "allgather SIZE [in COMM]"),
    form(Kind::Collective(Name::Allgatherv), "allgatherv SIZE... [in COMM]"),
    form(Kind::Collective(Name::Alltoall), "alltoall SIZE [in COMM]"),
    form(Kind::Collective(Name::Alltoallv), "alltoallv SIZE... [in COMM]"),
    form(Kind::Collective(Name::ReduceScatter), "reduce-scatter SIZE... [compute TIME] [in COMM]"),
    form(Kind::Collective(Name::Scan), "scan SIZE [compute TIME] [in COMM]"),
    form(Kind::Collective(Name::Exscan), "exscan SIZE [compute TIME] [in COMM]"),
    form(Kind::Send(SendMode::Synchronous), "ssend RANK SIZE [tag N] [in COMM]"),
    form(Kind::Send(SendMode::Buffered), "bsend RANK SIZE [tag N] [in COMM]"),
    form(Kind::Send(SendMode::Ready), "rsend RANK SIZE [tag N] [in COMM]"),
    form(Kind::Isend(SendMode::Synchronous), "issend RANK SIZE [tag N] [in COMM] [as REQUEST]"),
    form(Kind::Isend(SendMode::Buffered), "ibsend RANK SIZE [tag N] [in COMM] [as REQUEST]"),
    form(Kind::Isend(SendMode::Ready), "irsend RANK SIZE [tag N] [in COMM] [as REQUEST]"),
    form(Kind::Icollective(Name::Barrier), "ibarrier [in COMM] as REQUEST"),
    form(Kind::Icollective(Name::Bcast), "ibcast ROOT SIZE [count N] [in COMM] as REQUEST"),
    form(Kind::Icollective(Name::Reduce), "ireduce ROOT SIZE [count N] [compute TIME] [in COMM] as REQUEST"),
    form(Kind::Icollective(Name::Allreduce), "iallreduce SIZE [count N] [compute TIME] [in COMM] as REQUEST"),
    form(Kind::Icollective(Name::Gather), "igather ROOT SIZE [in COMM] as REQUEST"),
    form(Kind::Icollective(Name::Gatherv), "igatherv ROOT SIZE... [in COMM] as REQUEST"),
    form(Kind::Icollective(Name::Scatter), "iscatter ROOT SIZE [in COMM] as REQUEST"),
    form(Kind::Icollective(Name::Scatterv), "iscatterv ROOT SIZE... [in COMM] as REQUEST"),
    form(Kind::Icollective(Name::Allgather), "iallgather SIZE [in COMM] as REQUEST"),
    form(Kind::Icollective(Name::Allgatherv), "iallgatherv SIZE... [in COMM] as REQUEST"),
    form(Kind::Icollective(Name::Alltoall), "ialltoall SIZE [in COMM] as REQUEST"),
    form(Kind::Icollective(Name::Alltoallv), "ialltoallv SIZE... [in COMM] as REQUEST"),
    form(Kind::Icollective(Name::ReduceScatter), "ireduce-scatter SIZE... [compute TIME] [in COMM] as REQUEST"),
    form(Kind::Icollective(Name::Scan), "iscan SIZE [compute TIME] [in COMM] as REQUEST"),
    form(Kind::Icollective(Name::Exscan), "iexscan SIZE [compute TIME] [in COMM] as REQUEST"),
];

/// Returns how the lines of all operations look, each with its name first.
pub fn forms() -> impl Iterator<Item = &'static str> {
    FORMS.iter().map(|form| form.text)
}

/// Finds an operation by its name.
pub(super) fn find(word: &str) -> Option<&'static Form> {
    FORMS.iter().find(|form| form.name == word)
}

impl Form {
    /// Returns whether it has an option.
    pub fn has(&self, option: &str) -> bool {
        OPTIONS.iter().zip(self.has).any(|(known, has)| has && *known == option)
    }
}

/// Makes a form of its text.
const fn form(kind: Kind, text: &'static str) -> Form {
    let mut has = [false; OPTIONS.len()];
    let mut option = 0;
    while option < OPTIONS.len() {
        has[option] = mentions(text.as_bytes(), OPTIONS[option].as_bytes());
        option += 1;
    }
    Form { name: kind.name(), kind, text, has }
}

/// Returns whether a word stands in a text, behind its first word and before another one.
const fn mentions(text: &[u8], word: &[u8]) -> bool {
    let mut at = 1;
    while at + word.len() < text.len() {
        let is_alone = matches!(text[at - 1], b' ' | b'[') && text[at + word.len()] == b' ';
        if is_alone && is_at(text, at, word) {
            return true;
        }
        at += 1;
    }
    false
}

/// Returns whether a word stands there.
const fn is_at(text: &[u8], at: usize, word: &[u8]) -> bool {
    let mut byte = 0;
    while byte < word.len() {
        if text[at + byte] != word[byte] {
            return false;
        }
        byte += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a form has is what its text says.
    #[test]
    fn texts_of_forms() {
        for form in FORMS {
            let mut words = form.text.split(' ').map(|word| word.trim_start_matches('['));
            assert_eq!(words.next(), Some(form.name));
            let named: Vec<&str> = words.filter(|word| OPTIONS.contains(word)).collect();
            let has: Vec<&str> = OPTIONS.into_iter().filter(|option| form.has(option)).collect();
            assert!(named.len() == has.len() && named.iter().all(|word| has.contains(word)), "{}", form.text);
            assert!(!form.has("size"));
        }
    }
}
