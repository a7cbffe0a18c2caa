//! The ends of links: which instances they are on, and whether these are hosts.

use std::collections::HashMap;
use std::ops::Range;

use super::{Infra, MOST};
use crate::document::Value;
use crate::model::wrong::{Word, Wrong, number, shown};

/// Names and kinds of components that hosts have.
const OF_HOSTS: [&str; 5] = ["xpu", "gpu", "npu", "cpu", "nic"];

/// A device of the file.
pub(super) struct Device<'v> {
    /// The numbers of its components by their names.
    components: HashMap<&'v str, u32>,
    is_host: bool,
}

/// One end of a link.
pub(super) struct End<'v> {
    /// The name and number of the instance.
    pub point: (&'v str, u32),
    pub is_host: bool,
}

/// Reads the devices of an infrastructure by their names.
pub(super) fn devices(root: &Value) -> Result<HashMap<&str, Device<'_>>, Wrong> {
    let mut devices = HashMap::new();
    for device in root.get("devices").map_or(Ok(&[][..]), |devices| devices.list("devices"))? {
        let name = device.need("name", "a device")?.text("name")?.0;
        let mut found = Device { components: HashMap::new(), is_host: false };
        for component in device.need("components", "a device")?.list("components")? {
            let kind =
                ["choice", "type"].into_iter().find_map(|key| component.get(key)).map(|kind| kind.text("a kind"));
            found.is_host |= matches!(kind.transpose()?, Some(("xpu" | "cpu", _)));
            let count = component.get("count").map_or(Ok(MOST), |count| count.number("components", 1, MOST))?;
            found.components.insert(component.need("name", "a component")?.text("name")?.0, count);
        }
        devices.insert(name, found);
    }
    Ok(devices)
}

impl<'v> Infra<'v> {
    /// Returns the ends that one side of an edge names, as often as it names components.
    pub(super) fn ends(&self, side: &'v Value) -> Result<Vec<End<'v>>, Wrong> {
        side.check(&["instance", "component"], "an end")?;
        let instance = side.need("instance", "an end")?.text("instance")?;
        let component = side.need("component", "an end")?.text("component")?;
        let (name, bounds) = split(&instance)?;
        let (device, count) = self.instance(name, &instance.1)?;
        let known = self.devices.get(device);
        let of_part = |part: &'v str| {
            let (name, bounds) = split(&(part, component.1.clone()))?;
            let count = known.and_then(|device| device.components.get(name)).copied();
            Ok::<_, Wrong>((name, slice(bounds, count, &component)?.len()))
        };
        let parts = component.0.split('.').map(of_part).collect::<Result<Vec<(&str, usize)>, Wrong>>()?;
        let times = parts.iter().map(|(_, number)| *number).fold(1, usize::saturating_mul);
        let numbers = slice(bounds, count, &instance)?;
        if numbers.len().saturating_mul(times) > MOST as usize {
            return Err(Wrong::new(&component.1, format!("this end stands for more than {MOST} ports"), "write fewer"));
        }
        let first = parts.first().map_or("", |(name, _)| *name);
        let all = numbers.flat_map(|at| (0..times).map(move |_| at));
        all.map(|at| self.end(name, at, first, &instance.1)).collect()
    }

    /// Returns an end by its instance and the component that is linked.
    pub(super) fn end(&self, name: &'v str, at: u32, component: &str, span: &Range<usize>) -> Result<End<'v>, Wrong> {
        let (device, count) = self.instance(name, span)?;
        if count.is_some_and(|count| at >= count) {
            let message = format!("there is no `{}` of number {at}", shown(name));
            return Err(Wrong::new(span, message, "instances are numbered from 0 on, up to their count"));
        }
        let is_host = self.devices.get(device).map_or(OF_HOSTS.contains(&component), |device| device.is_host);
        Ok(End { point: (name, at), is_host })
    }

    fn instance(&self, name: &str, span: &Range<usize>) -> Result<(&'v str, Option<u32>), Wrong> {
        self.instances.get(name).copied().ok_or_else(|| {
            let message = format!("there is no instance `{}`", shown(name));
            Wrong::new(span, message, "declare it among instances")
        })
    }
}

/// Splits `host[0:2]` into the name and what is between the brackets.
fn split<'v>((text, span): &Word<'v>) -> Result<(&'v str, Option<&'v str>), Wrong> {
    match text.split_once('[') {
        None => Ok((text, None)),
        Some((name, rest)) => rest.strip_suffix(']').map(|bounds| (name, Some(bounds))).ok_or_else(|| {
            Wrong::new(span, format!("`{}` is no name with numbers", shown(text)), "write host, host[0] or host[0:2]")
        }),
    }
}

/// Returns the numbers of a slice as Python has it: from the first up to but without the last.
fn slice(bounds: Option<&str>, count: Option<u32>, (_, span): &Word<'_>) -> Result<Range<u32>, Wrong> {
    let whole = |text: &str| number(&(text, span.clone()), "this slice", 0, MOST);
    let open = || {
        count.filter(|&count| count < MOST).ok_or_else(|| {
            Wrong::new(
                span,
                "nothing says how many there are",
                "write all numbers, such as [0:8], or a count where it is declared",
            )
        })
    };
    let range = match bounds.map(|bounds| bounds.split_once(':').ok_or(bounds)) {
        None => 0..open()?,
        Some(Err(one)) => whole(one).map(|at| at..at + 1)?,
        Some(Ok((first, last))) => {
            let first = if first.is_empty() { 0 } else { whole(first)? };
            first..if last.is_empty() { open()? } else { whole(last)? }
        }
    };
    match count {
        _ if range.is_empty() => Err(Wrong::new(span, "this slice is empty", "write [0:2] for the first two")),
        Some(count) if range.end > count => Err(Wrong::new(
            span,
            format!("there are {count}, and this asks for number {}", range.end - 1),
            "numbers begin with 0",
        )),
        _ => Ok(range),
    }
}
