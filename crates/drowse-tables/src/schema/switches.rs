//! `switches.csv`: one row a switch.

use super::columns::table;

table! {
    /// What each switch did in the measured time, and the channels on which it sends.
    pub const SWITCHES = "switches.csv";

    CASE_ID: text("case_id", "the case, as in cases.csv"),
    SWITCH: integer("switch", "", "the switch's number"),
    PORTS: integer("ports", "ports", "its ports that have a link"),
    PACKETS: integer("packets", "packets", "packets that it began to send"),
    BYTES: integer("bytes", "B", "bytes of these packets, whole flits"),
    UTILISATION: float("utilisation", "1", "share of the bandwidth of its outgoing channels that was used"),
    WAKES: integer("wakes", "wakes", "how often its outgoing channels were woken"),
    DELAYED_MESSAGES: integer(
        "delayed_messages",
        "messages",
        "messages whose first packet headed a queue and waited for one of them to wake"
    ),
    ENERGY_J: float("energy_j", "J", "energy of the switch without its links, by power.watts"),
    LINKS_ENERGY_J: float("links_energy_j", "J", "energy of its outgoing channels, by power.watts"),
}
