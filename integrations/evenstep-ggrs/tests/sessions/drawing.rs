//! Drawn states through rollbacks.

use std::time::Duration;

use simulated_network::{GgrsNetwork, Jitter, LinkConditions};

use crate::machine::{Builder, pair};

/// At 240 frames per second two consecutive drawn positions differ by a few millimetres; a rollback changes more than that.
#[test]
fn drawn_positions_are_continuous_through_rollbacks() {
    const FRAME: Duration = Duration::from_nanos(4_166_667);
    let network = GgrsNetwork::new(11);
    let mut machines = pair(&network, Builder::new);
    network.set_conditions(LinkConditions {
        delay: Duration::from_millis(100),
        jitter: Jitter::Uniform(Duration::from_millis(30)),
        ..LinkConditions::default()
    });
    let [mut farthest, mut without] = [0.0_f64; 2];
    let mut last: Option<([f64; 2], [f64; 2])> = None;
    for _ in 0..240 * 20 {
        network.advance(FRAME);
        machines.iter_mut().for_each(|machine| machine.frame(FRAME).unwrap());
        let (game, alpha) = (&machines[0].game, machines[0].frame.alpha());
        let glided = <[f64; 2]>::try_from(game.position_at(alpha)).unwrap();
        let truth = [0, 1].map(|player| game.state.positions[player].at(alpha));
        if let Some((before, true_before)) = last {
            let jump = |now: [f64; 2], before: [f64; 2]| (now[0] - before[0]).abs().max((now[1] - before[1]).abs());
            farthest = farthest.max(jump(glided, before));
            without = without.max(jump(truth, true_before));
        }
        last = Some((glided, truth));
    }
    let stats = machines[0].rollback.stats();
    assert!(stats.rollbacks > 100, "{stats:?}");
    // GGRS reads the system's clock, so a busy machine predicts further.
    assert!(farthest < 0.1, "{farthest} m from one frame to the next");
    assert!(
        without > 1.5 * farthest,
        "{without} m without corrections, {farthest} m with them"
    );
}
