//! Tests of the games in real windows, on X servers without a screen, with rendering on the processor: `cargo ci --only native`.
//!
//! Screenshots are compared with the pictures in `tests/pictures`. After an intended change, run the tests with
//! `KEEP_PICTURES=1`, look at the pictures and commit them.
#![cfg(target_os = "linux")]

mod desktop;
mod pictures;
mod play;
mod square;
#[path = "../../../../integrations/evenstep-present/tests/x11/xvfb_server.rs"]
mod xvfb_server;

mod windows {
    use evenstep::{Rate, Step};
    use evenstep_scenes::hockey::{Hockey, Level};
    use evenstep_scenes::{Outcome, Scene as _};

    use crate::desktop::Key;
    use crate::pictures::Picture;
    use crate::play::{Play, number};
    use crate::square::Tutorial;

    /// The time that the puck takes to the goal with a level's solution, in seconds.
    fn seconds_of_flight(level: usize) -> f64 {
        let level = Level::find(&level.to_string()).unwrap();
        let charges = level.solution.clone();
        let mut hockey = Hockey::new(level, &charges).unwrap();
        let flown = (0..).take_while(|tick| {
            hockey.step(&Step::new(*tick, Rate::hz(60)));
            hockey.outcome() == Outcome::Running
        });
        let seconds = flown.count() as f64 / 60.0;
        assert_eq!(hockey.outcome(), Outcome::Ended("goal"));
        seconds + 0.2
    }

    #[test]
    #[ignore = "needs Xvfb and a Vulkan driver: cargo ci --only native"]
    fn a_window_is_resized_minimised_covered_and_loses_its_surface_and_hidden_it_runs_no_steps() {
        let mut play = Play::start(env!("CARGO_BIN_EXE_window"), "320x180");
        let steps = |line| number(&line, "steps");
        assert_eq!(steps(play.play_to(0.5)), 30.0);
        play.assert_shows("window", 0.0);
        play.desktop.resize(400, 300).unwrap();
        play.until("the new size", |line| number(line, "width") == 400.0);
        assert_eq!(steps(play.play_to(1.0)), 60.0);
        play.assert_shows("window_resized", 0.0);

        play.desktop.set_minimised(true).unwrap();
        play.until("that it is hidden", |line| line["hidden"] == "true");
        assert_eq!(steps(play.play_to(1.5)), 60.0);
        play.desktop.set_minimised(false).unwrap();
        play.until("that it is seen", |line| line["hidden"] == "false");
        assert_eq!(steps(play.play_to(2.0)), 89.0);

        play.desktop.cover().unwrap();
        play.until("that it is covered", |line| line["hidden"] == "true");
        assert_eq!(steps(play.play_to(2.5)), 89.0);
        play.desktop.uncover().unwrap();
        play.until("that it is seen", |line| line["hidden"] == "false");
        play.lose_surface();
        assert_eq!(steps(play.play_to(3.0)), 118.0);
        play.assert_shows("window_again", 0.0);
        play.desktop.close().unwrap();
        play.assert_ends();
    }

    #[test]
    #[ignore = "needs Xvfb and a Vulkan driver: cargo ci --only native"]
    fn a_destroyed_window_ends_its_program_without_a_panic() {
        let mut play = Play::start(env!("CARGO_BIN_EXE_window"), "320x180");
        play.play_to(0.5);
        play.desktop.destroy().unwrap();
        let (exit, printed) = play.end();
        assert!(matches!(exit.code(), Some(0 | 1)), "{exit}, {printed:?}");
    }

    #[test]
    #[ignore = "needs Xvfb and a Vulkan driver: cargo ci --only native"]
    fn escape_ends_a_game() {
        let mut play = Play::start(env!("CARGO_BIN_EXE_window"), "320x180");
        play.play_to(0.1);
        play.desktop.press(Key::Escape).unwrap();
        play.assert_ends();
    }

    #[test]
    #[ignore = "needs Xvfb and a Vulkan driver: cargo ci --only native"]
    fn keys_switch_interpolation_slow_motion_and_the_panel_and_the_screen_says_so() {
        let mut play = Play::start(env!("CARGO_BIN_EXE_window"), "800x600");
        assert_eq!(number(&play.play_to(0.5), "steps"), 30.0);
        for key in [Key::I, Key::L, Key::Tab] {
            play.hand(1, |desktop| desktop.press(key));
        }
        // An eighth of the speed: 30 + 60 / 8 steps.
        assert_eq!(number(&play.play_to(1.5), "steps"), 37.0);
        play.assert_shows("window_keys", 2.0);
        play.hand(2, |desktop| {
            desktop.release(Key::L)?;
            desktop.press(Key::L)
        });
        assert_eq!(number(&play.play_to(2.0), "steps"), 67.0);
        play.desktop.close().unwrap();
        play.assert_ends();
    }

