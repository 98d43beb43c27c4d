//! `cargo xtask …`: everything that builds, runs and checks Presstime. Needs rustup and a C compiler, nothing else.

mod assets;
mod check;
mod install;
mod lint;
mod proc;
mod rings;
mod sizes;
mod style;
mod supply_chain;
mod test;

use anyhow::Result;
use assets::Face;
use clap::{Parser, Subcommand};
use proc::{cargo, root};
use std::{
    path::PathBuf,
    process::{Command, ExitCode},
};

/// What may be left out of a build, and is in what is shipped and tested.
const ALL: &str = "presstime/amqp,presstime/otel";

/// Builds, runs and checks Presstime.
#[derive(Parser)]
#[command(name = "cargo xtask")]
struct Xtask {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Builds everything and starts the desk on http://127.0.0.1:3000 with its data in ./data.
    Run {
        /// With people, articles and items that fall due within the first minutes.
        #[arg(long)]
        demo: bool,
        /// Handed to `presstime serve`, e.g. `-- --listen 127.0.0.1:4000`.
        #[arg(last = true)]
        more: Vec<String>,
    },
    /// Makes the one binary, `presstime`, with everything in it.
    Build {
        /// Optimised, into the `release` folder of the target directory.
        #[arg(long)]
        release: bool,
    },
    /// Runs all checks and tests; installs what they need where it can.
    Test {
        /// Only these parts: check, rust, e2e.
        #[arg(long, value_delimiter = ',')]
        only: Vec<test::Part>,
    },
    /// Three nodes of the built product through bad weather, judged by witnesses; also the seeded worlds.
    Faults {
        /// An hour of weather, the whole counts of the matrix and 200,000 worlds instead of what CI does.
        #[arg(long)]
        long: bool,
        /// Draws this weather.
        #[arg(long)]
        seed: Option<u64>,
    },
    /// Builds wasm, style and icons into target/site.
    Assets,
    /// Checks licences, sources, banned and yanked versions of all dependencies, and advisories where a database is given.
    SupplyChain {
        /// A clone of the RustSec advisory database.
        #[arg(long)]
        advisories: Option<PathBuf>,
    },
    /// Writes target/presstime.cdx.json: the bill of materials, in CycloneDX.
    Sbom,
    /// Installs what the tests need: Redis, Valkey, RabbitMQ, Chromium, faketime, fonts, npm packages.
    Install,
}

fn main() -> Result<ExitCode> {
    if let Some((compiler, words)) = lint::asked() {
        return lint::wrap(&compiler, &words);
    }
    let done = match Xtask::parse().verb {
        Verb::Run { demo, more } => run(demo, &more),
        Verb::Build { release } => build(release).map(drop),
        Verb::Test { only } => test::test(&only),
        Verb::Faults { long, seed } => test::faults(long, seed),
        Verb::Assets => assets::build(Face::Soon, None).map(drop),
        Verb::SupplyChain { advisories } => supply_chain::check(advisories.as_deref()),
        Verb::Sbom => supply_chain::bill_of_materials().map(drop),
        Verb::Install => install::for_tests(&install::missing()?),
    };
    done.map(|()| ExitCode::SUCCESS)
}

/// Builds assets and binary and returns the binary's path.
fn build(is_release: bool) -> Result<PathBuf> {
    let face = if is_release { Face::Small } else { Face::Soon };
    let made_from = proc::beside(
        move || assets::build(face, None),
        || {
            proc::say("the server");
            proc::run(server(is_release).arg("--lib"))
        },
    )?;
    proc::say("the program");
    proc::run(server(is_release).env("PRESSTIME_ASSETS", made_from))?;
    let binary = proc::place(if is_release { "release" } else { "debug" })?;
    proc::say(&format!("ready: {}", binary.display()));
    Ok(binary)
}

fn server(is_release: bool) -> Command {
    let mut command = cargo();
    command.args(["build", "--locked", "--package", "presstime"]);
    if is_release {
        command.args(["--release", "--features", ALL]);
    }
    command
}

/// Builds and becomes `presstime serve`.
fn run(demo: bool, more: &[String]) -> Result<()> {
    let binary = build(false)?;
    let mut command = Command::new(binary);
    command.current_dir(root()).arg("serve");
    if demo {
        command.arg("--demo");
    }
    command.args(more);
    Err(anyhow::Error::from(std::os::unix::process::CommandExt::exec(&mut command))
        .context("presstime did not start"))
}
