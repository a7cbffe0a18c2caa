//! The flows of a run, and what their fabric knows.

use drowse_flows::{Hop, Rates};

use crate::engine::event::Events;
use crate::engine::event::node::{NodeEvent, Phase};
use crate::engine::link::class::Class;
use crate::engine::switch::switches::Switches;
use crate::model::config::Config;
use crate::model::unit::{Blocking, Fairness, FlowModel};
use crate::power::Policy;

use super::agenda::{Agenda, Due};
use super::blocks::Blocks;
use super::capacity::Passages;
use super::come::Come;
use super::contention::Contention;
use super::governed::Governed;
use super::ledger::Ledger;
use super::nics::FlowNics;
use super::route::Routes;
use super::slab::{FlowSlab, REST};

/// Void plans that the agenda may hold beside as many as there are flows, before they are thrown out.
const VOID: usize = 4_096;

/// The flows of a run, and what their fabric knows beside channels, events and messages.
pub struct Flows {
    pub(super) flows: FlowSlab,
    /// The flow at each place of those whose rates are solved.
    pub(super) owners: Vec<u32>,
    pub(super) rates: Rates,
    pub(super) nics: FlowNics,
    pub(super) agenda: Agenda,
    pub(super) passages: Passages,
    pub(super) routes: Routes,
    /// Flows that use each channel or wait for it; empty where none may sleep.
    pub(super) users: Vec<u32>,
    /// By channel that may sleep: what has come so far.
    pub(super) work: Vec<Come>,
    /// Who waits behind whom.
    pub(super) blocks: Blocks,
    /// By channel: bytes of flows whose heads wait for it; empty where heads do not choose when they come.
    pub(super) queued: Vec<u64>,
    /// Trunks whose ports go off and on by their load.
    pub(crate) governed: Governed,
    /// Channels that the last flow has left at this instant.
    pub(super) closing: Vec<u32>,
    /// Flows that have begun.
    pub(super) begun: u32,
    /// NICs that may begin a message at this instant.
    pub(super) ready: Vec<u32>,
    /// Flows are kept until they have gone by: the run may end, or what it measures, or a window of a trunk.
    pub(crate) is_kept: bool,
    /// Packets that have gone by the channels to their nodes.
    pub(crate) delivered: u64,
    /// Where those that have been delivered have met others.
    pub contention: Contention,
    /// What is counted a second time, when auditing.
    pub(super) ledger: Option<Box<Ledger>>,
    /// Something has changed since rates were solved.
    pub(super) changed: bool,
    /// When the earliest event for what is planned is; [`u64::MAX`] where none is known.
    armed: u64,
    /// When rates are to be solved; [`u64::MAX`] where that is not planned.
    marked: u64,
    /// When the channels of a level are on, by the step before them, for a moment.
    pub(super) awaited: Vec<(u32, u64)>,
    /// Flows whose rates have changed, for a moment.
    pub(super) scratch: Vec<u32>,
    /// The channels of a flow, for a moment.
    pub(super) hops: Vec<Hop>,
    /// The hop that leads to each of them, for a moment.
    pub(super) inputs: Vec<Option<u32>>,
    /// When the packets of a flow go by a channel, for a moment.
    pub(super) starts: Vec<u64>,
    /// The level of which these are.
    pub(super) drifted: u16,
}

impl Flows {
    /// Makes the fabric of a machine in which nothing has happened.
    pub fn new<P: Policy>(config: &Config, classes: &[Class], model: FlowModel, switches: &Switches<P>) -> Self {
        let links = &switches.links;
        let sleeps = !links.accounts.is_empty();
        let fairness = match model.fairness {
            Fairness::Port => drowse_flows::Fairness::Port,
            Fairness::Flow => drowse_flows::Fairness::Flow,
        };
        let passages = Passages::new(config, classes);
        // Ways through crossbars are no links; nothing is ever sent by them here.
        let class = |channel: usize| usize::from(links.hot[channel].class) % classes.len();
        let capacities = (0..links.hot.len()).map(|channel| passages.of(class(channel) as u8).rate).collect();
        let routes = Routes::new(config, switches);
        Flows {
            flows: FlowSlab::default(),
            owners: Vec::new(),
            rates: Rates::new(capacities, fairness),
            nics: FlowNics::new(switches.partition.nodes()),
            agenda: Agenda::default(),
            passages,
            queued: vec![0; if routes.chooses_on_the_way() { links.hot.len() } else { 0 }],
            routes,
            users: vec![0; if sleeps { links.hot.len() } else { 0 }],
            work: vec![Come::default(); if sleeps { links.hot.len() } else { 0 }],
            begun: 0,
            blocks: Blocks::new(if sleeps && model.blocking == Blocking::Head { links.hot.len() } else { 0 }),
            governed: Governed::default(),
            closing: Vec::new(),
            ready: Vec::new(),
            is_kept: false,
            delivered: 0,
            contention: Contention::default(),
            ledger: config.audit.then(|| Box::new(Ledger::new(links.hot.len()))),
            changed: false,
            armed: u64::MAX,
            marked: u64::MAX,
            awaited: Vec::new(),
            scratch: Vec::new(),
            hops: Vec::new(),
            inputs: Vec::new(),
            starts: Vec::new(),
            drifted: 0,
        }
    }

    /// Returns how many flows there are.
    pub fn live(&self) -> usize {
        self.flows.live()
    }

    /// Sees to it that rates are solved at time `t`, after all that happens then.
    #[inline]
    pub(super) fn mark(&mut self, events: &mut Events, t: u64) {
        if self.marked != t {
            self.marked = t;
            events.put_node(NodeEvent::new(t, Phase::Rates, 0));
        }
    }

    /// Notes that rates are solved at this instant.
    pub(super) fn marked_now(&mut self) {
        self.marked = u64::MAX;
    }

    /// Notes that what was planned by time `t` has been done.
    pub(super) fn disarm(&mut self, t: u64) {
        if self.armed <= t {
            self.armed = u64::MAX;
        }
    }

    /// Sees to it that what is planned is done in time.
    #[inline]
    pub(super) fn arm(&mut self, events: &mut Events) {
        let first = self.agenda.first();
        if first < self.armed {
            self.armed = first;
            events.put_node(NodeEvent::new(first, Phase::Flow, 0));
        }
    }

    /// Throws out void plans where these have become many.
    pub(super) fn tidy(&mut self) {
        if self.agenda.len() > 8 * self.flows.live() + VOID {
            let flows = &self.flows;
            self.agenda.keep(|due| match due {
                Due::Moved { flow, version, .. } => flows[flow].version == version,
                _ => true,
            });
        }
    }

    /// Takes a flow out of those whose rates are solved, after what has moved by time `t` is counted.
    pub(super) fn rest(&mut self, id: u32, t: u64) {
        let flow = &mut self.flows[id];
        flow.count(t);
        flow.rate = 0;
        flow.version = flow.version.wrapping_add(1);
        let slot = std::mem::replace(&mut flow.slot, REST);
        if slot != REST {
            self.rates.remove(slot);
            self.changed = true;
        }
    }
}
