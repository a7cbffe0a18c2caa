//! Timelines as JSON in the Trace Event Format of Chrome, which Perfetto opens: "Trace Event Format" by Nat Duca and
//! Dan Sinclair, docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU.
//!
//! Processes are jobs and the network, threads are ranks and channels. States begin and end (`B`, `E`), messages are
//! flows from the sender to the receiver (`s`, `f`), lanes are counters (`C`). Times are microseconds with six
//! decimals: picoseconds. Perfetto rounds each to nanoseconds; of complete events (`X`), which have a length, it would
//! drop those whose rounded length overlaps what follows.

use std::io::{self, Write};

use drowse_core::model::units::Time;
use serde_json::{Value, json};

use crate::identity::VERSION;

use super::scene::{Place, Scene, State, Track};

/// Writes the file.
pub fn write(scene: &Scene, to: &mut dyn Write) -> io::Result<()> {
    let about = json!({
        "title": scene.title,
        "case": scene.case,
        "version": VERSION,
        "from_us": us(scene.window.start),
        "to_us": us(scene.window.end),
        "records_left_out": scene.left_out,
        "messages_partly_in_window": scene.crossing,
    });
    writeln!(to, "{{\"displayTimeUnit\":\"ns\",\"otherData\":{about},\"traceEvents\":[")?;
    let mut events = Events { to, first: true };
    for (group, known) in scene.groups.iter().enumerate() {
        let process = group + 1;
        events.name(process, None, "process", &known.name)?;
        for (track, of_track) in known.tracks.iter().enumerate() {
            events.name(process, Some(track + 1), "thread", &of_track.name)?;
            events.track((group, track), of_track)?;
        }
    }
    for (number, arrow) in scene.arrows.iter().enumerate() {
        let message = &arrow.message;
        let kind = if message.in_collective { "message of a collective" } else { "message" };
        let common = format!("\"cat\":\"message\",\"name\":\"{kind}\",\"id\":{}", number + 1);
        let arguments = format!(
            "\"args\":{{\"bytes\":{},\"tag\":{},\"sent_us\":{},\"delivered_us\":{}}}",
            message.bytes,
            message.tag,
            us(message.sent),
            us(message.delivered)
        );
        let (from, until) = (place(arrow.from), place(arrow.to));
        events.write(&format!("\"ph\":\"s\",{from},\"ts\":{},{common},{arguments}", us(message.called)))?;
        events.write(&format!("\"ph\":\"f\",\"bp\":\"e\",{until},\"ts\":{},{common}", us(arrow.ends())))?;
    }
    // Behind the messages: one that is received as a rank ends belongs to its last state.
    for (group, known) in scene.groups.iter().enumerate() {
        for (track, of_track) in known.tracks.iter().enumerate() {
            let last = of_track.spans.last();
            last.map_or(Ok(()), |last| events.end((group, track), last.to))?;
        }
    }
    writeln!(events.to, "\n]}}")
}

/// Writes events with commas between them.
struct Events<'w> {
    to: &'w mut dyn Write,
    first: bool,
}

impl Events<'_> {
    fn write(&mut self, fields: &str) -> io::Result<()> {
        let comma = if std::mem::take(&mut self.first) { "" } else { ",\n" };
        write!(self.to, "{comma}{{{fields}}}")
    }

    /// Names a process or thread, which is shown in the order of its number.
    fn name(&mut self, process: usize, thread: Option<usize>, what: &str, name: &str) -> io::Result<()> {
        let of = thread.map_or(String::new(), |thread| format!(",\"tid\":{thread}"));
        let (name, number) = (Value::from(name), thread.unwrap_or(process));
        let of = format!("\"ph\":\"M\",\"pid\":{process}{of}");
        self.write(&format!("{of},\"name\":\"{what}_name\",\"args\":{{\"name\":{name}}}"))?;
        self.write(&format!("{of},\"name\":\"{what}_sort_index\",\"args\":{{\"sort_index\":{number}}}"))
    }

    /// Writes what a track does, without the end of its last state.
    fn track(&mut self, at: Place, track: &Track) -> io::Result<()> {
        let here = place(at);
        for (index, span) in track.spans.iter().enumerate() {
            if index > 0 {
                self.end(at, span.from)?;
            }
            let kind = if matches!(span.state, State::Rank(_)) { "rank" } else { "link" };
            let (from, name) = (us(span.from), span.state.name());
            self.write(&format!("\"ph\":\"B\",{here},\"ts\":{from},\"cat\":\"{kind}\",\"name\":\"{name}\""))?;
        }
        for change in &track.lanes {
            let (name, from) = (Value::from(format!("lanes of {}", track.name)), us(change.time));
            self.write(&format!(
                "\"ph\":\"C\",{here},\"ts\":{from},\"name\":{name},\"args\":{{\"on\":{}}}",
                change.on
            ))?;
        }
        Ok(())
    }

    /// Ends the state of a track.
    fn end(&mut self, at: Place, time: Time) -> io::Result<()> {
        self.write(&format!("\"ph\":\"E\",{},\"ts\":{}", place(at), us(time)))
    }
}

/// Writes the process and the thread of a track.
fn place((group, track): Place) -> String {
    format!("\"pid\":{},\"tid\":{}", group + 1, track + 1)
}

/// Writes a time in microseconds.
fn us(time: Time) -> String {
    format!("{}.{:06}", time.0 / 1_000_000, time.0 % 1_000_000)
}
