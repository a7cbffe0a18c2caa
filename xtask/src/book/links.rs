//! Links of pages.

use std::path::Path;

use crate::failure::{Failure, Outcome};
use crate::repository::read;

/// Returns what links and pictures of a page lead to, without places within pages.
fn targets(page: &str) -> impl Iterator<Item = &str> {
    page.split("](").skip(1).filter_map(|rest| rest.split([')', '#', '\n']).next())
}

/// Returns the names of the pictures that a page's own commands make.
pub fn pictures(page: &str) -> impl Iterator<Item = &str> {
    targets(page).filter_map(|target| target.strip_prefix("../shown/"))
}

/// Checks that the links of README.md and of the book lead to files.
pub fn check(files: &[String]) -> Outcome {
    for page in files.iter().filter(|file| *file == "README.md" || (file.starts_with("docs/") && file.ends_with(".md")))
    {
        let folder = Path::new(page).parent().unwrap_or(Path::new(""));
        let text = read(page)?;
        let missing = targets(&text)
            .find(|target| !target.is_empty() && !target.starts_with("http") && !folder.join(target).exists());
        if let Some(target) = missing {
            return Err(Failure::new(format!("{page}: no such page or picture: {target}")));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_and_pictures_of_a_page() {
        let page = "[a](b.md#c) and ![d](../shown/e.svg), [f](#g)";
        assert_eq!(targets(page).collect::<Vec<_>>(), ["b.md", "../shown/e.svg", ""]);
        assert_eq!(pictures(page).collect::<Vec<_>>(), ["e.svg"]);
    }
}
