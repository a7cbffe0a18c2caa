//! What all pages begin with.

use crate::page::html::escaped;

const STYLE: &str = include_str!("../../assets/page.css");
/// The icon: a link between two switches.
const ICON: &str = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath d='M4 8h8' stroke='%230072b2' stroke-width='2'/%3E%3Ccircle cx='3' cy='8' r='3' fill='%23d55e00'/%3E%3Ccircle cx='13' cy='8' r='3' fill='%230072b2'/%3E%3C/svg%3E";

/// Returns a page up to its heading, which is the title.
pub fn head(title: &str) -> String {
    let title = escaped(title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n\
         <link rel=\"icon\" href=\"{ICON}\">\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n<header>\n<h1>{title}</h1>\n"
    )
}
