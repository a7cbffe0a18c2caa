//! Checks parameters against each other and the network, and creates the idle machine.

use crate::limits;
use crate::model::config::{
    ClassModel, Config, Escape, FlowControl, OutputQueues, PauseLevels, SleepSelection, SwitchModel, VirtualChannels,
};
use crate::model::ids::{ChannelId, PortId};
use crate::model::units::Time;
use crate::power::runtime::Rules as RuntimeRules;
use crate::power::{GovernorRules, Policy, SleepStates};
use crate::routing::{self, RoutingKind, low_diameter};
use crate::topology::grid::Grid;
use crate::topology::{Geometry, Network};
use crate::workload::scheduler::{Request, Scheduler};
use crate::workload::traffic::BackgroundNodes;
use crate::workload::{Job, Traffic, Workload};

use super::balance_setup;
use super::cap_setup;
use super::control::trunks::Trunks;
use super::event::Events;
use super::event::clock::Clock;
use super::event::queue::EventQueue;
use super::extrapolation_setup;
use super::flow_setup;
use super::link::channel::{Channel, IdleChannel};
use super::link::class::Class;
use super::link::crossbar_paths::CrossbarPaths;
use super::link::links::Links;
use super::link::masks::WideMasks;
use super::partition::Partition;
use super::setup_error::SetupError;
use super::switch::at_once::AtOnce;
use super::switch::availability::Availability;
use super::switch::balance::Balancer;
use super::switch::buffers::Buffers;
use super::switch::dropper::Dropper;
use super::switch::header::Headers;
use super::switch::layout::Layout;
use super::switch::marker::Marker;
use super::switch::origin::Origins;
use super::switch::outgoing::Outgoing;
use super::switch::rules::{LinkFeatures, Rules};
use super::switch::served::Served;
use super::switch::switches::Switches;
use super::switch::waiters::AllWaiters;
use super::switch::wake_delay::WakeDelays;
use super::switch::work::WorkList;
use super::transport_setup;

fn refuse<T>(key: &'static str, reason: impl Into<String>) -> Result<T, SetupError> {
    Err(SetupError { key, reason: reason.into() })
}

/// Checks the parameters and the workload, but for what the sources of open-loop traffic ask; prepares the classes of
/// channels.
pub fn check<P: Policy>(
    network: &Network,
    config: &Config,
    policy: &P,
    workload: &Workload,
) -> Result<Vec<Class>, SetupError> {
    let classes = classes(network, config)?;
    check_governed(config, policy, &classes)?;
    check_standby(network, config, policy)?;
    balance_setup::check(network, config)?;
    transport_setup::check(network, config)?;
    cap_setup::check(network, config, policy)?;
    flow_setup::check(network, config, policy, &classes)?;
    match workload {
        Workload::Jobs(jobs) | Workload::Beside(jobs, None, _) => check_jobs(network, jobs)?,
        Workload::Scheduled(jobs, scheduler) => check_scheduled(config, policy, jobs, scheduler)?,
        Workload::OpenLoop(traffic) => check_window(traffic)?,
        Workload::Beside(jobs, Some(scheduler), background) => {
            check_scheduled(config, policy, jobs, scheduler)?;
            if background.nodes == BackgroundNodes::Free {
                return refuse("traffic.nodes", "under a scheduler, which nodes are free changes: write \"all\"");
            }
        }
    }
    extrapolation_setup::check(network, config, policy, workload)?;
    check_runtime(config, policy, matches!(workload, Workload::OpenLoop(_)))?;
    check_governor(config, policy, matches!(workload, Workload::OpenLoop(_)))?;
    Ok(classes)
}

