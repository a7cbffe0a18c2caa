//! Calls of torch.distributed, as PyTorch describes them (`record_param_comms`): what is called, by which process
//! group, and how many elements of which type each rank gives and gets.

use drowse_core::model::units::Time;
use drowse_core::workload::operation::{Collective, MOST_BYTES};

use super::group::Group;
use super::value::List;

/// A call as a file describes it. What it does not tell is `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Call {
    /// What is called, such as `allreduce` or `_allgather_base`.
    pub name: Option<String>,
    /// Elements that the rank gives and gets.
    pub input: Option<u64>,
    pub output: Option<u64>,
    /// The type of elements.
    pub dtype: Option<String>,
    /// How many rows go to each rank of the group, in an all-to-all that is uneven.
    pub split: Option<List>,
    pub group: Group,
    /// The root's rank in the group, or that of the peer; for other calls, that of the caller.
    pub rank: Option<i64>,
    /// Sender and receiver, by their ranks in the job.
    pub from: Option<i64>,
    pub to: Option<i64>,
}

/// What is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Allreduce,
    ReduceScatter,
    Allgather,
    Alltoall,
    Broadcast,
    Reduce,
    Gather,
    Scatter,
    Barrier,
    Send,
    Receive,
    /// Makes the host or a stream wait for a call, or begins or ends a list of calls: moves nothing.
    Nothing,
}

/// What a rank does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Action {
    Collective(Collective),
    Send { to: u32, bytes: u64 },
    Receive { from: u32 },
}

/// What is not known of an action.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Guessed {
    /// The root: it is the first rank of the group.
    pub root: bool,
    /// What each rank gets: the data is split evenly.
    pub split: bool,
}

impl Kind {
    /// Returns what is called by a name; `None` where that is not known.
    pub fn named(name: &str) -> Option<Self> {
        let plain: String =
            name.chars().filter(char::is_ascii_alphanumeric).map(|letter| letter.to_ascii_lowercase()).collect();
        let holds = |part: &str| plain.contains(part);
        let kinds = [
            (
                plain == "wait" || plain == "init" || plain.ends_with("coalescing") || plain == "coalesced",
                Kind::Nothing,
            ),
            (holds("barrier"), Kind::Barrier),
            (holds("allreduce"), Kind::Allreduce),
            (holds("reducescatter"), Kind::ReduceScatter),
            (holds("allgather"), Kind::Allgather),
            (holds("alltoall"), Kind::Alltoall),
            (holds("broadcast"), Kind::Broadcast),
            (holds("reduce"), Kind::Reduce),
            (holds("gather"), Kind::Gather),
            (holds("scatter"), Kind::Scatter),
            (plain.starts_with("send"), Kind::Send),
            (plain.starts_with("recv"), Kind::Receive),
        ];
        kinds.into_iter().find_map(|(is, kind)| is.then_some(kind))
    }
}

/// Returns the bytes of an element of a type, as PyTorch names it.
fn element(dtype: &str) -> Option<u64> {
    Some(match dtype.to_ascii_lowercase().as_str() {
        "byte" | "char" | "bool" | "qint8" | "quint8" => 1,
        "short" | "half" | "bfloat16" | "uint16" => 2,
        "int" | "float" | "uint32" | "qint32" | "complexhalf" => 4,
        "long" | "double" | "uint64" | "complexfloat" => 8,
        "complexdouble" => 16,
        small if small.starts_with("float8") || small.starts_with("float4") => 1,
        _ => return None,
    })
}

impl Call {
    /// Takes from another description of this call what this one lacks.
    pub fn complete(&mut self, other: &Call) {
        fn fill<T: Clone>(mine: &mut Option<T>, theirs: Option<&T>) {
            if mine.is_none() {
                *mine = theirs.cloned();
            }
        }
        fill(&mut self.name, other.name.as_ref());
        fill(&mut self.input, other.input.as_ref());
        fill(&mut self.output, other.output.as_ref());
        fill(&mut self.dtype, other.dtype.as_ref());
        fill(&mut self.split, other.split.as_ref());
        fill(&mut self.rank, other.rank.as_ref());
        fill(&mut self.from, other.from.as_ref());
        fill(&mut self.to, other.to.as_ref());
        self.group.complete(&other.group);
    }

    /// Returns what is called; `None` where that is not told, or not known.
    pub fn kind(&self) -> Option<Kind> {
        self.name.as_deref().and_then(Kind::named)
    }

