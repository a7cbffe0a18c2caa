//! `channels.csv`: one row a channel.

use super::columns::table;

table! {
    /// What each channel did in the measured time.
    pub const CHANNELS = "channels.csv";

    CASE_ID: text("case_id", "the case, as in cases.csv"),
    CHANNEL: integer("channel", "", "the channel's number"),
    FROM: text("from", "the sending end: `node N`, or `switch S port P` with the port counted within its switch"),
    TO: text("to", "the receiving end, written likewise"),
    CLASS: text("class", "the link class"),
    ON_PS: integer("on_ps", "ps", "time ready to send"),
    ENTERING_PS: integer("entering_ps", "ps", "time going to sleep"),
    SHALLOW_PS: integer("shallow_ps", "ps", "time in shallow sleep"),
    DEEP_PS: integer("deep_ps", "ps", "time in deep sleep"),
    WAKING_PS: integer("waking_ps", "ps", "time waking"),
    WAKES: integer("wakes", "wakes", "how often it was woken"),
    DELAYED_MESSAGES: integer(
        "delayed_messages",
        "messages",
        "messages whose first packet headed a queue and waited for it to wake"
    ),
    TIME_LOST_PS: integer(
        "time_lost_ps",
        "ps",
        "how long these waited for it to wake, together; messages behind them in a queue are not counted"
    ),
    PACKETS: integer("packets", "packets", "packets that it began to send"),
    FLITS: integer("flits", "flits", "flits of these packets"),
    FROM_KIND: text("from_kind", "what the sending end is: `node` or `switch`"),
    FROM_SWITCH: integer("from_switch", "", "the switch that sends; empty where a node does"),
    FROM_PORT: integer("from_port", "", "the port that sends, counted within its switch"),
    FROM_NODE: integer("from_node", "", "the node that sends; empty where a switch does"),
    TO_KIND: text("to_kind", "what the receiving end is: `node` or `switch`"),
    TO_SWITCH: integer("to_switch", "", "the switch that receives; empty where a node does"),
    TO_PORT: integer("to_port", "", "the port that receives, counted within its switch"),
    TO_NODE: integer("to_node", "", "the node that receives; empty where a switch does"),
    FROM_NAME: text(
        "from_name",
        "what the file of the network calls the sending end: a node, or a switch and its port; absent where it has no names"
    ),
    TO_NAME: text("to_name", "what it calls the receiving end"),
    BYTES: integer("bytes", "B", "bytes of the packets, whole flits"),
    UTILISATION: float("utilisation", "1", "share of the bandwidth that was used"),
    ENERGY_J: float("energy_j", "J", "energy of the channel, by power.watts"),
    THIRD_PS: integer("third_ps", "ps", "time in the third sleep state, where power.states lists so many"),
    FOURTH_PS: integer("fourth_ps", "ps", "time in the fourth sleep state, where there are so many"),
    FIFTH_PS: integer("fifth_ps", "ps", "time in the fifth sleep state, where there are so many"),
    SIXTH_PS: integer("sixth_ps", "ps", "time in the sixth sleep state, where there are so many"),
}
