//! The kinds of schedulers: which of the waiting jobs start now.

use super::machine::{Machine, Nodes};
use super::{Kind, Request, Running, Scheduler, Start};
use crate::model::units::Time;

impl Scheduler {
    /// Starts all jobs that the rules let start now.
    pub(super) fn select(&mut self, now: Time) -> Vec<Start> {
        let mut starts = Vec::new();
        match self.rules.kind {
            Kind::FirstComeFirstServed => self.in_order(now, &mut starts),
            Kind::EasyBackfilling => {
                self.in_order(now, &mut starts);
                self.backfill(now, &mut starts);
            }
            Kind::RandomSelectable => self.at_random(now, &mut starts),
            Kind::Alone => self.alone(now, &mut starts),
            // Its starts are planned.
            Kind::Replay => {}
        }
        starts
    }

    /// Starts jobs in the order of the queue until one does not fit.
    fn in_order(&mut self, now: Time, starts: &mut Vec<Start>) {
        while let Some(&first) = self.queue.first() {
            let Some(nodes) = self.machine.take(first, &self.request(first)) else { return };
            self.start(0, nodes, now, starts);
        }
    }

    /// Starts the first of the queue when nothing runs.
    fn alone(&mut self, now: Time, starts: &mut Vec<Start>) {
        let Some(&first) = self.queue.first().filter(|_| self.running.is_empty()) else { return };
        let Some(nodes) = self.machine.take(first, &self.request(first)) else { return };
        self.start(0, nodes, now, starts);
    }

    /// Starts jobs drawn among those that fit, until none does.
    fn at_random(&mut self, now: Time, starts: &mut Vec<Start>) {
        loop {
            let fits = |&place: &usize| self.machine.fits(&self.request(self.queue[place]));
            let selectable: Vec<usize> = (0..self.queue.len()).filter(fits).collect();
            if selectable.is_empty() {
                return;
            }
            let place = selectable[self.stream.below(selectable.len() as u32) as usize];
            let job = self.queue[place];
            let Some(nodes) = self.machine.take(job, &self.request(job)) else { return };
            self.start(place, nodes, now, starts);
        }
    }

    /// Starts those behind the first of the queue, which does not fit, that do not delay it: those that by their
    /// estimates end before it can start, and those beside which it still fits then.
    fn backfill(&mut self, now: Time, starts: &mut Vec<Start>) {
        let Some(&first) = self.queue.first() else { return };
        let needed = self.request(first);
        let (reserved, mut then) = self.reservation(&needed, now);
        let mut place = 1;
        while let Some(&job) = self.queue.get(place) {
            place += 1;
            let request = self.request(job);
            if !self.machine.fits(&request) {
                continue;
            }
            let mut trial = self.machine.clone();
            let Some(nodes) = trial.take(job, &request) else { continue };
            if self.expected(job, &nodes, now) > reserved {
                let mut beside = then.clone();
                if !(beside.take_same(&nodes) && beside.fits(&needed)) {
                    continue;
                }
                then = beside;
            }
            self.machine = trial;
            place -= 1;
            self.start(place, nodes, now, starts);
        }
    }

    /// Returns when a job can start by the estimates of those that run, and the free nodes at that
    /// time. Jobs that run longer than estimated are expected to end at once.
    fn reservation(&self, request: &Request, now: Time) -> (Time, Machine) {
        let mut then = self.machine.clone();
        let mut running: Vec<&Running> = self.running.iter().collect();
        running.sort_by_key(|running| (running.expected, running.job));
        let mut reserved = now;
        for running in running {
            let expected = running.expected.max(now);
            if expected > reserved && then.fits(request) {
                break;
            }
            reserved = expected;
            then.free(&running.nodes);
        }
        (reserved, then)
    }

    /// Starts the job at a place of the queue on nodes that have been taken.
    fn start(&mut self, place: usize, nodes: Nodes, now: Time, starts: &mut Vec<Start>) {
        let job = self.queue.remove(place);
        let at = now.saturating_add(self.free.delay(nodes.taken(), now));
        starts.push(Start { job, at, nodes: nodes.of_ranks.clone() });
        let expected = self.expected(job, &nodes, now);
        self.free.take(nodes.taken(), now);
        self.running.push(Running { job, expected, nodes });
    }
}
