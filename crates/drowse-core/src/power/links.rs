//! The mean power of all links of a run.

use crate::measure::Record;
use crate::model::config::Config;
use crate::model::ids::ChannelId;
use crate::power::model::channel_power;
use crate::topology::Network;

/// Returns the mean power of all channels, each as many times as it has lanes, as a share of what they draw when always
/// on; 1 where there are none.
pub fn link_power(record: &Record, network: &Network, config: &Config) -> f64 {
    let (mut drawn, mut lanes) = (0.0, 0.0);
    for (channel, of_channel) in (0..).map(ChannelId).zip(&record.channels) {
        let class = &config.classes[usize::from(network.channel_class(channel))];
        let residency = of_channel.residency.map(|time| u128::from(time.0));
        drawn += channel_power(&residency, &class.powers()) * f64::from(class.lanes);
        lanes += f64::from(class.lanes);
    }
    if lanes > 0.0 { drawn / lanes } else { 1.0 }
}
