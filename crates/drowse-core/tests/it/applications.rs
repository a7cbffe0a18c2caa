//! Communication graphs as programs: closed forms of their run time, and every sent message is received.

use std::sync::Arc;

use drowse_core::model::config::VirtualChannels;
use drowse_core::model::ids::NodeId;
use drowse_core::model::units::{BitRate, Bytes, Time};
use drowse_core::topology::{Ideal, TopologySpec};
use drowse_core::workload::operation::SendMode;
use drowse_core::workload::programs::{
    AllToAll, Application, Cg, Class, Communication, Ft, Is, Iterate, Lu, Mg, Milc, Multipartition, Phase, Phased,
    Random, Solver, Stencil, Work,
};
use drowse_core::workload::{Job, Workload};

use crate::common::*;

/// Returns a workload with one rank per node.
fn workload(phases: Vec<Phase>, times: u32) -> Workload {
    let application = Arc::new(Application::new(phases).unwrap());
    let placement = (0..application.ranks()).map(NodeId).collect();
    let source = Box::new(Iterate::new(application, times));
    Workload::Jobs(vec![Job { name: "application".into(), source, placement, start: Time::ZERO }])
}

fn phased(program: impl Communication + Clone + 'static) -> Work {
    Phased(program).into()
}

fn phase(work: Work, iterations: u32, compute: Time) -> Phase {
    Phase { work, iterations, compute: compute.into(), mode: SendMode::Standard }
}

fn ring(bytes: u64) -> Work {
    phased(Stencil::new(vec![6], true, bytes).unwrap())
}

/// On an ideal network, all ranks do the same at the same time. A message takes latency and transfer time, a rendezvous
/// two more latencies for request to send and clear to send. Messages to both neighbours travel at the same time.
#[test]
fn iterations_on_an_ideal_network_take_the_sum_of_their_steps() {
    const US: u64 = 1_000_000;
    let bandwidth = BitRate::from_bytes_per_second(1_000_000_000);
    let ideal = TopologySpec::Ideal(Ideal { nodes: 6, latency: Time::from_us(3), bandwidth }).build().unwrap();
    let mut config = config(&ideal, 1);
    config.switch.vcs = VirtualChannels::any(1);
    config.node.eager_limit = Bytes(10_000);
    let makespan = |phases, times| {
        let record = run(&ideal, &config, workload(phases, times));
        assert_eq!(record.warnings, []);
        record.makespan.unwrap().0
    };
    let small = || phase(ring(5_000), 4, Time::from_us(20));
    let large = || phase(ring(50_000), 3, Time::from_us(100));
    assert_eq!(makespan(vec![small()], 1), 4 * (20 + 3 + 5) * US);
    assert_eq!(makespan(vec![large()], 1), 3 * (100 + 3 * 3 + 50) * US);
    assert_eq!(makespan(vec![phase(ring(5_000), 7, Time::ZERO)], 1), 7 * (3 + 5) * US);
    let both = 4 * (20 + 3 + 5) + 3 * (100 + 3 * 3 + 50);
    assert_eq!(makespan(vec![small(), large()], 1), both * US);
    assert_eq!(makespan(vec![small(), large()], 5), 5 * both * US);
}

/// On a mesh whose buffers fill, every rank ends and has sent and computed what its phases say. No message is left
/// over.
#[test]
fn every_kind_of_graph_runs_to_its_end() {
    let network = mesh(&[4, 4], 1, 1);
    let graphs = [
        phased(Stencil::new(vec![4, 2, 2], false, 1_000).unwrap()),
        phased(Stencil::new(vec![2, 8], true, 0).unwrap()),
        phased(Milc::new(vec![2, 2, 2, 2], [4; 4], 1).unwrap()),
        phased(Cg::new(16, Class::S).unwrap()),
        phased(Mg::new(16, Class::S).unwrap()),
        phased(Lu::new(16, Class::W).unwrap()),
        phased(Multipartition::new(Solver::ScalarPentadiagonal, 9, Class::S).unwrap()),
        phased(Ft::new(16, Class::S).unwrap()),
        phased(Is::new(16, Class::S).unwrap()),
        phased(AllToAll::new(13, 100).unwrap()),
        phased(Random::new(16, 5, None, 700, 3).unwrap()),
    ];
    for graph in graphs {
        let ranks = graph.ranks();
        let mut sent = 0;
        let communication = graph.at_once().unwrap();
        for rank in 0..ranks {
            communication.flows(rank, &mut |flow| sent += if flow.to == rank { 0 } else { flow.messages });
        }
        sent += communication.to_all().map_or(0, |_| u64::from(ranks * (ranks - 1)));
        let phases = vec![phase(graph.clone(), 1, Time::from_ns(700)), phase(graph, 2, Time::ZERO)];
        let record = run(&network, &config(&network, 3), workload(phases, 1));
        assert_eq!(record.warnings, []);
        assert_eq!(record.ranks.iter().map(|rank| rank.messages).sum::<u64>(), 3 * sent);
        assert!(record.ranks.iter().all(|rank| rank.times.computing.0 == 700_000));
    }
}
