//! The pages of the book, and the README: their code is compiled and run as tests.
#![forbid(unsafe_code)]

macro_rules! pages {
    ($($name:ident $file:literal)*) => {$(
        #[cfg(doctest)]
        #[doc = include_str!($file)]
        struct $name;
    )*};
}

pages! {
    Readme "../README.md"
    ReadmeOfCore "../crates/evenstep/README.md"
    ReadmeOfDerive "../crates/evenstep-derive/README.md"
    ReadmeOfFlat "../bindings/evenstep-flat/README.md"
    ReadmeOfBevy "../integrations/bevy_evenstep/README.md"
    ReadmeOfPhysics "../crates/evenstep-physics/README.md"
    ReadmeOfGgrs "../integrations/evenstep-ggrs/README.md"
    ReadmeOfNet "../integrations/evenstep-net/README.md"
    ReadmeOfTrace "../crates/evenstep-trace/README.md"
    Introduction "pages/introduction.md"
    Loop "pages/loop.md"
    Drawing "pages/drawing.md"
    Cameras "pages/cameras.md"
    Clock "pages/clock.md"
    Present "pages/present.md"
    Input "pages/input.md"
    Physics "pages/physics.md"
    Rates "pages/rates.md"
    Rewinding "pages/rewinding.md"
    Network "pages/network.md"
    Peers "pages/peers.md"
    Determinism "pages/determinism.md"
    Emulators "pages/emulators.md"
    Control "pages/control.md"
    Recordings "pages/recordings.md"
    Record "pages/record.md"
    Adopting "pages/adopting.md"
    Window "pages/window.md"
    Bevy "pages/bevy.md"
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    /// The paths and texts of all pages. There are pictures beside them.
    fn pages() -> impl Iterator<Item = (PathBuf, String)> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("pages");
        let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let pages = paths.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
        pages.map(|path| {
            let text = fs::read_to_string(&path).unwrap();
            (path, text)
        })
    }

    /// A program that a page shows and another package compiles.
    const FIRST_OF_BEVY: &str = include_str!("../examples/bevy/src/bin/first.rs");

    /// The page whose code is programs of `examples/native`, which are compiled and run there.
    const TUTORIAL: &str = "tutorial.md";

    #[test]
    fn the_code_of_every_page_is_tested() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let tested = fs::read_to_string(folder.join("pages.rs")).unwrap();
        let mut with_code = 0;
        for (path, text) in pages() {
            let name = path.file_name().unwrap().to_str().unwrap();
            if text.contains("```rust") && name != TUTORIAL {
                with_code += 1;
                assert!(tested.contains(&format!("\"pages/{name}\"")), "{name}");
            }
        }
        assert!(with_code > 8);
    }

    /// The package and its feature that a line of code needs.
    fn needed(line: &str) -> Option<(&'static str, &'static str)> {
        let derives = line.contains("derive(") && (line.contains("Blend") || line.contains("Snapshot"));
        let needs = [
            (derives, "evenstep", "derive"),
            (line.contains("evenstep::thread"), "evenstep", "thread"),
            (line.contains("Box2d"), "evenstep-physics", "box2d"),
            (line.contains("Rapier2d"), "evenstep-physics", "rapier2d"),
            (line.contains("Rapier3d"), "evenstep-physics", "rapier3d"),
            (
                line.contains("EvenstepDiagnosticsPlugin"),
                "bevy_evenstep",
                "diagnostics",
            ),
            (
                line.contains("evenstep_present::wayland"),
                "evenstep-present",
                "wayland",
            ),
            (line.contains("evenstep_present::x11"), "evenstep-present", "x11"),
            (line.contains("evenstep_present::proxy"), "evenstep-present", "proxy"),
        ];
        let found = needs.into_iter().find(|(is_needed, ..)| *is_needed);
        found.map(|(_, package, feature)| (package, feature))
    }

    /// The blocks of code of a page, with the language of each.
    fn blocks(text: &str) -> Vec<(&str, &str)> {
        let parts = text.split("\n```").skip(1).step_by(2);
        parts.filter_map(|part| part.split_once('\n')).collect()
    }

    #[test]
    fn a_page_that_needs_a_feature_says_so_in_its_first_block() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let readmes = [
            "",
            "crates/evenstep",
            "crates/evenstep-derive",
            "crates/evenstep-physics",
            "integrations/bevy_evenstep",
        ];
        let readmes = readmes.map(|folder| root.join(folder).join("README.md")).map(|path| {
            let text = fs::read_to_string(&path).unwrap();
            (path, text)
        });
        let mut needs = 0;
        for (path, text) in pages().chain(readmes) {
            let blocks = blocks(&text);
            let says = |package: &str, feature: &str| {
                let added = blocks
                    .iter()
                    .find(|(_, code)| code.contains("evenstep"))
                    .map_or("", |(_, code)| code);
                let mut lines = added
                    .lines()
                    .filter(|line| line.contains(&format!("cargo add {package} ")));
                lines.any(|line| {
                    let features = line.split_once("--features ").map_or("", |(_, features)| features);
                    let features = features.split_whitespace().next().unwrap_or("");
                    features.split(',').any(|other| other == feature)
                })
            };
            let rust = blocks.iter().filter(|(language, _)| language.starts_with("rust"));
            for (package, feature) in rust.flat_map(|(_, code)| code.lines()).filter_map(needed) {
                needs += 1;
                assert!(
                    says(package, feature),
                    "{}: feature {feature} of {package}",
                    path.display()
                );
            }
        }
        assert!(needs > 10);
    }

    #[test]
    fn no_code_is_left_out_of_the_tests() {
        let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../integrations/bevy_evenstep/README.md");
        let readme_text = fs::read_to_string(&readme).unwrap();
        for (path, text) in pages().chain([(readme, readme_text)]) {
            for opening in text.lines().filter(|line| line.starts_with("```rust")) {
                // What needs Bevy's renderer is compiled with it, in the package of the windows.
                let is_shown =
                    opening == "```rust,ignore elsewhere" && text.contains(&format!("{opening}\n{FIRST_OF_BEVY}```"));
                assert!(opening == "```rust" || is_shown, "{}: {opening}", path.display());
            }
        }
    }
}
