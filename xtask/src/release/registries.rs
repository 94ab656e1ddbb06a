//! Registries on the loopback interface: ktra for crates, verdaccio for npm, pypiserver for Python.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};
use xshell::{Shell, cmd};

use crate::built::built;
use crate::{packages, setup};

/// The registry of npm, in the last version that runs with Node.js 20. It names one of its packages by a tag that not every source has.
const VERDACCIO: &str =
    r#"{"private": true, "dependencies": {"verdaccio": "5.33.0"}, "overrides": {"node-fetch": "2.7.0"}}"#;

/// Who uploads: a user of ktra and of verdaccio.
const USER: &str = r#"{"name":"releaser","password":"rehearsal"}"#;

/// Options of git in which somebody commits, also where no name is configured.
pub(super) const AS_SOMEBODY: [&str; 4] = ["-c", "user.name=rehearsal", "-c", "user.email=rehearsal@localhost"];

/// How many names the registry of crates takes at once, as the public one does, which then takes one in ten minutes.
pub(super) const NEW_NAMES: usize = 5;

/// The longest that a server may take to start on a busy machine.
const START: Duration = Duration::from_secs(60);

/// Registries that run until this process ends, in whatever way: an interrupted rehearsal leaves no servers.
pub(super) struct Registries {
    /// The index of crates, as cargo's configuration names it.
    pub(super) crates: String,
    /// What lets a crate be uploaded.
    pub(super) token: String,
    /// The address of the npm registry.
    pub(super) npm: String,
    /// The address of the Python registry, for twine; pip's is `simple/` in it.
    pub(super) python: String,
    index: PathBuf,
    names_left: Arc<AtomicUsize>,
}

impl Registries {
    /// Starts them in a folder. The one of crates has, beside what is uploaded, the crates that packages need: cargo fetches them from the
    /// source of its user before.
    pub(super) fn start(shell: &Shell, folder: &Path, packages: &[PathBuf]) -> Result<Self> {
        let ktra = setup::installed_by_cargo(shell, "ktra", "0.7.0")?;
        let verdaccio = built("tools/verdaccio-5.33.0")?;
        if !verdaccio.join("node_modules/verdaccio").exists() {
            shell.write_file(verdaccio.join("package.json"), VERDACCIO)?;
            let _tool = shell.push_dir(&verdaccio);
            cmd!(shell, "npm install --silent --no-audit --no-fund").run()?;
        }
        let python = setup::python_tools(shell, "pypiserver", &["pypiserver==2.4.2"])?;
        shell.create_dir(folder)?;
        let _folder = shell.push_dir(folder);
        let names_left = Arc::new(AtomicUsize::new(NEW_NAMES));
        let [crates_port, npm_port, python_port] = [free_port()?, free_port()?, free_port()?];
        let gate = gate(crates_port, names_left.clone())?;
        let count = fill(
            shell,
            packages,
            &json!({
                "dl": format!("http://127.0.0.1:{crates_port}/dl"),
                "api": format!("http://127.0.0.1:{gate}"),
            }),
        )?;
        println!("release: the registry of crates has {count} versions of others");
        shell.write_file(
            "ktra.toml",
            format!(
                "[crate_files_config]\ndl_dir_path = \"dl\"\n[db_config]\ndb_dir_path = \"db\"\n[index_config]\n\
                 remote_url = \"file://{}/index.git\"\nlocal_path = \"dl/index\"\n\
                 [server_config]\naddress = [127, 0, 0, 1]\nport = {crates_port}\n",
                folder.display()
            ),
        )?;
        shell.write_file(
            "verdaccio.yaml",
            "storage: ./npm\nuplinks: {}\nauth:\n  htpasswd:\n    file: ./npm-users\npackages:\n  '**':\n    access: $all\n    \
             publish: $authenticated\nlog:\n  type: stdout\n  level: warn\n",
        )?;
        shell.create_dir("python")?;
        let start = |name: &str, program: &Path, arguments: &[&str], port: u16| {
            let log = File::create(folder.join(format!("{name}.log")))?;
            // The system ends it with this process.
            Command::new("setpriv")
                .args(["--pdeathsig", "KILL"])
                .arg(program)
                .args(arguments)
                .current_dir(folder)
                .stdout(log.try_clone()?)
                .stderr(log)
                .spawn()
                .with_context(|| format!("{name} does not start"))?;
            wait_for(port).with_context(|| format!("{name} does not answer; see {}/{name}.log", folder.display()))
        };
        let npm_address = format!("127.0.0.1:{npm_port}");
        let verdaccio = verdaccio.join("node_modules/.bin/verdaccio");
        let python_port_word = python_port.to_string();
        let in_python = [
            "-m",
            "pypiserver",
            "run",
            "--interface=127.0.0.1",
            "--port",
            &python_port_word,
            "--disable-fallback",
            "--passwords=.",
            "--authenticate=.",
            "python",
        ];
        start("ktra", &ktra, &[], crates_port)?;
        start(
            "verdaccio",
            &verdaccio,
            &["--config", "verdaccio.yaml", "--listen", &npm_address],
            npm_port,
        )?;
        start("pypiserver", Path::new(&python), &in_python, python_port)?;
        Ok(Self {
            crates: format!("sparse+http://127.0.0.1:{crates_port}/dl/index/"),
            token: token(
                shell,
                "POST",
                &format!("http://127.0.0.1:{crates_port}/ktra/api/v1/new_user/releaser"),
                USER,
            )?,
            npm: format!("http://{npm_address}/"),
            python: format!("http://127.0.0.1:{python_port}/"),
            index: folder.join("dl/index"),
            names_left,
        })
    }