/// Checks the parameters and prepares the classes of channels for the hot path.
pub fn classes(network: &Network, config: &Config) -> Result<Vec<Class>, SetupError> {
    check_switch(config)?;
    check_vcs(network, config)?;
    if config.classes.len() != network.classes.len() {
        return refuse(
            "link",
            format!("{} classes for a network with {}", config.classes.len(), network.classes.len()),
        );
    }
    // Input queues are numbered in 32 bits.
    let stages = 1 + u64::from(config.switch.output_queues().is_some());
    let places = u64::from(network.ports()) * stages * config.switch.queues_of_port(network.radix());
    if places > 1 << 32 {
        return refuse("switch.vcs", format!("{places} input queues in the network; the most is 2^32"));
    }
    // The round-robin pointers number outputs and virtual channels in 16 bits.
    if network.radix() > 4096 {
        return refuse("network", format!("a switch with {} ports; the most is 4096", network.radix()));
    }
    let queues = config.switch.queues_of_switch(network.radix());
    if queues > SwitchModel::MOST_QUEUES {
        return refuse("switch.queues", format!("{queues} input queues in a switch; the most is 65536"));
    }
    let mut classes = Vec::new();
    for model in &config.classes {
        if model.bandwidth.0 == 0 {
            return refuse("link.bandwidth", "must be above 0");
        }
        if model.hop < config.switch.clock {
            return refuse("switch.pipeline", "a hop must take at least one clock cycle");
        }
        match Class::new(model, config.switch.flit.0, config.sleep.wake_after, config.switch.clock) {
            Some(class) => classes.push(class),
            None => return refuse("link.bandwidth", "too odd a number to tell a flit's time exactly; round it"),
        }
    }
    check_crossbars(&classes, config)?;
    Ok(classes)
}

/// Checks that a flit takes time to cross to output queues, and that crossbar paths can be numbered beside the links.
fn check_crossbars(classes: &[Class], config: &Config) -> Result<(), SetupError> {
    /// Classes are numbered in 8 bits, those of crossbars, too.
    const MOST: usize = 128;
    if config.switch.output_queues().is_none() {
        return Ok(());
    }
    if crossbars(classes, config).len() < classes.len() {
        return refuse("switch.speedup", "a flit takes less than a picosecond at this speedup; make it less");
    }
    if classes.len() > MOST {
        return refuse(
            "switch.queues",
            format!("{} classes of links; the most with output queues is {MOST}", classes.len()),
        );
    }
    Ok(())
}

/// Returns the crossbar paths to links of all classes, where there are output queues.
fn crossbars(classes: &[Class], config: &Config) -> Vec<Class> {
    let speedups = config.switch.output_queues().map(|queues| queues.speedup);
    let paths = |speedup| {
        let path = move |class: &Class| class.crossbar(speedup, OutputQueues::CROSSING, config.switch.clock.0);
        classes.iter().filter_map(path)
    };
    speedups.into_iter().flat_map(paths).collect()
}

/// Checks that packets avoid sleeping ports where trunks are governed, and that times of packets on narrow links are
/// exact.
fn check_governed<P: Policy>(config: &Config, policy: &P, classes: &[Class]) -> Result<(), SetupError> {
    let governed = |(class, model): (u8, &ClassModel)| {
        model.states.is_some() && policy.trunk_window(class).is_some() && policy.lanes(class) <= 1
    };
    if config.sleep.selection == SleepSelection::Blind && (0..).zip(&config.classes).any(governed) {
        return refuse(
            "power.selection",
            "`selection = \"blind\"` may choose ports that a trunk has shed: write \"awake\", or leave it out",
        );
    }
    check_agreement(config, policy)?;
    let narrows = |class: usize| config.classes[class].states.is_some() && policy.lanes(class as u8) > 1;
    if (0..classes.len()).any(|class| narrows(class) && !classes[class].may_narrow()) {
        return refuse("link.bandwidth", "too odd a number to tell a flit's time on a narrow link exactly; round it");
    }
    Ok(())
}

/// Checks that routing offers all parallel links of a trunk that may stand by. Else a packet could ask for one that is
/// down.
fn check_standby<P: Policy>(network: &Network, config: &Config, policy: &P) -> Result<(), SetupError> {
    let stands_by = |(class, model): (u8, &ClassModel)| model.states.is_some() && policy.stands_by(class);
    if matches!(network.geometry, Geometry::Graph(_)) && (0..).zip(&config.classes).any(stands_by) {
        let routing = config.routing.name();
        let reason = format!(
            "routing \"{routing}\" of a graph may name a single one of parallel links, and one that stands by is down: \
             write kind = \"trunk\", whose ports a packet turns on, or use another network"
        );
        return refuse("power.policy", reason);
    }
    Ok(())
}

/// Checks that the two ends of a trunk hear of each other within a window. If not, each may ask whenever it hears that the
/// other has asked before, without end.
fn check_agreement<P: Policy>(config: &Config, policy: &P) -> Result<(), SetupError> {
    let clock = config.switch.clock.0;
    for (class, model) in (0..).zip(&config.classes).filter(|(_, model)| config.sleep.both && model.states.is_some()) {
        // A message takes the wire's time to an edge, and is acted on at the next.
        let least = Time(model.latency.0.saturating_add(clock.saturating_mul(3)));
        if policy.trunk_window(class).is_some_and(|window| window < least) {
            let reason = format!("where both directions of links go on and off, a window is at least {least}");
            return refuse("power.policy", reason);
        }
    }
    Ok(())
}

