//! The C library: writes it as a folder to install, and tests it with C and C++ compilers, sanitizers and valgrind.

use std::num::NonZero;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use xshell::{Shell, cmd};

use crate::built::built;
use crate::skipped::skip;
use crate::snippets::Snippet;
use crate::{setup, snippets};

/// The folder in which the library is built for tests.
const TESTED: &str = "target/c/installed";

/// The tools for C and C++ that are tested, and their Debian packages.
const PROGRAMS: &[&str] = &[
    "gcc",
    "g++",
    "clang",
    "clang++",
    "cmake",
    "pkg-config",
    "valgrind",
    "xvfb-run",
];
const PACKAGES: &[&str] = &[
    "clang",
    "cmake",
    "g++",
    "gcc",
    "libc6-dbg",
    "libclang-rt-14-dev",
    "libsdl2-dev",
    "make",
    "pkg-config",
    "valgrind",
    "xauth",
    "xvfb",
];

/// Every warning is an error.
const WARNINGS: &[&str] = &["-Wall", "-Wextra", "-Werror", "-pedantic", "-g", "-O1"];

/// Sources in C, and their arguments.
const IN_C: &[(&str, Option<&str>)] = &[
    ("examples/c/loop.c", None),
    ("bindings/evenstep-c/tests/c/misuse.c", None),
    (
        "bindings/evenstep-c/tests/c/conformance.c",
        Some("stored/conformance.txt"),
    ),
];

/// The pages whose code of C and of C++ is run.
const IN_C_PAGES: [&str; 2] = ["docs/pages/c.md", "bindings/evenstep-c/README.md"];
const IN_CPP_PAGES: [&str; 2] = ["docs/pages/c.md", "docs/pages/adopting.md"];

/// The beginning and the end of the program around a C snippet, and around a C++ snippet.
const AROUND_C: [&str; 2] = [
    "#include \"snippet.h\"\nint main(void) {\n    SNIPPET_OBJECTS;\n    {\n",
    "    }\n    (void)timestep, (void)poses, (void)input, (void)frame;\n    return TAKES_STEPS && snippet_steps == 0;\n}\n",
];
const AROUND_CPP: [&str; 2] = [
    "#include \"snippet.hpp\"\nint main() {\n    {\n",
    "    }\n    return drawn == 0;\n}\n",
];

/// Options of `cargo xtask c`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The folder to write, as a prefix to install: include, lib, lib/pkgconfig and lib/cmake.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

/// Writes the library, its header, and the files for pkg-config and CMake.
pub(crate) fn run(shell: &Shell, options: &Options) -> Result<()> {
    let out = std::path::absolute(shell.current_dir().join(&options.out))?;
    write(shell, &out)?;
    println!("C library: {}", out.display());
    Ok(())
}

fn write(shell: &Shell, out: &Path) -> Result<()> {
    let version = env!("CARGO_PKG_VERSION");
    // A library is compatible within a minor version as long as the major one is 0.
    let minor = version.rsplit_once('.').context("the version has three parts")?.0;
    let soname = format!("link-arg=-Wl,-soname,libevenstep.so.{minor}");
    cmd!(
        shell,
        "cargo rustc --quiet --release --package evenstep-c --crate-type staticlib"
    )
    .run()?;
    cmd!(
        shell,
        "cargo rustc --quiet --release --package evenstep-c --crate-type cdylib -- -C {soname} -C strip=debuginfo"
    )
    .run()?;
    let lib = out.join("lib");
    for folder in [out.join("include"), lib.join("pkgconfig"), lib.join("cmake/evenstep")] {
        shell.create_dir(folder)?;
    }
    for header in ["evenstep.h", "evenstep.hpp", "evenstep_control.hpp"] {
        shell.copy_file(
            format!("bindings/evenstep-c/include/{header}"),
            out.join("include").join(header),
        )?;
    }
    shell.copy_file(built(shell, "release/libevenstep_c.a")?, lib.join("libevenstep.a"))?;
    let file = format!("libevenstep.so.{version}");
    shell.copy_file(built(shell, "release/libevenstep_c.so")?, lib.join(&file))?;
    let link = |target: &str, name: &str| {
        let link = lib.join(name);
        cmd!(shell, "ln -sf {target} {link}").quiet().run()
    };
    link(&file, &format!("libevenstep.so.{minor}"))?;
    link(&file, "libevenstep.so")?;
    shell.write_file(
        lib.join("pkgconfig/evenstep.pc"),
        pkg_config("evenstep", version, SHARED),
    )?;
    let file = lib.join("pkgconfig/evenstep-static.pc");
    shell.write_file(file, pkg_config("evenstep-static", version, STATIC))?;
    let cmake = lib.join("cmake/evenstep");
    shell.write_file(cmake.join("evenstepConfig.cmake"), cmake_config())?;
    shell.write_file(cmake.join("evenstepConfigVersion.cmake"), cmake_version(version))?;
    Ok(())
}

