//! Makes DUMPI files of calls, as libdumpi writes them.

use crate::sample::Folder;

/// Communicators, datatypes and requests that are there from the beginning.
pub const WORLD: u16 = 2;
pub const BYTE: u16 = 5;
pub const INT: u16 = 9;

/// Numbers of functions.
pub mod call {
    pub const SEND: u16 = 0;
    pub const RECV: u16 = 1;
    pub const SSEND: u16 = 4;
    pub const ISEND: u16 = 8;
    pub const IRECV: u16 = 12;
    pub const WAIT: u16 = 13;
    pub const TEST: u16 = 14;
    pub const WAITANY: u16 = 16;
    pub const WAITALL: u16 = 18;
    pub const WAITSOME: u16 = 20;
    pub const TESTSOME: u16 = 21;
    pub const IPROBE: u16 = 22;
    pub const CANCEL: u16 = 24;
    pub const SEND_INIT: u16 = 26;
    pub const RECV_INIT: u16 = 30;
    pub const STARTALL: u16 = 32;
    pub const SENDRECV: u16 = 33;
    pub const TYPE_CONTIGUOUS: u16 = 35;
    pub const TYPE_STRUCT: u16 = 40;
    pub const BARRIER: u16 = 52;
    pub const BCAST: u16 = 53;
    pub const GATHERV: u16 = 55;
    pub const ALLTOALLV: u16 = 61;
    pub const COMM_GROUP: u16 = 72;
    pub const GROUP_INCL: u16 = 76;
    pub const COMM_SIZE: u16 = 81;
    pub const COMM_RANK: u16 = 82;
    pub const COMM_DUP: u16 = 84;
    pub const COMM_CREATE: u16 = 85;
    pub const COMM_SPLIT: u16 = 86;
    pub const COMM_FREE: u16 = 87;
    pub const INTERCOMM_MERGE: u16 = 92;
    pub const CART_CREATE: u16 = 99;
    pub const CART_SUB: u16 = 111;
    pub const PUT: u16 = 143;
}

/// An argument of a call.
#[derive(Clone)]
pub enum Arg {
    I(i32),
    H(u16),
    List(Vec<i32>),
    Types(Vec<u16>),
    /// Statuses, by whether the request was cancelled.
    Statuses(Vec<bool>),
}

/// A file that is being written; each call takes a microsecond, and one lies between two.
pub struct Calls {
    body: Vec<u8>,
    now: u32,
    sizes: Vec<u32>,
}

impl Calls {
    pub fn new() -> Self {
        Calls { body: vec![0; 8], now: 0, sizes: Vec::new() }
    }

    /// Adds a call.
    pub fn add(mut self, function: u16, arguments: &[Arg]) -> Self {
        self.body.extend(function.to_be_bytes());
        let statuses = arguments.iter().any(|argument| matches!(argument, Arg::Statuses(_)));
        self.body.push(0x08 | u8::from(statuses));
        for stamp in [self.now + 1_000, self.now + 2_000] {
            self.body.extend(0_u16.to_be_bytes());
            self.body.extend(stamp.to_be_bytes());
        }
        self.now += 2_000;
        for argument in arguments {
            argument.write(&mut self.body);
        }
        self
    }

    /// Lists the sizes of datatypes at the end of the file.
    pub fn sizes(mut self, sizes: &[u32]) -> Self {
        self.sizes = sizes.to_vec();
        self
    }

    /// Returns the file.
    pub fn file(&self) -> Vec<u8> {
        let mut file = b"\xff\xaa\xddDUMPI".to_vec();
        file.extend(&self.body);
        file.extend(293_u16.to_be_bytes());
        let header = file.len() as u64;
        file.extend([13, 0, 0]);
        let sizes = if self.sizes.is_empty() { 0 } else { file.len() as u64 };
        if sizes > 0 {
            file.extend((self.sizes.len() as u32).to_be_bytes());
            file.extend(self.sizes.iter().flat_map(|size| size.to_be_bytes()));
        }
        file.extend(b"\xff\xaa\xddDUMPI");
        for offset in [sizes, 0, 0, header, 8, 0, 0] {
            file.extend(offset.to_be_bytes());
        }
        file
    }
}

impl Arg {
    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Arg::I(number) => out.extend(number.to_be_bytes()),
            Arg::H(number) => out.extend(number.to_be_bytes()),
            Arg::List(numbers) => {
                out.extend((numbers.len() as u32).to_be_bytes());
                out.extend(numbers.iter().flat_map(|number| number.to_be_bytes()));
            }
            Arg::Types(numbers) => {
                out.extend((numbers.len() as u32).to_be_bytes());
                out.extend(numbers.iter().flat_map(|number| number.to_be_bytes()));
            }
            Arg::Statuses(cancelled) => {
                out.extend((cancelled.len() as u32).to_be_bytes());
                for &cancelled in cancelled {
                    out.extend([0; 8]);
                    out.extend([u8::from(cancelled), 0, 0, 0, 0, 0]);
                }
            }
        }
    }
}

/// Writes the files of all ranks into a folder.
pub fn folder(ranks: &[Calls]) -> Folder {
    let folder = Folder::new(&[]);
    for (rank, calls) in ranks.iter().enumerate() {
        folder.write(&format!("run-{rank:04}.bin"), &calls.file());
    }
    folder
}
