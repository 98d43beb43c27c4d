//! The command line: one file for each command.

mod backup;
mod bench;
mod buckets;
mod doctor;
mod export;
mod health;
mod import;
mod import_plan;
mod manual;
mod node;
pub mod secrets;
mod token;
mod upgrade;
mod user;

use crate::{
    process::{
        cli_error::CliError,
        commit,
        config::{Config, Serving, Storage},
        logging, private,
        sanitize::sanitize,
    },
    server, zone,
};
use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use domain::{AccountId, Actor, Role, account::Language};
use node::{drain, instances, serve, threads::Threads, work};
use std::process::ExitCode;
use store::Store;
use tokio::runtime::Handle;
use uuid::Uuid;

/// Self-hosted scheduled publishing.
///
/// Write an article, choose its time, and watch it being published: on time, once, and live on the
/// screen. Without any settings, all data is kept in ./data and the desk is at
/// http://127.0.0.1:3000.
#[derive(Debug, Parser)]
#[command(name = "presstime", version, propagate_version = true, after_long_help = MORE)]
pub struct CommandLine {
    #[command(flatten)]
    storage: Storage,
    #[command(subcommand)]
    command: Command,
}

const MORE: &str = "\
Every setting can also be given by an environment variable (PRESSTIME_ and its name) and, except --demo, --config,
--s3-session-token and those that end with -file, in DATA/presstime.toml; flags override the environment, the
environment overrides the file.

First steps:
  presstime serve                       start, then open the one-time setup link that is printed
  presstime work                        another engine on the same database, without pages
  presstime serve --demo                start with demo accounts, articles and tasks that are due within minutes
  presstime import markdown posts/      import articles from a folder of Markdown
  presstime import wordpress FILE.xml   import posts and pages from an export of WordPress; ghost FILE.json from Ghost
  presstime import plan FILE.csv        import articles with their times from a table
  presstime export DIR                  write articles as Markdown, with pictures and settings; export site DIR: the site as files
  presstime backup FILE                 copy all data to one file, also while servers are running
  presstime doctor                      check database, Redis, clock and disk, and print advice

Exit codes: 0 success, 1 failure, 2 invalid usage, 3 no backup before an upgrade: nothing was migrated.";

#[derive(Debug, Subcommand)]
enum Command {
    /// Start the server: pages, API, public site and engine in one process
    Serve(serve::Serve),
    /// Run the engine without pages, in addition to other nodes on the same database
    Work(work::Work),
    /// Ask a running node to stop, and wait until it has finished what is in flight
    Drain(drain::Drain),
    /// Migrate the database schema, and exit
    Migrate,
    /// Upgrade the database to this program; with --check only say what that would do
    Upgrade(upgrade::check::Upgrade),
    /// Go back from a newer release to this program, with the backup before the upgrade
    Rollback(upgrade::rollback::Rollback),
    /// Print or change the number of shards for the hints, also while servers are running
    Buckets(buckets::Buckets),
    /// Write all data to one file, also while servers are running
    Backup(backup::Backup),
    /// Fill an empty database from a backup; deliveries are held until an admin confirms
    Restore(backup::Restore),
    /// Check database, Redis, clock, disk and port, and print advice
    Doctor(doctor::Doctor),
    /// Ask the running server whether it executes what is due; exit code 1 if not
    Health(health::Health),
    /// List the services of this machine (presstime and presstime@NAME) with version, port and health
    Instances(instances::Instances),
    /// Accounts: add, list, reset; works before setup and while servers are running
    #[command(subcommand)]
    User(user::User),
    /// API tokens
    #[command(subcommand)]
    Token(token::Token),
    /// Stored secrets: encrypt them again with a new key
    #[command(subcommand)]
    Secrets(secrets::Secrets),
    /// Import existing content
    #[command(subcommand)]
    Import(import::Import),
    /// Write articles, media and settings to a folder, or the public site as static files
    Export(export::Export),
    /// Benchmark the engine; only use it with a separate database
    #[command(subcommand, hide = true)]
    Bench(bench::Bench),
    /// Write manual pages and completions of shells to a folder; for packages
    #[command(hide = true)]
    Manual(manual::Manual),
}

impl Command {
    fn serving(&self) -> Serving {
        match self {
            Self::Serve(serve) => serve.serving.clone(),
            Self::Work(work) => work.serving(),
            Self::Drain(drain) => drain.node.clone().into(),
            Self::Doctor(doctor) => doctor.serving.clone(),
            Self::Health(health) => health.listen.clone().into(),
            Self::User(user) => user.links().into(),
            Self::Export(export) => export.links().into(),
            _ => Serving::default(),
        }
    }
}