    /// Returns the bytes of so many elements.
    fn bytes(&self, elements: Option<u64>) -> Result<u64, &'static str> {
        const LACKS: &str = "neither the kernel nor the host's call says how many elements of which type it moves; \
                             record with PyTorch 2.3 or later";
        let each = self.dtype.as_deref().and_then(element).ok_or(LACKS)?;
        let bytes = elements.ok_or(LACKS)?.checked_mul(each).filter(|&bytes| bytes <= MOST_BYTES);
        bytes.ok_or("it moves more than 32 GiB, the most of one call; check the file")
    }

    /// Returns what a rank of the group does by this call, and what of it is guessed. Fails with why it is not known.
    pub(super) fn action(&self, kind: Kind, members: &[u32]) -> Result<(Action, Guessed), &'static str> {
        let (mut guessed, ranks) = (Guessed::default(), members.len() as u64);
        let action = match kind {
            Kind::Send => Action::Send { to: self.peer(self.to, members)?, bytes: self.bytes(self.input)? },
            Kind::Receive => Action::Receive { from: self.peer(self.from, members)? },
            _ => Action::Collective(self.collective(kind, ranks, &mut guessed)?),
        };
        Ok((action, guessed))
    }

    /// Returns the rank in the job with which a message is exchanged.
    fn peer(&self, told: Option<i64>, members: &[u32]) -> Result<u32, &'static str> {
        let by_group = || members.get(usize::try_from(self.rank?).ok()?).copied();
        let peer = told.map_or_else(by_group, |peer| u32::try_from(peer).ok());
        peer.ok_or("the file does not say with which rank it exchanges a message; record with PyTorch 2.5 or later")
    }

    /// Returns a collective of a group of so many ranks.
    fn collective(&self, kind: Kind, ranks: u64, guessed: &mut Guessed) -> Result<Collective, &'static str> {
        let count = self.input.or(self.output).unwrap_or_default();
        let all = self.bytes(self.input.or(self.output));
        let compute = Time::ZERO;
        // A list of tensors is told by its elements together, whichever side holds it.
        let part = || match self.input.filter(|&input| input > 0) {
            Some(input) => self.bytes(Some(input)),
            None => self.bytes(self.output).map(|bytes| bytes / ranks),
        };
        let mut root = || {
            let told = self.rank.and_then(|rank| u32::try_from(rank).ok()).filter(|&rank| u64::from(rank) < ranks);
            guessed.root |= told.is_none();
            told.unwrap_or_default()
        };
        Ok(match kind {
            Kind::Allreduce => Collective::Allreduce { bytes: all?, count, compute },
            Kind::Broadcast => Collective::Bcast { root: root(), bytes: all?, count },
            Kind::Reduce => Collective::Reduce { root: root(), bytes: all?, count, compute },
            Kind::Gather => Collective::Gather { root: root(), bytes: part()? },
            Kind::Scatter => Collective::Scatter { root: root(), bytes: self.scattered(ranks)? },
            Kind::Allgather => Collective::Allgather { bytes: part()? },
            Kind::ReduceScatter => Collective::ReduceScatter { bytes: self.reduced(ranks)?, compute },
            Kind::Alltoall => self.exchange(all?, ranks, guessed),
            Kind::Barrier | Kind::Send | Kind::Receive | Kind::Nothing => Collective::Barrier,
        })
    }

    /// Returns what each rank gets of a scatter.
    fn scattered(&self, ranks: u64) -> Result<u64, &'static str> {
        match self.output.filter(|&output| output > 0) {
            Some(output) => self.bytes(Some(output)),
            None => self.bytes(self.input).map(|bytes| bytes / ranks),
        }
    }

    /// Returns what each rank gets of a reduce-scatter.
    fn reduced(&self, ranks: u64) -> Result<Box<[u64]>, &'static str> {
        let input = self.input.filter(|&input| input > 0);
        match self.output {
            Some(output) if input.is_none_or(|input| output.checked_mul(ranks) == Some(input)) => {
                let each = self.bytes(Some(output))?;
                Ok(vec![each; ranks as usize].into())
            }
            _ => Ok(shares(self.bytes(self.input)?, ranks)),
        }
    }

    /// Returns an all-to-all. Splits are numbers of rows; a row has as many elements as make up the whole.
    fn exchange(&self, bytes: u64, ranks: u64, guessed: &mut Guessed) -> Collective {
        if let Some(split) = &self.split {
            let rows: Vec<u128> = split.numbers.iter().map_while(|&rows| u128::try_from(rows).ok()).collect();
            let sum: u128 = rows.iter().sum();
            if !split.is_cut && rows.len() as u64 == ranks && (sum > 0 || bytes == 0) {
                let of = |rows: &u128| (u128::from(bytes) * rows / sum.max(1)) as u64;
                return Collective::Alltoallv { bytes: rows.iter().map(of).collect() };
            }
            guessed.split = true;
        }
        if bytes.is_multiple_of(ranks) {
            return Collective::Alltoall { bytes: bytes / ranks };
        }
        Collective::Alltoallv { bytes: shares(bytes, ranks) }
    }
}

