//! Compares a link power policy of one's own with that of an experiment file: the simulation is generic over the
//! policy.
//!
//! This policy sleeps after twice the mean of a channel's last idle periods, so that busy channels stay on.
//!
//!     cargo run --release -p drowse-run --example own_policy -- examples/racks.toml

use std::error::Error;
use std::path::Path;

use drowse_core::model::ids::ChannelId;
use drowse_core::model::units::Time;
use drowse_core::power::{Idle, SleepPolicy, Timers};
use drowse_experiment::load_case;
use drowse_run::request::RunRequest;

/// Sleeps after twice the mean idle period, but not before this time.
struct TwiceTheMean(Time);

impl SleepPolicy for TwiceTheMean {
    /// The mean so far; each idle period renews an eighth of it.
    type State = Time;

    fn start(&self, _channel: ChannelId, _class: u8) -> Time {
        Time::ZERO
    }

    fn timers(&self, _class: u8, mean: &Time) -> Timers {
        Timers { shallow: Time::NEVER, deep: Time(2 * mean.0).max(self.0) }
    }

    fn idle_ended(&self, _class: u8, mean: &mut Time, idle: Idle) {
        *mean = Time(mean.0 - mean.0 / 8 + idle.length().0 / 8);
    }
}

drowse_core::sleep_only!(TwiceTheMean);

#[expect(clippy::print_stdout, reason = "what an example is for")]
fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args().nth(1).unwrap_or_else(|| "examples/racks.toml".into());
    let case = load_case(Path::new(&file), &[])?;
    let request = RunRequest::new(&case);
    let theirs = request.run()?.case;
    let ours = request.run_under(&TwiceTheMean(Time::from_us(20)))?;
    for (name, outcome) in [("the file's", theirs), ("our own", ours)] {
        let figures = outcome.figures();
        let figure = |name| figures.number(name).unwrap_or(f64::NAN);
        let (time, energy) = (figure("makespan_s") * 1e3, figure("energy.links.all") * 1e3);
        println!("{name:>10} policy: {time:.2} ms, links draw what they would in {energy:.2} ms when always on");
    }
    Ok(())
}
