//! What a kind of congestion control consists of in an experiment file: its keys, and their checks.

use drowse_core::model::transport::Control;
use drowse_core::model::units::{BitRate, Time};

use crate::diagnostic::Diagnostic;
use crate::keys::{Keys, join};
use crate::sections::repeated;

/// The keys of a kind beside `kind`.
pub(super) trait ControlKeys {
    /// Returns the control.
    fn control(self, place: &Place<'_>) -> Result<Control, Diagnostic>;
}

/// The table of a control, for errors, and what its defaults follow from.
pub(super) struct Place<'k> {
    /// Its path.
    pub path: &'static str,
    /// Where the keys of the experiment were written.
    pub keys: &'k Keys,
    /// The bandwidth of nodes' links.
    pub rate: BitRate,
}

impl Place<'_> {
    /// Makes an error at one of its keys.
    pub fn error(&self, key: &str, message: impl Into<String>, help: impl Into<String>) -> Diagnostic {
        self.keys.error(&join(self.path, key), message, help)
    }

    /// Checks a time that passes again and again; one is the default.
    pub fn period(&self, key: &str, written: Option<Time>, usual: Time) -> Result<Time, Diagnostic> {
        let time = repeated(self.keys, &join(self.path, key), written.unwrap_or(usual))?;
        if time == Time::ZERO {
            let message = format!("`{}` is zero", join(self.path, key));
            return Err(self.error(key, message, format!("write a time such as \"{usual}\"")));
        }
        Ok(time)
    }

    /// Checks a rate, which is at most that of the node's link.
    pub fn rate(&self, key: &str, written: Option<BitRate>, usual: BitRate) -> Result<BitRate, Diagnostic> {
        let rate = written.unwrap_or(usual);
        if rate.0 == 0 || rate > self.rate {
            let message = format!("`{}` is {} bits a second", join(self.path, key), rate.0);
            let help = format!("write more than none, and at most the {} of a node's link", self.rate.0);
            return Err(self.error(key, message, help));
        }
        Ok(rate)
    }
}
