//! Patterns of other crates.

use std::fmt::Debug;
use std::sync::Arc;

use serde::{Serialize, Serializer};

use super::error::PatternError;
use crate::topology::Network;

/// A traffic pattern of another crate. What its `Debug` writes has all its parameters: results are told apart by it.
///
/// ```
/// use std::sync::Arc;
///
/// use drowse_core::topology::{Network, PerDimension, Topology, Torus};
/// use drowse_core::workload::traffic::{OtherPattern, Pattern, PatternError, Receivers, TrafficPattern};
///
/// /// Every node sends to the one that is half of the machine away.
/// #[derive(Debug)]
/// struct Opposite;
///
/// impl TrafficPattern for Opposite {
///     fn receivers(&self, network: &Network, _seed: u64) -> Result<Receivers, PatternError> {
///         let nodes = network.nodes;
///         Ok(Receivers::One((0..nodes).map(|node| Some((node + nodes / 2) % nodes)).collect()))
///     }
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let network = Torus::new(vec![4], PerDimension::All(1), 1).build()?;
/// let destinations = Pattern::Other(OtherPattern(Arc::new(Opposite))).destinations(&network, false, 1)?;
/// assert!((0..4).all(|node| destinations.sends(node)));
/// # Ok(())
/// # }
/// ```
pub trait TrafficPattern: Debug + Send + Sync {
    /// Returns whom each node sends to, nodes in their order. What is random is drawn from the seed.
    fn receivers(&self, network: &Network, seed: u64) -> Result<Receivers, PatternError>;
}

/// Whom each node sends to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Receivers {
    /// The one that it always sends to; none where it sends nothing.
    One(Vec<Option<u32>>),
    /// Those among which each message draws one, every entry as likely; none where it sends nothing.
    Some(Vec<Vec<u32>>),
}

/// A pattern of another crate.
#[derive(Clone, Debug)]
pub struct OtherPattern(pub Arc<dyn TrafficPattern>);

impl OtherPattern {
    /// Returns whom each node of a network sends to; refuses nodes that do not exist.
    pub(super) fn receivers(&self, network: &Network, seed: u64) -> Result<Receivers, PatternError> {
        let receivers = self.0.receivers(network, seed)?;
        let nodes = network.nodes;
        let (listed, unknown) = match &receivers {
            Receivers::One(one) => (one.len(), one.iter().flatten().find(|&&to| to >= nodes)),
            Receivers::Some(some) => (some.len(), some.iter().flatten().find(|&&to| to >= nodes)),
        };
        let wrong = if listed == nodes as usize {
            unknown.map(|to| format!("{:?} sends to node {to}, and there are {nodes}", self.0))
        } else {
            Some(format!("{:?} says whom {listed} nodes send to, and there are {nodes}", self.0))
        };
        let cure = || "mend the pattern where it is implemented".to_owned();
        wrong.map_or(Ok(receivers), |what| Err(PatternError::Refused { what, cure: cure() }))
    }
}

impl PartialEq for OtherPattern {
    fn eq(&self, other: &OtherPattern) -> bool {
        format!("{self:?}") == format!("{other:?}")
    }
}

impl Serialize for OtherPattern {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{:?}", self.0))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::model::rng::{Purpose, Stream};
    use crate::topology::{PerDimension, Topology, Torus};
    use crate::workload::traffic::Pattern;

    #[derive(Debug)]
    struct Given(Receivers);

    impl TrafficPattern for Given {
        fn receivers(&self, _network: &Network, _seed: u64) -> Result<Receivers, PatternError> {
            Ok(self.0.clone())
        }
    }

    /// Returns a ring of switches with a node each.
    fn ring(switches: u32) -> Network {
        Torus::new(vec![switches], PerDimension::All(1), 1).build().unwrap()
    }

    fn pattern(receivers: Receivers) -> Pattern {
        Pattern::Other(OtherPattern(Arc::new(Given(receivers))))
    }

    /// A node draws each entry of its list, itself only where nodes may, and sends nothing where nobody is left.
    #[test]
    fn nodes_draw_from_their_lists() {
        let network = ring(3);
        let lists = pattern(Receivers::Some(vec![vec![1, 2, 2], vec![1, 0], vec![2]]));
        let drawn = |include_self, node| {
            let destinations = lists.destinations(&network, include_self, 1).unwrap();
            let mut stream = Stream::new(1, Purpose::Traffic, node);
            destinations
                .sends(node)
                .then(|| (0..100).map(|_| destinations.draw(node, &mut stream)).collect::<BTreeSet<u32>>())
        };
        assert_eq!([drawn(false, 0), drawn(false, 1), drawn(false, 2)], [Some([1, 2].into()), Some([0].into()), None]);
        assert_eq!([drawn(true, 1), drawn(true, 2)], [Some([0, 1].into()), Some([2].into())]);
        let among = lists.destinations(&network, false, 1).unwrap().among(&[0, 1]).unwrap();
        assert_eq!([among.sends(0), among.sends(1), among.sends(2)], [true, true, false]);
        assert_eq!(among.draw(0, &mut Stream::new(1, Purpose::Traffic, 0)), 1);
    }

    #[test]
    fn nodes_that_do_not_exist_are_refused() {
        let network = ring(3);
        let said = |receivers| pattern(receivers).destinations(&network, false, 1).unwrap_err().to_string();
        let unknown = said(Receivers::One(vec![Some(1), None, Some(3)]));
        assert!(unknown.ends_with("sends to node 3, and there are 3"), "{unknown}");
        let short = said(Receivers::Some(vec![vec![1]]));
        assert!(short.ends_with("says whom 1 nodes send to, and there are 3"), "{short}");
    }
}
