//! The devices that are part of the program: the tables of `data/`.

use std::sync::LazyLock;

use super::model::Catalogue;

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| {
    // They are part of the program, and a test reads them.
    let table = |text| toml::from_str::<Catalogue>(text).unwrap_or_default();
    let [switches, modules, nics] =
        [include_str!("data/switches.toml"), include_str!("data/modules.toml"), include_str!("data/nics.toml")]
            .map(table);
    Catalogue { device: switches.device, module: modules.module, nic: nics.nic }
});

/// Returns the devices that are part of the program; the first switch is the default.
pub fn catalogue() -> &'static Catalogue {
    &CATALOGUE
}

#[cfg(test)]
mod tests {
    use super::super::check::first_wrong;
    use super::super::model::{Counting, PortPower};
    use super::*;

    #[test]
    fn the_tables_of_the_program_are_read_and_sound() {
        for text in
            [include_str!("data/switches.toml"), include_str!("data/modules.toml"), include_str!("data/nics.toml")]
        {
            let read = toml::from_str::<Catalogue>(text).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(first_wrong(&read).map(|wrong| wrong.message), None);
        }
        let all = catalogue();
        assert_eq!((all.device.len(), all.module.len(), all.nic.len()), (9, 14, 2));
        assert_eq!(all.device[0].name, "slingshot-archer2");
    }

    /// What a data file leaves out is unknown, and energies are found by either counting only where they stand.
    #[test]
    fn energies_by_counting() {
        let of =
            |name: &str| catalogue().device.iter().find(|device| device.name == name).map(|device| &device.port[0]);
        let both = of("nexus-9336c-fx2").unwrap_or_else(|| panic!("no Nexus"));
        let per_bit = |port: &PortPower, counting| port.energies(Counting::Payload, counting).and_then(|e| e.per_bit.0);
        assert_eq!(per_bit(both, Counting::Payload), Some(8.70326245893343e-12));
        assert_eq!(per_bit(both, Counting::Published), Some(8.594514375463417e-12));
        let one = of("cisco-8201-32fh").unwrap_or_else(|| panic!("no 8201"));
        assert_eq!(per_bit(one, Counting::Payload), None);
        assert_eq!(per_bit(one, Counting::Published), Some(3.200416136547381e-12));
    }
}
