//! `cases.csv`: one row a case, the figures that people compare.

use super::columns::table;

table! {
    /// The summary of a case; everything that the same experiment, seed and version give again, bit by bit.
    pub const CASES = "cases.csv";

    NAME: text("name", "the short name of a case of a sweep: what tells it from the others"),
    SET: text("set.*", "a value that the sweep has set, by the path of its key; none where a baseline does not have the key"),
    BASELINE: truth("baseline", "whether the row is none of the sweep's own points, but what these are compared with"),
    MAKESPAN_S: float("makespan_s", "s", "time until the last rank finished"),
    NETWORK_NODES: integer("network.nodes", "nodes", "compute nodes"),
    NETWORK_SWITCHES: integer("network.switches", "switches", "switches"),
    NETWORK_LINKS: integer("network.links", "links", "links, those of the nodes included"),
    NETWORK_SWITCH_LINKS: integer("network.switch_links", "links", "links between switches"),
    NETWORK_PORTS: integer("network.ports", "ports", "switch ports that have a link, one for each of its lanes"),
    PACKETS_INJECTED: integer("packets.injected", "packets", "packets that the nodes sent"),
    PACKETS_DELIVERED: integer("packets.delivered", "packets", "packets that reached their node whole"),
    PACKETS_HOPS: integer("packets.hops", "hops", "grants of packets by switches"),
    LATENCY_PACKET_MEAN_NS: float(
        "latency.packet.mean_ns",
        "ns",
        "mean time from a message's hand-over to a packet's last bit"
    ),
    LATENCY_PACKET_P50_NS: float("latency.packet.p50_ns", "ns", "median of it, to within 0.8 % from above"),
    LATENCY_PACKET_P99_NS: float("latency.packet.p99_ns", "ns", "99th percentile of it, to within 0.8 % from above"),
    LATENCY_PACKET_MAX_NS: float("latency.packet.max_ns", "ns", "largest packet latency"),
    LATENCY_MESSAGE_MEAN_NS: float("latency.message.mean_ns", "ns", "mean time from a message's hand-over to its end"),
    LATENCY_MESSAGE_P50_NS: float("latency.message.p50_ns", "ns", "median of it, to within 0.8 % from above"),
    LATENCY_MESSAGE_P99_NS: float("latency.message.p99_ns", "ns", "99th percentile of it, to within 0.8 % from above"),
    LATENCY_MESSAGE_MAX_NS: float("latency.message.max_ns", "ns", "largest message latency"),
    REORDERING_PACKETS: integer("reordering.packets", "packets", "packets that came behind later ones of their pair"),
    REORDERING_MOST_PACKETS: integer("reordering.most_packets", "packets", "farthest that one was ahead of a missing one"),
    REORDERING_HELD_PACKETS: integer("reordering.held_packets", "packets", "packets that waited for those before them"),
    REORDERING_HOLD_MEAN_NS: float("reordering.hold_mean_ns", "ns", "mean time for which they waited"),
    TRANSPORT_ACKS: integer("transport.acks", "packets", "acknowledgements sent"),
    TRANSPORT_MARKED_FRACTION: float("transport.marked_fraction", "1", "share of data packets that came marked"),
    TRANSPORT_NOTIFICATIONS: integer("transport.notifications", "packets", "notifications of marked packets sent"),
    TRANSPORT_CREDITS: integer("transport.credits", "packets", "credits and requests for credit sent"),
    TRANSPORT_CUTS: integer("transport.cuts", "1", "how often senders have slowed down"),
    TRANSPORT_DROPPED: integer("transport.dropped", "packets", "packets that switches dropped"),
    TRANSPORT_TRIMMED: integer("transport.trimmed", "packets", "packets whose data switches cut off"),
    TRANSPORT_RESENT: integer("transport.resent", "packets", "packets sent again"),
    TRANSPORT_SUPERFLUOUS: integer("transport.superfluous", "packets", "packets that came and were of no use"),
    TRANSPORT_TIMEOUTS: integer("transport.timeouts", "packets", "packets of which nothing came in time"),
    TRANSPORT_ROUND_TRIP_MEAN_NS: float("transport.round_trip_mean_ns", "ns", "mean time from a packet to its acknowledgement"),
    TRANSPORT_ROUND_TRIP_MAX_NS: float("transport.round_trip_max_ns", "ns", "longest such time"),
    TRANSPORT_WAKING_MEAN_NS: float("transport.waking_mean_ns", "ns", "part of the mean in which links woke"),
    TRANSPORT_LAST_ACK_S: float("transport.last_ack_s", "s", "when the last acknowledgement had come"),
    MESSAGES_BEFORE_FRACTION: float(
        "messages.before_fraction",
        "1",
        "share of the makespan before ranks hand the first message for another node over"
    ),
    MESSAGES_AFTER_FRACTION: float(
        "messages.after_fraction",
        "1",
        "share of the makespan after the last such message has arrived"
    ),
    LOAD_OFFERED: float("load.offered", "1", "offered load: traffic generated, share of the nodes' injection bandwidth"),
    LOAD_ACCEPTED: float("load.accepted", "1", "accepted load: traffic delivered, share of the nodes' injection bandwidth"),
    SATURATED: truth(
        "saturated",
        "whether the network could not take the offered load, beyond what the window's edges and chance explain"
    ),
    WINDOW_TOO_SHORT: truth(
        "window_too_short",
        "whether the window is too short for its messages to tell whether the network is saturated"
    ),
    BACKGROUND_LOAD_OFFERED: float(
        "background.load.offered",
        "1",
        "traffic beside jobs: offered load, share of the injection bandwidth of the nodes that have it"
    ),
    BACKGROUND_LOAD_ACCEPTED: float("background.load.accepted", "1", "traffic beside jobs: accepted load, likewise"),
    BACKGROUND_PACKETS_GENERATED: integer(
        "background.packets.generated",
        "packets",
        "traffic beside jobs: packets that its nodes made"
    ),
    BACKGROUND_PACKETS_DELIVERED: integer(
        "background.packets.delivered",
        "packets",
        "traffic beside jobs: packets that reached their node before the run ended"
    ),
    BACKGROUND_LATENCY_PACKET_MEAN_NS: float(
        "background.latency.packet.mean_ns",
        "ns",
        "traffic beside jobs: mean latency of its packets"
    ),
    BACKGROUND_LATENCY_PACKET_P50_NS: float(
        "background.latency.packet.p50_ns",
        "ns",
        "traffic beside jobs: median of it, to within 0.8 % from above"
    ),
    BACKGROUND_LATENCY_PACKET_P99_NS: float(
        "background.latency.packet.p99_ns",
        "ns",
        "traffic beside jobs: 99th percentile of it, to within 0.8 % from above"
    ),
    BACKGROUND_LATENCY_PACKET_MAX_NS: float(
        "background.latency.packet.max_ns",
        "ns",
        "traffic beside jobs: largest latency of its packets"
    ),
    BACKGROUND_LATENCY_MESSAGE_MEAN_NS: float(
        "background.latency.message.mean_ns",
        "ns",
        "traffic beside jobs: mean latency of its messages"
    ),
    BACKGROUND_LATENCY_MESSAGE_P50_NS: float(
        "background.latency.message.p50_ns",
        "ns",
        "traffic beside jobs: median of it, to within 0.8 % from above"
    ),
    BACKGROUND_LATENCY_MESSAGE_P99_NS: float(
        "background.latency.message.p99_ns",
        "ns",
        "traffic beside jobs: 99th percentile of it, to within 0.8 % from above"
    ),
    BACKGROUND_LATENCY_MESSAGE_MAX_NS: float(
        "background.latency.message.max_ns",
        "ns",
        "traffic beside jobs: largest latency of its messages"
    ),
    RANKS_OPERATIONS: integer(
        "ranks.operations",
        "operations",
        "operations of programs that ranks ran: computations and calls of MPI; `warnings` count those that were left out or changed"
    ),
    RANKS_RUNNING_FRACTION: float(
        "ranks.running_fraction",
        "1",
        "Run_task: mean share of the makespan that a rank does not wait for communication; under a scheduler, here and below, a core: without a rank it does nothing"
    ),
    RANKS_OVERHEAD_FRACTION: float(
        "ranks.overhead_fraction",
        "1",
        "mean share of the makespan that a rank is busy with messages"
    ),
    RANKS_SENDING_FRACTION: float(
        "ranks.sending_fraction",
        "1",
        "mean share of the makespan that a rank waits until sends are complete, collectives apart"
    ),
    RANKS_RECEIVING_FRACTION: float(
        "ranks.receiving_fraction",
        "1",
        "mean share of the makespan that a rank waits for messages, collectives apart"
    ),
    RANKS_COLLECTIVES_FRACTION: float(
        "ranks.collectives_fraction",
        "1",
        "mean share of the makespan that a rank spends in collective operations"
    ),
    RANKS_WAIT_PARTNER_WORKING_FRACTION: float(
        "ranks.wait_partner_working_fraction",
        "1",
        "mean share of the makespan that a rank waits for what has not been sent, and its partner computes or is busy with messages; this and the next four sum to the three above"
    ),
    RANKS_WAIT_PARTNER_WAITING_FRACTION: float(
        "ranks.wait_partner_waiting_fraction",
        "1",
        "mean share of the makespan that a rank waits for what has not been sent, and its partner waits, too"
    ),
    RANKS_WAIT_NETWORK_FRACTION: float(
        "ranks.wait_network_fraction",
        "1",
        "mean share of the makespan that a rank waits for what is in the network, but for waking links"
    ),
    RANKS_WAIT_MEMORY_FRACTION: float(
        "ranks.wait_memory_fraction",
        "1",
        "mean share of the makespan that a rank waits for what goes through the memory of its node"
    ),
    RANKS_WAIT_WAKING_FRACTION: float(
        "ranks.wait_waking_fraction",
        "1",
        "mean share of the makespan that a rank waits longer because links woke"
    ),
    JOBS_RUNNING_FRACTION: float(
        "jobs.running_fraction[*]",
        "1",
        "share of the makespan in which so many jobs ran; where their number changes, without a scheduler"
    ),
    JOBS_UTILISATION: float(
        "jobs.utilisation",
        "1",
        "share of all core time of the makespan that jobs hold; under a scheduler, as the next five"
    ),
    JOBS_WAIT_MEAN_S: float("jobs.wait_mean_s", "s", "mean time that jobs wait from their arrival to their start"),
    JOBS_WAIT_MAX_S: float("jobs.wait_max_s", "s", "longest time that a job waits"),
    JOBS_RUN_MEAN_S: float("jobs.run_mean_s", "s", "mean time from start to end of jobs"),
    JOBS_SLOWDOWN_MEAN: float("jobs.slowdown_mean", "1", "mean slowdown: time from arrival to end, that from start to end = 1"),
    JOBS_SLOWDOWN_MAX: float("jobs.slowdown_max", "1", "largest slowdown"),
    JOBS_NODES_FREE_FRACTION: float(
        "jobs.nodes_free_fraction",
        "1",
        "share of the time of all nodes in which they are on without a job; where they are turned off, as the next two"
    ),
    JOBS_NODES_OFF_FRACTION: float("jobs.nodes_off_fraction", "1", "share of it in which they are off"),
    JOBS_NODES_RESUMES: integer("jobs.nodes_resumes", "nodes", "how often a node is turned on again"),
    EXTRAPOLATION_SIMULATED_S: float(
        "extrapolation.simulated_s",
        "s",
        "run time of all jobs that was simulated; where iterations are extrapolated, as the next four"
    ),
    EXTRAPOLATION_EXTRAPOLATED_S: float(
        "extrapolation.extrapolated_s",
        "s",
        "run time of all jobs that was not simulated, since iterations were like those before"
    ),
    EXTRAPOLATION_INTERVALS: integer(
        "extrapolation.intervals",
        "intervals",
        "how often a group of jobs that share channels was extrapolated"
    ),
    EXTRAPOLATION_JOBS: integer("extrapolation.jobs", "jobs", "jobs of whose run time some was not simulated"),
    EXTRAPOLATION_DIFFERENCE: float(
        "extrapolation.difference",
        "1",
        "by how much iterations differed at most that were taken to be alike: in their time, or in the share of it that channels spend in other states"
    ),
    PATH_COMPUTING_FRACTION: float(
        "path.computing_fraction",
        "1",
        "critical path of the job that ends last: share of the makespan in which ranks computed; the five shares sum to 1"
    ),
    PATH_OVERHEAD_FRACTION: float(
        "path.overhead_fraction",
        "1",
        "critical path of the job that ends last: share in which ranks were busy with messages"
    ),
    PATH_MEMORY_FRACTION: float(
        "path.memory_fraction",
        "1",
        "critical path of the job that ends last: share in which messages went through the memory of a node"
    ),
    PATH_NETWORK_FRACTION: float(
        "path.network_fraction",
        "1",
        "critical path of the job that ends last: share in which messages went through the network or waited in it, but for waking links"
    ),
    PATH_WAKING_FRACTION: float(
        "path.waking_fraction",
        "1",
        "critical path of the job that ends last: share by which messages were late because links woke: their own waits, and those behind packets and credits that were late"
    ),
    LINKS_ON_FRACTION: float("links.on_fraction", "1", "share of channel time ready to send, over power.channels"),
    LINKS_ENTERING_FRACTION: float("links.entering_fraction", "1", "share of channel time going to sleep"),
    LINKS_SHALLOW_FRACTION: float("links.shallow_fraction", "1", "share of channel time in shallow sleep (fast wake)"),
    LINKS_DEEP_FRACTION: float("links.deep_fraction", "1", "share of channel time in deep sleep"),
    LINKS_WAKING_FRACTION: float("links.waking_fraction", "1", "share of channel time waking"),
    LINKS_THIRD_FRACTION: float(
        "links.third_fraction",
        "1",
        "share of channel time in the third sleep state, where power.states lists so many"
    ),
    LINKS_FOURTH_FRACTION: float(
        "links.fourth_fraction",
        "1",
        "share of channel time in the fourth sleep state, where power.states lists so many"
    ),
    LINKS_FIFTH_FRACTION: float(
        "links.fifth_fraction",
        "1",
        "share of channel time in the fifth sleep state, where power.states lists so many"
    ),
    LINKS_SIXTH_FRACTION: float(
        "links.sixth_fraction",
        "1",
        "share of channel time in the sixth sleep state, where power.states lists so many"
    ),
    LINKS_BY_CLASS_ON_FRACTION: float(
        "links.by_class.*.on_fraction",
        "1",
        "share of channel time ready to send, one link class"
    ),
    LINKS_BY_CLASS_ENTERING_FRACTION: float(
        "links.by_class.*.entering_fraction",
        "1",
        "share of channel time going to sleep, one link class"
    ),
    LINKS_BY_CLASS_SHALLOW_FRACTION: float(
        "links.by_class.*.shallow_fraction",
        "1",
        "share of channel time in shallow sleep, one link class"
    ),
    LINKS_BY_CLASS_DEEP_FRACTION: float(
        "links.by_class.*.deep_fraction",
        "1",
        "share of channel time in deep sleep, one link class"
    ),
    LINKS_BY_CLASS_WAKING_FRACTION: float(
        "links.by_class.*.waking_fraction",
        "1",
        "share of channel time waking, one link class"
    ),
    LINKS_BY_CLASS_THIRD_FRACTION: float(
        "links.by_class.*.third_fraction",
        "1",
        "share of channel time in the third sleep state of one link class, where it has so many"
    ),
    LINKS_BY_CLASS_FOURTH_FRACTION: float(
        "links.by_class.*.fourth_fraction",
        "1",
        "share of channel time in the fourth sleep state of one link class, where it has so many"
    ),
    LINKS_BY_CLASS_FIFTH_FRACTION: float(
        "links.by_class.*.fifth_fraction",
        "1",
        "share of channel time in the fifth sleep state of one link class, where it has so many"
    ),
    LINKS_BY_CLASS_SIXTH_FRACTION: float(
        "links.by_class.*.sixth_fraction",
        "1",
        "share of channel time in the sixth sleep state of one link class, where it has so many"
    ),
    LINKS_BY_CLASS_WAKES: integer("links.by_class.*.wakes", "wakes", "how often channels of one link class were woken"),
    LINKS_BY_CLASS_DELAYED_MESSAGES: integer(
        "links.by_class.*.delayed_messages",
        "messages",
        "messages whose first packet headed a queue and waited for a channel of one link class to wake"
    ),
    LINKS_BY_CLASS_TIME_LOST_S: float(
        "links.by_class.*.time_lost_s",
        "s",
        "total time that these waited for it to wake; messages behind them in a queue are not counted"
    ),
    LINKS_BY_CLASS_UTILISATION: float(
        "links.by_class.*.utilisation",
        "1",
        "mean share of the bandwidth of the channels of one link class that was used"
    ),
    LINKS_BY_CLASS_ENERGY_J: float(
        "links.by_class.*.energy_j",
        "J",
        "energy of all links of one class in the measured time, by power.watts"
    ),
    LINKS_BY_CLASS_POWER_W: float("links.by_class.*.power_w", "W", "mean power of all links of one class"),
    LINKS_WAKES: integer("links.wakes", "wakes", "how often channels were woken, over power.channels"),
    LINKS_DELAYED_MESSAGES: integer(
        "links.delayed_messages",
        "messages",
        "messages whose first packet headed a queue and waited for one of these channels to wake"
    ),
    LINKS_TIME_LOST_S: float(
        "links.time_lost_s",
        "s",
        "total time that these waited for channels to wake; messages behind them in a queue are not counted"
    ),
    LINKS_TIME_LOST_PER_MESSAGE_NS: float(
        "links.time_lost_per_message_ns",
        "ns",
        "its mean per message; a message may wait at several channels"
    ),
    LINKS_BOUNDED_BY_ORACLE: truth(
        "links.bounded_by_oracle",
        "no channel holds messages back on purpose: the oracle bounds what its idle periods can save"
    ),
    RUNTIME_ITERATIONS: integer(
        "runtime.iterations",
        "iterations",
        "iterations that programs began under the runtime system, of all jobs"
    ),
    RUNTIME_LEARNED_S: float("runtime.learned_s", "s", "time at which the pattern of the last job was learned"),
    RUNTIME_RELEARNED: integer(
        "runtime.relearned",
        "",
        "how often jobs learned again because their pattern had changed"
    ),
    RUNTIME_NOTIFICATIONS: integer(
        "runtime.notifications",
        "messages",
        "notifications to switches on the way; messages if `notification` gives their length"
    ),
    RUNTIME_DETECTING: integer(
        "runtime.detecting",
        "messages",
        "messages by which nodes learn that all of these have come (`detection = \"tree\"`)"
    ),
    RUNTIME_CHANNELS_COMMANDED: integer(
        "runtime.channels_commanded",
        "channels",
        "channels that the runtime system turns off and on"
    ),
    RUNTIME_CHANNELS_MARKED: integer(
        "runtime.channels_marked",
        "channels",
        "channels of these that it finally knows to be used"
    ),
    RUNTIME_WOKEN: integer("runtime.woken", "wakes", "how often a packet needed one of these while it was off"),
    RUNTIME_ITERATION_LEARNED_S: float(
        "runtime.iteration_learned_s",
        "s",
        "mean time of the iterations of the last learning"
    ),
    RUNTIME_ITERATION_AFTER_S: float(
        "runtime.iteration_after_s",
        "s",
        "mean time of an iteration after commands took effect"
    ),
    RUNTIME_TURNED_DOWN: text(
        "runtime.turned_down",
        "basic or on: the mode to which it fell back because iterations got slower"
    ),
    RUNTIME_TURNED_DOWN_S: float("runtime.turned_down_s", "s", "time of that fallback"),
    GOVERNOR_REPORTS: integer("governor.reports", "reports", "reports of ranks to the governor of `bounded`"),
    GOVERNOR_COMMANDS: integer("governor.commands", "commands", "its commands to all channels"),
    GOVERNOR_TURNED_ON: integer(
        "governor.turned_on",
        "commands",
        "commands of these that turned all channels on, since no more could be lost"
    ),
    GOVERNOR_LATEST_S: float(
        "governor.latest_s",
        "s",
        "by how much a rank that reported was later than it would have been if no link had to wake, at most"
    ),
    CAP_W: float("cap.w", "W", "what switches and links may draw by the policy `cap`"),
    CAP_FLOOR_W: float("cap.floor_w", "W", "what they draw at most with only those links and lanes on that must be"),
    CAP_ALL_W: float("cap.all_w", "W", "what they draw at most with all links on"),
    CAP_MOST_W: float("cap.most_w", "W", "what the governor counted at most, with what waits to sleep and all traffic"),
    CAP_HIGHEST_W: float("cap.highest_w", "W", "highest mean power of switches and links in an over_time.interval_s"),
    CAP_WINDOWS: integer("cap.windows", "windows", "windows in which links that the cap commands sent something"),
    CAP_REFUSED_WINDOWS: integer("cap.refused_windows", "windows", "those of them at whose end it refused a port"),
    CAP_REFUSED_S: float("cap.refused_s", "s", "ports asked for and refused, times a window; a lane is a part of one"),
    CAP_COMMANDS: integer("cap.commands", "commands", "how often it changed the links or lanes of a bundle that are on"),
    ENERGY_W_PORTS: float("energy.w_ports", "1", "W_ports: mean power of a port, share of a port that is on"),
    ENERGY_W_NET: float("energy.w_net", "1", "W_net: power of the network, share of the reference network's"),
    ENERGY_E_NET: float("energy.e_net", "s", "E_net: energy of the network, seconds of the reference network's power"),
    ENERGY_W_NODES: float("energy.w_nodes[*]", "1", "W_nodes: power of the nodes, by omega_Snodes"),
    ENERGY_W_CLUSTER: float("energy.w_cluster[*]", "1", "W_cluster: power of network and nodes, by omega_Snodes"),
    ENERGY_E_CLUSTER: float("energy.e_cluster[*]", "s", "E_cluster: energy of network and nodes, by omega_Snodes"),
    ENERGY_LINKS_NODE: float("energy.links.node", "s", "mean power of a node link's channel times the makespan"),
    ENERGY_LINKS_SWITCH: float("energy.links.switch", "s", "mean power of a channel between switches times makespan"),
    ENERGY_LINKS_ALL: float("energy.links.all", "s", "mean power of a channel times the makespan"),
    ENERGY_LINKS_NODE_J: float(
        "energy.links.node_j",
        "J",
        "energy of all node links in the measured time, by power.watts"
    ),
    ENERGY_LINKS_SWITCH_J: float(
        "energy.links.switch_j",
        "J",
        "energy of all links between switches in the measured time, by power.watts"
    ),
    ENERGY_LINKS_ALL_J: float("energy.links.all_j", "J", "energy of all links in the measured time, by power.watts"),
    ENERGY_SWITCHES_J: float("energy.switches_j", "J", "energy of all switches without their links, by power.watts"),
    ENERGY_NICS_J: float("energy.nics_j", "J", "energy of all NICs, by power.watts"),
    ENERGY_NETWORK_J: float("energy.network_j", "J", "energy of the network: of all links, switches and NICs"),
    ENERGY_NODES_J: float(
        "energy.nodes_j",
        "J",
        "energy of the nodes without NICs, by power.watts: under a scheduler of all nodes, idle ones included; otherwise of those on which ranks run"
    ),
    ENERGY_TOTAL_J: float("energy.total_j", "J", "energy of the network and of the nodes of energy.nodes_j"),
    ENERGY_NODES_COUNTED: integer("energy.nodes_counted", "nodes", "nodes whose energy energy.nodes_j is"),
    ENERGY_WATTS: text("energy.watts", "the watts: the published device of power.watts, NIC and node, and each value that was set instead"),
    POWER_LINKS_NODE_W: float("power.links.node_w", "W", "mean power of all node links in the measured time"),
    POWER_LINKS_SWITCH_W: float("power.links.switch_w", "W", "mean power of all links between switches"),
    POWER_LINKS_ALL_W: float("power.links.all_w", "W", "mean power of all links"),
    POWER_SWITCHES_W: float("power.switches_w", "W", "power of all switches without their links"),
    POWER_NICS_W: float("power.nics_w", "W", "power of all NICs"),
    POWER_NETWORK_W: float("power.network_w", "W", "mean power of the network: of all links, switches and NICs"),
    POWER_NODES_W: float("power.nodes_w", "W", "mean power of the nodes of energy.nodes_j, without NICs"),
    POWER_TOTAL_W: float("power.total_w", "W", "mean power of the network and of the nodes of energy.nodes_j"),
    ENERGY_NETWORK_LOW_J: float("energy.network_low_j", "J", "energy.network_j at the lower limits of NICs and nodes, where these are bands"),
    ENERGY_NODES_LOW_J: float("energy.nodes_low_j", "J", "energy.nodes_j at the lower limits of NICs and nodes, where these are bands"),
    ENERGY_TOTAL_LOW_J: float("energy.total_low_j", "J", "energy.total_j at the lower limits of NICs and nodes, where these are bands"),
    POWER_NETWORK_LOW_W: float("power.network_low_w", "W", "power.network_w at the lower limits of NICs and nodes"),
    POWER_NODES_LOW_W: float("power.nodes_low_w", "W", "power.nodes_w at the lower limits of NICs and nodes"),
    POWER_TOTAL_LOW_W: float("power.total_low_w", "W", "power.total_w at the lower limits of NICs and nodes"),
    ENERGY_NETWORK_HIGH_J: float("energy.network_high_j", "J", "energy.network_j at their higher limits, where these are bands"),
    ENERGY_NODES_HIGH_J: float("energy.nodes_high_j", "J", "energy.nodes_j at their higher limits, where these are bands"),
    ENERGY_TOTAL_HIGH_J: float("energy.total_high_j", "J", "energy.total_j at their higher limits, where these are bands"),
    POWER_NETWORK_HIGH_W: float("power.network_high_w", "W", "power.network_w at their higher limits"),
    POWER_NODES_HIGH_W: float("power.nodes_high_w", "W", "power.nodes_w at their higher limits"),
    POWER_TOTAL_HIGH_W: float("power.total_high_w", "W", "power.total_w at their higher limits"),
    OVER_TIME_INTERVAL_S: float(
        "over_time.interval_s",
        "s",
        "length of the intervals of power.csv; this and the next ones only where that table is wanted, and under a cap"
    ),
    OVER_TIME_NETWORK_PEAK_W: float("over_time.network_peak_w", "W", "largest mean power of the network in an interval"),
    OVER_TIME_NETWORK_P95_W: float("over_time.network_p95_w", "W", "its power that is not exceeded in 95 % of the time"),
    OVER_TIME_NETWORK_RAMP_W: float(
        "over_time.network_ramp_w",
        "W",
        "largest change of the power of the network from one interval to the next"
    ),
    OVER_TIME_NETWORK_RAMP_W_PER_S: float(
        "over_time.network_ramp_w_per_s",
        "W/s",
        "largest ramp of it: the change over the time from the middle of an interval to that of the next"
    ),
    OVER_TIME_TOTAL_PEAK_W: float("over_time.total_peak_w", "W", "largest mean power of network and nodes in an interval"),
    OVER_TIME_TOTAL_P95_W: float("over_time.total_p95_w", "W", "their power that is not exceeded in 95 % of the time"),
    OVER_TIME_TOTAL_RAMP_W: float(
        "over_time.total_ramp_w",
        "W",
        "largest change of the power of network and nodes from one interval to the next"
    ),
    OVER_TIME_TOTAL_RAMP_W_PER_S: float(
        "over_time.total_ramp_w_per_s",
        "W/s",
        "largest ramp of it: the change over the time from the middle of an interval to that of the next"
    ),
    ENERGY_EDP: float("energy.edp", "s2", "energy.links.all times the makespan"),
    ENERGY_EDP_CLUSTER: float("energy.edp_cluster[*]", "s2", "E_cluster times the makespan, by omega_Snodes"),
    COST_PUE: float("cost.pue", "1", "energy of the building for that of the machine in it, as `[cost]` says; else 1"),
    COST_RUN_KWH: float("cost.run_kwh", "kWh", "energy.total_j in kWh, that of the building included (cost.pue)"),
    COST_RUN: float("cost.run", "money", "price of cost.run_kwh"),
    COST_RUN_CARBON_G: float("cost.run_carbon_g", "g", "CO2 that is emitted for cost.run_kwh"),
    COST_RUN_LOW: float("cost.run_low", "money", "cost.run at one limit of powers that are bands: the lower price"),
    COST_RUN_HIGH: float("cost.run_high", "money", "cost.run at the other limit"),
    COST_RUN_NETWORK_KWH: float("cost.run_network_kwh", "kWh", "energy.network_j in kWh, that of the building included (cost.pue)"),
    COST_RUN_NETWORK: float("cost.run_network", "money", "price of cost.run_network_kwh"),
    COST_RUN_NETWORK_CARBON_G: float("cost.run_network_carbon_g", "g", "CO2 that is emitted for cost.run_network_kwh"),
    COST_YEAR_KWH: float("cost.year_kwh", "kWh", "a year of 8,760 hours at power.total_w, that of the building included (cost.pue)"),
    COST_YEAR: float("cost.year", "money", "price of cost.year_kwh"),
    COST_YEAR_CARBON_KG: float("cost.year_carbon_kg", "kg", "CO2 that is emitted for cost.year_kwh"),
    COST_YEAR_LOW: float("cost.year_low", "money", "cost.year at one limit of powers that are bands: the lower price"),
    COST_YEAR_HIGH: float("cost.year_high", "money", "cost.year at the other limit"),
    COST_YEAR_NETWORK_KWH: float("cost.year_network_kwh", "kWh", "a year of 8,760 hours at power.network_w, that of the building included (cost.pue)"),
    COST_YEAR_NETWORK: float("cost.year_network", "money", "price of cost.year_network_kwh"),
    COST_YEAR_NETWORK_CARBON_KG: float("cost.year_network_carbon_kg", "kg", "CO2 that is emitted for cost.year_network_kwh"),
    COST_INVESTMENT: float("cost.investment", "money", "price of all parts of `[[cost.part]]`"),
    COST_INVESTMENT_YEAR: float("cost.investment_year", "money", "a year's share of it"),
    COST_INVESTMENT_CARBON_KG: float("cost.investment_carbon_kg", "kg", "CO2 that making these parts has emitted"),
    COST_OWNED_YEAR: float(
        "cost.owned_year",
        "money",
        "total cost of ownership: a year's share of the investment, and cost.year; without nodes, cost.year_network"
    ),
    COST_OWNED_YEAR_CARBON_KG: float("cost.owned_year_carbon_kg", "kg", "CO2 of a year, that of making included"),
    COST_WHOLE: float(
        "cost.whole",
        "money",
        "what a run costs: cost.run, and its share of the investment by its time; with open-loop traffic, a year"
    ),
    COST_LINKS_FRACTION: float("cost.links_fraction", "1", "the links' share of the energy of the system of `[cost]`"),
    COST_LIFETIME: float(
        "cost.lifetime",
        "money",
        "what the energy of that system costs over its life, with links as in the baseline"
    ),
    COST_SAVED_FRACTION: float(
        "cost.saved_fraction",
        "1",
        "share of it that these links save, slowdown of all else included; below 0 for a loss"
    ),
    COST_SAVED: float("cost.saved", "money", "what they save over its life"),
    COST_TOTAL: float("cost.total", "money", "what its energy costs over its life with these links"),
    RELATIVE_BEFORE_W: float(
        "relative.before_w",
        "W",
        "mean power of the baseline: of network and nodes; with open-loop traffic, of the network"
    ),
    RELATIVE_SAVED_W: float(
        "relative.saved_w",
        "W",
        "what of it would be saved for the same work: the energy that is saved over the baseline's run time"
    ),
    RELATIVE_SAVED_YEAR_KWH: float("relative.saved_year_kwh", "kWh", "that over a year (with cost.pue)"),
    RELATIVE_SAVED_YEAR: float("relative.saved_year", "money", "price of relative.saved_year_kwh"),
    RELATIVE_SAVED_YEAR_CARBON_KG: float("relative.saved_year_carbon_kg", "kg", "CO2 of relative.saved_year_kwh"),
    RELATIVE_CASE_ID: text("relative.case_id", "the `case_id` of the baseline; that of the row itself for a baseline"),
    RELATIVE_MAKESPAN: float("relative.makespan", "1", "makespan, baseline = 1"),
    RELATIVE_E_NET: float("relative.e_net", "1", "E_net, baseline = 1"),
    RELATIVE_LINKS: float("relative.links", "1", "energy.links.all, baseline = 1"),
    RELATIVE_EDP: float("relative.edp", "1", "energy.edp, baseline = 1"),
    RELATIVE_LINKS_SWITCH_J: float("relative.links_switch_j", "1", "energy.links.switch_j, baseline = 1"),
    RELATIVE_LINKS_J: float("relative.links_j", "1", "energy.links.all_j, baseline = 1"),
    RELATIVE_NETWORK_J: float("relative.network_j", "1", "energy.network_j, baseline = 1"),
    RELATIVE_NODES_J: float("relative.nodes_j", "1", "energy.nodes_j, baseline = 1"),
    RELATIVE_TOTAL_J: float("relative.total_j", "1", "energy.total_j, baseline = 1"),
    RELATIVE_NETWORK_W: float("relative.network_w", "1", "power.network_w where there is no makespan, baseline = 1"),
    RELATIVE_LATENCY: float("relative.latency", "1", "latency.message.mean_ns without a makespan, baseline = 1"),
    RELATIVE_BOUND: float(
        "relative.bound",
        "1",
        "bound of the policy on the time lost to waking, share of the run time; where the baseline is always on"
    ),
    RELATIVE_BOUND_EXCEEDED: truth(
        "relative.bound_exceeded",
        "whether the makespan is longer than the baseline's by more than that bound"
    ),
    RELATIVE_JOBS_MAKESPAN_MAX: float(
        "relative.jobs_makespan_max",
        "1",
        "the largest ratio of a job's makespan to that of the baseline's job of the same name"
    ),
    WARNINGS: text("warnings[*]", "a warning: what to know before using the figures"),
    VERSION: text("version", "the version of Drowse"),
    SEED: integer("seed", "", "the seed of all random draws"),
    CASE_ID: text("case_id", "a hash of the resolved experiment, its seed and the version"),
}
