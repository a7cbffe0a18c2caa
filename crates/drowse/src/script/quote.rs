//! Words for a shell.

/// A text that no script can hold: it is no UTF-8, or has characters that cannot be seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unquotable(pub String);

/// Returns a text as one word of a shell, in quotes where it needs them.
pub fn quoted(text: &str) -> Result<String, Unquotable> {
    if text.chars().any(char::is_control) {
        return Err(Unquotable(text.to_owned()));
    }
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./=:,+@%".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        Ok(text.to_owned())
    } else {
        Ok(format!("'{}'", text.replace('\'', r"'\''")))
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    /// The oracle is a shell, which must print the text.
    #[test]
    fn a_shell_reads_what_was_quoted() {
        for text in ["", "plain", "a b", "it's", "$HOME", "`id`", "\\", "\"", "*", "~", "a;b", "ä", "-n", "'", "{}"] {
            let word = quoted(text).unwrap();
            let printed = Command::new("sh").args(["-c", &format!("printf %s {word}")]).output().unwrap();
            assert_eq!(String::from_utf8(printed.stdout).unwrap(), text, "{word}");
        }
    }

    #[test]
    fn lines_cannot_be_quoted() {
        assert_eq!(quoted("a\nb"), Err(Unquotable("a\nb".into())));
    }
}
