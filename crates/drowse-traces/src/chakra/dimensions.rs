//! The dimensions of a machine, over some of which ASTRA-sim's collectives may run (`involved_dim`).
//!
//! A rank's place in the first dimension is the remainder of its number by the dimension's extent, and so on, as in
//! ASTRA-sim. The extents are in a JSON file beside the trace, as its ns-3 backend takes it:
//! `{"logical-dims": ["2", "4"]}`.

use serde::Deserialize;

/// The extents of all dimensions.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "File")]
pub(super) struct Dimensions(Vec<u32>);

/// What the file holds.
#[derive(Deserialize)]
struct File {
    #[serde(rename = "logical-dims")]
    extents: Vec<Extent>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Extent {
    Number(u32),
    Text(String),
}

impl TryFrom<File> for Dimensions {
    type Error = String;

    fn try_from(file: File) -> Result<Self, String> {
        let extent = |extent| match extent {
            Extent::Number(extent) => Ok(extent),
            Extent::Text(text) => text.trim().parse().map_err(|_| format!("`{text}` is no extent of a dimension")),
        };
        file.extents.into_iter().map(extent).collect::<Result<_, _>>().map(Dimensions)
    }
}

impl Dimensions {
    /// Returns the ranks with which one calls a collective over some dimensions: those that are at its place in all
    /// others.
    pub fn members(&self, involved: &[bool], rank: u32, ranks: u32) -> Result<Vec<u32>, String> {
        let extents = &self.0;
        let product = extents.iter().try_fold(1_u32, |product, &extent| product.checked_mul(extent));
        if product != Some(ranks) {
            return Err(format!(
                "logical-dims are {extents:?}, and their product is not the {ranks} ranks; correct them"
            ));
        }
        let Some(involved) = involved.get(..extents.len()) else {
            return Err(format!(
                "involved_dim has {} entries, and logical-dims are {extents:?}; give as many",
                involved.len()
            ));
        };
        let (mut members, mut stride) = (vec![rank], 1);
        for (&extent, &involved) in extents.iter().zip(involved) {
            if involved {
                let place = rank / stride % extent;
                let at = |other: u32| move |member: &u32| member - place * stride + other * stride;
                members = (0..extent).flat_map(|other| members.iter().map(at(other)).collect::<Vec<_>>()).collect();
            }
            stride *= extent;
        }
        Ok(members)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(json: &str) -> Option<Dimensions> {
        serde_json::from_str(json).ok()
    }

    #[test]
    fn members_have_the_same_place_in_other_dimensions() {
        let dimensions = of(r#"{"logical-dims": ["2", 3, " 2"]}"#).unwrap();
        let members = |involved: &[bool], rank| dimensions.members(involved, rank, 12).unwrap();
        assert_eq!(members(&[true, false, false], 5), [4, 5]);
        assert_eq!(members(&[false, true, false], 5), [1, 3, 5]);
        assert_eq!(members(&[false, false, true], 5), [5, 11]);
        assert_eq!(members(&[true, false, true], 5), [4, 5, 10, 11]);
        assert_eq!(members(&[true; 3], 7), (0..12).collect::<Vec<_>>());
        // Dimensions beyond those of the machine have one place each.
        assert_eq!(members(&[true, false, false, false], 0), [0, 1]);
        assert!(dimensions.members(&[true, false], 0, 12).unwrap_err().contains("2 entries"));
        assert!(dimensions.members(&[true; 3], 0, 16).unwrap_err().contains("16 ranks"));
        assert_eq!([of("{}"), of(r#"{"logical-dims": ["a"]}"#), of(r#"{"1": [0, 1]}"#)], [None, None, None]);
    }
}
