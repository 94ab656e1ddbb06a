//! A reference model of the server, which recomputes every result from a log of all events.

use evenstep::history::Rewind;
use evenstep::{Rate, Step, Tick};
use evenstep_net::{ClientMessage, Counts, PlayerId, PredictedGame, TickInput};

use crate::balls::Balls;

#[derive(Clone, Debug)]
pub(crate) enum Event {
    Joined(PlayerId),
    Left(PlayerId),
    Message(PlayerId, ClientMessage<i8>),
}

/// The events of the server, each with the tick before which it arrived.
pub(crate) type Log = Vec<(Tick, Event)>;

/// An input: the tick before which it arrived, its tick, its value.
type Arrived = (Tick, Tick, i8);

/// The inputs of a player since it last joined, up to a tick; `None` if it does not take part.
fn arrivals(log: &Log, player: PlayerId, before: Tick) -> Option<Vec<Arrived>> {
    let mut arrivals: Option<Vec<Arrived>> = None;
    for (at, event) in log.iter().filter(|(at, _)| *at <= before) {
        match event {
            Event::Joined(id) if *id == player => _ = arrivals.get_or_insert_default(),
            Event::Left(id) if *id == player => arrivals = None,
            Event::Message(id, message) if *id == player => {
                let inputs = (message.first..).zip(&message.inputs);
                let inputs = inputs.map(|(tick, input)| (*at, tick, *input));
                arrivals.iter_mut().for_each(|arrivals| arrivals.extend(inputs.clone()));
            }
            _ => {}
        }
    }
    arrivals
}

/// The first input of a tick that arrived in time.
fn in_time(arrivals: &[Arrived], of: Tick) -> Option<i8> {
    let first = arrivals.iter().find(|(at, tick, _)| *tick == of && of < at + 64)?;
    (first.0 <= of).then_some(first.2)
}

/// The players of a tick and their inputs.
pub(crate) fn players(log: &Log, ids: u64, tick: Tick) -> Vec<TickInput<i8>> {
    let input = |player| {
        let arrivals = arrivals(log, player, tick)?;
        let joined = log.iter().rev().find_map(|(at, event)| match event {
            Event::Joined(id) if *id == player && *at <= tick => Some(*at),
            _ => None,
        });
        let last = (0..=tick)
            .rev()
            .find_map(|tick| Some((tick, in_time(&arrivals, tick)?)));
        let since = last.map_or(tick + 1 - joined.unwrap_or(0), |(of, _)| tick - of);
        Some(TickInput {
            player,
            input: last.map_or(0, |(_, input)| input),
            repeats: since as u32,
        })
    };
    (0..ids).filter_map(input).collect()
}

/// The game's states after each tick.
pub(crate) fn states(log: &Log, ids: u64, rate: Rate, ticks: Tick) -> Vec<Vec<u8>> {
    let mut game = Balls::default();
    let step = |tick| {
        game.step(&Step::new(tick, rate), &Balls::input(&players(log, ids, tick)));
        game.bytes()
    };
    (0..ticks).map(step).collect()
}

/// The counters of a player that joined once and still takes part, before a tick.
pub(crate) fn counts(log: &Log, player: PlayerId, next: Tick) -> Counts {
    let arrivals = arrivals(log, player, next).unwrap_or_default();
    let mut counts = Counts::default();
    for (index, (at, tick, _)) in arrivals.iter().enumerate() {
        let before = arrivals[..index]
            .iter()
            .any(|(at, other, _)| other == tick && *tick < at + 64);
        counts.early += u64::from(*tick >= at + 64);
        counts.late += u64::from(tick < at && (!before || tick + 64 < *at));
    }
    let first = (0..next)
        .find(|tick| in_time(&arrivals, *tick).is_some())
        .unwrap_or(next);
    counts.missing = (first..next).filter(|tick| in_time(&arrivals, *tick).is_none()).count() as u64;
    counts
}