/// Creates the idle switches and channels of a partition, and its governed trunks.
pub fn switches<'a, P: Policy>(
    network: &'a Network,
    partition: Partition,
    config: &Config,
    policy: &'a P,
    classes: &[Class],
) -> (Switches<'a, P>, Trunks) {
    let layout = Layout::new(network, config);
    let mut links = links(network, &partition, config, policy, classes);
    links.wide_masks = WideMasks::new(layout.words, partition.ports() as usize);
    let mut trunks = Trunks::new(network, &partition, config, policy, &mut links.hot);
    let features = LinkFeatures {
        may_sleep: !links.accounts.is_empty(),
        narrow: trunks.narrow(),
        tied: links.paired || links.coalesces(),
        governed: !trunks.is_empty(),
        probed: P::PROBES,
    };
    let rules = Rules::new(network, config, &partition, &layout, features);
    let ignores_sleep = features.may_sleep && config.sleep.selection == SleepSelection::Blind;
    let balancer = Balancer::new(network, config, &partition, &layout, &rules);
    let served = Served::new(network, &config.switch, &partition, &layout);
    links.hot.iter_mut().for_each(|channel| channel.arbiter = served.first_count());
    let mut switches = Switches {
        network,
        served,
        origins: Origins::new(config.counts_packets()),
        headers: Headers::new(config.transport.is_some()),
        marking: Marker::new(config, &partition),
        dropper: Dropper::new(config, &partition, &layout),
        balancer: balancer.map(Box::new),
        wake_delays: WakeDelays::default(),
        events: Events::new(EventQueue::new(queue_span(config, classes)), Clock::new(config.switch.clock.0)),
        buffers: Buffers::new(&partition, &layout, features.may_sleep, ignores_sleep),
        work: WorkList::new(partition.all_switches(), &layout, &rules),
        waiters: AllWaiters::new(&partition, &layout, policy.counts_waiting()),
        availability: Availability::new(&rules, network, &partition, &layout),
        at_once: AtOnce::default(),
        outgoing: Outgoing::new(links.classes[0].hop_edges),
        partition,
        links,
        layout,
        rules,
        hops: 0,
    };
    trunks.watch_all(&mut switches);
    (switches, trunks)
}

/// Creates the idle channels of a partition.
fn links<'a, P: Policy>(
    network: &Network,
    partition: &Partition,
    config: &Config,
    policy: &'a P,
    classes: &[Class],
) -> Links<'a, P> {
    let may_sleep = |(class, model): (u8, &ClassModel)| model.states.is_some() && policy.may_sleep(class);
    let sleeps: Vec<bool> = (0..).zip(&config.classes).map(may_sleep).collect();
    let channel = |channel| {
        let (id, peer) = (partition.channel_id(network, channel), partition.leads_to(channel));
        let (class, mut flags, mut credits) = idle_channel(network, config, &sleeps, id);
        if let Some(queues) = config.switch.output_queues().filter(|_| partition.crosses(channel as usize)) {
            credits.iter_mut().filter(|room| **room > 0).for_each(|room| *room = queues.room_flits);
            return IdleChannel { id, class, crosses: true, flags: 0, credits, peer };
        }
        if P::PROBES {
            flags |= Channel::SLEEPS;
        }
        let port = (channel < partition.ports()).then(|| PortId(partition.link_id(channel).0));
        let dateline = port.map_or(0, |port| routing::crossing(network, port));
        IdleChannel { id, class, crosses: false, flags: flags | Channel::crossing(dateline), credits, peer }
    };
    let channels = (0..partition.channels()).map(channel);
    let crossbars = crossbars(classes, config);
    let mut links = Links::new(policy, classes, &crossbars, config.sleep.both, config.switch.packet_flits, channels);
    if let Some(queues) = config.switch.output_queues() {
        links.crossbar_paths = CrossbarPaths::new(partition.outputs as usize, queues.paths);
    }
    // Within a switch, and of the room in a node, there is nothing to tell.
    let pauses = |channel, hot: &Channel| !partition.crosses(channel) && !hot.has(Channel::EJECTS);
    if let Some(levels) = config.switch.pause_levels() {
        links.let_pause(levels, pauses);
    }
    links
}

