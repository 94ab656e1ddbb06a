//! How a [`TickSync`] is read back: its fields, checked.

use core::time::Duration;

use evenstep::{Rate, Tick};

use super::arrival_samples::ArrivalSamples;
use super::clock_gain::ClockGain;
use super::sent_inputs::SentInputs;
use super::settings::Settings;
use super::tick_sync::TickSync;

#[derive(serde::Deserialize)]
#[serde(rename = "TickSync", deny_unknown_fields)]
pub(super) struct Saved {
    rate: Rate,
    settings: Settings,
    gain: ClockGain,
    offset: i128,
    has_joined: bool,
    is_waiting: bool,
    local: Tick,
    sent: SentInputs,
    reports: ArrivalSamples,
    pongs: ArrivalSamples,
    newest_ping: Option<Duration>,
}

impl TryFrom<Saved> for TickSync {
    type Error = &'static str;

    fn try_from(saved: Saved) -> Result<Self, Self::Error> {
        if !saved.settings.is_valid() {
            return Err("the settings of a tick synchronisation are out of range");
        }
        if !saved.gain.is_valid() || saved.offset.unsigned_abs() > u128::from(Tick::MAX) {
            return Err("the times of a tick synchronisation are impossible");
        }
        if !(saved.sent.is_valid(saved.rate) && saved.reports.is_valid() && saved.pongs.is_valid()) {
            return Err("the samples of a tick synchronisation are impossible");
        }
        Ok(Self {
            rate: saved.rate,
            settings: saved.settings,
            gain: saved.gain,
            offset: saved.offset,
            has_joined: saved.has_joined,
            is_waiting: saved.is_waiting,
            local: saved.local,
            sent: saved.sent,
            reports: saved.reports,
            pongs: saved.pongs,
            newest_ping: saved.newest_ping,
        })
    }
}
