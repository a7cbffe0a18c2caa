//! What the cases of a program vary: the policy, and the values over which the paper sweeps.

/// The policy of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// What all others are relative to.
    AlwaysOn,
    /// Sleep in hindsight.
    Oracle,
    /// Deep sleep at once, with this time to wake in nanoseconds: Fig. 4.
    AtOnce { wake_ns: u64 },
    /// Stall timers in microseconds: Fig. 5 and 7, and with both Fig. 9.
    Timers { shallow_us: Option<u64>, deep_us: Option<u64> },
    /// PerfBound under a bound in thousandths.
    PerfBound { bound: u32 },
    /// DynamicFastwake under a bound in thousandths.
    DynamicFastwake { bound: u32 },
    /// DynamicFastwake at 1 % without its correction of errors, to see what that does.
    Uncorrected,
}

/// The bound of 1 %, which most of the paper's numbers are for, in thousandths.
pub const ONE_PERCENT: u32 = 10;

/// The values over which is swept.
struct Grid {
    /// Times to wake, in nanoseconds.
    wakes: &'static [u64],
    /// Stall timers of one sleep state alone, in microseconds.
    alone: &'static [u64],
    /// Stall timers of both, in microseconds: all pairs with the shallow one shorter.
    pairs: &'static [u64],
    /// Bounds of PerfBound and of DynamicFastwake, in thousandths.
    bounds: [&'static [u32]; 2],
}

/// Single timers lie between those of the histogram, 1 us and 100 ms, and include those that the text names; the times
/// to wake include 4.48 us and the 2.88 us that section 4.1 gives. Bounds are those of section 7.
const FULL: Grid = Grid {
    wakes: &[250, 500, 1_000, 2_880, 4_480, 8_000, 16_000],
    alone: &[1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 3_000, 10_000, 100_000],
    pairs: &[1, 5, 10, 20, 50, 100, 200, 500, 1_000, 10_000],
    bounds: [&[5, ONE_PERCENT, 20, 40, 60], &[5, ONE_PERCENT, 20, 30, 40]],
};

/// What the paper's numbers need, for the settings beside that as traced.
const PRINTED: Grid = Grid {
    wakes: &[4_480],
    alone: &[5, 10, 20, 50, 100, 200, 500, 1_000, 3_000],
    pairs: &[10, 100, 1_000],
    bounds: [&[ONE_PERCENT], &[ONE_PERCENT]],
};

/// What the paper's numbers of programs that are sketched need.
const SKETCH: Grid = Grid {
    wakes: &[4_480],
    alone: &[10, 100, 1_000],
    pairs: &[10, 100, 1_000],
    bounds: [&[ONE_PERCENT], &[ONE_PERCENT]],
};

const QUICK: Grid = Grid {
    wakes: &[1_000, 4_480],
    alone: &[10, 50, 100, 1_000],
    pairs: &[10, 100, 1_000],
    bounds: [&[ONE_PERCENT, 40], &[ONE_PERCENT, 40]],
};

/// Returns the settings of a program as traced; without the sweep only those of the policies.
pub fn settings(quick: bool, swept: bool) -> Vec<Setting> {
    of_grid(&if quick { QUICK } else { FULL }, swept)
}

/// Returns the settings of a program that is brought nearer to the paper's: those of the paper's numbers, or, quickly,
/// only those of the policies.
pub fn settings_nearer(quick: bool) -> Vec<Setting> {
    of_grid(&PRINTED, !quick)
}

/// Returns the settings of a program that is sketched.
pub fn settings_of_sketches() -> Vec<Setting> {
    of_grid(&SKETCH, true)
}

/// Returns the settings under a choice that the paper leaves open.
pub fn settings_of_bands() -> Vec<Setting> {
    let bound = ONE_PERCENT;
    vec![Setting::AlwaysOn, Setting::PerfBound { bound }, Setting::DynamicFastwake { bound }]
}

fn of_grid(grid: &Grid, swept: bool) -> Vec<Setting> {
    let [perfbound, fastwake] = grid.bounds;
    let mut settings = vec![Setting::AlwaysOn, Setting::Oracle, Setting::Uncorrected];
    settings.extend(perfbound.iter().map(|&bound| Setting::PerfBound { bound }));
    settings.extend(fastwake.iter().map(|&bound| Setting::DynamicFastwake { bound }));
    if swept {
        settings.extend(grid.wakes.iter().map(|&wake_ns| Setting::AtOnce { wake_ns }));
        settings.extend(grid.alone.iter().map(|&timer| Setting::deep(timer)));
        settings.extend(grid.alone.iter().map(|&timer| Setting::shallow(timer)));
        settings.extend(pairs(grid.pairs));
    }
    settings
}

/// Returns all pairs with the shallow timer shorter than the deep one.
fn pairs(timers: &[u64]) -> impl Iterator<Item = Setting> {
    let of = |&shallow: &u64| {
        let longer = timers.iter().filter(move |&&deep| shallow < deep);
        longer.map(move |&deep| Setting::Timers { shallow_us: Some(shallow), deep_us: Some(deep) })
    };
    timers.iter().flat_map(of)
}

impl Setting {
    /// Makes the stall timer of deep sleep alone.
    pub const fn deep(timer_us: u64) -> Self {
        Setting::Timers { shallow_us: None, deep_us: Some(timer_us) }
    }

