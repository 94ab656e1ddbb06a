//! `evenstep-lab serve`: serving a page.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

struct Lab(Child, String);

impl Lab {
    fn serve(page: &std::path::Path) -> Self {
        Self::start(Command::new(crate::PROGRAM), page)
    }

    fn start(mut command: Command, page: &std::path::Path) -> Self {
        let mut child = command
            .args(["serve", "--port", "0", "--no-open"])
            .arg(page)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        let address = line
            .trim()
            .trim_start_matches("http://")
            .trim_end_matches('/')
            .to_owned();
        Self(child, address)
    }

    fn get(&self, path: &str) -> String {
        let mut stream = TcpStream::connect(&self.1).unwrap();
        write!(
            stream,
            "GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n",
            self.1
        )
        .unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        String::from_utf8_lossy(&answer).into_owned()
    }
}

impl Drop for Lab {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_page_is_served_on_this_machine_only_with_the_types_that_browsers_need() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("index.html"), "<p>a page</p>").unwrap();
    fs::write(folder.path().join("module.wasm"), "\0asm").unwrap();
    let lab = Lab::serve(folder.path());
    assert!(lab.1.starts_with("127.0.0.1:"), "{}", lab.1);
    assert!(lab.get("/").contains("<p>a page</p>"));
    assert!(lab.get("/module.wasm").contains("content-type: application/wasm"));
    assert!(lab.get("/nothing").starts_with("HTTP/1.1 404"));
    assert!(lab.get("/../../etc/passwd").starts_with("HTTP/1.1 404"));
}

#[test]
fn a_folder_without_a_page_and_a_port_in_use_are_errors_of_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let complaint = |arguments: &[&str]| {
        let output = Command::new(crate::PROGRAM)
            .args(["serve", "--no-open"])
            .arg(folder.path())
            .args(arguments)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1));
        let printed = String::from_utf8(output.stderr).unwrap();
        assert_eq!(printed.lines().count(), 1, "{printed}");
        printed
    };
    assert!(complaint(&[]).contains("cargo xtask page"));
    fs::write(folder.path().join("index.html"), "").unwrap();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    assert!(complaint(&["--port", &port]).contains("choose another"));
}

#[cfg(target_os = "linux")]
#[test]
fn it_ends_when_it_is_stopped_even_with_an_idle_connection() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("index.html"), "").unwrap();
    let mut lab = Lab::start(crate::common::stoppable(), folder.path());
    let silent = TcpStream::connect(&lab.1).unwrap();
    let mut half = TcpStream::connect(&lab.1).unwrap();
    half.write_all(b"GET / HTTP/1.1\r\nHost:").unwrap();
    // Answered after both were accepted.
    assert!(lab.get("/").starts_with("HTTP/1.1 200"));
    let sent = Command::new("kill")
        .args(["-s", "INT", &lab.0.id().to_string()])
        .status();
    assert!(sent.unwrap().success());
    assert!(lab.0.wait().unwrap().success());
    drop((silent, half));
}
