//! `sweep.zip` and `sweep.except`: which combinations of values are points of a sweep.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::axis::{Axis, shown};
use crate::diagnostic::Diagnostic;
use crate::keys::{Keys, join};
use crate::source::Source;
use crate::wording::meant;

/// The most combinations of a sweep, those that are left out included.
pub const MOST_CASES: u64 = 1_000_000;

/// Values that a message lists; more would bury it.
const MOST_NAMED: u64 = 8;

/// Values of keys: a point that has one of each is left out.
pub type ExceptKeys = serde_json::Map<String, serde_json::Value>;

/// The points of a sweep, as numbers of values of its keys: a product in which the last key is the fastest.
pub struct Points {
    /// The number of values of each group of keys that go together, in the order of their first keys.
    counts: Vec<u64>,
    /// The group of each key.
    groups: Vec<usize>,
    /// The combinations that are left, by their number in the product; `None` for all.
    kept: Option<Vec<u64>>,
}

/// Numbers of values of some keys, by the number of the key.
type Exception = Vec<(usize, Vec<u64>)>;

impl Points {
    /// Reads both keys; `picked` are the names of keys that overrides have given one value.
    pub fn read(
        axes: &[Axis<'_>],
        picked: &[String],
        zip: Option<&Spanned<DeValue<'_>>>,
        except: Option<&Spanned<DeValue<'_>>>,
        keys: &Keys,
    ) -> Result<Self, Diagnostic> {
        let known = Known { axes, picked, source: keys.source() };
        let mut groups: Vec<usize> = (0..axes.len()).collect();
        if let Some(zip) = zip {
            known.zip(zip, &mut groups)?;
        }
        let mut firsts = groups.clone();
        firsts.sort_unstable();
        firsts.dedup();
        let groups = groups.iter().map(|first| firsts.partition_point(|other| other < first)).collect();
        let counts = firsts.iter().map(|&first| axes[first].count()).collect();
        let mut points = Points { counts, groups, kept: None };
        points.check(keys)?;
        if let Some(except) = except {
            let exceptions = known.except(except)?;
            let kept: Vec<u64> = (0..points.len()).filter(|&point| !points.matches(point, &exceptions)).collect();
            if kept.is_empty() {
                return Err(known.source.error_at(&except.span(), "every point is left out", "name fewer values"));
            }
            points.kept = Some(kept);
        }
        Ok(points)
    }

    /// Returns the only point of an experiment without keys that are varied.
    pub const fn one() -> Self {
        Points { counts: Vec::new(), groups: Vec::new(), kept: None }
    }

    /// Returns the number of points.
    pub fn len(&self) -> u64 {
        self.kept.as_ref().map_or_else(|| self.product().unwrap_or(MOST_CASES), |kept| kept.len() as u64)
    }

    /// Returns the number of each key's value at a point.
    pub fn indexes(&self, point: u64) -> Vec<u64> {
        let mut rest = self.kept.as_ref().map_or(point, |kept| kept[point as usize]);
        let mut digits: Vec<u64> = self.counts.iter().rev().map(|&count| digit(&mut rest, count)).collect();
        digits.reverse();
        self.groups.iter().map(|&group| digits[group]).collect()
    }

    /// Returns the number of values of each group of keys that go together, in the order of their first keys.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Returns the group of each key.
    pub fn groups(&self) -> &[usize] {
        &self.groups
    }

    /// Returns the point that has a value of each group; `None` where it is left out.
    pub fn at(&self, values: &[u64]) -> Option<u64> {
        let number = self.counts.iter().zip(values).fold(0, |number, (count, value)| number * count + value);
        match &self.kept {
            None => Some(number),
            Some(kept) => kept.binary_search(&number).ok().map(|point| point as u64),
        }
    }

    /// Multiplies the numbers of values; `None` when they overflow.
    fn product(&self) -> Option<u64> {
        self.counts.iter().try_fold(1, |product: u64, &count| product.checked_mul(count))
    }

    fn check(&self, keys: &Keys) -> Result<(), Diagnostic> {
        match self.product() {
            Some(cases) if cases <= MOST_CASES => Ok(()),
            cases => {
                let count = cases.map_or_else(|| "more than 2^64".into(), |cases| cases.to_string());
                let message = format!("this sweep has {count} cases; the most is {MOST_CASES}");
                Err(keys.error("sweep", message, "list fewer values, or split it into several experiments"))
            }
        }
    }

    fn matches(&self, point: u64, exceptions: &[Exception]) -> bool {
        let indexes = self.indexes(point);
        let has = |(axis, values): &(usize, Vec<u64>)| values.contains(&indexes[*axis]);
        exceptions.iter().any(|exception| exception.iter().all(has))
    }
}

/// Takes the last digit of a number off, in a base.
fn digit(number: &mut u64, base: u64) -> u64 {
    let digit = *number % base;
    *number /= base;
    digit
}

/// The keys that may be named.
struct Known<'a, 't> {
    axes: &'a [Axis<'t>],
    picked: &'a [String],
    source: &'a Source,
}