    /// Makes the stall timer of fast wake alone.
    pub const fn shallow(timer_us: u64) -> Self {
        Setting::Timers { shallow_us: Some(timer_us), deep_us: None }
    }

    /// Returns the policy's name.
    pub const fn policy(&self) -> &'static str {
        match self {
            Setting::AlwaysOn => "always-on",
            Setting::Oracle => "oracle",
            Setting::AtOnce { .. } => "immediate",
            Setting::Timers { .. } => "stall-timer",
            Setting::PerfBound { .. } => "perfbound",
            Setting::DynamicFastwake { .. } | Setting::Uncorrected => "dynamic-fastwake",
        }
    }

    /// Returns whether its timers are recorded: Fig. 12.
    pub fn records_timers(&self) -> bool {
        *self == Setting::PerfBound { bound: ONE_PERCENT }
    }

    /// Returns what is put into the experiment, with more keys of the policies that keep a bound.
    pub fn overrides(&self, more: &str) -> Vec<String> {
        let kind = self.policy();
        let timer =
            |name: &str, timer: Option<u64>| timer.map(|us| format!(", {name} = \"{us} us\"")).unwrap_or_default();
        let policy = |keys: String| format!("power.policy={{ kind = \"{kind}\"{keys} }}");
        match *self {
            Setting::AlwaysOn | Setting::Oracle => vec![policy(String::new())],
            Setting::AtOnce { wake_ns } => vec![
                policy(", sleep = \"deep\"".into()),
                format!("power.states={{ preset = \"saravanan-2018\", deep = {{ wake = \"{wake_ns} ns\" }} }}"),
            ],
            Setting::Timers { shallow_us, deep_us } => {
                vec![policy(timer("shallow", shallow_us) + &timer("deep", deep_us))]
            }
            Setting::PerfBound { bound } | Setting::DynamicFastwake { bound } => {
                vec![policy(format!(", bound = {bound}e-3{more}"))]
            }
            Setting::Uncorrected => vec![policy(format!(", bound = {ONE_PERCENT}e-3, correction = false"))],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The paper shows the timers of PerfBound at 1 % alone.
    #[test]
    fn timers_of_one_setting_are_recorded() {
        let recorded: Vec<Setting> = settings(false, true).into_iter().filter(Setting::records_timers).collect();
        assert_eq!(recorded, [Setting::PerfBound { bound: 10 }]);
    }
}