    /// What lets an npm package be uploaded.
    pub(super) fn npm_token(&self, shell: &Shell) -> Result<String> {
        token(
            shell,
            "PUT",
            &format!("{}-/user/org.couchdb.user:releaser", self.npm),
            USER,
        )
    }

    /// The registry of crates takes new names again.
    pub(super) fn take_names(&self) {
        self.names_left.store(usize::MAX, Ordering::SeqCst);
    }

    /// The sum of an uploaded crate, as the registry tells it.
    pub(super) fn sum(&self, shell: &Shell, name: &str) -> Result<String> {
        let line: Value = serde_json::from_str(&shell.read_file(self.index.join(index_path(name)))?)?;
        Ok(line["cksum"].as_str().context("an entry has a sum")?.to_owned())
    }
}

fn free_port() -> Result<u16> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port())
}

fn wait_for(port: u16) -> Result<()> {
    let start = Instant::now();
    while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
        ensure!(start.elapsed() < START, "no answer in {} s", START.as_secs());
        thread::sleep(Duration::from_millis(50));
    }
    Ok(())
}

/// Registers a user by HTTP and returns the token of the answer. Node.js is there, as npm is.
fn token(shell: &Shell, method: &str, address: &str, user: &str) -> Result<String> {
    let code = "const [method, address, body] = process.argv.slice(1);
        const headers = { 'content-type': 'application/json' };
        const answer = await fetch(address, { method, headers, body });
        console.log((await answer.json()).token);";
    let token = cmd!(
        shell,
        "node --input-type=module --eval {code} {method} {address} {user}"
    )
    .quiet()
    .read()?;
    ensure!(token != "undefined", "{address} gave no token");
    Ok(token)
}

/// Passes uploads of crates on to a registry that has no limit of new names, and refuses those beyond one as the public registry does.
fn gate(registry: u16, names_left: Arc<AtomicUsize>) -> Result<u16> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let port = listener.local_addr()?.port();
    thread::spawn(move || {
        for client in listener.incoming().flatten() {
            let names_left = names_left.clone();
            // A connection that breaks is cargo's to report.
            thread::spawn(move || pass_on(client, registry, &names_left));
        }
    });
    Ok(port)
}

fn pass_on(client: TcpStream, registry: u16, names_left: &AtomicUsize) -> Result<()> {
    let mut reader = BufReader::new(client.try_clone()?);
    let (mut head, mut length) = (String::new(), 0);
    loop {
        let start = head.len();
        ensure!(reader.read_line(&mut head)? > 0, "no request");
        let line = head[start..].to_ascii_lowercase();
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse()?;
        }
        if line.trim().is_empty() {
            break;
        }
    }
    let mut client = client;
    if head.to_ascii_lowercase().contains("expect: 100-continue") {
        client.write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let is_new = head.starts_with("PUT ") && head.contains("/crates/new ");
    let is_taken = |left: usize| left.checked_sub(1);
    if is_new
        && names_left
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, is_taken)
            .is_err()
    {
        let answer = r#"{"errors":[{"detail":"You have published too many new crates in a short period of time."}]}"#;
        let length = answer.len();
        let status = "HTTP/1.1 429 Too Many Requests\r\nContent-Type: application/json";
        return Ok(write!(
            client,
            "{status}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{answer}"
        )?);
    }
    let mut server = TcpStream::connect((Ipv4Addr::LOCALHOST, registry))?;
    let lines = head.lines().filter(|line| {
        let line = line.to_ascii_lowercase();
        !line.is_empty() && !line.starts_with("expect:") && !line.starts_with("connection:")
    });
    let head: String = lines.map(|line| format!("{line}\r\n")).collect();
    write!(server, "{head}Connection: close\r\n\r\n")?;
    server.write_all(&body)?;
    std::io::copy(&mut server, &mut client)?;
    Ok(())
}