/// Optional features, and whether this binary has them.
const FEATURES: [(&str, bool); 3] =
    [("amqp", cfg!(feature = "amqp")), ("otel", cfg!(feature = "otel")), ("s3", cfg!(feature = "s3"))];

/// Parses the command line of this process; exits if it is wrong, or asks only for help or the version.
/// `commit`: from which this binary was built; `None`: not known.
#[must_use]
pub fn parse(commit: Option<&'static str>) -> CommandLine {
    if let Some(commit) = commit {
        commit::set(commit);
    }
    let version: &str = version(commit).leak();
    let matches = CommandLine::command().long_version(version).get_matches();
    CommandLine::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
}

/// What `--version` prints. `-V` prints the first word only.
fn version(commit: Option<&str>) -> String {
    let features: Vec<&str> = FEATURES.iter().filter(|(_, has)| *has).map(|(name, _)| *name).collect();
    let features = if features.is_empty() { "none".to_owned() } else { features.join(", ") };
    format!(
        "{}\ncommit: {}\nfeatures: {features}\nschema step: {}\ntime-zone data: {}",
        env!("CARGO_PKG_VERSION"),
        commit.unwrap_or("not known (built without cargo xtask build --release)"),
        Store::known_schema_version(),
        zone::data_version(),
    )
}

/// Runs the command and returns the exit code. `changelog`: the text of `CHANGELOG.md`.
#[must_use]
pub fn run(line: CommandLine, changelog: &'static str) -> ExitCode {
    match start(line, changelog) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => print_error(&error),
    }
}

fn start(line: CommandLine, changelog: &'static str) -> Result<(), CliError> {
    private::restrict_new_files();
    let config = Config::decide(&line.storage, &line.command.serving())?;
    let _traces = logging::start(&config)?;
    for file in private::open_to_others(config.file_with_secrets.as_slice()) {
        tracing::warn!(
            "other users of this machine may read the secrets in {0}; run chmod 600 {0}",
            file.display()
        );
    }
    let threads = Threads::start(matches!(line.command, Command::Serve(_)))?;
    let web = threads.web();
    threads.run(dispatch(line.command, config, web, changelog))
}

async fn dispatch(
    command: Command,
    config: Config,
    web: Option<Handle>,
    changelog: &'static str,
) -> Result<(), CliError> {
    match command {
        Command::Serve(serve) => serve::run(&config, &serve, web).await,
        Command::Work(flags) => work::run(&config, &flags.systemd).await,
        Command::Drain(flags) => drain::run(&config, &flags).await,
        Command::Migrate => upgrade::migrate::run(&config).await,
        Command::Upgrade(flags) => upgrade::check::run(&config, &flags, changelog).await,
        Command::Rollback(flags) => upgrade::rollback::run(&config, &flags).await,
        Command::Buckets(flags) => buckets::run(&config, &flags).await,
        Command::Backup(flags) => backup::back_up(&config, &flags).await,
        Command::Restore(flags) => backup::restore(&config, &flags).await,
        Command::Doctor(_) => doctor::run(&config).await,
        Command::Health(_) => health::run(&config).await,
        Command::Instances(flags) => instances::run(&flags).await,
        Command::User(user) => user::run(&config, user).await,
        Command::Token(token) => token::run(&config, token).await,
        Command::Secrets(secrets) => secrets::run(&config, secrets).await,
        Command::Import(import) => import::run(&config, import).await,
        Command::Export(export) => export::run(&config, export).await,
        Command::Bench(bench) => bench::run(&config, bench).await,
        Command::Manual(flags) => manual::run(&flags),
    }
}

/// Returns an error if there is no database: opening it would create it. For commands that only make
/// sense with the data of an existing one.
fn require_database(config: &Config) -> Result<(), CliError> {
    let file = store::db_identity::file_of(&config.database());
    if file.is_some_and(|file| !file.exists()) {
        return Err(CliError::Failed(format!("there is no database at {}", server::place(config))));
    }
    Ok(())
}

fn print_error(error: &CliError) -> ExitCode {
    eprintln!("presstime: {}", sanitize(&error.to_string()));
    error.exit_code()
}

/// The operator. A user who can run this program on this data has the permissions of an admin; the
/// log shows the engine as the actor.
fn operator() -> Actor {
    Actor {
        account: AccountId(Uuid::nil()),
        role: Role::Admin,
        zone: "UTC".to_owned(),
        language: Language::En,
        idempotency: None,
        session: None,
    }
}
