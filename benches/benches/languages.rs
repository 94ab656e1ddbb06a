//! The cost of a frame in C and in JavaScript, compared with an accumulator written by hand and with MainLoop.js: compiles and runs the
//! programs of `bindings/`, if there are a C compiler and Node.js with the packages of `bindings/js`.

use std::env;
use std::path::Path;
use std::process::Command;

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let program = env::temp_dir().join(format!("evenstep-frame-{}", std::process::id()));
    let mut compile = Command::new("cc");
    compile
        .args(["-O2", "bindings/c/benches/frame.c", "-o"])
        .arg(&program)
        .arg("-lm");
    if is_run(&mut compile, &root) {
        is_run(&mut Command::new(&program), &root);
    }
    let _ = std::fs::remove_file(&program);
    // Both commands may be missing on Windows under these names: then this is not run there.
    let mut install = Command::new("npm");
    install.args([
        "install",
        "--prefix",
        "bindings/js",
        "--silent",
        "--no-audit",
        "--no-fund",
    ]);
    let mut build = Command::new("npm");
    build.args(["run", "build", "--prefix", "bindings/js", "--silent"]);
    if is_run(&mut install, &root) && is_run(&mut build, &root) {
        is_run(Command::new("node").arg("bindings/js/benches/frame.mjs"), &root);
    }
}

/// Runs a command in the root of the repository, which prints its figures. Says so if it fails.
fn is_run(command: &mut Command, root: &Path) -> bool {
    let is_run = command.current_dir(root).status().is_ok_and(|status| status.success());
    if !is_run {
        println!("not run: {command:?} failed");
    }
    is_run
}
