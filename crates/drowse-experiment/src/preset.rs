//! Presets: named sets of defaults (`preset = "insee"`) that fill in what an experiment does not write.
//!
//! A preset is a part of an experiment file, one file each in the folder `presets`. Its tables are merged into the
//! experiment's key by key, into every table where the experiment has a list of them. What the experiment writes always
//! counts; a list in the preset is taken as a whole or not at all.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::diagnostic::Diagnostic;
use super::keys::Keys;
use super::wording;

/// All presets by name.
const PRESETS: [(&str, &str); 9] = [
    ("andujar-2019", include_str!("presets/andujar-2019.toml")),
    ("navaridas-2010", include_str!("presets/navaridas-2010.toml")),
    ("insee", include_str!("presets/insee.toml")),
    ("saravanan-2018", include_str!("presets/saravanan-2018.toml")),
    ("slingshot", include_str!("presets/slingshot.toml")),
    ("infiniband-ndr", include_str!("presets/infiniband-ndr.toml")),
    ("ethernet-51t", include_str!("presets/ethernet-51t.toml")),
    ("tofu-d", include_str!("presets/tofu-d.toml")),
    ("bxi", include_str!("presets/bxi.toml")),
];

/// The names that presets had before, and those that they have now.
const RENAMED: [(&str, &str); 2] = [("thin-trees", "navaridas-2010"), ("perfbound", "saravanan-2018")];

/// Takes the key `preset` out of an experiment and fills in that preset's values.
pub(super) fn fill(root: &mut DeTable<'_>, keys: &Keys) -> Result<(), Diagnostic> {
    let Some(chosen) = root.remove("preset") else { return Ok(()) };
    let Some(name) = chosen.get_ref().as_str() else {
        return Err(keys.error("preset", "`preset` has the wrong type", "write a text in quotes"));
    };
    if let Some((old, new)) = RENAMED.iter().find(|(old, _)| *old == name) {
        let message = format!("the preset \"{old}\" is now called \"{new}\"");
        return Err(keys.error("preset", message, format!("write preset = \"{new}\"")));
    }
    let text = text(name).ok_or_else(|| wording::unknown_word(keys, "preset", name, &names()))?;
    fill_from(root, text);
    Ok(())
}

/// Returns the names of all presets.
pub(super) fn names() -> Vec<&'static str> {
    PRESETS.iter().map(|(name, _)| *name).collect()
}

fn text(name: &str) -> Option<&'static str> {
    PRESETS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// Fills in the values of a preset, then those of the preset that it builds on.
fn fill_from(root: &mut DeTable<'_>, text: &'static str) {
    // The files are ours: a test reads them all.
    let Ok(mut preset) = DeTable::parse(text).map(Spanned::into_inner) else { return };
    let base = preset.remove("base");
    for (key, value) in preset {
        match root.get_mut(key.get_ref().as_ref()) {
            Some(written) => merge(written.get_mut(), value.get_ref()),
            // A job that the experiment does not have is not made up.
            None if key.get_ref() == "job" => {}
            None => {
                root.insert(key, value);
            }
        }
    }
    if let Some(base) = base.as_ref().and_then(|base| base.get_ref().as_str()).and_then(self::text) {
        fill_from(root, base);
    }
}

/// Fills what a value lacks: tables key by key, each table of a list like the others; other values stand as they are.
fn merge(written: &mut DeValue<'_>, default: &DeValue<'static>) {
    let DeValue::Table(defaults) = default else { return };
    match written {
        DeValue::Table(table) => {
            for (key, value) in defaults {
                match table.get_mut(key.get_ref().as_ref()) {
                    Some(inner) => merge(inner.get_mut(), value.get_ref()),
                    None => {
                        table.insert(key.clone(), value.clone());
                    }
                }
            }
        }
        DeValue::Array(tables) => tables.iter_mut().for_each(|table| merge(table.get_mut(), default)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_presets_are_toml_and_their_bases_exist() {
        for (name, preset) in PRESETS {
            let table = DeTable::parse(preset).unwrap().into_inner();
            let base = table.get("base").map(|base| base.get_ref().as_str().unwrap());
            assert!(base.is_none_or(|base| text(base).is_some()), "{name}");
        }
    }

    #[test]
    fn written_keys_count_and_missing_ones_are_filled_in() {
        let written =
            "[switch]\nclock = \"2 ns\"\nvcs = { any = 2 }\n[[job]]\ntrace = \"a\"\n[[job]]\nstart = \"5 ns\"\n";
        let mut root = DeTable::parse(written).unwrap().into_inner();
        fill_from(&mut root, text("insee").unwrap());
        let at = |path: &[&str]| {
            let mut value = &DeValue::Table(root.clone());
            for name in path {
                value = match value {
                    DeValue::Table(table) => table.get(*name).unwrap().get_ref(),
                    DeValue::Array(items) => items.get(name.parse::<usize>().unwrap()).unwrap().get_ref(),
                    _ => panic!("no table"),
                };
            }
            format!("{value:?}")
        };
        for (path, expected) in [
            (&["switch", "clock"][..], "2 ns"),
            (&["switch", "packet"], "64 B"),
            (&["switch", "padding"], "true"),
            (&["switch", "vcs", "any"], "2"),
            (&["job", "0", "start"], "1 ns"),
            (&["job", "1", "start"], "5 ns"),
        ] {
            assert!(at(path).contains(expected), "{path:?}: {}", at(path));
        }
    }
}