/// Checks that the measured window of open-loop traffic ends before simulated time does.
fn check_window(traffic: &Traffic) -> Result<(), SetupError> {
    let end = traffic.warmup.saturating_add(traffic.measure);
    if end > Time::END {
        let longest = Time::END;
        return refuse(
            "traffic.measure",
            format!("the measured window ends at {end}; simulated time ends at {longest}"),
        );
    }
    Ok(())
}

/// Checks that every job's ranks are on nodes that exist, and that one of them ends.
fn check_jobs(network: &Network, jobs: &[Job]) -> Result<(), SetupError> {
    if !jobs.is_empty() && jobs.iter().all(|job| job.source.repetitions().is_none()) {
        return refuse("job.repeat", "every job starts again until all others have ended: one must end by itself");
    }
    for job in jobs {
        let (ranks, placed) = (job.source.ranks() as usize, job.placement.len());
        if ranks != placed {
            return refuse("job.placement", format!("job {}: {placed} places for {ranks} ranks", job.name));
        }
        if let Some(node) = job.placement.iter().find(|node| node.0 >= network.nodes) {
            return refuse("job.placement", format!("job {}: node {} of {}", job.name, node.0, network.nodes));
        }
    }
    Ok(())
}

/// Checks that a scheduler knows the jobs that it starts, and is not quicker than the clock.
fn check_scheduled<P: Policy>(
    config: &Config,
    policy: &P,
    jobs: &[Job],
    scheduler: &Scheduler,
) -> Result<(), SetupError> {
    let requests = scheduler.requests();
    let asked = |(job, request): (&Job, &Request)| job.source.ranks() == request.ranks && job.start == request.arrival;
    if jobs.len() != requests.len() || !jobs.iter().zip(requests).all(asked) {
        return refuse("scheduler", "the scheduler was asked for other jobs than these");
    }
    if jobs.iter().any(|job| job.source.repetitions().is_none()) {
        return refuse(
            "job.repeat",
            "a scheduler waits for the ends of jobs: none may start again until others have ended",
        );
    }
    let clock = config.switch.clock;
    if scheduler.rules().delay < clock {
        return refuse("scheduler.delay", format!("must be at least one clock cycle of {clock}"));
    }
    let mut states = (0..).zip(&config.classes).filter(|(_, class)| class.states.is_some());
    if states.any(|(class, _)| policy.runtime_rules(class).is_some()) {
        return refuse("power.policy", "a runtime system must know the nodes of jobs before: remove [scheduler]");
    }
    Ok(())
}

/// Checks that the runtime system, where it commands channels, has what it needs.
fn check_runtime<P: Policy>(config: &Config, policy: &P, open_loop: bool) -> Result<(), SetupError> {
    let states = (0..).zip(&config.classes).filter(|(_, class)| class.states.is_some());
    let rules: Vec<RuntimeRules> = states.filter_map(|(class, _)| policy.runtime_rules(class)).collect();
    let Some(first) = rules.first() else { return Ok(()) };
    if open_loop {
        return refuse("power.policy", "a runtime system needs programs with iterations; open-loop traffic has none");
    }
    if config.sleep.both {
        return refuse("power.directions", "a runtime system commands each channel for itself: leave this out");
    }
    if rules.iter().any(|rules| rules != first) {
        return refuse("power.class", "there is one runtime system: all classes that it commands have the same rules");
    }
    Ok(())
}

/// Checks that a governor, where there is one, has what it needs.
fn check_governor<P: Policy>(config: &Config, policy: &P, open_loop: bool) -> Result<(), SetupError> {
    let states = || (0..).zip(&config.classes).filter(|(_, class)| class.states.is_some());
    let rules: Vec<GovernorRules> = states().filter_map(|(class, _)| policy.governor(class)).collect();
    let Some(first) = rules.first() else { return Ok(()) };
    let clock = config.switch.clock;
    if open_loop {
        return refuse("power.policy", "a governor keeps a bound on programs; open-loop traffic has no run time");
    }
    if config.sleep.both {
        return refuse("power.directions", "a governor allows each channel for itself to sleep: leave this out");
    }
    if rules.iter().any(|rules| rules != first) {
        return refuse("power.class", "there is one governor: all classes that it governs have the same rules");
    }
    if states().any(|(class, _)| policy.runtime_rules(class).is_some()) {
        return refuse("power.class", "there is a governor or a runtime system, not both");
    }
    if first.reaction < clock {
        return refuse("power.policy.reaction", format!("must be at least one clock cycle of {clock}"));
    }
    Ok(())
}