/// Fills `index.git` and `dl` with what packages need: cargo has their sources from whatever source the user has. Returns how many versions
/// there are.
fn fill(shell: &Shell, of: &[PathBuf], config: &Value) -> Result<usize> {
    let mut versions = BTreeMap::new();
    for folder in of {
        for package in packages::with_dependencies(shell, folder)? {
            if package["source"]
                .as_str()
                .is_some_and(|source| source.starts_with("registry+"))
            {
                versions.insert(package["id"].to_string(), package);
            }
        }
    }
    let files = &versions.values().map(packed).collect::<Result<Vec<_>>>()?;
    let sums = cmd!(shell, "sha256sum {files...}").quiet().read()?;
    let mut index = BTreeMap::<PathBuf, String>::new();
    for ((package, file), sum) in versions.values().zip(files).zip(sums.lines()) {
        let (name, version) = (text(package, "name")?, text(package, "version")?);
        let line = entry(package, sum.split(' ').next().unwrap_or_default());
        *index.entry(index_path(name)).or_default() += &format!("{line}\n");
        let folder = format!("dl/{name}/{version}");
        shell.create_dir(&folder)?;
        shell
            .hard_link(file, format!("{folder}/download"))
            .or_else(|_| shell.copy_file(file, format!("{folder}/download")))?;
    }
    shell.write_file("index/config.json", config.to_string())?;
    for (path, lines) in index {
        shell.write_file(Path::new("index").join(path), lines)?;
    }
    let _index = shell.push_dir("index");
    cmd!(shell, "git init --quiet --initial-branch main").quiet().run()?;
    cmd!(shell, "git add .").quiet().run()?;
    cmd!(shell, "git {AS_SOMEBODY...} commit --quiet --message others")
        .quiet()
        .run()?;
    cmd!(shell, "git clone --quiet --bare . ../index.git").quiet().run()?;
    Ok(versions.len())
}

fn text<'a>(package: &'a Value, key: &str) -> Result<&'a str> {
    package[key].as_str().with_context(|| format!("a package has a {key}"))
}

/// The packed file of a package that cargo has unpacked.
fn packed(package: &Value) -> Result<PathBuf> {
    let folder = Path::new(text(package, "manifest_path")?)
        .parent()
        .context("a manifest is in a folder")?;
    let (name, source) = (folder.file_name(), folder.parent());
    let registry = source.and_then(Path::parent).and_then(Path::parent);
    if let (Some(name), Some(source), Some(registry)) = (name, source.and_then(Path::file_name), registry) {
        let file = registry
            .join("cache")
            .join(source)
            .join(format!("{}.crate", name.to_string_lossy()));
        if file.exists() {
            return Ok(file);
        }
    }
    bail!(
        "no packed file belongs to {}: cargo's source of crates must be a registry",
        folder.display()
    )
}

/// Where the index has a crate.
fn index_path(name: &str) -> PathBuf {
    let name = name.to_ascii_lowercase();
    match name.len() {
        1 | 2 => PathBuf::from(format!("{}/{name}", name.len())),
        3 => PathBuf::from(format!("3/{}/{name}", &name[..1])),
        _ => PathBuf::from(format!("{}/{}/{name}", &name[..2], &name[2..4])),
    }
}

/// The line of a registry's index about a package, from what `cargo metadata` says about it.
fn entry(package: &Value, sum: &str) -> Value {
    let none = Vec::new();
    let dependencies = package["dependencies"].as_array().unwrap_or(&none).iter().map(|one| {
        let (name, real) = match &one["rename"] {
            Value::Null => (&one["name"], &Value::Null),
            renamed => (renamed, &one["name"]),
        };
        json!({
            "name": name, "package": real, "req": one["req"], "features": one["features"], "optional": one["optional"],
            "default_features": one["uses_default_features"], "target": one["target"],
            "kind": one["kind"].as_str().unwrap_or("normal"),
        })
    });
    json!({
        "name": package["name"], "vers": package["version"], "deps": dependencies.collect::<Vec<_>>(), "cksum": sum,
        "features": {}, "features2": package["features"], "v": 2, "yanked": false, "links": package["links"],
        "rust_version": package["rust_version"],
    })
}
