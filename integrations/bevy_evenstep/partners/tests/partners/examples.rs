//! The examples of `bevy_transform_interpolation` and of Avian, from the registry, as they are and with the line for `use` and that for
//! the plugin changed, which `build.rs` does: they draw the same.

mod bevy;

use self::bevy::{Drawn, drawn_by};

include!(concat!(env!("OUT_DIR"), "/examples.rs"));

/// How far apart an entity is drawn by two programs, in pixels, frame by frame, the nearest frames first.
fn apart(one: &Drawn, other: &Drawn, name: &str) -> Vec<f32> {
    let pairs = one[name].iter().zip(&other[name]);
    let mut apart: Vec<f32> = pairs
        .map(|(one, other)| one.translation.distance(other.translation))
        .collect();
    apart.sort_by(f32::total_cmp);
    apart
}

#[test]
fn examples_of_bevy_transform_interpolation_are_drawn_as_there() {
    let examples: [[fn(); 2]; 3] = [
        [
            bevy_transform_interpolation_interpolation_theirs::run,
            bevy_transform_interpolation_interpolation_ours::run,
        ],
        [
            bevy_transform_interpolation_extrapolation_theirs::run,
            bevy_transform_interpolation_extrapolation_ours::run,
        ],
        [
            bevy_transform_interpolation_hermite_interpolation_theirs::run,
            bevy_transform_interpolation_hermite_interpolation_ours::run,
        ],
    ];
    for (number, example) in examples.into_iter().enumerate() {
        let [theirs, ours] = example.map(drawn_by);
        assert!(theirs.len() >= 2 && theirs.keys().eq(ours.keys()));
        for name in theirs.keys() {
            let most = apart(&theirs, &ours, name).pop();
            assert!(
                most.is_some_and(|most| most < 1e-3),
                "{name} in example {number}: {most:?}"
            );
            let mut pairs = theirs[name].iter().zip(&ours[name]);
            // Its slerp takes the arc cosine from a polynomial, which is good to 10⁻⁴ of an angle.
            let is_turned_alike = pairs.all(|(one, other)| one.rotation.dot(other.rotation).abs() > 1.0 - 1e-6);
            assert!(is_turned_alike, "{name} in example {number}");
        }
    }
}

/// Ours goes on by the mean velocity of the last step and theirs by the one at its end: where only gravity acts, half a step of it apart.
#[test]
fn avians_example_is_drawn_as_by_the_plugin_that_avian_brings() {
    let programs: [fn(); 2] = [avian2d_interpolation_theirs::run, avian2d_interpolation_ours::run];
    let [theirs, ours] = programs.map(drawn_by);
    let most = |name| apart(&theirs, &ours, name).pop();
    assert_eq!((most("No Interpolation"), most("Ground")), (Some(0.0), Some(0.0)));
    assert!(
        most("Interpolation").is_some_and(|most| most < 1e-3),
        "{:?}",
        most("Interpolation")
    );
    let ahead = apart(&theirs, &ours, "Extrapolation");
    let falls = ahead[ahead.len() * 9 / 10];
    assert!(falls < 900.0 * 0.1 * 0.1 / 2.0, "{falls}");
}
