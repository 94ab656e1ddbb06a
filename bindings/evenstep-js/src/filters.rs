//! Filters that smooth frame times.

use evenstep_flat::Error;
use evenstep_flat::filter::FilterSettings;
use evenstep_flat::filter_chain::FilterChain;

use crate::call::Call;
use crate::calls::filters as calls;
use crate::slots::Slots;

pub(crate) fn call(filters: &mut FilterChain, call: &Call, slots: &mut Slots) -> Result<(), Error> {
    match call.what {
        // The kind, then a rate, a window or a duration.
        calls::ADD => filters.add(&FilterSettings { kind: call.count(0) })?,
        calls::BEGIN => filters.begin(call.time(0)?)?,
        calls::APPLY => {
            let given = filters.apply(call.numbers[0] as i64)?;
            slots.number(0, given.delta as f64);
            slots.number(1, given.residual as f64);
            slots.number(2, given.max_lead as f64);
        }
        calls::REFRESH_HZ => slots.number(0, filters.refresh_hz().unwrap_or(0.0)),
        _ => slots.integer(0, filters.filtered_out()),
    }
    Ok(())
}
