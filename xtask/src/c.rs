//! The header for C and C++: its tests, its game and the code of its pages, with gcc and clang, on three kinds of processors.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use xshell::{Shell, cmd};

use crate::snippets::Snippet;
use crate::{book, packages, setup, snippets};

/// Every warning is an error.
const WARNINGS: &[&str] = &["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"];

/// The library of `sqrt` and `sin`, which is a part of Windows' own.
const MATHS: &[&str] = if cfg!(windows) { &[] } else { &["-lm"] };

/// A way to compile the tests.
struct Build {
    compiler: &'static str,
    flags: &'static str,
    /// What runs its programs, if this processor does not.
    runner: Option<&'static str>,
    /// Whether its floats are those of IEEE 754, so that all results are the core's bits; integers always are.
    is_exact: bool,
}

const fn build(compiler: &'static str, flags: &'static str, is_exact: bool) -> Build {
    Build {
        compiler,
        flags,
        runner: None,
        is_exact,
    }
}

/// The folder in which the tests run: they find what is stored from there.
const FOLDER: &str = "bindings/c/tests";

/// A build on any system, whose floats are exact.
const EXACT: &str = "-O2 -ffp-contract=off -D_CRT_SECURE_NO_WARNINGS";

/// Each processor and each compiler, C and C++, exact floats and fast ones, and the sanitizers. The first one writes the results of blending with
/// which the others compare theirs.
const BUILDS: &[Build] = &[
    build("gcc", "-std=c99 -D_POSIX_C_SOURCE=200809L -O2 -ffp-contract=off", true),
    build(
        "clang++",
        "-x c++ -std=c++17 -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -ffp-contract=off",
        true,
    ),
    build("clang", "-O3 -ffast-math -march=native", false),
    build("gcc", "-m32 -mfpmath=387 -O3 -ffast-math", false),
    build("gcc", "-m32 -msse2 -mfpmath=sse -O2 -ffp-contract=off", true),
    Build {
        runner: Some("qemu-s390x"),
        ..build("s390x-linux-gnu-gcc", "-static -O2 -ffp-contract=off", true)
    },
];

/// The standards in which the header must be without a warning.
const STANDARDS: &[(&[&str], &str)] = &[
    (&["gcc", "clang"], "-std=c99 -D_POSIX_C_SOURCE=200809L"),
    (&["gcc", "clang"], "-std=c11 -D_POSIX_C_SOURCE=200809L"),
    (&["gcc", "clang"], "-std=gnu17"),
    (&["gcc", "clang"], "-std=gnu2x"),
    (&["g++", "clang++"], "-x c++ -std=c++17"),
    (&["g++", "clang++"], "-x c++ -std=c++20"),
    (&["g++", "clang++"], "-x c++ -std=c++2b"),
];

/// What the header promises, as a program.
const CLAIMS: &str = "bindings/c/tests/claims.c";

/// A game whose comment has the command that compiles it. It opens a window and plays a script.
const GAME: &str = "examples/c/tower.c";

/// The pages whose code of C is run; that of C++ is on the first.
const PAGES: [&str; 2] = ["docs/pages/c.md", book::WHICH_CALL];

/// The beginning and the end of the program around a snippet.
const AROUND: [&str; 2] = [
    "#include \"snippet.h\"\nint main(void) {\n    snippet_begin();\n    {\n",
    "    }\n    return snippet_end();\n}\n",
];

/// Fails unless there is a compiler for the quick tier.
pub(crate) fn needs(shell: &Shell) -> Result<()> {
    compiler(shell).map(drop)
}

/// The compiler that `CC` names, or the first one of this system.
fn compiler(shell: &Shell) -> Result<String> {
    let named = shell.var("CC").ok();
    let known = ["cc", "gcc", "clang"].into_iter().map(str::to_owned);
    let mut candidates = named.into_iter().chain(known);
    candidates
        .find(|compiler| setup::runs(cmd!(shell, "{compiler} --version")))
        .context("this needs a C compiler like gcc or clang; install one, for example: apt-get install gcc, or name it in CC")
}

/// The step of the quick tier: the tests of the header, with this system's compiler.
pub(crate) fn test(shell: &Shell) -> Result<()> {
    let (tests, compiler) = (Tests::new(shell)?, compiler(shell)?);
    let _folder = shell.push_dir(FOLDER);
    for name in ["claims", "scripts", "blend", "conformance"] {
        let program = tests.compile(&compiler, EXACT, &format!("{name}.c"))?;
        cmd!(shell, "{program}").quiet().ignore_stdout().run()?;
    }
    Ok(())
}

