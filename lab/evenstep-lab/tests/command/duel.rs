//! `evenstep-lab duel`.

use std::fs;

use evenstep::snapshot::Dump;

use crate::common::{complaint, evenstep, json};

#[test]
fn two_bots_on_a_network_that_loses_packets_reach_the_same_states() {
    let args = [
        "duel",
        "--bots",
        "--seconds",
        "0.5",
        "--delay",
        "10",
        "--loss",
        "20",
        "--json",
    ];
    let printed = json(&args);
    assert_eq!(
        (&printed["is_same"], &printed["end"]),
        (&true.into(), &30.into()),
        "{printed}"
    );
    let states = [0, 1].map(|side| printed["peers"][side]["states"].as_str().unwrap().to_owned());
    assert!(states[0] == states[1] && states[0].len() == 16, "{printed}");
    for side in [0, 1] {
        let (peer, packets) = (&printed["peers"][side], &printed["relay"][side]);
        assert!(
            peer["confirmed"].as_u64().unwrap() > 30 && peer["desyncs"] == 0,
            "{printed}"
        );
        assert!(
            packets["lost"].as_u64().unwrap() > 0 && packets["mean_ms"].as_f64().unwrap() >= 10.0,
            "{printed}"
        );
    }
}

#[test]
fn peers_that_part_name_the_tick_and_the_value_and_keep_both_states() {
    let output = evenstep(&["duel", "--bots", "--seconds", "3600", "--fault", "50", "--json"]);
    let printed = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        (output.status.code(), printed.lines().count()),
        (Some(1), 1),
        "{printed}"
    );
    assert!(String::from_utf8(output.stdout).unwrap().contains("\"is_same\": false"));
    let (report, files) = printed.split_once("; see evenstep desync ").unwrap();
    let (files, _) = files.split_once(", and report it").unwrap();
    let dumps: Vec<Dump> = files
        .split(' ')
        .map(|file| {
            let text = fs::read_to_string(file).unwrap();
            fs::remove_file(file).unwrap();
            text.parse().unwrap()
        })
        .collect();
    let desync = dumps[0].compare(&dumps[1]).unwrap();
    let first = desync.to_string().lines().next().unwrap().to_owned();
    assert!(desync.tick > 50 && report.ends_with(&first), "{report}; {desync}");
    // Both players' inputs of the tick that led to it, which both peers agree on.
    let inputs = format!("player_inputs[{}]", desync.tick - 1);
    let inputs = |dump: &Dump| dump.values().filter(|(path, _)| path.starts_with(&inputs)).count();
    assert_eq!((inputs(&dumps[0]), inputs(&dumps[1])), (2, 2));
    assert!(!desync.to_string().contains("player_inputs"), "{desync}");
}

#[test]
fn a_scene_that_cannot_be_played_is_an_error() {
    for (args, wanted) in [
        (vec!["--bots"], "add --seconds"),
        (vec!["--seconds", "1"], "add --bots"),
        (vec!["--bots", "--seconds", "90000"], "give at most 86400"),
        (vec!["--loss", "91"], "is not a whole number from 0 to 90"),
        (vec!["--delay", "2001"], "2001 is not in 0..=2000"),
        (vec!["--reorder", "5", "--delay", "0"], "give a --delay above 0"),
    ] {
        let printed = complaint(&[vec!["duel"], args].concat(), 2);
        assert!(printed.contains(wanted), "{printed}");
    }
}

#[cfg(target_os = "linux")]
mod processes {
    use std::fs;
    use std::process::{Child, Command, Stdio};
    use std::thread;

    use crate::common::stoppable;

    /// A long game.
    fn playing() -> Child {
        let mut command = stoppable();
        command.args(["duel", "--bots", "--seconds", "3600", "--json"]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    /// The processes of both peers, once both run.
    fn peers(game: &Child) -> Vec<u32> {
        let id = game.id();
        loop {
            // The command starts them in its first thread.
            let children = fs::read_to_string(format!("/proc/{id}/task/{id}/children")).unwrap_or_default();
            let children: Vec<u32> = children
                .split_whitespace()
                .map(|child| child.parse().unwrap())
                .collect();
            if children.len() == 2 {
                return children;
            }
            thread::yield_now();
        }
    }

    fn send(process: u32, signal: &str) {
        let sent = Command::new("kill").args(["-s", signal, &process.to_string()]).status();
        assert!(sent.unwrap().success());
    }

    /// Waits until a process has ended, or is a zombie.
    fn wait_for_the_end(process: u32) {
        while fs::read(format!("/proc/{process}/cmdline")).is_ok_and(|line| !line.is_empty()) {
            thread::yield_now();
        }
    }

    #[test]
    fn a_peer_that_dies_ends_the_game_and_the_other_peer_is_notified() {
        for side in [0, 1] {
            let game = playing();
            let peers = peers(&game);
            send(peers[side], "KILL");
            let output = game.wait_with_output().unwrap();
            let printed = String::from_utf8(output.stderr).unwrap();
            assert_eq!(
                (output.status.code(), printed.lines().count()),
                (Some(1), 1),
                "{printed}"
            );
            let names = ["left", "right"];
            assert!(
                printed.contains(&format!("the {} peer has ended: signal: 9", names[side])),
                "{printed}"
            );
            assert!(
                printed.contains(&format!("the {} one was informed", names[1 - side])),
                "{printed}"
            );
            peers.into_iter().for_each(wait_for_the_end);
        }
    }

    #[test]
    fn a_command_that_is_killed_leaves_no_peers_behind() {
        let mut game = playing();
        let peers = peers(&game);
        game.kill().unwrap();
        game.wait().unwrap();
        peers.into_iter().for_each(wait_for_the_end);
    }

    #[test]
    fn a_game_that_is_interrupted_ends_and_says_how_it_was_if_it_had_begun() {
        let game = playing();
        let peers = peers(&game);
        send(game.id(), "INT");
        let output = game.wait_with_output().unwrap();
        assert!(output.status.success(), "{output:?}");
        let printed = String::from_utf8(output.stdout).unwrap();
        assert!(printed.is_empty() || printed.contains("\"is_same\": true"), "{printed}");
        peers.into_iter().for_each(wait_for_the_end);
    }
}
