//! The least power with power saving, and the ports of trunks that are on by the power of a network.
//!
//! Of a trunk one port is always on, and node ports never go off. With p links a trunk a switch has N = p (t + 1) ports
//! for t trunks and p nodes, of which t + p are on at least; from there on, by the power model of section 2.2, each
//! share of ports that is on adds the same.

use drowse_core::power::model::PowerModel;

use super::table_2::Torus;

/// The power of a port that is off (Table 1).
const OFF: f64 = 0.1;

/// Returns `W_net` with so many ports of each trunk on.
pub fn power(torus: &Torus, ports_on: f64) -> f64 {
    let model = PowerModel::default();
    let on = (torus.trunks() * ports_on + torus.links()) / torus.ports_of_switch();
    let w_ports = OFF + (1.0 - OFF) * on;
    ((1.0 - model.ports) + model.ports * w_ports) * torus.port_ratio()
}

/// Returns how many ports of each trunk are on at this `W_net`.
pub fn ports_on(torus: &Torus, w_net: f64) -> f64 {
    let (least, most) = (power(torus, 1.0), power(torus, torus.links()));
    1.0 + (torus.links() - 1.0) * (w_net - least) / (most - least)
}

#[cfg(test)]
mod tests {
    use super::super::table_2::TABLE_2;
    use super::*;

    /// By hand for 2D-4X: 4 trunks of 4, 4 nodes: 8 of 20 ports on at least, W_ports = 0.1 + 0.9 x 0.4 = 0.46, a switch
    /// draws 0.35 + 0.65 x 0.46 = 0.649, and the network 0.649 x 320 / 448.
    #[test]
    fn the_floor_by_hand() {
        let of = |name: &str| TABLE_2.iter().find(|torus| torus.name == name).unwrap();
        assert!((power(of("2D-4X"), 1.0) - 0.649 * 320.0 / 448.0).abs() < 1e-12);
        // 18 of 48 ports; 10 of 28.
        assert!((power(of("1D-16X"), 1.0) - (0.35 + 0.65 * (0.1 + 0.9 * 18.0 / 48.0)) * 192.0 / 448.0).abs() < 1e-12);
        assert!((power(of("3D-4X"), 1.0) - (0.35 + 0.65 * (0.1 + 0.9 * 10.0 / 28.0)) * 1792.0 / 2304.0).abs() < 1e-12);
        for torus in TABLE_2.iter().filter(|torus| torus.aggregation > 1) {
            assert!((power(torus, torus.links()) - torus.port_ratio()).abs() < 1e-12, "all on");
            assert!((ports_on(torus, power(torus, 2.5)) - 2.5).abs() < 1e-12, "there and back");
        }
    }
}
