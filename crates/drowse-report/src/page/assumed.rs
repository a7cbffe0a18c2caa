//! What results rest on: the experiment, the watts, the version and build, and where all numbers are.

use std::path::{Component, Path, PathBuf, absolute};

use drowse_tables::schema;
use toml::{Table, Value};

use super::html::escaped;
use crate::results::Results;
use crate::study::Study;

/// The most keys of a section that are told in a line.
const MOST_KEYS: usize = 8;

/// Says which network, policy and programs these are, as the experiment has them; what a sweep varies is among its cases.
pub fn in_words(results: &Results, study: &Study) -> Vec<(&'static str, String)> {
    let Ok(experiment) = results.manifest.experiment.parse::<Table>() else { return Vec::new() };
    let network = experiment.get("network").map(|network| told("network", network, study));
    let policy = experiment.get("power").and_then(|power| power.get("policy"));
    let policy = policy.map(|policy| told("power.policy", policy, study));
    let jobs = experiment.get("job").and_then(Value::as_array).map(|jobs| jobs.iter().map(job).collect::<Vec<_>>());
    let jobs = jobs.filter(|_| !study.keys.iter().any(|key| key.path == "job")).map(|jobs| jobs.join(", "));
    let traffic = experiment.get("traffic").map(|traffic| told("traffic", traffic, study));
    let all = [("Network", network), ("Link power policy", policy), ("Runs", jobs), ("Traffic", traffic)];
    all.into_iter().filter_map(|(what, words)| Some((what, words.filter(|words| !words.is_empty())?))).collect()
}

/// Tells the keys of a section, its kind first; for what a sweep varies it says so.
fn told(path: &str, section: &Value, study: &Study) -> String {
    if study.keys.iter().any(|key| key.path == path) {
        return "several, by case".into();
    }
    let Some(table) = section.as_table() else { return plain(section).unwrap_or_default() };
    let varied = |key: &str| study.keys.iter().any(|known| known.path == format!("{path}.{key}"));
    let kind = table.get("kind").and_then(plain);
    let others = table.iter().filter(|(key, _)| *key != "kind").filter_map(|(key, value)| {
        let value = if varied(key) { "by case".into() } else { plain(value)? };
        Some(format!("{key} {value}"))
    });
    kind.into_iter().chain(others.take(MOST_KEYS)).collect::<Vec<_>>().join(", ")
}

/// Names a job: its name, its trace, or the kind of its program.
fn job(job: &Value) -> String {
    let of = |key: &str| job.get(key).and_then(Value::as_str);
    let kind = || job.get("app")?.get("kind")?.as_str();
    of("name").or_else(|| of("trace")).or_else(kind).unwrap_or("a job").to_owned()
}

/// Writes a value that fits a line.
fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Array(items) if items.iter().all(Value::is_integer) => {
            Some(items.iter().map(Value::to_string).collect::<Vec<_>>().join(" x "))
        }
        Value::Array(_) | Value::Table(_) => None,
        other => Some(other.to_string()),
    }
}

/// Makes the section: watts, build, the experiment, and links to all tables from the folder in which the page stands.
pub fn section(results: &Results, watts: &[&str], beside: Option<&Path>) -> String {
    let mut items: Vec<(&str, String)> = Vec::new();
    if !watts.is_empty() {
        items.push(("Watts", escaped(&watts.join(" | "))));
    }
    let manifest = &results.manifest;
    let version = [("Drowse ", &manifest.version), ("build ", &manifest.build)];
    let version = version.iter().filter(|(_, text)| !text.is_empty()).map(|(word, text)| format!("{word}{text}"));
    let version = version.collect::<Vec<_>>().join(", ");
    if !version.is_empty() {
        items.push(("Made by", escaped(&version)));
    }
    items.push(("All numbers", tables(results, beside)));
    let items: Vec<String> = items.iter().map(|(what, text)| format!("<dt>{what}</dt><dd>{text}</dd>\n")).collect();
    let items = items.concat();
    let experiment = if manifest.experiment.is_empty() {
        String::new()
    } else {
        let text = escaped(manifest.experiment.trim_end());
        format!("<details><summary>The experiment</summary>\n<pre tabindex=\"0\">{text}</pre></details>\n")
    };
    format!(
        "<section class=\"card wide\" id=\"assumed\">\n<h3>Experiment, watts, build and tables</h3>\n\
         <dl>\n{items}</dl>\n{experiment}</section>\n"
    )
}

/// Lists the tables that the folder has, linked where the place of the page is known.
fn tables(results: &Results, beside: Option<&Path>) -> String {
    let link = beside.and_then(|beside| relative(beside, &results.folder));
    let mut files: Vec<&str> = schema::ALL.iter().map(|schema| schema.file).collect();
    files.push("manifest.json");
    files.retain(|file| results.folder.join(file).is_file());
    let item = |file: &&str| match &link {
        Some(link) => format!("<a href=\"{}\">{file}</a>", escaped(&url(&link.join(file)))),
        None => (*file).to_owned(),
    };
    files.iter().map(item).collect::<Vec<_>>().join(", ")
}

/// Returns the relative path from one folder to another; none where they have no common beginning.
fn relative(from: &Path, to: &Path) -> Option<PathBuf> {
    let [from, to] = [plainly(from)?, plainly(to)?];
    let common = from.components().zip(to.components()).take_while(|(one, other)| one == other).count();
    if common == 0 {
        return None;
    }
    let up = from.components().skip(common).map(|_| Component::ParentDir);
    Some(up.chain(to.components().skip(common)).collect())
}

/// Returns a path from the root, without `.` and `..`.
fn plainly(path: &Path) -> Option<PathBuf> {
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    let mut plain = PathBuf::new();
    for part in absolute(path).ok()?.components() {
        match part {
            Component::ParentDir => _ = plain.pop(),
            Component::CurDir => {}
            other => plain.push(other),
        }
    }
    Some(plain)
}

/// Writes a path as a link.
fn url(path: &Path) -> String {
    let part = |part: Component<'_>| {
        let text = part.as_os_str().to_string_lossy().into_owned();
        let safe = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
        text.bytes()
            .map(|byte| if safe(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
            .collect()
    };
    path.components().map(part).collect::<Vec<String>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_from_folder_to_folder() {
        let way = |from: &str, to: &str| relative(Path::new(from), Path::new(to)).map(|way| url(&way));
        assert_eq!(way("/a/b", "/a/c d/e").unwrap(), "../c%20d/e");
        assert_eq!(way("/a", "/a/b/../c").unwrap(), "c");
        assert_eq!(way("", "run").unwrap(), "run");
        assert_eq!(way("pages", "run").unwrap(), "../run");
    }
}
