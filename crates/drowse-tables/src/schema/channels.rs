//! `channels.csv`: one row a channel.

use super::{Column, Schema, integer, text};

/// What each channel did in the measured time.
pub const CHANNELS: Schema = Schema { file: "channels.csv", columns: COLUMNS };

const COLUMNS: &[Column] = &[
    text("case_id", "the case, as in cases.csv"),
    integer("channel", "", "the channel's number"),
    text("from", "the sending end: `node N`, or `switch S port P` with the port counted within its switch"),
    text("to", "the receiving end, written likewise"),
    text("class", "the link class"),
    integer("on_ps", "ps", "time ready to send"),
    integer("entering_ps", "ps", "time going to sleep"),
    integer("shallow_ps", "ps", "time in shallow sleep"),
    integer("deep_ps", "ps", "time in deep sleep"),
    integer("waking_ps", "ps", "time waking"),
    integer("wakes", "wakes", "how often it was woken"),
    integer("delayed_messages", "messages", "messages whose first packet waited for it to wake"),
    integer("time_lost_ps", "ps", "how long these waited for it to wake, together"),
    integer("packets", "packets", "packets sent, over the whole run"),
    integer("flits", "flits", "flits sent, over the whole run"),
];