    #[test]
    #[ignore = "needs Xvfb and an OpenGL driver: cargo ci --only native"]
    fn a_wheel_is_drawn_twice_and_rolls_when_it_is_pushed() {
        let mut play = Play::start(env!("CARGO_BIN_EXE_side_by_side"), "960x600");
        play.play_to(0.5);
        play.hand(1, |desktop| desktop.press(Key::Right));
        assert_eq!(number(&play.play_to(1.0), "steps"), 25.0);
        play.draw_at(1.0125);
        play.assert_shows("window_side_by_side", 2.0);
        play.desktop.close().unwrap();
        play.assert_ends();
    }

    #[test]
    #[ignore = "needs Xvfb and a Vulkan driver: cargo ci --only native"]
    fn blocks_fall_are_aimed_at_and_blown_over_the_wall() {
        let mut play = Play::start(env!("CARGO_BIN_EXE_falling_blocks"), "960x600");
        play.hand(1, |desktop| desktop.press(Key::Tab));
        play.play_to(5.0);
        play.hand(1, |desktop| desktop.press(Key::Right));
        play.play_to(5.5);
        play.hand(1, |desktop| desktop.release(Key::Right));
        play.hand(1, |desktop| desktop.press(Key::Up));
        play.play_to(5.7);
        play.hand(1, |desktop| desktop.release(Key::Up));
        for blast in [6.0, 6.25, 6.5] {
            play.hand(2, |desktop| {
                desktop.press(Key::Space)?;
                desktop.release(Key::Space)
            });
            play.play_to(blast);
        }
        play.assert_shows("window_falling_blocks", 2.0);
        play.desktop.close().unwrap();
        play.assert_ends();
    }

    #[test]
    #[ignore = "needs Xvfb and a Vulkan driver: cargo ci --only native"]
    fn the_arena_is_viewed_walked_through_and_ridden_on_a_platform() {
        let mut play = Play::start_at(20.0, env!("CARGO_BIN_EXE_arena"), "720x450");
        play.play_to(0.5);
        play.assert_shows("arena", 2.0);
        // At least two events of a click reach the program, and one of each other action.
        play.hand(1, |desktop| desktop.move_by([-60, 20]));
        play.hand(1, |desktop| desktop.press(Key::W));
        play.play_to(1.5);
        play.hand(1, |desktop| desktop.release(Key::W));
        play.hand(2, |desktop| {
            desktop.set_button(true)?;
            desktop.set_button(false)
        });
        play.play_to(1.7);
        play.assert_shows("window_arena", 2.0);
        play.hand(1, |desktop| desktop.press(Key::C));
        play.play_to(3.0);
        play.assert_shows("arena_platform", 2.0);
        play.desktop.close().unwrap();
        play.assert_ends();
    }

    /// The number of pixels, of a thousand, that belong to the green platforms in only one of the pictures.
    fn platforms_apart(one: &Picture, other: &Picture) -> f64 {
        let platforms = |picture: &Picture| Picture {
            size: picture.size,
            bytes: picture
                .bytes
                .as_chunks()
                .0
                .iter()
                .flat_map(|&[red, green, _]| [if green > red.saturating_mul(2) { 255 } else { 0 }; 3])
                .collect(),
        };
        platforms(one).difference(&platforms(other))
    }

    #[test]
    #[ignore = "needs Xvfb and a Vulkan driver: cargo ci --only native"]
    fn a_player_on_a_platform_sees_it_at_rest_also_between_steps() {
        let mut play = Play::start_at(20.0, env!("CARGO_BIN_EXE_arena"), "720x450");
        play.play_to(0.5);
        // Look slightly to the left, and down.
        play.hand(1, |desktop| desktop.move_by([-60, 450]));
        play.hand(1, |desktop| desktop.press(Key::W));
        play.play_to(2.2);
        play.hand(1, |desktop| desktop.release(Key::W));
        play.play_to(2.5);
        play.assert_shows("arena_ride", 2.0);
        let mut shown = play.desktop.picture().unwrap();
        let mut drawn = Vec::new();
        for part in [0.3, 0.6, 0.9] {
            drawn.push(number(&play.draw_at(2.5 + part / 60.0), "drawn"));
            shown = play.until_shown("the floor that moves and the platform that does not", |next| {
                *next != shown && platforms_apart(next, &shown) < 2.0
            });
        }
        // The drawn times are less than a step apart, so most of them are between steps.
        let steps = drawn.iter().map(|seconds| seconds * 60.0);
        let is_part = |one: &f64, next: &f64| (0.2..0.5).contains(&(next - one));
        assert!(steps.is_sorted_by(is_part), "{drawn:?}");
        play.desktop.close().unwrap();
        play.assert_ends();
    }

    #[test]
    #[ignore = "needs Xvfb and an OpenGL driver: cargo ci --only native"]
    fn hockey_runs_no_steps_while_its_window_is_minimised() {
        let mut play = Play::start_at(20.0, env!("CARGO_BIN_EXE_hockey"), "960x640");
        let steps = |line| number(&line, "steps");
        assert_eq!(steps(play.play_to(0.5)), 30.0);
        play.desktop.set_minimised(true).unwrap();
        play.until("that it is hidden", |line| line["hidden"] == "true");
        assert_eq!(steps(play.play_to(1.0)), 30.0);
        play.desktop.set_minimised(false).unwrap();
        play.until("that it is seen", |line| line["hidden"] == "false");
        // X11 may take the focus away and return it once more while the window is restored.
        assert!((31.0..=59.0).contains(&steps(play.play_to(1.5))));
        play.desktop.press(Key::Escape).unwrap();
        play.assert_ends();
    }

