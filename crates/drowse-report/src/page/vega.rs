//! The libraries that draw charts in a browser. They lie compressed in the repository and in the program.

use std::io::Read;
use std::path::PathBuf;

use flate2::read::GzDecoder;

use crate::error::ReportError;

/// The libraries in the order in which a page needs them.
const LIBRARIES: [(&str, &[u8]); 3] = [
    ("vega.min.js", include_bytes!("../../assets/vega/vega.min.js.gz")),
    ("vega-lite.min.js", include_bytes!("../../assets/vega/vega-lite.min.js.gz")),
    ("vega-embed.min.js", include_bytes!("../../assets/vega/vega-embed.min.js.gz")),
];

/// Returns the text of each library; an error means that the program itself is damaged.
pub fn scripts() -> Result<Vec<String>, ReportError> {
    let script = |&(name, compressed): &(&str, &[u8])| {
        let mut text = String::new();
        let read = GzDecoder::new(compressed).read_to_string(&mut text);
        read.map_err(|error| ReportError::Unreadable { path: PathBuf::from(name), error })?;
        Ok(text)
    };
    LIBRARIES.iter().map(script).collect()
}

#[cfg(test)]
mod tests {
    use flate2::Crc;

    use super::*;

    /// The packages of the registry, without their last lines: versions are named in the texts, and the checksums are
    /// of `npm pack` of these versions.
    #[test]
    fn libraries_are_those_that_their_page_names() {
        let page = include_str!("../../assets/vega/README.md");
        for (text, (name, _)) in scripts().unwrap().iter().zip(LIBRARIES) {
            let line = page.lines().find(|line| line.starts_with(&format!("| `{name}.gz` "))).unwrap();
            let cell = |number: usize| line.split('|').nth(number).unwrap().trim().trim_matches('`');
            assert!(text.contains(&format!("\"{}\"", cell(3))), "{name} is not of version {}", cell(3));
            let mut sum = Crc::new();
            sum.update(text.as_bytes());
            assert_eq!(format!("{:08x}", sum.sum()), cell(4), "{name}");
        }
    }
}
