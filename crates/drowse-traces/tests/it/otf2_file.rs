//! Makes OTF2 archives of records, as OTF2 writes them.

use crate::sample::Folder;

/// Types of records.
pub mod kind {
    pub const ATTRIBUTES: u8 = 6;
    pub const ENTER: u8 = 12;
    pub const LEAVE: u8 = 13;
    pub const SEND: u8 = 14;
    pub const RECV: u8 = 18;
    pub const COLLECTIVE_END: u8 = 23;
    pub const ICOLLECTIVE_REQUEST: u8 = 85;
    pub const ICOLLECTIVE_COMPLETE: u8 = 86;
    pub const ID_MAP: u8 = 5;
    pub const CLOCK_OFFSET: u8 = 6;
    pub const CLOCK: u8 = 5;
    pub const STRING: u8 = 10;
    pub const LOCATION: u8 = 14;
    pub const REGION: u8 = 15;
    pub const GROUP: u8 = 18;
    pub const COMMUNICATOR: u8 = 22;
}

/// How files are written: the order of bytes in numbers, and the length of chunks.
#[derive(Clone, Copy)]
pub struct Form {
    pub is_big: bool,
    pub chunk: u64,
}

/// As on most machines. OTF2 itself writes chunks of 256 KiB or more.
pub const USUAL: Form = Form { is_big: false, chunk: 1 << 18 };

impl Form {
    /// Returns a number in its whole length.
    pub fn whole<const N: usize>(self, mut little: [u8; N]) -> Vec<u8> {
        if self.is_big {
            little.reverse();
        }
        little.to_vec()
    }

    /// Returns a number, compressed.
    pub fn number(self, number: u64) -> Vec<u8> {
        let length = 8 - number.leading_zeros() as usize / 8;
        let mut bytes = number.to_le_bytes()[..length].to_vec();
        if self.is_big {
            bytes.reverse();
        }
        bytes.insert(0, length as u8);
        bytes
    }

    /// Returns numbers, compressed.
    pub fn numbers(self, numbers: &[u64]) -> Vec<u8> {
        numbers.iter().flat_map(|&number| self.number(number)).collect()
    }

    /// Returns a record.
    pub fn record(self, kind: u8, content: &[u8]) -> Vec<u8> {
        let mut record = vec![kind];
        if content.len() < 0xff {
            record.push(content.len() as u8);
        } else {
            record.push(0xff);
            record.extend(self.whole((content.len() as u64).to_le_bytes()));
        }
        record.extend(content);
        record
    }

    /// Returns the time of what follows.
    pub fn time(self, ticks: u64) -> Vec<u8> {
        [vec![5], self.whole(ticks.to_le_bytes())].concat()
    }

    /// Returns an event at a time; those of regions are numbers without a length.
    pub fn event(self, ticks: u64, kind: u8, content: &[u8]) -> Vec<u8> {
        let is_number = [kind::ENTER, kind::LEAVE].contains(&kind);
        let record = if is_number { [&[kind], content].concat() } else { self.record(kind, content) };
        [self.time(ticks), record].concat()
    }

    /// Returns a file of records.
    pub fn file(self, records: &[Vec<u8>]) -> Vec<u8> {
        let chunk = self.chunk as usize;
        let header = [vec![3, if self.is_big { 0x23 } else { 0x42 }], vec![0; 16]].concat();
        let (mut file, mut begin) = (header.clone(), 0);
        for record in records {
            assert!(header.len() + record.len() < chunk, "a record of {} bytes fits no chunk", record.len());
            // A chunk ends with a zero.
            if file.len() + record.len() + 1 > begin + chunk {
                begin += chunk;
                file.resize(begin, 0);
                file.extend(&header);
            }
            file.extend(record);
        }
        if file.len() + 2 > begin + chunk {
            file.resize(begin + chunk, 0);
            file.extend(&header);
        }
        file.extend([2, 1]);
        file
    }

    /// Returns an anchor file.
    pub fn anchor(self) -> Vec<u8> {
        let mut file = vec![3, if self.is_big { 0x23 } else { 0x42 }];
        file.extend(b"OTF2\0\x03\x02\x03\x00\x02");
        file.extend([self.chunk, self.chunk].map(|size| self.whole(size.to_le_bytes())).concat());
        // Plain files, not compressed.
        file.extend([1, 1]);
        file.extend([0_u64, 0].map(|number| self.whole(number.to_le_bytes())).concat());
        file.extend(b"machine\0creator\0\0");
        file.extend(self.whole(1_u32.to_le_bytes()));
        file.extend(b"TEST::NAME\0value\0");
        file.extend(self.whole(77_u64.to_le_bytes()));
        file.extend([0_u32, 0].map(|number| self.whole(number.to_le_bytes())).concat());
        file.extend([2, 1]);
        file
    }
}

