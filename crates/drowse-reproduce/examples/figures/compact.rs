//! Pictures without what they repeat: neighbours that look alike are a group that says so once, and texts are one line.

/// Attributes that elements take from the group that they are in.
const LOOKS: [&str; 6] = ["fill", "stroke", "stroke-width", "font-family", "font-size", "text-anchor"];

/// An element: its name, how it looks, its other attributes, and its words.
struct Element {
    name: String,
    look: String,
    rest: String,
    words: Option<String>,
}

/// Writes a picture anew, an element a line.
pub fn compact(svg: &str) -> String {
    let (mut head, mut elements, mut lines) = (String::new(), Vec::new(), svg.lines());
    while let Some(line) = lines.next() {
        if line.starts_with("<svg") || line.starts_with("<?xml") {
            head = format!("{head}{line}\n");
        } else if line.starts_with("<text") {
            let words: Vec<&str> = lines.by_ref().take_while(|line| *line != "</text>").collect();
            elements.push(element(line, Some(words.join(" "))));
        } else if line != "</svg>" {
            elements.push(element(line, None));
        }
    }
    let mut file = head;
    for group in elements.chunk_by(|one, other| one.look == other.look) {
        if let [one] = group {
            file += &written(one, &one.look);
            continue;
        }
        file += &["<g", &group[0].look, ">\n"].concat();
        group.iter().for_each(|element| file += &written(element, ""));
        file += "</g>\n";
    }
    file + "</svg>\n"
}

fn element(line: &str, words: Option<String>) -> Element {
    let inner = line.trim_start_matches('<').trim_end_matches('>').trim_end_matches('/');
    let (name, mut left) = inner.split_once(' ').unwrap_or((inner, ""));
    let (mut look, mut rest) = (String::new(), String::new());
    while let Some((attribute, (value, next))) =
        left.trim_start().split_once("=\"").and_then(|(attribute, left)| Some((attribute, left.split_once('"')?)))
    {
        let into = if LOOKS.contains(&attribute) { &mut look } else { &mut rest };
        *into += &[" ", attribute, "=\"", value.trim_end(), "\""].concat();
        left = next;
    }
    Element { name: name.to_owned(), look, rest, words }
}

fn written(element: &Element, look: &str) -> String {
    let Element { name, rest, words, .. } = element;
    match words {
        Some(words) => format!("<{name}{rest}{look}>{words}</{name}>\n"),
        None => format!("<{name}{rest}{look}/>\n"),
    }
}
