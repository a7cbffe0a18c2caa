//! Small experiments with open-loop traffic: what the cases of `regressions` differ in.

use drowse_core::limits;
use drowse_core::model::balance::Balance;
use drowse_core::model::config::{
    Arbitration, ClassModel, Config, Escape, FlowControl, Forwarding, NodeModel, PauseLevels, Queues, SleepRules,
    SleepSelection, SwitchModel, TrunkChoice, VirtualChannels,
};
use drowse_core::model::unit::Unit;
use drowse_core::model::units::{BitRate, Bytes, Time};
use drowse_core::power::{
    ByClass, ClassPolicy, Coalescing, CoalescingLimits, Deepen, DynamicFastwake, Learning, SleepState, SleepStates,
    Timers, Trunk, Width,
};
use drowse_core::routing::RoutingKind;
use drowse_core::topology::{Network, TopologySpec};
use drowse_core::workload::traffic::{Count, Lengths, Pattern, Traffic};
use drowse_twin::policy::Policy;

/// An experiment.
#[derive(Clone, Debug)]
pub struct Experiment {
    pub spec: TopologySpec,
    pub routing: RoutingKind,
    pub vcs: VirtualChannels,
    pub speeds: Speeds,
    pub switch: Switch,
    pub sleep: Sleep,
    pub load: Load,
}

/// Clock, wires and bandwidths.
#[derive(Clone, Debug)]
pub struct Speeds {
    pub clock: u64,
    pub flit: u64,
    /// Whether all classes have the first bandwidth, and bandwidths by class; `None` is a flit per cycle.
    pub bandwidths: (bool, Vec<Option<u64>>),
    pub latencies: Vec<u64>,
    pub hops: Vec<u64>,
    pub nic_latency: u64,
}

/// Packets, buffers, arbiters.
#[derive(Clone, Debug)]
pub struct Switch {
    pub packet_flits: u16,
    /// Packets that a virtual channel holds, and additional flits.
    pub buffer: (u16, u16),
    pub input_speedup: u8,
    /// Whether senders pause when they are told to: from how many flits on, and from how many on they go on again, as a
    /// share of those in 16ths.
    pub pause: Option<(u16, u16)>,
    pub arbitration: Arbitration,
    pub request_busy: bool,
    pub packed: bool,
    pub padding: bool,
}

/// What decides on the sleep of the channels of a class.
#[derive(Clone, Debug)]
pub enum Rule {
    /// The class's timers.
    Timers,
    /// Frames, timeout.
    Coalescing(u32, u64),
    DynamicFastwake(Learning),
    Trunk(Trunk),
    Width(Width),
}

/// The sleeping channels and their sleep.
#[derive(Clone, Debug)]
pub struct Sleep {
    /// By class.
    pub rules: Vec<Rule>,
    /// Powers of shallow and deep sleep in per cent, by class.
    pub powers: Vec<[u32; 2]>,
    /// From shallow to deep sleep, by class: how long it takes, and whether it counts as shallow sleep.
    pub deepen: Vec<Option<(u64, bool)>>,
    /// Whether both channels of a link sleep together.
    pub both: bool,
    /// Whether node channels and switch channels sleep.
    pub who: (bool, bool),
    /// By class, times to enter and wake: shallow, deep.
    pub states: Vec<[u64; 4]>,
    pub timers: Vec<(Option<u64>, Option<u64>)>,
    pub selection: SleepSelection,
    pub wake_after: Option<u64>,
}

/// Traffic.
#[derive(Clone, Debug)]
pub struct Load {
    pub pattern: Pattern,
    pub packets: Lengths,
    /// Per cent of the slowest class's bandwidth.
    pub percent: u32,
    pub include_self: bool,
    pub count: Count,
    pub warmup: u64,
    pub measure: u64,
    pub drain: bool,
    pub seed: u64,
}

impl Experiment {
    pub fn network(&self) -> Network {
        self.spec.build().unwrap()
    }

    pub fn config(&self, network: &Network) -> Config {
        let Experiment { speeds, switch, sleep, .. } = self;
        let mut config = Config {
            switch: SwitchModel {
                clock: Time(speeds.clock),
                flit: Bytes(speeds.flit),
                packet_flits: switch.packet_flits,
                vcs: self.vcs,
                buffer_flits: switch.packet_flits * switch.buffer.0 + switch.buffer.1,
                flow_control: FlowControl::Credits,
                input_speedup: switch.input_speedup,
                queues: Queues::Input,
                forwarding: Forwarding::CutThrough,
                escape: Escape::Dateline,
                arbitration: switch.arbitration,
                request_busy: switch.request_busy,
                allocation_gap: Time::ZERO,
                trunks: if switch.packed { TrunkChoice::Packed } else { TrunkChoice::Balanced },
                balance: Balance::Adaptive,
                marking: None,
                padding: switch.padding,
            },
            classes: (0..network.classes.len()).map(|class| self.class(class)).collect(),
            node: NodeModel { nic_latency: Time(speeds.nic_latency), ..NodeModel::default() },
            routing: self.routing,
            sleep: SleepRules { selection: sleep.selection, wake_after: sleep.wake_after.map(Time), both: sleep.both },
            transport: None,
            unit: Unit::Packet,
            seed: self.load.seed,
            audit: false,
        };
        if let Some((xoff_flits, share)) = switch.pause {
            let levels = PauseLevels { xoff_flits, xon_flits: xoff_flits * share / 16 };
            let buffer = limits::pause_headroom(&config) + u64::from(xoff_flits);
            config.switch.buffer_flits = u16::try_from(buffer).unwrap();
            config.switch.flow_control = FlowControl::Pause(levels);
        }
        config
    }

