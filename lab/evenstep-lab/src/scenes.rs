//! `evenstep-lab scenes`: lists the scenes.

use std::fmt::Write as _;
use std::process::ExitCode;

use evenstep_scenes::{SCENES, Setting, SettingKind};

use evenstep_cli::failure::Failure;
use evenstep_cli::output;

/// Lists the scenes and their settings.
pub(crate) fn list() -> Result<ExitCode, Failure> {
    let mut text = String::new();
    for (index, scene) in SCENES.iter().enumerate() {
        let gap = if index == 0 { "" } else { "\n" };
        let (name, summary, rate, seconds) = (scene.name, scene.summary, scene.rate, scene.seconds);
        let _ = writeln!(text, "{gap}{name}  {summary}\n  steps at {rate}, for {seconds} s");
        for setting in scene.settings {
            let assignment = format!("{}={}", setting.key, setting.default);
            let _ = writeln!(text, "  --set {assignment:32} {}", describe(setting));
        }
    }
    output::print(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn describe(setting: &Setting) -> String {
    let help = setting.help;
    match setting.kind {
        SettingKind::Number { min, max, unit, .. } => format!("{help}, from {min} to {max} {unit}"),
        SettingKind::Choice(choices) => format!("{help}: {}", choices.join(", ")),
        SettingKind::Text(what) => format!("{help}: {what}"),
    }
}
