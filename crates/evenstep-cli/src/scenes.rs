use std::process::ExitCode;

use evenstep_scenes::{Kind, SCENES, Setting};

use crate::failure::Failure;

/// Lists the scenes and what can be set about them.
pub(crate) fn list() -> Result<ExitCode, Failure> {
    for (index, scene) in SCENES.iter().enumerate() {
        let gap = if index == 0 { "" } else { "\n" };
        println!("{gap}{}  {}", scene.name, scene.summary);
        println!("  steps at {}", scene.rate);
        for setting in scene.settings {
            println!("  --set {:24} {}", assignment(setting), describe(setting));
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn assignment(setting: &Setting) -> String {
    match setting.kind {
        Kind::Number { default, .. } => format!("{}={default}", setting.key),
        Kind::Choice(choices) => format!("{}={}", setting.key, choices[0]),
        Kind::Text { default, .. } => format!("{}={default}", setting.key),
    }
}

fn describe(setting: &Setting) -> String {
    match setting.kind {
        Kind::Number { min, max, unit, .. } => format!("{}, from {min} to {max} {unit}", setting.help),
        Kind::Choice(choices) => format!("{}: {}", setting.help, choices.join(", ")),
        Kind::Text { what, .. } => format!("{}: {what}", setting.help),
    }
}
