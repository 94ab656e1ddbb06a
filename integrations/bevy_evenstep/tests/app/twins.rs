//! Systems that use transforms in any way see, with smoothing, bit-identical values to those without it, at every frame rate.

use crate::frames::{frame, frames};
use crate::scripts::{DISPLAYS, EVER, EVER_AND_EARLY, Log, Script, When, any_script, play, world};
use proptest::prelude::*;

fn see_the_same_bits(script: &Script, display: u64) -> Result<(), TestCaseError> {
    let mut apps = [true, false].map(|is_smoothed| world(script, is_smoothed));
    for (number, delta) in frames(display, 1).take(60).enumerate() {
        let [smooth, plain] = apps.each_mut().map(|app| {
            play(app, script, number, delta);
            core::mem::take(&mut *app.world_mut().resource_mut::<Log>())
        });
        prop_assert!(smooth.steps == plain.steps, "in the steps of frame {}", number);
        prop_assert!(smooth.frames == plain.frames, "in frame {}", number);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    /// In `FixedUpdate` all of it, `GlobalTransform` included; in `Update` every `Transform`; and what counts as changed.
    #[test]
    fn systems_see_the_same_bits_as_without_smoothing(
        script in any_script(EVER, 12),
        display in prop::sample::select(&DISPLAYS),
    ) {
        see_the_same_bits(&script, display)?;
    }

    #[test]
    fn twins_see_the_same_where_transforms_are_written_before_the_fixed_loop(
        script in any_script(EVER_AND_EARLY, 12),
        display in prop::sample::select(&DISPLAYS),
    ) {
        see_the_same_bits(&script, display)?;
    }

    #[test]
    fn steps_see_and_do_the_same_at_every_frame_rate(script in any_script(&[When::Step], 0)) {
        let logs = DISPLAYS.map(|display| {
            let mut app = world(&script, true);
            frames(display, 1).for_each(|delta| frame(&mut app, delta));
            app.world_mut().remove_resource::<Log>().unwrap().steps
        });
        prop_assert!(logs.iter().all(|log| *log == logs[0]));
    }
}