fn check_switch(config: &Config) -> Result<(), SetupError> {
    let switch = &config.switch;
    if switch.stores() && config.sleep.both {
        let reason = "packets come with their last bit, but links whose channels sleep together must know of their \
                      heads: write \"cut-through\", or leave out power.directions";
        return refuse("switch.forwarding", reason);
    }
    if let Some(queues) = switch.output_queues() {
        check_output_queues(switch, queues)?;
    }
    if let Some(levels) = switch.pause_levels() {
        check_pause(config, levels)?;
    }
    if switch.clock.0 == 0 {
        return refuse("switch.clock", "must be above 0");
    }
    if switch.clock > Time::from_us(1_000_000) {
        return refuse("switch.clock", "must be at most 1 s");
    }
    if switch.flit.0 == 0 || switch.packet_flits == 0 {
        return refuse("switch.packet", "a packet is at least one flit of at least one byte");
    }
    if switch.buffer_flits < switch.packet_flits {
        return refuse(
            "switch.buffer",
            format!(
                "{} flits for each virtual channel cannot hold a packet of {} flits, as virtual cut-through must",
                switch.buffer_flits, switch.packet_flits
            ),
        );
    }
    Ok(())
}

/// Checks that an input port can hold what comes until its sender pauses, and that the sender goes on again.
fn check_pause(config: &Config, levels: PauseLevels) -> Result<(), SetupError> {
    let (headroom, buffer) = (limits::pause_headroom(config), config.switch.buffer_flits);
    if u64::from(levels.xoff_flits) + headroom > u64::from(buffer) {
        let reason = format!(
            "a sender that must pause at {} flits may fill {headroom} more before it does; a virtual channel holds \
             {buffer}",
            levels.xoff_flits
        );
        return refuse("switch.xoff", reason);
    }
    if levels.xon_flits >= levels.xoff_flits {
        let reason = format!("must be below the {} flits at which a sender pauses", levels.xoff_flits);
        return refuse("switch.xon", reason);
    }
    if config.switch.escape == Escape::Bubble {
        let reason = "a bubble counts the room of the next input, of which a sender that pauses knows nothing: write \
                      escape = \"dateline\", or flow_control = \"credits\"";
        return refuse("switch.escape", reason);
    }
    Ok(())
}

/// Checks that output queues hold packets, and that packets come into them.
fn check_output_queues(switch: &SwitchModel, queues: OutputQueues) -> Result<(), SetupError> {
    if queues.room_flits < switch.packet_flits {
        let reason = format!(
            "{} flits for each virtual channel cannot hold a packet of {} flits",
            queues.room_flits, switch.packet_flits
        );
        return refuse("switch.output_buffer", reason);
    }
    if queues.speedup == 0 {
        return refuse("switch.speedup", "must be at least 1");
    }
    if !(1..=switch.vcs.total()).contains(&queues.paths) {
        let reason = format!("{}; it is 1 to the number of virtual channels", queues.paths);
        return refuse("switch.output_speedup", reason);
    }
    Ok(())
}

fn check_vcs(network: &Network, config: &Config) -> Result<(), SetupError> {
    let vcs = config.switch.vcs;
    let total = [vcs.adaptive, vcs.escape, vcs.any, vcs.hop].into_iter().map(u16::from).sum::<u16>();
    if !(1..=u16::from(VirtualChannels::MAX)).contains(&total) {
        return refuse("switch.vcs", format!("{total} virtual channels; there must be 1 to 8"));
    }
    if !(1..=vcs.total()).contains(&config.switch.input_speedup) {
        let reason = format!("{}; it is 1 to the number of virtual channels", config.switch.input_speedup);
        return refuse("switch.input_speedup", reason);
    }
    if matches!(network.geometry, Geometry::Ideal(_)) {
        return Ok(());
    }
    if !routing::kinds(&network.geometry).contains(&config.routing) {
        return refuse("network.routing", format!("{:?} is none of this kind of network", config.routing));
    }
    if let Some(longest) = low_diameter::longest(network, config.routing) {
        return check_hop_vcs(vcs, total, longest);
    }
    match &network.geometry {
        Geometry::Grid(grid) => check_grid_vcs(grid, config, total),
        _ if total > u16::from(vcs.any) => {
            refuse("switch.vcs", "this routing uses virtual channels for any purpose only: any = 1 or more")
        }
        _ => Ok(()),
    }
}