/// The step of `cargo ci`.
pub(crate) fn check(shell: &Shell) -> Result<()> {
    if !cfg!(target_os = "linux") {
        bail!("the header is tested on Linux");
    }
    let tests = Tests::new(shell)?;
    tests.run_builds()?;
    for (compilers, standard) in STANDARDS {
        for compiler in *compilers {
            // A standard changes what is parsed, not what an optimiser warns of.
            let standard = standard.split(' ');
            cmd!(shell, "{compiler} {WARNINGS...} {standard...} -fsyntax-only {CLAIMS}")
                .quiet()
                .run()?;
        }
    }
    // An optimiser sees uses of what was not written, and results that cannot be.
    tests.compile("g++", "-x c++ -std=c++17 -O2", CLAIMS)?;
    // The clock of Windows; the program is not run.
    tests.compile("x86_64-w64-mingw32-gcc", "-std=gnu99", CLAIMS)?;
    tests.compile("x86_64-w64-mingw32-g++", "-x c++ -std=c++17", CLAIMS)?;
    for snippet in snippets::read(shell, "c", &PAGES)? {
        tests.snippet(&snippet, "gcc", "-std=gnu99", "c")?;
    }
    for snippet in snippets::read(shell, "cpp", &PAGES[..1])? {
        tests.snippet(&snippet, "g++", "-std=c++17", "cpp")?;
    }
    tests.compile("gcc", "-O2", "bindings/c/benches/frame.c")?;
    let program = tests.documented(GAME)?;
    // Draws directly into the window. By default SDL would use OpenGL in software, which takes 30 times as long.
    Ok(cmd!(shell, "xvfb-run --auto-servernum {program} --script")
        .env("SDL_FRAMEBUFFER_ACCELERATION", "0")
        .quiet()
        .run()?)
}

struct Tests<'a> {
    shell: &'a Shell,
    out: PathBuf,
}

impl<'a> Tests<'a> {
    fn new(shell: &'a Shell) -> Result<Self> {
        let out = shell.current_dir().join("target/c");
        shell.remove_path(&out)?;
        shell.create_dir(&out)?;
        Ok(Self { shell, out })
    }

    /// Runs all tests in every build.
    fn run_builds(&self) -> Result<()> {
        let (shell, rows) = (self.shell, self.out.join("blended"));
        let _folder = shell.push_dir(FOLDER);
        for (index, build) in BUILDS.iter().enumerate() {
            let Build { compiler, flags, .. } = build;
            println!("{compiler} {flags}");
            let run = |name: &str, arguments: &[&str]| -> Result<()> {
                let program = self.compile(compiler, flags, &format!("{name}.c"))?;
                let words = build.runner.into_iter().map(Path::new).chain([program.as_path()]);
                let words: Vec<_> = words.collect();
                let (first, rest) = (words[0], &words[1..]);
                let run = cmd!(shell, "{first} {rest...} {arguments...}").quiet().ignore_stdout();
                run.run().with_context(|| format!("{compiler} {flags}"))
            };
            run("claims", &[])?;
            run("scripts", &[])?;
            let rows = rows.to_str().context("the path is UTF-8")?;
            if index == 0 {
                run("blend", &["write", rows])?;
            }
            if build.is_exact {
                run("blend", &[])?;
                run("conformance", &[])?;
            } else {
                run("blend", &["check", rows])?;
            }
        }
        Ok(())
    }

    /// Compiles a program with every warning.
    fn compile(&self, compiler: &str, flags: &str, source: &str) -> Result<PathBuf> {
        let shell = self.shell;
        let program = self.out.join(name_of(source)?);
        shell.remove_path(&program)?;
        let flags = flags.split(' ');
        cmd!(
            shell,
            "{compiler} {WARNINGS...} {flags...} {source} -o {program} {MATHS...}"
        )
        .quiet()
        .run()?;
        Ok(program)
    }

    /// Compiles a program by the command in its first comment.
    fn documented(&self, source: &str) -> Result<PathBuf> {
        let shell = self.shell;
        let text = shell.read_file(source)?;
        let command = text
            .lines()
            .map(|line| line.trim_start_matches([' ', '*', '/']))
            .find(|line| line.starts_with("cc "))
            .and_then(|line| line.split(" && ").next())
            .with_context(|| format!("{source} does not say how it is compiled"))?;
        let (name, program) = (name_of(source)?, self.out.join(name_of(source)?));
        let command = command.replace(&format!("-o {name}"), &format!("-o {}", program.display()));
        cmd!(shell, "sh -c {command}")
            // The sources of a package of the registry: Debian 12 has only Box2D 2.4.
            .env("BOX2D", packages::folder(shell, "boxdd-sys")?.join("third-party/box2d"))
            .quiet()
            .run()?;
        Ok(program)
    }

    /// Compiles and runs a program whose body is code from a page.
    fn snippet(&self, snippet: &Snippet, compiler: &str, flags: &str, extension: &str) -> Result<()> {
        let (shell, Snippet { file, line, code }) = (self.shell, snippet);
        let source = self
            .out
            .join(format!("{}_{line}.{extension}", file.replace(['/', '.'], "_")));
        let text = match code.contains("int main(") {
            true => format!("#line {line} \"{file}\"\n{code}"),
            false => {
                // Lines with `#include` are replaced by empty lines, so that the compiler's line numbers are those of the page.
                let body = code.lines().map(|line| match line.starts_with("#include") {
                    true => "\n".to_owned(),
                    false => format!("{line}\n"),
                });
                format!(
                    "{}#line {line} \"{file}\"\n{}{}",
                    AROUND[0],
                    body.collect::<String>(),
                    AROUND[1]
                )
            }
        };
        shell.write_file(&source, text)?;
        let source = source.to_str().context("the path is UTF-8")?;
        let flags = format!("{flags} -O1 -Wno-shadow -Ibindings/c -Ibindings/c/tests");
        let program = self.compile(compiler, &flags, source)?;
        let run = cmd!(shell, "{program}").quiet().ignore_stdout().run();
        run.with_context(|| format!("{file}:{line}: the code of the page fails"))
    }
}

fn name_of(source: &str) -> Result<String> {
    let stem = Path::new(source).file_stem().context("a source has a name")?;
    Ok(stem.to_string_lossy().into_owned())
}