/// How a program is linked. The path of the library is stored in the program, since the loader searches only the system's own
/// folders, and `/usr/local/lib` only after `ldconfig`. Package maintainers can remove it by setting the variable `rpath` to nothing.
const SHARED: &str = "rpath=-Wl,-rpath,${libdir}\nLibs: -L${libdir} ${rpath} -levenstep\n";
const STATIC: &str = "Libs: ${libdir}/libevenstep.a -lpthread -ldl -lm\n";

fn pkg_config(name: &str, version: &str, libs: &str) -> String {
    format!(
        "prefix=${{pcfiledir}}/../..\nincludedir=${{prefix}}/include\nlibdir=${{prefix}}/lib\n\n\
         Name: {name}\nDescription: Equal steps and smooth drawing for games and simulations\nVersion: {version}\n\
         Cflags: -I${{includedir}}\n{libs}"
    )
}

fn cmake_config() -> String {
    "get_filename_component(_evenstep_prefix \"${CMAKE_CURRENT_LIST_DIR}/../../..\" ABSOLUTE)\n\
     if(NOT TARGET evenstep::evenstep)\n\
     \x20 add_library(evenstep::evenstep SHARED IMPORTED)\n\
     \x20 set_target_properties(evenstep::evenstep PROPERTIES\n\
     \x20   IMPORTED_LOCATION \"${_evenstep_prefix}/lib/libevenstep.so\"\n\
     \x20   INTERFACE_INCLUDE_DIRECTORIES \"${_evenstep_prefix}/include\")\n\
     \x20 add_library(evenstep::evenstep_static STATIC IMPORTED)\n\
     \x20 set_target_properties(evenstep::evenstep_static PROPERTIES\n\
     \x20   IMPORTED_LOCATION \"${_evenstep_prefix}/lib/libevenstep.a\"\n\
     \x20   INTERFACE_INCLUDE_DIRECTORIES \"${_evenstep_prefix}/include\"\n\
     \x20   INTERFACE_LINK_LIBRARIES \"pthread;dl;m\")\n\
     endif()\n\
     unset(_evenstep_prefix)\n"
        .to_owned()
}

fn cmake_version(version: &str) -> String {
    format!(
        "set(PACKAGE_VERSION \"{version}\")\n\
         if(PACKAGE_VERSION VERSION_LESS PACKAGE_FIND_VERSION)\n\
         \x20 set(PACKAGE_VERSION_COMPATIBLE FALSE)\n\
         else()\n\
         \x20 set(PACKAGE_VERSION_COMPATIBLE TRUE)\n\
         \x20 if(PACKAGE_VERSION VERSION_EQUAL PACKAGE_FIND_VERSION)\n\
         \x20   set(PACKAGE_VERSION_EXACT TRUE)\n\
         \x20 endif()\n\
         endif()\n"
    )
}

