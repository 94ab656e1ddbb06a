//! Hockey for two.

use evenstep::history::Rewind as _;
use evenstep::{Rate, Step};
use evenstep_scenes::duel::{DOWN, Duel, FIELD, LEFT, PUCK_RADIUS, RIGHT, UP};
use proptest::prelude::*;

fn step(game: &mut Duel, tick: u64, keys: [u8; 2]) {
    game.step(&Step::new(tick, Rate::hz(60)), &keys);
}

/// The keys of a player that goes round the puck and pushes it, with pauses.
fn chase(game: &Duel, side: usize, tick: u64) -> u8 {
    if (tick / 40 + side as u64).is_multiple_of(3) {
        return [RIGHT, LEFT][side];
    }
    let ([x, y], [puck_x, puck_y]) = (*game.players()[side].current(), *game.puck().current());
    let (ahead, back) = [(RIGHT, LEFT), (LEFT, RIGHT)][side];
    let is_behind = (x < puck_x) == (side == 0);
    let up_or_down = if (y < puck_y) == is_behind { UP } else { DOWN };
    up_or_down | if is_behind { ahead } else { back }
}

#[test]
fn a_minute_of_play_is_bit_identical_on_every_platform() {
    let mut game = Duel::new();
    for tick in 0..3_600 {
        let keys = [0, 1].map(|side| chase(&game, side, tick));
        step(&mut game, tick, keys);
    }
    assert_eq!(game.score(), [0, 1]);
    assert_eq!(format!("{:016x}", game.hash()), "bbc33cf6cd603e09");
}

#[test]
fn the_puck_teleports_to_the_middle_and_is_served_to_the_other_player() {
    let mut game = Duel::new();
    let mut tick = 0;
    while game.score() == [0, 0] && tick < 3_600 {
        let keys = [0, 1].map(|side| chase(&game, side, tick));
        step(&mut game, tick, keys);
        tick += 1;
    }
    assert_ne!(game.score(), [0, 0]);
    let scorer = game.score()[1] as usize;
    let middle = FIELD.map(|length| length / 2.0);
    assert!(game.puck().is_teleport());
    assert_eq!(*game.puck().current(), middle);
    step(&mut game, tick, [0, 0]);
    let to_the_right = game.puck().current()[0] > middle[0];
    assert_eq!(to_the_right, scorer == 0);
}

proptest! {
    #[test]
    fn any_input_keeps_all_on_the_field_and_a_restore_is_bit_identical(
        keys in prop::collection::vec(any::<[u8; 2]>(), 1..40),
        held in 1..30_u64,
    ) {
        let mut game = Duel::new();
        let mut middle = None;
        let ticks = keys.len() as u64 * held;
        let at = |tick: u64| keys[(tick / held) as usize];
        for tick in 0..ticks {
            if tick == ticks / 2 {
                middle = Some(game.save());
            }
            step(&mut game, tick, at(tick));
            let [x, y] = *game.puck().current();
            prop_assert!((0.0..=FIELD[0]).contains(&x) && (PUCK_RADIUS..=FIELD[1] - PUCK_RADIUS).contains(&y), "{x} {y}");
            for player in game.players() {
                let [x, y] = *player.current();
                prop_assert!(x > 0.0 && x < FIELD[0] && y > 0.0 && y < FIELD[1], "{x} {y}");
            }
        }
        let end = game.hash();
        game.restore(&middle.unwrap());
        (ticks / 2..ticks).for_each(|tick| step(&mut game, tick, at(tick)));
        prop_assert_eq!(game.hash(), end);
    }
}
