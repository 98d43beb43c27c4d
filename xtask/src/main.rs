//! `cargo xtask …` builds, runs and checks Presstime. It needs only rustup and a C compiler,
//! and npm for the Markdown editor.

#![allow(clippy::string_slice, reason = "a tool of developers that reads their own files")]

mod assets;
mod check;
mod contract;
mod cycles;
mod install;
mod layers;
mod lint;
mod package;
mod proc;
mod sizes;
mod supply_chain;
mod test;
mod watch;
mod words;

use anyhow::Result;
use assets::WasmProfile;
use clap::{Args, Parser, Subcommand};
use proc::{cargo, root};
use std::{
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

/// Optional features. Releases and tests have all of them.
const ALL_FEATURES: &str = "presstime/amqp,presstime/otel,presstime/s3";

/// Builds, runs and checks Presstime.
#[derive(Parser)]
#[command(name = "cargo xtask")]
struct Xtask {
    #[command(subcommand)]
    command: XtaskCommand,
}

/// How to start the server.
#[derive(Args)]
struct ServeArgs {
    /// Adds accounts, articles and tasks that fall due within the first minutes.
    #[arg(long)]
    demo: bool,
    /// Arguments for `presstime serve`, e.g. `-- --listen 127.0.0.1:4000`.
    #[arg(last = true)]
    more: Vec<String>,
}

impl ServeArgs {
    /// The command that serves, with the browser's files from a folder.
    fn command(&self, binary: &Path, files: &str) -> Command {
        let mut command = Command::new(binary);
        command.current_dir(root()).env("PRESSTIME_FILES", files).arg("serve");
        if self.demo {
            command.arg("--demo");
        }
        command.args(&self.more);
        command
    }
}

#[derive(Subcommand)]
enum XtaskCommand {
    /// Builds the server and starts it on http://127.0.0.1:3000 with its data in ./data. The wasm is built while
    /// it serves: pages work without it, and use it as soon as it is there.
    Run(ServeArgs),
    /// Like `run`, and after each change of the sources builds again what it requires, restarts the
    /// server and reloads the browser.
    Watch(ServeArgs),
    /// Builds the binary `presstime` with the browser's files embedded.
    Build {
        /// Optimised and with all features, into the `release` folder of the target directory.
        #[arg(long)]
        release: bool,
    },
    /// Runs all checks and tests; installs what they need where it can.
    Test(test::Options),
    /// Runs the fault injection tests and the seeded simulation.
    Faults {
        /// One hour of the soak test, the full counts of the fault matrix and 200,000 seeds.
        #[arg(long)]
        long: bool,
        /// Seed of the soak test's fault schedule.
        #[arg(long)]
        seed: Option<u64>,
    },
    /// Checks names, comments, texts and documents for the words that `xtask/words.txt` replaces.
    Words,
    /// Prints the import cycles between modules; fails on one that `xtask/cycles.txt` does not
    /// list.
    Cycles {
        /// Rewrites the list. Refused if more modules are in cycles than before.
        #[arg(long)]
        update: bool,
    },
    /// Builds wasm, style and icons into target/site.
    Assets {
        /// As small as in releases and tests, with the sizes printed.
        #[arg(long)]
        release: bool,
    },
    /// Checks licences, sources, banned and yanked versions of all dependencies, and advisories
    /// where a database is given.
    SupplyChain {
        /// A clone of the RustSec advisory database.
        #[arg(long)]
        advisories: Option<PathBuf>,
    },
    /// Writes target/presstime.cdx.json: the bill of materials, in CycloneDX.
    Sbom,
    /// Writes target/package/VERSION: a Debian package, an archive for other distributions, a
    /// container's recipe, the bill of materials and checksums.
    Package {
        /// The binary to package; by default the one of `build --release`.
        #[arg(long)]
        binary: Option<PathBuf>,
    },
    /// Installs what the tests need: Redis, Valkey, Litestream, RabbitMQ, Schemathesis, Chromium, faketime,
    /// fonts, npm packages.
    Install,
}

fn main() -> Result<ExitCode> {
    if let Some((compiler, args)) = lint::wrapper_call() {
        return lint::wrap(&compiler, &args);
    }
    let done = match Xtask::parse().command {
        XtaskCommand::Run(args) => watch::run::run(&args),
        XtaskCommand::Watch(args) => watch::run(args),
        XtaskCommand::Build { release } => build(release).map(drop),
        XtaskCommand::Test(options) => test::test(&options),
        XtaskCommand::Faults { long, seed } => test::faults(long, seed),
        XtaskCommand::Words => words::check(),
        XtaskCommand::Cycles { update: false } => cycles::print(),
        XtaskCommand::Cycles { update: true } => cycles::update(),
        XtaskCommand::Assets { release } => assets::build(WasmProfile::of(release), None).map(drop),
        XtaskCommand::SupplyChain { advisories } => supply_chain::check(advisories.as_deref()),
        XtaskCommand::Sbom => package::sbom::write().map(drop),
        XtaskCommand::Package { binary } => package::build(binary.as_deref()),
        XtaskCommand::Install => install::for_tests(&install::missing()?),
    };
    // Without the stack: it says nothing of the command that failed.
    Ok(done.map_or_else(
        |error| {
            eprintln!("Error: {error:#}");
            ExitCode::FAILURE
        },
        |()| ExitCode::SUCCESS,
    ))
}

/// Builds assets and binary and returns the binary's path.
fn build(is_release: bool) -> Result<PathBuf> {
    let profile = WasmProfile::of(is_release);
    let assets_stamp = proc::in_parallel(
        move || assets::build(profile, None),
        || {
            proc::say("server library");
            proc::run(server(is_release).arg("--lib"))
        },
    )?;
    proc::say("program");
    let mut program = server(is_release);
    if is_release {
        program.env("PRESSTIME_COMMIT", package::commit()?);
    }
    proc::run(program.env("PRESSTIME_ASSETS", assets_stamp))?;
    let binary = proc::install_binary(if is_release { "release" } else { "debug" })?;
    proc::say(&format!("ready: {}", binary.display()));
    Ok(binary)
}

fn server(is_release: bool) -> Command {
    let mut command = cargo();
    command.args(["build", "--locked", "--package", "presstime"]);
    if is_release {
        command.args(["--release", "--features", ALL_FEATURES]);
    }
    command
}
