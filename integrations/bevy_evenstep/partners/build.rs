//! Takes the examples of `bevy_transform_interpolation` and Avian from the registry's sources, as they are and for this crate.
//!
//! For this crate the line with `use` names `bevy_evenstep::compat`, and a plugin is added where there was none; nothing else is changed.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use serde_json::Value;

/// A package, its example, and what is written for this crate in place of a part of it.
type Example = (&'static str, &'static str, fn(&str) -> Option<String>);

const EXAMPLES: [Example; 4] = [
    ("bevy_transform_interpolation", "interpolation", with_our_use),
    ("bevy_transform_interpolation", "extrapolation", with_our_use),
    ("bevy_transform_interpolation", "hermite_interpolation", with_our_use),
    ("avian2d", "interpolation", with_our_plugin),
];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=Cargo.toml");
    let mut modules = String::new();
    for (package, example, change) in EXAMPLES {
        let path = folder(package)?.join(format!("examples/{example}.rs"));
        let source = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let changed =
            change(&source).ok_or_else(|| format!("{}: the lines to change are not there", path.display()))?;
        for (whose, source) in [("theirs", source), ("ours", changed)] {
            modules += &module(&format!("{package}_{example}_{whose}"), &source);
        }
    }
    fs::write(Path::new(&env::var("OUT_DIR")?).join("examples.rs"), modules)?;
    Ok(())
}

fn with_our_use(source: &str) -> Option<String> {
    let (before, after) = source.split_once("use bevy_transform_interpolation::")?;
    let (_, after) = after.split_once(";\n")?;
    Some(format!("{before}use bevy_evenstep::compat::*;\n{after}"))
}

/// Avian's plugins bring `bevy_transform_interpolation` along, which stays in the app beside this crate.
fn with_our_plugin(source: &str) -> Option<String> {
    let (before, after) = source.split_once("use avian2d::prelude::*;\n")?;
    let (main, after) = after.split_once("PhysicsPlugins::default().with_length_unit(50.0),\n")?;
    Some(format!(
        "{before}use avian2d::prelude::*;
use bevy_evenstep::compat::{{TransformExtrapolation, TransformInterpolation, TransformInterpolationPlugin}};
{main}PhysicsPlugins::default().with_length_unit(50.0),
        TransformInterpolationPlugin::default(),
{after}"
    ))
}

/// The module of a program, in which `bevy` is a Bevy without a window.
fn module(name: &str, source: &str) -> String {
    let lines = source.lines().filter(|line| !line.starts_with("//!"));
    let source = lines.collect::<Vec<_>>().join("\n");
    format!(
        "#[allow(clippy::all, dead_code, unused_imports)]
mod {name} {{
use super::bevy;
pub(super) fn run() {{ main() }}
{source}
}}
"
    )
}

/// The folder of a package's sources.
fn folder(package: &str) -> Result<PathBuf, Box<dyn Error>> {
    let target = env::var("TARGET")?; // what others need may not be there
    let mut cargo = Command::new(env::var("CARGO")?);
    let output = cargo
        .args(["metadata", "--format-version", "1", "--filter-platform", &target])
        .output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    let metadata: Value = serde_json::from_slice(&output.stdout)?;
    let mut packages = metadata["packages"].as_array().into_iter().flatten();
    let manifest = packages.find_map(|own| own["manifest_path"].as_str().filter(|_| own["name"] == package));
    let folder = manifest.and_then(|manifest| Path::new(manifest).parent());
    Ok(folder
        .ok_or_else(|| format!("cargo metadata knows no sources of {package}"))?
        .to_owned())
}
