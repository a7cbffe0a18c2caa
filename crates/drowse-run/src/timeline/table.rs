//! Timelines as rows of `spans.csv`.

use drowse_core::model::units::Time;
use drowse_tables::Row;
use drowse_tables::schema::spans;

use super::scene::{Group, Place, Scene, State, Track};

/// Returns the states of all tracks in their order, and behind them the messages.
pub fn rows(scene: &Scene) -> impl Iterator<Item = Row> {
    let tracks = scene.groups.iter().flat_map(|group| group.tracks.iter().map(move |track| (group, track)));
    let of_tracks = tracks.flat_map(|(group, track)| states(scene, group, track).chain(lanes(scene, track)));
    of_tracks.chain(messages(scene))
}

fn row(scene: &Scene, kind: &str, from: Time, to: Time) -> Row {
    let mut row = Row::new();
    row.push(spans::CASE_ID, scene.case.as_str());
    row.push(spans::KIND, kind);
    row.push(spans::FROM_PS, from.0);
    row.push(spans::TO_PS, to.0);
    row
}

fn states<'s>(scene: &'s Scene, group: &'s Group, track: &'s Track) -> impl Iterator<Item = Row> + 's {
    track.spans.iter().map(|span| {
        let mut row = match span.state {
            State::Rank(_) => {
                let mut row = row(scene, "rank", span.from, span.to);
                row.push(spans::JOB, group.name.as_str());
                row.push(spans::RANK, track.number);
                row
            }
            State::Link(_) => {
                let mut row = row(scene, "link", span.from, span.to);
                row.push(spans::CHANNEL, track.number);
                row
            }
        };
        row.push(spans::STATE, span.state.name());
        row
    })
}

/// Returns how many lanes are on, where the track is a link that narrows.
fn lanes<'s>(scene: &'s Scene, track: &'s Track) -> impl Iterator<Item = Row> + 's {
    let ends = track.lanes.iter().skip(1).map(|change| change.time).chain([scene.window.end]);
    track.lanes.iter().zip(ends).map(|(change, to)| {
        let mut row = row(scene, "lanes", change.time, to);
        row.push(spans::CHANNEL, track.number);
        row.push(spans::LANES, change.on);
        row
    })
}

fn messages(scene: &Scene) -> impl Iterator<Item = Row> {
    let end = |(group, track): Place| (scene.groups[group].name.as_str(), scene.groups[group].tracks[track].number);
    scene.arrows.iter().map(move |arrow| {
        let ((job, rank), (to_job, to_rank)) = (end(arrow.from), end(arrow.to));
        let mut row = row(scene, "message", arrow.message.called, arrow.ends());
        row.push(spans::JOB, job);
        row.push(spans::RANK, rank);
        row.push(spans::TO_JOB, to_job);
        row.push(spans::TO_RANK, to_rank);
        row.push(spans::BYTES, arrow.message.bytes);
        row
    })
}
