//! The stored form of a `FixedTimestep`.

use std::time::Duration;

use evenstep::{FixedTimestep, Overrun, Rate, TimeScale};

const MS: Duration = Duration::from_millis(1);

#[test]
fn a_stored_timestep_continues_with_the_same_results() {
    let mut timestep = FixedTimestep::new(Rate::new(60_000, 1_001).unwrap())
        .with_overrun(Overrun::Carry { max_backlog: 100 * MS })
        .with_time_scale(TimeScale::new(1, 3).unwrap());
    let _ = timestep.advance(100 * MS);
    let text = serde_json::to_string(&timestep).unwrap();
    let mut restored: FixedTimestep = serde_json::from_str(&text).unwrap();
    assert_eq!(restored, timestep);
    assert_eq!(restored.advance(20 * MS), timestep.advance(20 * MS));
}

#[test]
fn a_cap_that_was_set_is_stored_and_one_that_follows_is_not() {
    let stored = |timestep: &FixedTimestep| -> FixedTimestep {
        serde_json::from_str(&serde_json::to_string(timestep).unwrap()).unwrap()
    };
    let mut follows = FixedTimestep::new(Rate::hz(60));
    let mut explicit = follows.clone().with_max_steps(15);
    assert_eq!(follows.max_steps(), explicit.max_steps());
    for timestep in [&mut follows, &mut explicit] {
        *timestep = stored(timestep);
        timestep.set_max_delta(Duration::from_secs(1));
    }
    assert_eq!((follows.max_steps(), explicit.max_steps()), (60, 15));
}

#[test]
fn numbers_that_are_no_timestep_are_refused() {
    let text = serde_json::to_string(&FixedTimestep::new(Rate::hz(60))).unwrap();
    for (from, to, complaint) in [
        ("\"fraction\":0", "\"fraction\":1000000000", "fraction"),
        ("\"shown\":0", "\"shown\":1000000001", "shown"),
        ("\"begin\":0", "\"begin\":9999999999999999999", "begin"),
        ("\"count\":0", "\"count\":1", "tick"),
        ("\"backlog\":0", "\"backlog\":9999999999999999999", "backlog"),
        ("\"subnano\":0", "\"subnano\":1", "subnano"),
        ("\"drops_backlog\":false", "\"drops_backlog\":true", "backlog"),
        ("\"rate\":[60,1]", "\"rate\":[0,1]", "above zero"),
    ] {
        assert!(text.contains(from), "{text}");
        let error = serde_json::from_str::<FixedTimestep>(&text.replace(from, to)).unwrap_err();
        assert!(error.to_string().contains(complaint), "{error}");
    }
}
