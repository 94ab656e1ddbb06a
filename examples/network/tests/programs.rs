//! The programs run to their end.

use std::process::Command;

fn output(program: &str) -> String {
    let output = Command::new(program).output().expect("the program runs");
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn a_server_and_three_clients_play_over_udp() {
    let text = output(env!("CARGO_BIN_EXE_renet"));
    for client in 1..=3 {
        assert!(text.contains(&format!("client {client}: ClientStats")), "{text}");
    }
    assert!(text.contains("server: "), "{text}");
}

#[test]
fn a_server_and_three_clients_play_in_memory() {
    let text = output(env!("CARGO_BIN_EXE_in_memory"));
    assert_eq!(text.matches("client ").count(), 3, "{text}");
}

#[test]
fn two_peers_that_roll_back_push_a_ball_of_rapier() {
    let text = output(env!("CARGO_BIN_EXE_rollback"));
    assert!(text.contains("the ball is at "), "{text}");
}

#[test]
fn the_differences_of_901_cubes_take_less_than_their_states() {
    let text = output(env!("CARGO_BIN_EXE_cubes"));
    let rate = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(&format!("{name}: ")));
        let rate = line
            .and_then(|line| line.strip_suffix(" kbit/s"))
            .expect("a line of the table");
        rate.parse::<u32>().expect("a number")
    };
    assert!(
        rate("xor, deflate") < rate("xor, lz4") && rate("xor, lz4") * 4 < rate("whole"),
        "{text}"
    );
}
