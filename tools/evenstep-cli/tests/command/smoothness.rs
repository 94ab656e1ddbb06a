//! `examples/ci/smoothness.sh`, on machines that lack what it needs.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

#[test]
fn what_is_missing_or_does_not_start_is_named_at_once() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/ci/smoothness.sh");
    for missing in ["weston", "Xwayland", "evenstep"] {
        for starts in [None, Some("#!/bin/sh\necho no memory >&2\nexit 3\n")] {
            let folder = tempfile::tempdir().unwrap();
            let write = |name: &str, text: &str| {
                let path = folder.path().join(name);
                fs::write(&path, text).unwrap();
                fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
            };
            // A compositor that only has its socket, and a recorder that runs what is behind the dashes.
            let socket = "import os,socket,time;socket.socket(socket.AF_UNIX).bind(os.environ['XDG_RUNTIME_DIR']+'/desktop');time.sleep(99)";
            write("weston", &format!("#!/bin/sh\nexec python3 -c \"{socket}\"\n"));
            write("Xwayland", "#!/bin/sh\necho 7 >&3\nexec sleep 99\n");
            write(
                "evenstep",
                "#!/bin/sh\nwhile [ \"$1\" != -- ]; do shift; done\nshift\nexec \"$@\"\n",
            );
            match starts {
                None => fs::remove_file(folder.path().join(missing)).unwrap(),
                Some(text) => write(missing, text),
            }
            let path = format!("{}:/usr/bin:/bin", folder.path().display());
            // Where the machine has the program itself, it cannot be missing.
            if starts.is_none()
                && ["/usr/bin", "/bin"]
                    .iter()
                    .any(|bin| fs::exists(format!("{bin}/{missing}")).unwrap())
            {
                continue;
            }
            let output = Command::new("timeout")
                .args(["120", "sh", script, "--max", "x=1", "--", "true"])
                .env("PATH", path)
                .env_remove("EVENSTEP")
                .output()
                .unwrap();
            let told = String::from_utf8_lossy(&output.stderr);
            let code = if missing == "evenstep" && starts.is_some() {
                3
            } else {
                2
            };
            assert_eq!(output.status.code(), Some(code), "{missing}, {starts:?}: {told}");
            assert!(
                told.contains(if starts.is_some() { "no memory" } else { missing }),
                "{missing}: {told}"
            );
        }
    }
}