/// Splits bytes over ranks: the first get one more where they do not divide.
fn shares(bytes: u64, ranks: u64) -> Box<[u64]> {
    let (each, more) = (bytes / ranks, bytes % ranks);
    (0..ranks).map(|rank| each + u64::from(rank < more)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(name: &str, input: u64, output: u64, dtype: &str) -> Call {
        let (input, output) = (Some(input), Some(output));
        Call { name: Some(name.to_owned()), input, output, dtype: Some(dtype.to_owned()), ..Call::default() }
    }

    fn of(call: &Call, ranks: u32) -> (Action, Guessed) {
        let members: Vec<u32> = (0..ranks).collect();
        call.action(call.kind().unwrap(), &members).unwrap()
    }

    fn collective(call: &Call, ranks: u32) -> Collective {
        match of(call, ranks) {
            (Action::Collective(collective), _) => collective,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn names_of_pytorch() {
        let all = [
            ("allreduce", Kind::Allreduce),
            ("allreduce_coalesced", Kind::Allreduce),
            ("_allgather_base", Kind::Allgather),
            ("all_gather_into_tensor_coalesced", Kind::Allgather),
            ("_reduce_scatter_base", Kind::ReduceScatter),
            ("reduce_scatter_tensor_coalesced", Kind::ReduceScatter),
            ("all_to_allv", Kind::Alltoall),
            ("_broadcast_oop", Kind::Broadcast),
            ("_reduce_oop", Kind::Reduce),
            ("gather", Kind::Gather),
            ("scatter", Kind::Scatter),
            ("barrier", Kind::Barrier),
            ("send", Kind::Send),
            ("recv", Kind::Receive),
            ("wait", Kind::Nothing),
            ("coalesced", Kind::Nothing),
        ];
        for (name, kind) in all {
            assert_eq!(Kind::named(name), Some(kind), "{name}");
        }
        assert_eq!([Kind::named("pointer"), Kind::named("")], [None, None]);
    }

    #[test]
    fn sizes_follow_elements_and_types() {
        let bcast = collective(&call("broadcast", 53, 53, "Long"), 2);
        assert_eq!(bcast, Collective::Bcast { root: 0, bytes: 424, count: 53 });
        assert_eq!(collective(&call("_allgather_base", 8, 32, "BFloat16"), 4), Collective::Allgather { bytes: 16 });
        // A list of four tensors is all that is told.
        assert_eq!(collective(&call("all_gather", 0, 32, "Half"), 4), Collective::Allgather { bytes: 16 });
        let scattered = |input, output| match collective(&call("_reduce_scatter_base", input, output, "Float"), 4) {
            Collective::ReduceScatter { bytes, .. } => bytes,
            other => panic!("{other:?}"),
        };
        assert_eq!(*scattered(32, 8), [32; 4]);
        assert_eq!(*scattered(10, 3), [10; 4]);
        assert_eq!(*scattered(11, 3), [11; 4]);
        assert_eq!(collective(&call("scatter", 0, 5, "Float8_e4m3fn"), 4), Collective::Scatter { root: 0, bytes: 5 });
    }

    #[test]
    fn splits_are_rows() {
        let split = |numbers: &[i64], is_cut| Some(List { numbers: numbers.to_vec(), is_cut });
        let mut uneven = call("all_to_allv", 60, 40, "Float");
        uneven.split = split(&[1, 2, 3], false);
        assert_eq!(collective(&uneven, 3), Collective::Alltoallv { bytes: [40, 80, 120].into() });
        assert!(!of(&uneven, 3).1.split);
        uneven.split = split(&[1, 2], true);
        assert_eq!(
            of(&uneven, 3),
            (Action::Collective(Collective::Alltoall { bytes: 80 }), Guessed { root: false, split: true })
        );
        uneven.split = None;
        assert_eq!(collective(&uneven, 7), Collective::Alltoallv { bytes: [35, 35, 34, 34, 34, 34, 34].into() });
    }

    #[test]
    fn peers_and_roots_are_told_in_several_words() {
        let mut send = call("send", 4, 4, "Double");
        let members = [4, 6];
        assert!(send.action(Kind::Send, &members).unwrap_err().contains("with which rank"));
        send.rank = Some(1);
        assert_eq!(send.action(Kind::Send, &members).unwrap().0, Action::Send { to: 6, bytes: 32 });
        send.to = Some(4);
        assert_eq!(send.action(Kind::Send, &members).unwrap().0, Action::Send { to: 4, bytes: 32 });
        let mut bcast = call("broadcast", 1, 1, "Byte");
        assert!(of(&bcast, 2).1.root);
        bcast.rank = Some(1);
        assert_eq!(
            of(&bcast, 2),
            (Action::Collective(Collective::Bcast { root: 1, bytes: 1, count: 1 }), Guessed::default())
        );
    }

    #[test]
    fn what_is_not_told_is_no_size() {
        let why = |call: &Call| call.action(Kind::Allreduce, &[0, 1]).unwrap_err();
        assert!(why(&call("allreduce", 1, 1, "Strange")).contains("how many elements"));
        assert!(why(&Call { input: None, output: None, ..call("allreduce", 1, 1, "Float") }).contains("how many"));
        assert!(why(&call("allreduce", 1 << 40, 0, "Float")).contains("32 GiB"));
        assert!(why(&call("allreduce", u64::MAX, 0, "Float")).contains("32 GiB"));
    }
}