    fn class(&self, class: usize) -> ClassModel {
        let Experiment { speeds, sleep, .. } = self;
        let [shallow_enter, shallow_wake, deep_enter, deep_wake] = sleep.states[class];
        let state = |place: usize, enter, wake| {
            let power = f64::from(sleep.powers[class][place]) / 100.0;
            SleepState { power, enter: Time(enter), wake: Time(wake) }
        };
        let mut states = SleepStates::new(state(0, shallow_enter, shallow_wake), state(1, deep_enter, deep_wake));
        if let Some((takes, as_shallow)) = sleep.deepen[class] {
            states.deepen = Deepen { takes: Time(takes), as_shallow };
        }
        ClassModel {
            bandwidth: self.bandwidth(class),
            lanes: 1,
            latency: Time(speeds.latencies[class]),
            hop: Time(speeds.clock + speeds.hops[class]),
            states: (if class == 0 { sleep.who.0 } else { sleep.who.1 }).then_some(states),
        }
    }

    /// Returns the twin's policy of each class.
    pub fn policies(&self, network: &Network) -> Vec<Policy> {
        let policy = |class: usize| match self.sleep.rules[class] {
            Rule::Timers => Policy::Timers(self.timers(class)),
            Rule::Coalescing(frames, timeout) => {
                Policy::Coalescing(CoalescingLimits { frames, timeout: Time(timeout) })
            }
            Rule::DynamicFastwake(learning) => Policy::DynamicFastwake(learning),
            Rule::Trunk(trunk) => Policy::Trunk(trunk),
            Rule::Width(width) => Policy::Width(width),
        };
        (0..network.classes.len()).map(policy).collect()
    }

    /// Returns the engine's policy. Classes without states do not sleep.
    pub fn policy(&self, network: &Network) -> Option<ByClass> {
        let policy = |class: usize| match (self.class(class).states, &self.sleep.rules[class]) {
            (None, _) => Some(ClassPolicy::StallTimer(Timers::NEVER)),
            (Some(_), Rule::Timers) => Some(ClassPolicy::StallTimer(self.timers(class))),
            (Some(_), &Rule::Coalescing(frames, timeout)) => {
                let limits = CoalescingLimits { frames, timeout: Time(timeout) };
                Some(ClassPolicy::Coalescing(Coalescing { limits }))
            }
            (Some(states), &Rule::DynamicFastwake(learning)) => {
                DynamicFastwake::new(learning, &states).map(ClassPolicy::DynamicFastwake)
            }
            (Some(_), &Rule::Trunk(trunk)) => Some(ClassPolicy::Trunk(trunk)),
            (Some(_), &Rule::Width(width)) => Some(ClassPolicy::Width(width)),
        };
        Some(ByClass::new((0..network.classes.len()).map(policy).collect::<Option<_>>()?))
    }

    fn timers(&self, class: usize) -> Timers {
        let [shallow, deep] = <[Option<u64>; 2]>::from(self.sleep.timers[class]).map(|t| t.map_or(Time::NEVER, Time));
        Timers { shallow, deep }
    }

    pub fn traffic(&self, network: &Network) -> Traffic {
        let Load { pattern, packets, percent, include_self, count, warmup, measure, drain, .. } = self.load.clone();
        let clock = self.speeds.clock;
        let slowest = (0..network.classes.len()).map(|class| self.bandwidth(class).0).min().unwrap();
        let share = slowest as f64 / self.bandwidth(0).0 as f64;
        Traffic {
            pattern,
            packets,
            load: f64::from(percent) / 100.0 * share,
            include_self,
            count,
            warmup: Time(warmup * clock),
            measure: Time(measure * clock),
            drain,
        }
    }

    /// Returns the bandwidth of a class, which is that of the first class if all are equal.
    fn bandwidth(&self, class: usize) -> BitRate {
        let Speeds { clock, flit, bandwidths: (equal, rates), .. } = &self.speeds;
        let a_flit_a_cycle = flit * 1_000_000_000_000 / clock;
        BitRate::from_bytes_per_second(rates[if *equal { 0 } else { class }].unwrap_or(a_flit_a_cycle))
    }
}
