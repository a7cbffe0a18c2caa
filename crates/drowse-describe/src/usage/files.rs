//! The files of `drowse usage`: its row, a row for each channel, the communication matrix, and a picture of that.

use std::io::Write;
use std::path::{Path, PathBuf};

use drowse_core::model::ids::ChannelId;
use drowse_core::topology::Network;
use drowse_core::usage::Matrix;
use drowse_run::ends::{end_name, source};
use drowse_run::files::{self, ExportError};
use drowse_tables::schema::{USAGE, USAGE_CHANNELS, USAGE_MATRIX, usage_channels, usage_matrix};
use drowse_tables::{Row, csv};

use super::count::Usage;
use super::heat_map;

/// What the picture of the matrix shows.
const WHAT: &str = "Messages, those of collectives included";

/// The picture of the matrix.
const HEAT_MAP: &str = "usage_matrix.svg";

/// Writes all files into a folder, and returns their paths.
pub fn write(folder: &Path, network: &Network, usage: &Usage<'_>, row: &Row) -> Result<Vec<PathBuf>, ExportError> {
    files::prepare(folder)?;
    let rows = std::slice::from_ref(row);
    files::write_file(folder, USAGE.file, |file| Ok(csv::write(&USAGE, rows, file)?))?;
    let channels = channel_rows(network, usage);
    files::write_file(folder, USAGE_CHANNELS.file, |file| Ok(csv::write_long(&USAGE_CHANNELS, channels, file)?))?;
    let cells = matrix_rows(&usage.matrix);
    files::write_file(folder, USAGE_MATRIX.file, |file| Ok(csv::write_long(&USAGE_MATRIX, cells, file)?))?;
    files::write_file(folder, HEAT_MAP, |file| {
        let failed = |error| ExportError::Io { path: folder.join(HEAT_MAP).display().to_string(), error };
        file.write_all(heat_map::svg(&usage.matrix, WHAT).as_bytes()).map_err(failed)
    })?;
    Ok([USAGE.file, USAGE_CHANNELS.file, USAGE_MATRIX.file, HEAT_MAP].map(|name| folder.join(name)).to_vec())
}

fn channel_rows(network: &Network, usage: &Usage<'_>) -> impl Iterator<Item = Row> {
    let used = (0..network.channels()).map(|id| (ChannelId(id), usage.account.of(ChannelId(id))));
    used.filter(|(_, traffic)| traffic.packets > 0).map(|(id, traffic)| {
        let mut row = Row::new();
        row.push(usage_channels::CHANNEL, id.0);
        row.push(usage_channels::CLASS, network.classes[usize::from(network.channel_class(id))].as_str());
        row.push(usage_channels::FROM, end_name(network, source(network, id)));
        row.push(usage_channels::TO, end_name(network, network.target(id)));
        row.push(usage_channels::MESSAGES, traffic.messages);
        row.push(usage_channels::PACKETS, traffic.packets);
        row.push(usage_channels::BYTES, traffic.bytes);
        row
    })
}

fn matrix_rows(matrix: &Matrix) -> impl Iterator<Item = Row> {
    let (block, blocks) = (matrix.block(), matrix.blocks());
    let cells = (0..blocks).flat_map(move |from| (0..blocks).map(move |to| (from, to)));
    cells.map(|(from, to)| (from, to, matrix.of(from, to))).filter(|(_, _, cell)| cell.messages > 0).map(
        move |(from, to, cell)| {
            let mut row = Row::new();
            row.push(usage_matrix::FROM, from * block);
            row.push(usage_matrix::TO, to * block);
            row.push(usage_matrix::BLOCK, block);
            row.push(usage_matrix::MESSAGES, cell.messages);
            row.push(usage_matrix::BYTES, cell.bytes);
            row
        },
    )
}
