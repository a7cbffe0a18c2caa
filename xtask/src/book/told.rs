//! Figures of the table that the commands of a page printed last, as a sentence of the page says them:
//!
//!     told LABEL share DIGITS     the first cell, a share in per cent
//!     told LABEL saved DIGITS     how much less than 1 the last cell, a ratio, is, in per cent
//!     told LABEL more DIGITS      how much more
//!     told TEXT number            the number before a text

/// Returns what a command tells of a printed table; an error says why it cannot.
pub fn tell(command: &str, printed: &str) -> Result<String, String> {
    let words = words(command);
    let ["told", label, what, digits @ ..] = &words.iter().map(String::as_str).collect::<Vec<_>>()[..] else {
        return Err("write it as: told LABEL share, saved, more or number".to_owned());
    };
    let found = printed.lines().find_map(|line| Some((line, line.find(label)?)));
    let (line, at) = found.ok_or_else(|| format!("no line has {label}"))?;
    if *what == "number" {
        let before = line[..at].trim_end_matches(' ');
        let start = before
            .rfind(|c: char| !c.is_ascii_digit() && c != '.' && c != ',')
            .map_or(0, |last| last + before[last..].chars().next().map_or(1, char::len_utf8));
        return Ok(before[start..].to_owned());
    }
    // Two spaces and more part cells; what stands between the label and the first is of the label.
    let cells = line[at + label.len()..].split("  ").skip(1).map(str::trim);
    let cells: Vec<&str> = cells.filter(|cell| !cell.is_empty()).collect();
    let number = |cell: Option<&&str>| {
        let cell = cell.map_or("", |cell| cell.trim_end_matches(" %"));
        cell.parse::<f64>().map_err(|_| format!("{label}: {cell} is no number"))
    };
    let value = match *what {
        "share" => number(cells.first())?,
        "saved" => 100.0 * (1.0 - number(cells.last())?),
        "more" => 100.0 * (number(cells.last())? - 1.0),
        other => return Err(format!("told tells share, saved, more and number, not {other}")),
    };
    let digits =
        digits.first().map_or(Ok(0_usize), |digits| digits.parse()).map_err(|_| "how many digits?".to_owned())?;
    Ok(format!("{value:.digits$} %"))
}

/// Returns the words of a command, in which quotes keep spaces.
fn words(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    for c in command.chars() {
        match quote {
            Some(open) if c == open => quote = None,
            None if c == '\'' || c == '"' => quote = Some(c),
            None if c == ' ' => words.push(String::new()),
            _ => words.iter_mut().last().into_iter().for_each(|word| word.push(c)),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRINTED: &str =
        "about 1,234 cases of a grid\n  time asleep       80.04 %    70 %\n  run time          1 ms   1.0294\n";

    #[test]
    fn figures_as_sentences_say_them() {
        assert_eq!(tell("told ' cases of a grid' number", PRINTED).unwrap(), "1,234");
        assert_eq!(tell("told 'time asleep' share", PRINTED).unwrap(), "80 %");
        assert_eq!(tell("told 'run time' more 1", PRINTED).unwrap(), "2.9 %");
        assert_eq!(tell("told 'run time' saved", PRINTED).unwrap(), "-3 %");
        assert_eq!(tell("told none share", PRINTED).unwrap_err(), "no line has none");
    }
}
