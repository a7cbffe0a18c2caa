//! `job.format = "message-list"`: a text that begins with `messages RANKS`. Each line after that has the sending rank, the
//! receiving one and the bytes of a message. A rank sends and receives its messages in their order.

use std::fs;
use std::io;
use std::path::Path;

use drowse_core::workload::listed::Listed;
use drowse_core::workload::operation::Operation;
use drowse_traces::{OtherFormat, Place, Trace, TraceError};

/// The format.
pub const FORMAT: OtherFormat =
    OtherFormat { name: "message-list", recognises: |head| head.starts_with(b"messages "), open };

fn open(path: &Path) -> Result<Trace, TraceError> {
    let file = path.display().to_string();
    let text =
        fs::read_to_string(path).map_err(|source: io::Error| TraceError::Unreadable { file: file.clone(), source })?;
    let mut lines = (1..).zip(text.lines());
    let wrong =
        |line, what: &str| TraceError::Other { place: Place { file: file.clone(), line }, what: what.to_owned() };
    let ranks = lines.next().and_then(|(_, head)| head.strip_prefix("messages ")?.trim().parse::<u16>().ok());
    let Some(ranks) = ranks else {
        return Err(wrong(1, "this is no `messages RANKS`; write how many ranks there are"));
    };
    let mut program = vec![Vec::new(); ranks.into()];
    for (line, text) in lines {
        let numbers: Vec<u32> = text.split_whitespace().map_while(|word| word.parse().ok()).collect();
        let [from, to, bytes] = numbers[..] else {
            return Err(wrong(line, "this is no message; write sender, receiver and bytes, as in `0 3 4096`"));
        };
        if from.max(to) >= ranks.into() || from == to {
            return Err(wrong(
                line,
                &format!("rank {from} cannot send to {to}: ranks are 0 to {}, and differ", ranks - 1),
            ));
        }
        program[from as usize].push(Operation::send(to, 0, bytes.into()));
        program[to as usize].push(Operation::recv(from, 0));
    }
    Ok(Trace::of_program(move || Box::new(Listed::new(program.clone()))))
}