/// Checks the virtual channels of a low-diameter network, on which packets take at most `longest` hops. Those for any
/// purpose are used from and to nodes only.
fn check_hop_vcs(vcs: VirtualChannels, total: u16, longest: u32) -> Result<(), SetupError> {
    let hop = u32::from(vcs.hop);
    if total > u16::from(vcs.hop) + u16::from(vcs.any) || hop == 0 || !hop.is_multiple_of(longest.max(1)) {
        return refuse(
            "switch.vcs",
            format!("hop = {hop}; this routing needs {longest}, or a multiple, and none but `any` beside them"),
        );
    }
    Ok(())
}

fn check_grid_vcs(grid: &Grid, config: &Config, total: u16) -> Result<(), SetupError> {
    let VirtualChannels { adaptive, escape, .. } = config.switch.vcs;
    if total > u16::from(adaptive) + u16::from(escape) {
        return refuse("switch.vcs", "tori and meshes use adaptive and escape virtual channels only");
    }
    let rings = grid.wraps.iter().any(|&wraps| wraps);
    let halves = rings && config.switch.escape == Escape::Dateline;
    if escape == 0 || (halves && !escape.is_multiple_of(2)) {
        let need = if halves { "an even number, half of them for each side of the dateline" } else { "at least 1" };
        return refuse("switch.vcs", format!("escape = {escape}; this network needs {need}"));
    }
    if rings && config.switch.escape == Escape::Bubble {
        check_bubble(config)?;
    }
    match (config.routing, adaptive) {
        (RoutingKind::Adaptive, 0) => refuse("switch.vcs", "adaptive routing needs adaptive = 1 or more"),
        (RoutingKind::DimensionOrder, 1..) => {
            refuse("switch.vcs", format!("dimension-order never uses adaptive = {adaptive}; leave it out"))
        }
        _ => Ok(()),
    }
}

/// Checks that a packet can enter a ring at all, and that the room that it leaves is room for any other.
fn check_bubble(config: &Config) -> Result<(), SetupError> {
    let packet = config.switch.packet_flits;
    let inputs = ("switch.buffer", config.switch.buffer_flits);
    let outputs = config.switch.output_queues().map(|queues| ("switch.output_buffer", queues.room_flits));
    for (key, room) in [inputs].into_iter().chain(outputs) {
        if room / 2 < packet {
            let reason = format!("{room} flits for each virtual channel; a bubble needs two packets of {packet} flits");
            return refuse(key, reason);
        }
    }
    if !config.switch.padding {
        return refuse("switch.padding", "a bubble needs packets that are all as long");
    }
    Ok(())
}

/// Returns how many buckets ahead events usually lie: a hop, a packet, the return of a credit, the waking of a channel.
fn queue_span(config: &Config, classes: &[Class]) -> u64 {
    let reach = |class: &Class| class.hop + class.latency + class.duration_ceil(config.switch.packet_flits);
    let waking = |states: SleepStates| states.shallow.wake.0.max(states.deep.wake.0);
    let wakings = config.classes.iter().filter_map(|class| class.states.map(waking));
    classes.iter().map(reach).chain(wakings).max().unwrap_or(0) / config.switch.clock.0 + 2
}

/// Returns class, flags and credits of a channel that has nothing to send; `sleeps` says which classes may sleep.
fn idle_channel(network: &Network, config: &Config, sleeps: &[bool], channel: ChannelId) -> (u8, u8, [u16; 8]) {
    let class = network.channel_class(channel);
    let ejects = network.is_node_channel(channel) && channel.0 < network.ports();
    let flags = if ejects { Channel::EJECTS } else { 0 } | if sleeps[usize::from(class)] { Channel::SLEEPS } else { 0 };
    // A node takes everything: its channel's credits are never spent.
    let room = match config.switch.flow_control {
        _ if ejects => u16::MAX,
        // None is ever spent.
        FlowControl::Drop | FlowControl::Trim => u16::MAX,
        FlowControl::Credits => config.switch.buffer_flits,
        FlowControl::Pause(_) => config.switch.packet_flits,
    };
    let mut credits = [0; 8];
    credits[..usize::from(config.switch.vcs.total())].fill(room);
    (class, flags, credits)
}
