//! Forms of cages and modules, and media.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The form of a cage or of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub enum Form {
    /// A socket for twisted pairs.
    #[serde(rename = "RJ45")]
    Rj45,
    /// SFP, up to 5 Gb/s.
    #[serde(rename = "SFP")]
    Sfp,
    /// SFP+, 10 Gb/s.
    #[serde(rename = "SFP+")]
    SfpPlus,
    /// SFP28, 25 Gb/s.
    #[serde(rename = "SFP28")]
    Sfp28,
    /// QSFP+, 40 Gb/s.
    #[serde(rename = "QSFP+")]
    QsfpPlus,
    /// QSFP28, 100 Gb/s.
    #[serde(rename = "QSFP28")]
    Qsfp28,
    /// QSFP56, 200 Gb/s.
    #[serde(rename = "QSFP56")]
    Qsfp56,
    /// QSFP112, 400 Gb/s.
    #[serde(rename = "QSFP112")]
    Qsfp112,
    /// QSFP-DD, 400 Gb/s and more.
    #[serde(rename = "QSFP-DD")]
    QsfpDd,
    /// OSFP, 400 Gb/s and more.
    #[serde(rename = "OSFP")]
    Osfp,
    /// Optics beside the switch chip.
    #[serde(rename = "co-packaged")]
    CoPackaged,
    /// A backplane.
    #[serde(rename = "backplane")]
    Backplane,
    /// Nobody says.
    #[serde(rename = "unknown")]
    Unknown,
}

impl Form {
    /// Returns its word.
    pub fn word(self) -> &'static str {
        match self {
            Form::Rj45 => "RJ45",
            Form::Sfp => "SFP",
            Form::SfpPlus => "SFP+",
            Form::Sfp28 => "SFP28",
            Form::QsfpPlus => "QSFP+",
            Form::Qsfp28 => "QSFP28",
            Form::Qsfp56 => "QSFP56",
            Form::Qsfp112 => "QSFP112",
            Form::QsfpDd => "QSFP-DD",
            Form::Osfp => "OSFP",
            Form::CoPackaged => "co-packaged",
            Form::Backplane => "backplane",
            Form::Unknown => "unknown",
        }
    }

    /// Returns the family whose newer cages take older modules, and the place of the form in it.
    fn family(self) -> Option<(u8, u8)> {
        match self {
            Form::Sfp => Some((0, 0)),
            Form::SfpPlus => Some((0, 1)),
            Form::Sfp28 => Some((0, 2)),
            Form::QsfpPlus => Some((1, 0)),
            Form::Qsfp28 => Some((1, 1)),
            Form::Qsfp56 => Some((1, 2)),
            Form::Qsfp112 => Some((1, 3)),
            Form::QsfpDd => Some((1, 4)),
            _ => None,
        }
    }

    /// Returns whether a module of this form goes into a cage: of the same form, or of a newer one of its family.
    pub fn fits(self, cage: Form) -> bool {
        let newer = self.family().zip(cage.family()).is_some_and(|(own, cage)| own.0 == cage.0 && own.1 <= cage.1);
        self == cage || newer || cage == Form::Unknown
    }
}

/// What a link is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Medium {
    /// Passive copper.
    Dac,
    /// Linear active copper.
    Acc,
    /// Active copper that restores the signal.
    Aec,
    /// An active optical cable.
    Aoc,
    /// Fibres up to 100 m (SR).
    Sr,
    /// Parallel fibres up to 500 m (DR).
    Dr,
    /// A fibre up to 2 km (FR).
    Fr,
    /// A fibre up to 10 km (LR).
    Lr,
    /// A fibre up to 40 km (ER).
    Er,
    /// A fibre beyond that (ZR).
    Zr,
    /// Twisted pairs.
    T,
    /// Co-packaged optics.
    Cpo,
    /// A backplane.
    Backplane,
}

impl Medium {
    /// All of them, with their words and what they are for people.
    pub const ALL: [(Medium, &'static str, &'static str); 13] = [
        (Medium::Dac, "dac", "passive copper"),
        (Medium::Acc, "acc", "linear active copper"),
        (Medium::Aec, "aec", "active copper that restores the signal"),
        (Medium::Aoc, "aoc", "active optical cable"),
        (Medium::Sr, "sr", "fibres up to 100 m"),
        (Medium::Dr, "dr", "parallel fibres up to 500 m"),
        (Medium::Fr, "fr", "a fibre up to 2 km"),
        (Medium::Lr, "lr", "a fibre up to 10 km"),
        (Medium::Er, "er", "a fibre up to 40 km"),
        (Medium::Zr, "zr", "a fibre beyond 40 km"),
        (Medium::T, "t", "twisted pairs"),
        (Medium::Cpo, "cpo", "co-packaged optics"),
        (Medium::Backplane, "backplane", "a backplane"),
    ];

    /// Returns its word in `link.medium`.
    pub fn word(self) -> &'static str {
        Medium::ALL.iter().find(|(medium, ..)| *medium == self).map_or("", |(_, word, _)| word)
    }

    /// Returns whether light carries it.
    pub fn is_optical(self) -> bool {
        !matches!(self, Medium::Dac | Medium::Acc | Medium::Aec | Medium::T | Medium::Backplane)
    }

    /// Returns whether a cage can take it, by its form alone.
    pub fn goes_into(self, cage: Form) -> bool {
        match (self, cage) {
            (_, Form::Unknown) => true,
            (Medium::Cpo, form) => form == Form::CoPackaged,
            (Medium::Backplane, form) => form == Form::Backplane,
            (Medium::T, form) => matches!(form, Form::Rj45 | Form::Sfp | Form::SfpPlus | Form::Sfp28),
            (_, form) => !matches!(form, Form::Rj45 | Form::CoPackaged | Form::Backplane),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn newer_cages_take_older_modules_of_their_family() {
        assert!(Form::Qsfp28.fits(Form::QsfpDd) && Form::Qsfp28.fits(Form::Qsfp28) && Form::Sfp.fits(Form::SfpPlus));
        assert!(!Form::QsfpDd.fits(Form::Qsfp28) && !Form::Qsfp28.fits(Form::Osfp) && !Form::Sfp28.fits(Form::Qsfp28));
        assert!(Medium::Dac.goes_into(Form::Qsfp28) && !Medium::Cpo.goes_into(Form::Osfp));
        assert!(
            Medium::T.goes_into(Form::Sfp) && !Medium::T.goes_into(Form::Qsfp28) && !Medium::Lr.goes_into(Form::Rj45)
        );
    }

    #[test]
    fn words_of_media_are_those_that_are_read() {
        for (medium, word, _) in Medium::ALL {
            assert_eq!(serde_json::from_value::<Medium>(word.into()).ok(), Some(medium), "{word}");
            assert_eq!(medium.word(), word);
        }
    }
}