impl Known<'_, '_> {
    /// Reads `zip`: a key's group is its first key.
    fn zip(&self, zip: &Spanned<DeValue<'_>>, groups: &mut [usize]) -> Result<(), Diagnostic> {
        const HELP: &str = "write groups of keys, such as zip = [[\"network.dims\", \"network.nodes\"]]";
        let wrong = |value: &Spanned<DeValue<'_>>| self.source.error_at(&value.span(), "this is no list of keys", HELP);
        let DeValue::Array(lists) = zip.get_ref() else { return Err(wrong(zip)) };
        let mut taken = Vec::new();
        for list in lists {
            let DeValue::Array(names) = list.get_ref() else { return Err(wrong(list)) };
            let mut first = None;
            for name in names {
                let DeValue::String(path) = name.get_ref() else { return Err(wrong(name)) };
                let Some(axis) = self.axis(path, name)? else { continue };
                if taken.contains(&axis) {
                    let message = format!("`{path}` goes together with two groups of keys, or twice with one");
                    return Err(self.source.error_at(&name.span(), message, "name each key once"));
                }
                taken.push(axis);
                let first = *first.get_or_insert(axis);
                let [theirs, ours] = [first, axis].map(|axis| self.axes[axis].count());
                if theirs != ours {
                    let other = self.axes[first].name();
                    let message = format!("`{other}` has {theirs} values and `{path}` {ours}: they cannot go together");
                    return Err(self.source.error_at(&name.span(), message, "give both as many values"));
                }
                groups[axis] = first;
            }
            // The group comes where the first of its keys is written.
            let members: Vec<usize> = (0..groups.len()).filter(|&axis| Some(groups[axis]) == first).collect();
            members.iter().for_each(|&axis| groups[axis] = members[0]);
        }
        Ok(())
    }

    /// Reads `except`; an exception that names a key with one value by hand does not hold.
    fn except(&self, except: &Spanned<DeValue<'_>>) -> Result<Vec<Exception>, Diagnostic> {
        const HELP: &str = "write tables of values, such as except = [{ \"network.trunk\" = 4, seed = [1, 2] }]";
        let wrong =
            |value: &Spanned<DeValue<'_>>| self.source.error_at(&value.span(), "this is no table of keys", HELP);
        let DeValue::Array(tables) = except.get_ref() else { return Err(wrong(except)) };
        let mut exceptions = Vec::new();
        for item in tables {
            let DeValue::Table(table) = item.get_ref() else { return Err(wrong(item)) };
            let mut exception = Some(Vec::new());
            self.add("", table, &mut exception)?;
            if exception.as_ref().is_some_and(Vec::is_empty) {
                return Err(wrong(item));
            }
            exceptions.extend(exception);
        }
        Ok(exceptions)
    }

    /// Adds the keys of a table of an exception, and of the tables in it that are no values.
    fn add(&self, outer: &str, table: &DeTable<'_>, exception: &mut Option<Exception>) -> Result<(), Diagnostic> {
        for (key, value) in table {
            let path = join(outer, key.get_ref());
            match value.get_ref() {
                DeValue::Table(inner) if !self.is_known(&path) => self.add(&path, inner, exception)?,
                _ => match (self.axis(&path, key)?, exception.as_mut()) {
                    (Some(axis), Some(exception)) => exception.push((axis, self.values(axis, value)?)),
                    _ => *exception = None,
                },
            }
        }
        Ok(())
    }

    /// Returns the numbers of one value, or of those of a list.
    fn values(&self, axis: usize, value: &Spanned<DeValue<'_>>) -> Result<Vec<u64>, Diagnostic> {
        let number = |value: &Spanned<DeValue<'_>>| {
            let (axis, text) = (&self.axes[axis], shown(value));
            (0..axis.count()).find(|&index| axis.text(index) == text)
        };
        let missing = |value: &Spanned<DeValue<'_>>| {
            let axis = &self.axes[axis];
            let mut texts: Vec<String> = (0..axis.count().min(MOST_NAMED)).map(|index| axis.toml(index)).collect();
            if axis.count() > MOST_NAMED {
                texts.push("...".into());
            }
            let message = format!("`{}` has no such value", axis.name());
            self.source.error_at(&value.span(), message, format!("its values: {}", texts.join(", ")))
        };
        match (number(value), value.get_ref()) {
            (Some(number), _) => Ok(vec![number]),
            (None, DeValue::Array(items)) if !items.is_empty() => {
                items.iter().map(|item| number(item).ok_or_else(|| missing(item))).collect()
            }
            _ => Err(missing(value)),
        }
    }

    fn is_known(&self, path: &str) -> bool {
        self.picked.iter().any(|name| name == path) || self.axes.iter().any(|axis| axis.name() == path)
    }

    /// Returns the number of a key by its name; `None` for one that has one value by hand.
    fn axis<T>(&self, path: &str, named: &Spanned<T>) -> Result<Option<usize>, Diagnostic> {
        if self.picked.iter().any(|name| name == path) {
            return Ok(None);
        }
        let names: Vec<String> = self.axes.iter().map(Axis::name).collect();
        let found = names.iter().position(|name| name == path);
        found.map(Some).ok_or_else(|| {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let help = format!("{}keys of this sweep: {}", meant(path, &names), names.join(", "));
            self.source.error_at(&named.span(), format!("`{path}` is not varied"), help)
        })
    }
}