/// The step of `cargo ci`: tests the installed library with gcc and clang, C99 and C++17, sanitizers, valgrind, a window, pkg-config and
/// CMake.
pub(crate) fn check(shell: &Shell) -> Result<()> {
    if !cfg!(target_os = "linux") {
        return Err(skip("the C library is tested on Linux"));
    }
    setup::programs(shell, PROGRAMS, PACKAGES)?;
    let out = shell.current_dir().join(TESTED);
    shell.remove_path(&out)?;
    write(shell, &out)?;
    let installed = Installed { shell, out };
    installed.documented()?;
    for snippet in snippets::of(shell, "c", &IN_C_PAGES)? {
        installed.snippet(&snippet, "gcc", &["-std=c99", "-D_DEFAULT_SOURCE"], "c", AROUND_C)?;
    }
    for snippet in snippets::of(shell, "cpp", &IN_CPP_PAGES)? {
        installed.snippet(&snippet, "g++", &["-std=c++17"], "cpp", AROUND_CPP)?;
    }
    installed.cmake_of_the_book()?;
    for compiler in ["gcc", "clang"] {
        for (source, input) in IN_C {
            let plain = installed.compile(compiler, &["-std=c99", "-D_DEFAULT_SOURCE"], source, &[])?;
            installed.run(&[], &plain, *input)?;
            let sanitized = [
                "-std=c99",
                "-D_DEFAULT_SOURCE",
                "-fsanitize=address,undefined",
                "-fno-sanitize-recover=all",
            ];
            let sanitized = installed.compile(compiler, &sanitized, source, &["sanitized"])?;
            installed.run(&[], &sanitized, *input)?;
            if compiler == "gcc" {
                installed.run(&VALGRIND, &plain, *input)?;
            }
        }
    }
    for compiler in ["gcc", "clang"] {
        installed.window(compiler)?;
    }
    installed.sdl3()?;
    installed.cmake()?;
    for compiler in ["g++", "clang++"] {
        installed.in_cpp(compiler, "examples/c/tower.cpp", &["--script"])?;
        installed.in_cpp(compiler, "bindings/evenstep-c/tests/c/control.cpp", &[])?;
        installed.in_cpp(compiler, "bindings/evenstep-c/tests/c/raii.cpp", &[])?;
    }
    Ok(())
}

/// A folder in a package of the registry that ships the sources of a C library: Debian 12 has only Box2D 2.4 and SDL 2.
fn sources(shell: &Shell, package: &str, folder: &str) -> Result<PathBuf> {
    let metadata = cmd!(shell, "cargo metadata --format-version 1").quiet().read()?;
    let manifests = metadata
        .split("\"manifest_path\":\"")
        .filter_map(|rest| rest.split('"').next());
    let manifest = manifests.map(Path::new).find(|path| {
        let name = path.parent().and_then(Path::file_name).and_then(|name| name.to_str());
        let version = name.and_then(|name| name.strip_prefix(package)?.strip_prefix('-'));
        version.is_some_and(|version| version.starts_with(|first: char| first.is_ascii_digit()))
    });
    let manifest = manifest.with_context(|| format!("no package {package} is among the dependencies"))?;
    Ok(manifest.with_file_name(folder))
}

fn box2d_sources(shell: &Shell) -> Result<PathBuf> {
    sources(shell, "boxdd-sys", "third-party/box2d")
}

/// The build options of SDL3: windows without a screen, rendered on the processor. Everything else would only take time.
const SDL3_WITHOUT: &[&str] = &[
    "AUDIO",
    "CAMERA",
    "DBUS",
    "DIALOG",
    "GPU",
    "HAPTIC",
    "HIDAPI",
    "JOYSTICK",
    "KMSDRM",
    "LIBUDEV",
    "LIBURING",
    "OPENGL",
    "OPENGLES",
    "POWER",
    "SENSOR",
    "SHARED",
    "TEST_LIBRARY",
    "TRAY",
    "VULKAN",
    "WAYLAND",
    "X11",
];

const VALGRIND: [&str; 4] = ["valgrind", "--quiet", "--error-exitcode=1", "--leak-check=full"];

