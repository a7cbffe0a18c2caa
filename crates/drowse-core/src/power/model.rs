//! The power model of Andújar et al. 2019, section 2: from residencies to the power and energy of network and cluster.
//!
//! Powers are shares of the maximum power of a reference network (or of all nodes); energies are seconds of it. Symbols
//! keep the paper's names. Beyond the paper, a port has more than two states, so omega_Sport and U_port become the mean
//! power of the port's states; with on and deep only, the two are the same.

use serde::Serialize;

use crate::model::link_state::{LinkState, PerState};

/// Parameters of the model; the defaults are those of the paper's Table 1.
///
/// ```
/// use drowse_core::power::model::PowerModel;
///
/// let model = PowerModel { ports: 0.65, network: 0.15, idle_node: vec![0.5], reference: None };
/// // Ports at a fifth of their power, ranks that compute half of the time, 10 s.
/// let energy = model.energy(0.2, 448, 0.5, 10.0);
/// assert!((energy.w_net - (0.35 + 0.65 * 0.2)).abs() < 1e-12);
/// assert!((energy.w_nodes[0] - (0.5 + 0.5 * 0.5)).abs() < 1e-12);
/// assert!((energy.e_cluster[0] - (0.15 * energy.w_net + 0.85 * 0.75) * 10.0).abs() < 1e-12);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PowerModel {
    /// omega_ports: the ports' share of a switch's power.
    pub ports: f64,
    /// omega_net: the network's share of the system's power.
    pub network: f64,
    /// omega_Snodes: the share of a node's power that it always draws; several values are reported side by side.
    pub idle_node: Vec<f64>,
    /// `REF_sw` and `REF_ports`; `None` takes the network itself.
    pub reference: Option<Reference>,
}

/// The reference network: powers are normalised to its ports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Reference {
    /// `REF_sw`: number of switches.
    pub switches: u64,
    /// `REF_ports`: ports per switch.
    pub ports: u64,
}

impl Default for PowerModel {
    fn default() -> Self {
        PowerModel { ports: 0.65, network: 0.15, idle_node: vec![0.0, 0.25, 0.5, 0.75, 1.0], reference: None }
    }
}

/// What the model says of one run.
#[derive(Clone, Debug, PartialEq)]
pub struct Energy {
    /// `W_ports`: mean power of a port.
    pub w_ports: f64,
    /// `W_net`: the network's power.
    pub w_net: f64,
    /// `E_net` in seconds.
    pub e_net: f64,
    /// `W_nodes` for each omega_Snodes.
    pub w_nodes: Vec<f64>,
    /// `W_cluster` for each omega_Snodes.
    pub w_cluster: Vec<f64>,
    /// `E_cluster` in seconds, for each omega_Snodes.
    pub e_cluster: Vec<f64>,
}

/// Returns the mean power of a channel from its time in each state and each state's power.
///
/// `powers` is indexed like `residency`, by [`LinkState`]; entering and waking draw the power of on in all papers.
pub fn channel_power(residency: &PerState<u128>, powers: &PerState<f64>) -> f64 {
    let total: u128 = residency.iter().sum();
    if total == 0 {
        return powers[LinkState::On as usize];
    }
    let energy: f64 = residency.iter().zip(powers).map(|(&time, power)| time as f64 * power).sum();
    energy / total as f64
}

impl PowerModel {
    /// Returns `N_ports * N_sw / (REF_ports * REF_sw)` (the port ratio of Table 2) for a network with so many ports in
    /// all.
    pub fn port_ratio(&self, network_ports: u64) -> f64 {
        match self.reference {
            Some(reference) => network_ports as f64 / (reference.switches as f64 * reference.ports as f64),
            None => 1.0,
        }
    }

    /// Returns `W_net` from `W_ports`, normalised to the reference network.
    pub fn w_net(&self, w_ports: f64, network_ports: u64) -> f64 {
        ((1.0 - self.ports) + self.ports * w_ports) * self.port_ratio(network_ports)
    }

    /// Applies the whole model; `run_task` is the share of its run time that a rank is not waiting for communication.
    pub fn energy(&self, w_ports: f64, network_ports: u64, run_task: f64, runtime_s: f64) -> Energy {
        let w_net = self.w_net(w_ports, network_ports);
        let w_nodes: Vec<f64> = self.idle_node.iter().map(|idle| idle + (1.0 - idle) * run_task).collect();
        let w_cluster: Vec<f64> = w_nodes.iter().map(|w| self.network * w_net + (1.0 - self.network) * w).collect();
        let e_cluster = w_cluster.iter().map(|w| w * runtime_s).collect();
        Energy { w_ports, w_net, e_net: w_net * runtime_s, w_nodes, w_cluster, e_cluster }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Andújar et al. 2019, section 2.1 and Table 2: the 2D and 1D tori of 64 nodes against the 3D torus, all ports on.
    #[test]
    fn port_ratios_of_table_2() {
        let model = PowerModel { reference: Some(Reference { switches: 64, ports: 7 }), ..PowerModel::default() };
        assert!((model.w_net(1.0, 320) - 320.0 / 448.0).abs() < 1e-12);
        assert!((model.w_net(1.0, 192) - 192.0 / 448.0).abs() < 1e-12);
    }

    /// By hand, each state with a time and a power of its own: 1 x 1 + 2 x 0.9 + 3 x 0.5 + 4 x 0.1 + 10 x 0.3 = 7.7 in 20,
    /// and 10 x 0.08 + 5 x 0.04 + 4 x 0.02 + 1 x 0 = 1.08 in 20 in further states.
    #[test]
    fn every_state_draws_its_power() {
        let power = channel_power(&[1, 2, 3, 4, 10, 10, 5, 4, 1], &[1.0, 0.9, 0.5, 0.1, 0.3, 0.08, 0.04, 0.02, 0.0]);
        assert!((power - 8.78 / 40.0).abs() < 1e-12, "{power}");
    }

    /// By hand: W_ports = 0.55 gives (0.35 + 0.65 * 0.55) = 0.7075; nodes half idle, half busy.
    #[test]
    fn all_symbols_by_hand() {
        let model = PowerModel { idle_node: vec![0.5], ..PowerModel::default() };
        let energy = model.energy(0.55, 448, 0.4, 2.0);
        assert!((energy.w_net - 0.7075).abs() < 1e-12);
        assert!((energy.e_net - 1.415).abs() < 1e-12);
        assert!((energy.w_nodes[0] - 0.7).abs() < 1e-12);
        assert!((energy.w_cluster[0] - (0.15 * 0.7075 + 0.85 * 0.7)).abs() < 1e-12);
        assert!((energy.e_cluster[0] - 2.0 * (0.15 * 0.7075 + 0.85 * 0.7)).abs() < 1e-12);
    }
}