/// Records, or events with their times.
type Records = Vec<Vec<u8>>;

/// An archive whose ranks are locations 0, 1, ...
pub struct Archive {
    pub form: Form,
    pub definitions: Records,
    /// The local definitions and the events of each rank.
    pub ranks: Vec<(Records, Records)>,
}

/// The names of the regions, which are numbered from 0, as their names are.
pub const NAMES: [&str; 4] = ["main", "MPI_Send", "MPI_Recv", "MPI_Iallreduce"];

impl Archive {
    /// Makes one of the events of all ranks, in communicator 0, with ticks of a nanosecond.
    pub fn new(form: Form, events: Vec<Records>) -> Self {
        let ranks = events.len() as u64;
        let mut definitions = vec![form.record(kind::CLOCK, &form.numbers(&[1_000_000_000, 0, 1_000]))];
        for (id, name) in (0..).zip(NAMES) {
            let content = [form.number(id), name.as_bytes().to_vec(), vec![0]].concat();
            definitions.push(form.record(kind::STRING, &content));
            // Without description and lines, of MPI, with the same name.
            let rest = [form.numbers(&[id, id, 0]), vec![0], form.numbers(&[0, 0, 0, id]), vec![0, 4, 0]];
            definitions.push(form.record(kind::REGION, &rest.concat()));
        }
        for (location, events) in (0..).zip(&events) {
            // A thread of a processor, in the group of its number.
            let content = [form.numbers(&[location, 0]), vec![1], form.numbers(&[events.len() as u64, location])];
            definitions.push(form.record(kind::LOCATION, &content.concat()));
        }
        let members = form.numbers(&(0..ranks).collect::<Vec<_>>());
        for (id, is) in [(0, 4), (1, 5)] {
            // Of MPI, without flags. The byte behind the name was the kind before version 1.2.
            let content = [form.numbers(&[id, 0]), vec![0], form.number(ranks), members.clone(), vec![is, 4, 0]];
            definitions.push(form.record(kind::GROUP, &content.concat()));
        }
        definitions.push(form.record(kind::COMMUNICATOR, &form.numbers(&[0, 0, 1, 0, 0])));
        let ranks = events.into_iter().map(|events| (Vec::new(), events)).collect();
        Archive { form, definitions, ranks }
    }

    /// A message of 8 B with tag 7 from rank 0 to rank 1.
    pub fn ping(form: Form) -> Self {
        let message = |peer| form.numbers(&[peer, 0, 7, 8]);
        let event = |ticks, kind, number| form.event(ticks, kind, &form.number(number));
        let sends = vec![
            event(1_000, kind::ENTER, 0),
            event(2_000, kind::ENTER, 1),
            form.event(2_100, kind::SEND, &message(1)),
            event(3_000, kind::LEAVE, 1),
            event(4_000, kind::LEAVE, 0),
        ];
        let receives = vec![
            event(1_000, kind::ENTER, 0),
            event(1_500, kind::ENTER, 2),
            form.event(3_000, kind::RECV, &message(0)),
            event(3_100, kind::LEAVE, 2),
            event(4_000, kind::LEAVE, 0),
        ];
        Archive::new(form, vec![sends, receives])
    }

    /// Returns its files.
    pub fn files(&self) -> Vec<(String, Vec<u8>)> {
        let mut files = vec![("traces.otf2".to_owned(), self.form.anchor())];
        files.push(("traces.def".to_owned(), self.form.file(&self.definitions)));
        for (rank, (definitions, events)) in self.ranks.iter().enumerate() {
            files.push((format!("traces/{rank}.def"), self.form.file(definitions)));
            files.push((format!("traces/{rank}.evt"), self.form.file(events)));
        }
        files
    }

    /// Writes its files into a folder.
    pub fn folder(&self) -> Folder {
        let folder = Folder::new(&[]);
        for (name, bytes) in self.files() {
            folder.write(&name, &bytes);
        }
        folder
    }
}
