//! The nodes of a machine by their names, as job logs list them.

use std::collections::{HashMap, HashSet};

use drowse_fabric::hostlist;

/// Why names are not those of a machine's nodes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// The text is no list of hosts.
    #[error("{0}")]
    List(String),
    /// A name is none of the machine's.
    #[error("`{0}` is none of the machine's nodes")]
    Unknown(String),
    /// A name stands twice.
    #[error("`{0}` stands in it twice")]
    Twice(String),
}

/// The numbers of a machine's nodes by their names.
#[derive(Clone, Debug, Default)]
pub struct NodeNames(HashMap<String, u32>);

impl NodeNames {
    /// Takes the names of the nodes, in the order of their numbers, no two of which are called the same.
    pub fn new(names: impl IntoIterator<Item = String>) -> Result<Self, NameError> {
        let mut numbers = HashMap::new();
        for (number, name) in (0..).zip(names) {
            if let Some(twice) = numbers.insert(name.clone(), number).map(|_| name) {
                return Err(NameError::Twice(twice));
            }
        }
        Ok(NodeNames(numbers))
    }

    /// Takes the names that a list of hosts stands for.
    pub fn listed(hosts: &str) -> Result<Self, NameError> {
        NodeNames::new(expand(hosts)?)
    }

    /// Returns the number of names.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Returns the numbers of the nodes of a list of hosts, each once, in the order of the list.
    pub fn numbers(&self, hosts: &str) -> Result<Vec<u32>, NameError> {
        let mut seen = HashSet::new();
        let number = |name: String| match self.0.get(&name) {
            Some(&number) if seen.insert(number) => Ok(number),
            Some(_) => Err(NameError::Twice(name)),
            None => Err(NameError::Unknown(name)),
        };
        expand(hosts)?.into_iter().map(number).collect()
    }
}

fn expand(hosts: &str) -> Result<Vec<String>, NameError> {
    hostlist::expand(hosts).map_err(|wrong| NameError::List(wrong.message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_numbers() {
        let names = NodeNames::listed("n[01-04]").unwrap();
        assert_eq!(names.numbers("n[03,01]"), Ok(vec![2, 0]));
        assert_eq!(names.numbers("n5"), Err(NameError::Unknown("n5".into())));
        assert_eq!(names.numbers("n[01,01]"), Err(NameError::Twice("n01".into())));
        assert!(NodeNames::new(["a".into(), "a".into()]).is_err() && names.numbers("n[1").is_err());
    }
}
