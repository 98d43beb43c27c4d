//! The command line: one file a verb.

mod backup;
mod bench;
mod buckets;
mod doctor;
mod import;
mod migrate;
mod serve;
mod threads;
mod token;
mod user;
mod work;

use crate::{
    config::{Config, Serving, Storage},
    log,
    plain::plain,
    private,
    trouble::Trouble,
};
use clap::{Parser, Subcommand};
use domain::{Actor, PersonId, Role, person::Language};
use std::process::ExitCode;
use threads::Threads;
use tokio::runtime::Handle;
use uuid::Uuid;

/// A self-hosted desk for scheduled publishing.
///
/// Write an article, pick its moment, and see it go out: on time, once, and live on the screen. Without any settings,
/// everything is kept in ./data and the desk is at http://127.0.0.1:3000.
#[derive(Debug, Parser)]
#[command(name = "presstime", version, propagate_version = true, after_long_help = MORE)]
pub struct CommandLine {
    #[command(flatten)]
    storage: Storage,
    #[command(subcommand)]
    verb: Verb,
}

const MORE: &str = "\
Every flag is also an environment variable (PRESSTIME_ and its name) and a line of DATA/presstime.toml; a flag wins over the
environment, the environment over the file.

First steps:
  presstime serve                       start, and open the one-time set-up link it prints
  presstime work                        one more engine on the same database, without pages
  presstime serve --demo                the same with people, articles and items that fall due within the first minutes
  presstime import markdown posts/      articles from a folder of Markdown
  presstime backup FILE                 everything in one file, while the desk goes on
  presstime doctor                      looks at database, Redis, clock and disk, and says what to do

Exit codes: 0 good, 1 failed, 2 wrong usage.";

#[derive(Debug, Subcommand)]
enum Verb {
    /// Run the desk: pages, API, public site and engine in one process
    Serve(serve::Serve),
    /// Run the engine without pages, beside any number of other nodes on the same database
    Work(work::Work),
    /// Bring the schema of the database up to date, and end
    Migrate,
    /// Print or change, while everything runs, over how many shards the hints are spread
    Buckets(buckets::Buckets),
    /// Write everything to one file while the desk goes on
    Backup(backup::Backup),
    /// Fill an empty database from a backup; messages are held until an admin confirms
    Restore(backup::Restore),
    /// Look at database, Redis, clock, disk and port, and say what to do
    Doctor(doctor::Doctor),
    /// People: add, list, reset; works before set-up and beside a running server
    #[command(subcommand)]
    User(user::User),
    /// Tokens for the API
    #[command(subcommand)]
    Token(token::Token),
    /// Bring in what was written elsewhere
    #[command(subcommand)]
    Import(import::Import),
    /// Measure the engine; only ever on a database made for that
    #[command(subcommand, hide = true)]
    Bench(bench::Bench),
}

impl Verb {
    fn serving(&self) -> Serving {
        match self {
            Self::Serve(serve) => serve.serving.clone(),
            Self::Work(work) => work.serving(),
            Self::Doctor(doctor) => doctor.serving.clone(),
            _ => Serving::default(),
        }
    }
}

/// Does what the command line says; the exit code for the shell.
#[must_use]
pub fn run(line: CommandLine) -> ExitCode {
    match start(line) {
        Ok(()) => ExitCode::SUCCESS,
        Err(trouble) => complain(&trouble),
    }
}

fn start(line: CommandLine) -> Result<(), Trouble> {
    private::restrict_new_files();
    let config = Config::decide(&line.storage, &line.verb.serving())?;
    let _traces = log::start(&config)?;
    for file in private::open_to_others(config.file_with_secrets.as_slice()) {
        tracing::warn!(
            "other users of this machine may read the secrets in {0}; run chmod 600 {0}",
            file.display()
        );
    }
    let threads = Threads::start(matches!(line.verb, Verb::Serve(_)))?;
    let web = threads.web();
    threads.run(act(line.verb, config, web))
}

async fn act(verb: Verb, config: Config, web: Option<Handle>) -> Result<(), Trouble> {
    match verb {
        Verb::Serve(serve) => serve::run(&config, &serve, web).await,
        Verb::Work(_) => work::run(&config).await,
        Verb::Migrate => migrate::run(&config).await,
        Verb::Buckets(flags) => buckets::run(&config, &flags).await,
        Verb::Backup(flags) => backup::back_up(&config, &flags).await,
        Verb::Restore(flags) => backup::restore(&config, &flags).await,
        Verb::Doctor(_) => doctor::run(&config).await,
        Verb::User(user) => user::run(&config, user).await,
        Verb::Token(token) => token::run(&config, token).await,
        Verb::Import(import) => import::run(&config, import).await,
        Verb::Bench(bench) => bench::run(&config, bench).await,
    }
}

fn complain(trouble: &Trouble) -> ExitCode {
    eprintln!("presstime: {}", plain(&trouble.to_string()));
    trouble.exit_code()
}

/// Whoever may start this program on this data may do what an admin may; the log names the engine.
fn operator() -> Actor {
    Actor {
        person: PersonId(Uuid::nil()),
        role: Role::Admin,
        zone: "UTC".to_owned(),
        language: Language::En,
        idempotency: None,
        session: None,
    }
}