    #[test]
    #[ignore = "needs Xvfb and an OpenGL driver: cargo ci --only native"]
    fn charges_are_placed_and_the_puck_flies_into_the_goal_on_every_level() {
        let mut play = Play::start_at(20.0, env!("CARGO_BIN_EXE_hockey"), "960x640");
        play.play_to(0.5);
        play.hand(1, |desktop| desktop.move_to([240, 180]));
        play.hand(2, |desktop| {
            desktop.set_button(true)?;
            desktop.set_button(false)
        });
        play.play_to(1.0);
        play.assert_shows("hockey_placed", 2.0);
        let mut seconds = 1.0;
        for (level, key) in [Key::One, Key::Two, Key::Three, Key::Four, Key::Five]
            .into_iter()
            .enumerate()
        {
            for key in [key, Key::H, Key::Enter] {
                play.hand(2, |desktop| {
                    desktop.press(key)?;
                    desktop.release(key)
                });
                seconds += 0.1;
                play.play_to(seconds);
            }
            if level == 3 {
                play.play_to(seconds + 4.0);
                play.assert_shows("hockey_flight", 2.0);
            }
            seconds += seconds_of_flight(level + 1);
            play.play_to(seconds);
            let name = ["hockey_1", "hockey_2", "hockey_3", "window_hockey", "hockey_5"][level];
            play.assert_shows(name, 2.0);
        }
        play.desktop.resize(300, 200).unwrap();
        play.until("the new size", |line| number(line, "width") == 300.0);
        play.desktop.close().unwrap();
        play.assert_ends();
    }

    #[test]
    #[ignore = "needs Xvfb and an OpenGL driver: cargo ci --only native"]
    fn the_square_of_the_tutorial_moves_to_and_fro() {
        let tutorial = Tutorial::start(env!("CARGO_BIN_EXE_tutorial_5"));
        let first = tutorial.until("the square", |square| square.left > 110);
        tutorial.until("it to move on", |square| square.left > first.left + 100);
        tutorial.until("it to come to the wall", |square| square.left > 650);
        tutorial.until("it to come back", |square| square.left < 600);
        tutorial.assert_ends();
    }

    #[test]
    #[ignore = "needs Xvfb and an OpenGL driver: cargo ci --only native"]
    fn the_square_of_the_tutorial_moves_and_jumps_by_keys() {
        let tutorial = Tutorial::start(env!("CARGO_BIN_EXE_tutorial_6"));
        moves_and_jumps(&tutorial);
        tutorial.assert_ends();
    }

    #[test]
    #[ignore = "needs Xvfb and an OpenGL driver: cargo ci --only native"]
    fn the_square_of_the_tutorial_stands_still_in_a_pause_and_ignores_its_presses() {
        let tutorial = Tutorial::start(env!("CARGO_BIN_EXE_tutorial_7"));
        moves_and_jumps(&tutorial);
        tutorial.desktop.press(Key::Right).unwrap();
        let moving = tutorial.until("it to move", |square| square.left > 320).left;
        let tap = |key| {
            tutorial.desktop.press(key).unwrap();
            tutorial.desktop.release(key).unwrap();
        };
        tap(Key::P);
        let paused = tutorial.until("the pause", |square| square.brightness < 200);
        assert!(paused.left >= moving);
        assert_eq!(tutorial.until("the same", |_| true), paused);
        tutorial.desktop.release(Key::Right).unwrap();
        tap(Key::Space);
        tap(Key::P);
        // The key that was held is up, and the press during the pause is forgotten.
        let after = tutorial.until("the end of the pause", |square| square.brightness > 200);
        // The step that the pause interrupted is drawn to its end, which is at most 3.3 pixels further.
        assert!(
            (paused.left..=paused.left + 4).contains(&after.left),
            "{paused:?}, {after:?}"
        );
        assert_eq!(after.top, paused.top);
        tutorial.desktop.press(Key::Left).unwrap();
        let left = tutorial.until("it to move back", |square| square.left < after.left);
        assert_eq!(left.top, paused.top);
        tutorial.assert_ends();
    }

    fn moves_and_jumps(tutorial: &Tutorial) {
        tutorial.until("the square on the ground", |square| {
            (square.left, square.top) == (100, 300)
        });
        tutorial.desktop.press(Key::Right).unwrap();
        tutorial.until("it to move to the right", |square| square.left > 300);
        tutorial.desktop.release(Key::Right).unwrap();
        tutorial.desktop.press(Key::Space).unwrap();
        tutorial.until("it to jump", |square| square.top < 280);
        // The key is held, but the square jumps only once, and lands.
        tutorial.until("it to land", |square| square.top == 300);
        tutorial.desktop.release(Key::Space).unwrap();
    }
}