/// The installed library.
struct Installed<'a> {
    shell: &'a Shell,
    out: PathBuf,
}

impl Installed<'_> {
    /// Runs the compile commands of the book in a shell, and the programs that they build. A statically linked program must not need the
    /// shared library.
    fn documented(&self) -> Result<()> {
        let shell = self.shell;
        let _path = shell.push_env("PKG_CONFIG_PATH", self.out.join("lib/pkgconfig"));
        let _folder = shell.push_dir(self.out.with_file_name("documented"));
        shell.remove_path(shell.current_dir())?;
        shell.create_dir(shell.current_dir())?;
        shell.copy_file(concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/c/loop.c"), "game.c")?;
        let book = shell.read_file(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/pages/c.md"))?;
        let lines: Vec<&str> = book.lines().filter(|line| line.starts_with("cc game.c ")).collect();
        if lines.len() != 2 {
            bail!(
                "docs/pages/c.md has {} lines that begin with cc game.c, and not 2",
                lines.len()
            );
        }
        for line in lines {
            let line = line.split('#').next().unwrap_or_default();
            shell.remove_path("a.out")?;
            cmd!(shell, "sh -c {line}").quiet().run()?;
            let needed = cmd!(shell, "ldd ./a.out").quiet().read()?.contains("libevenstep");
            if needed == line.contains("evenstep-static") {
                bail!(
                    "{line}: the program {} libevenstep.so",
                    if needed { "needs" } else { "does not need" }
                );
            }
            cmd!(shell, "./a.out").quiet().ignore_stdout().run()?;
        }
        Ok(())
    }

    /// Compiles and runs a program whose body is code from a page. It must take steps if the code has a step.
    fn snippet(
        &self,
        snippet: &Snippet,
        compiler: &str,
        options: &[&str],
        extension: &str,
        [before, after]: [&str; 2],
    ) -> Result<()> {
        let (shell, Snippet { file, line, code }) = (self.shell, snippet);
        let name = format!("{}_{line}.{extension}", file.replace(['/', '.'], "_"));
        let source = self.out.with_file_name("snippets").join(name);
        // Lines with `#include` are replaced by empty lines, so that the compiler's line numbers are those of the page.
        let is_include = |line: &&str| line.starts_with("#include");
        let includes: String = code
            .lines()
            .filter(is_include)
            .map(|line| format!("{line}\n"))
            .collect();
        let body: String = code
            .lines()
            .map(|line| format!("{}\n", if is_include(&line) { "" } else { line }))
            .collect();
        let after = after.replace("TAKES_STEPS", if code.contains(" step(") { "1" } else { "0" });
        let text = match code.contains("int main(") {
            true => format!("#line {line} \"{file}\"\n{code}"),
            false => format!("{includes}{before}#line {line} \"{file}\"\n{body}{after}"),
        };
        shell.write_file(&source, text)?;
        let options = [options, &["-Ibindings/evenstep-c/tests/c"]].concat();
        let source = source.to_str().context("the path is UTF-8")?;
        let program = self.compile(compiler, &options, source, &[])?;
        self.run(&[], &program, None)
            .with_context(|| format!("{file}:{line}: the code of the page fails"))
    }

    /// Builds a project that has only the book's lines for CMake.
    fn cmake_of_the_book(&self) -> Result<()> {
        let shell = self.shell;
        // The lines that refer to a clone beside the project find this one.
        let (clone, root) = (self.out.with_file_name("evenstep"), shell.current_dir());
        cmd!(shell, "ln -sfn {root} {clone}").quiet().run()?;
        for Snippet { file, line, code } in snippets::of(shell, "cmake", &IN_C_PAGES[..1])? {
            let folder = self.out.with_file_name("cmake_of_the_book");
            shell.remove_path(&folder)?;
            // A snippet that is a whole file is for the page's whole program.
            let text = match code.contains("project(") {
                true => code,
                false => {
                    format!(
                        "cmake_minimum_required(VERSION 3.18)\nproject(game C)\nadd_executable(game game.c)\n{code}"
                    )
                }
            };
            shell.write_file(folder.join("CMakeLists.txt"), text)?;
            shell.copy_file("examples/c/loop.c", folder.join("game.c"))?;
            let programs = snippets::of(shell, "cpp", &IN_CPP_PAGES[..1])?.into_iter();
            for program in programs.filter(|snippet| snippet.code.contains("int main(")) {
                shell.write_file(folder.join("main.cpp"), program.code)?;
            }
            let prefix = format!("-DCMAKE_PREFIX_PATH={}", self.out.display());
            let build = folder.join("build");
            let made = cmd!(shell, "cmake -S {folder} -B {build} {prefix}")
                .quiet()
                .ignore_stdout()
                .run();
            let made = made.and_then(|()| cmd!(shell, "cmake --build {build}").quiet().ignore_stdout().run());
            made.with_context(|| format!("{file}:{line}: the code of the page fails"))?;
            self.run(&[], &build.join("game"), None)?;
        }
        Ok(())
    }

    /// Compiles a program with the flags of pkg-config.
    fn compile(&self, compiler: &str, options: &[&str], source: &str, tags: &[&str]) -> Result<PathBuf> {
        let shell = self.shell;
        let name = Path::new(source)
            .file_stem()
            .context("a source has a name")?
            .to_string_lossy();
        let program = self.out.with_file_name(format!("{name}-{compiler}{}", tags.concat()));
        let folders = [&self.out, &self.sdl3_prefix()].map(|prefix| prefix.join("lib/pkgconfig").display().to_string());
        let _path = shell.push_env("PKG_CONFIG_PATH", folders.join(":"));
        let needed = match &*name {
            "sdl2" => &["evenstep", "sdl2"][..],
            "tower" => &["evenstep", "sdl3"],
            _ => &["evenstep"],
        };
        let flags = cmd!(shell, "pkg-config --cflags --libs {needed...}").quiet().read()?;
        let box2d = match &*name {
            "tower" => format!(
                "-I{}/include {}",
                box2d_sources(shell)?.display(),
                self.out.with_file_name("cmake").join("libbox2d.a").display()
            ),
            _ => String::new(),
        };
        let flags = flags.split_whitespace().chain(box2d.split_whitespace());
        cmd!(
            shell,
            "{compiler} {WARNINGS...} {options...} {source} -o {program} {flags...} -pthread -lm"
        )
        .quiet()
        .run()?;
        Ok(program)
    }

    fn run(&self, before: &[&str], program: &Path, input: Option<&str>) -> Result<()> {
        let shell = self.shell;
        let command = match before.split_first() {
            None => cmd!(shell, "{program}"),
            Some((first, rest)) => cmd!(shell, "{first} {rest...} {program}"),
        };
        let text = input.map(|path| shell.read_file(path)).transpose()?.unwrap_or_default();
        Ok(command.quiet().stdin(text).run()?)
    }

    /// Plays the script of the SDL2 game in a window, on an X server of its own.
    fn window(&self, compiler: &str) -> Result<()> {
        let (shell, source) = (self.shell, "examples/c/sdl2.c");
        let plain = ["-std=c99", "-D_DEFAULT_SOURCE"];
        let sanitized = [
            &plain[..],
            &["-fsanitize=address,undefined", "-fno-sanitize-recover=all"],
        ]
        .concat();
        let programs = [
            self.compile(compiler, &plain, source, &[])?,
            self.compile(compiler, &sanitized, source, &["sanitized"])?,
        ];
        for program in programs {
            // Memory that the X library keeps until the end is not our leak.
            let command = cmd!(shell, "xvfb-run --auto-servernum {program} --script");
            let command = command.env("ASAN_OPTIONS", "detect_leaks=0");
            // Draws directly into the window. By default SDL would use OpenGL in software, which takes 30 times as long.
            command.env("SDL_FRAMEBUFFER_ACCELERATION", "0").quiet().run()?;
        }
        Ok(())
    }

    /// Compiles and runs a program in C++17. Its window, if any, needs no screen.
    fn in_cpp(&self, compiler: &str, source: &str, arguments: &[&str]) -> Result<()> {
        let run = |before: &[&str], program: &Path| {
            let mut words = before.iter().map(AsRef::as_ref).chain([program.as_os_str()]);
            let (first, rest) = (words.next().context("a program is run")?, words);
            let command = cmd!(self.shell, "{first} {rest...} {arguments...}");
            anyhow::Ok(command.env("SDL_VIDEO_DRIVER", "dummy").quiet().run()?)
        };
        let plain = self.compile(compiler, &["-std=c++17"], source, &[])?;
        run(&[], &plain)?;
        if compiler == "g++" {
            run(&VALGRIND, &plain)?;
        }
        let sanitized = [
            "-std=c++17",
            "-fsanitize=address,undefined",
            "-fno-sanitize-recover=all",
        ];
        let sanitized = self.compile(compiler, &sanitized, source, &["sanitized"])?;
        run(&[], &sanitized)
    }

    /// Builds SDL3 beside the library. It stays there for the next run.
    fn sdl3(&self) -> Result<()> {
        let (shell, prefix) = (self.shell, self.sdl3_prefix());
        let source = sources(shell, "sdl3-src", "SDL")?;
        let version = source.display().to_string();
        if shell
            .read_file(prefix.join("built_from"))
            .is_ok_and(|built| built == version)
        {
            return Ok(());
        }
        let build = prefix.join("build");
        shell.remove_path(&prefix)?;
        let without = SDL3_WITHOUT.iter().map(|part| format!("-DSDL_{part}=OFF"));
        // Without optimisation it compiles in half the time.
        let options = [
            format!("-DCMAKE_INSTALL_PREFIX={}", prefix.display()),
            "-DCMAKE_BUILD_TYPE=Debug".to_owned(),
            "-DCMAKE_C_FLAGS_DEBUG=-O0".to_owned(),
            "-DSDL_STATIC=ON".to_owned(),
            "-DSDL_UNIX_CONSOLE_BUILD=ON".to_owned(),
        ];
        let options = options.into_iter().chain(without);
        cmd!(shell, "cmake -S {source} -B {build} {options...}")
            .quiet()
            .ignore_stdout()
            .ignore_stderr()
            .run()?;
        // Without a number, make starts a compiler for every file at once.
        let cores = std::thread::available_parallelism().map_or(1, NonZero::get).to_string();
        cmd!(shell, "cmake --build {build} --parallel {cores}")
            .quiet()
            .ignore_stdout()
            .run()?;
        cmd!(shell, "cmake --install {build}").quiet().ignore_stdout().run()?;
        Ok(shell.write_file(prefix.join("built_from"), version)?)
    }

    fn sdl3_prefix(&self) -> PathBuf {
        self.out.with_file_name("sdl3")
    }

    /// Builds the examples with CMake, as a user would.
    fn cmake(&self) -> Result<()> {
        let (shell, box2d) = (self.shell, box2d_sources(self.shell)?);
        let build = self.out.with_file_name("cmake");
        let prefix = format!(
            "-DCMAKE_PREFIX_PATH={};{}",
            self.out.display(),
            self.sdl3_prefix().display()
        );
        shell.remove_path(&build)?;
        cmd!(
            shell,
            "cmake -S examples/c -B {build} {prefix} -DBOX2D_SOURCE={box2d} -DCMAKE_BUILD_TYPE=Release"
        )
        .quiet()
        .ignore_stdout()
        .run()?;
        cmd!(shell, "cmake --build {build}").quiet().ignore_stdout().run()?;
        for program in ["loop", "loop_static"] {
            let program = build.join(program);
            if !program.exists() {
                bail!("CMake has not built {}", program.display());
            }
            self.run(&[], &program, None)?;
        }
        Ok(())
    }
}
