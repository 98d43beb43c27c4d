//! `bench`: load tests of the engine, for comparison with other queues.

use super::node::until_stopped::stop_signal;
use crate::{
    process::{cli_error::CliError, config::Config},
    server::{
        Server,
        bench::{Batch, Changes, Handler, Workload},
    },
};
use clap::{Args, Parser, Subcommand, ValueEnum};
use domain::{KindClass, Priority};
use engine::{LoopName, Loops};
use serde_json::json;
use std::{ffi::OsString, path::PathBuf, sync::Arc, time::Duration};
use store::{PoolRole, Store, StoreError};

/// Benchmark to run.
#[derive(Debug, Subcommand)]
pub enum Bench {
    /// Runs one command of the driver contract; the last line of the output is the result
    Driver(Words),
}

/// The unparsed arguments of a contract command: its flags differ from those of the other commands
/// (`--log` names a file).
#[derive(Debug, Args)]
#[command(disable_help_flag = true)]
pub struct Words {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true)]
    words: Vec<OsString>,
}

/// Parser for the contract commands.
#[derive(Debug, Parser)]
#[command(name = "presstime bench driver", no_binary_name = true)]
struct Line {
    #[command(subcommand)]
    driver: Driver,
}

/// Commands of the driver contract.
#[derive(Debug, Subcommand)]
pub enum Driver {
    /// Print the name of the tested system, in one line
    Version,
    /// Create the schema
    Init,
    /// Schedule tasks
    Enqueue(Enqueue),
    /// Execute tasks until it is stopped
    Worker(Worker),
    /// Schedule tasks, reschedule each by an hour, then cancel each
    Resched(Resched),
}

/// Which tasks to use.
#[derive(Debug, Args)]
pub struct Which {
    #[arg(long)]
    count: u64,
    /// Due time of the first task, milliseconds since 1970
    #[arg(long)]
    t0: f64,
    /// The tasks are named PREFIX:0, PREFIX:1 …
    #[arg(long)]
    prefix: String,
}

/// Flags of `enqueue`.
#[derive(Debug, Args)]
pub struct Enqueue {
    #[command(flatten)]
    which: Which,
    #[arg(long)]
    mode: Mode,
    /// Milliseconds between two due times
    #[arg(long, default_value_t = 0.0)]
    step: f64,
    /// Priority: high, normal or low
    #[arg(long, default_value = "normal")]
    lane: Priority,
    /// Class of their kind: content, people or machines
    #[arg(long, default_value = "content")]
    class: KindClass,
}

/// How tasks are scheduled and changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Mode {
    /// Thousands per call
    Bulk,
    /// One per call
    Single,
}

/// Flags of `worker`.
#[derive(Debug, Args)]
pub struct Worker {
    /// File to which every handled task is logged
    #[arg(long)]
    log: PathBuf,
    /// Duration of handling one task
    #[arg(long, default_value_t = 0)]
    sleep_ms: u64,
    /// Maximum number of tasks handled at the same time
    #[arg(long, default_value_t = 50)]
    concurrency: usize,
}

/// Flags of `resched`.
#[derive(Debug, Args)]
pub struct Resched {
    #[command(flatten)]
    which: Which,
    /// `single`: one task per call, 50 calls at the same time
    #[arg(long, default_value = "bulk")]
    mode: Mode,
}

/// Runs one command of the contract.
pub async fn run(config: &Config, bench: Bench) -> Result<(), CliError> {
    let Bench::Driver(Words { words }) = bench;
    let Line { driver } = Line::try_parse_from(words).map_err(|why| CliError::Usage(why.to_string()))?;
    let server = Server::open(config).await?;
    let done = match driver {
        Driver::Version => version(&server).await,
        Driver::Init => Ok(()),
        Driver::Enqueue(enqueue) => schedule(&server, enqueue).await,
        Driver::Worker(worker) => return work(&server, worker).await,
        Driver::Resched(resched) => change(&server, resched).await,
    };
    server.close().await;
    done.map_err(|error| CliError::Broken(format!("the database refused: {error:?}")))
}

async fn version(server: &Server) -> Result<(), StoreError> {
    let mut lease = server.parts.store.read(PoolRole::Engine).await?;
    let database = store::report::database(lease.conn()).await?;
    let hints = server.parts.hints.health().await.name;
    println!("presstime {}, {database}, hints {hints}", env!("CARGO_PKG_VERSION"));
    Ok(())
}

async fn schedule(server: &Server, enqueue: Enqueue) -> Result<(), StoreError> {
    let Enqueue { which, mode, step, lane, class } = enqueue;
    let Which { count, t0, prefix } = which;
    let batch = Batch { count, t0, step, prefix, priority: lane, class };
    let workload = Workload { parts: server.parts.clone() };
    let result = if mode == Mode::Bulk {
        let took = workload.bulk(&batch).await?;
        json!({"count": batch.count, "seconds": took.as_secs_f64(), "bulk": true})
    } else {
        let took = workload.one_by_one(&batch).await?;
        let micros: Vec<f64> = took.iter().map(|one| one.as_secs_f64() * 1e6).collect();
        let seconds = took.iter().sum::<Duration>().as_secs_f64();
        json!({"count": batch.count, "seconds": seconds, "lat_us": micros})
    };
    println!("{result}");
    Ok(())
}

async fn change(server: &Server, resched: Resched) -> Result<(), StoreError> {
    let which = resched.which;
    let batch = Batch {
        count: which.count,
        t0: which.t0,
        step: 0.0,
        prefix: which.prefix,
        priority: Priority::Normal,
        class: KindClass::Content,
    };
    let changes = if resched.mode == Mode::Bulk { Changes::BULK } else { Changes::SINGLE };
    let (moved, cancelled, left) = Workload { parts: server.parts.clone() }.change(&batch, changes).await?;
    let Changes { per_call, concurrency } = changes;
    let note = format!(
        "both change {per_call} tasks per call, each with its expected version, {concurrency} calls at a time"
    );
    let result = json!({
        "resched_s": moved.as_secs_f64(), "cancel_s": cancelled.as_secs_f64(), "left": left, "note": note,
    });
    println!("{result}");
    Ok(())
}

async fn work(server: &Server, worker: Worker) -> Result<(), CliError> {
    let broken = |why: &dyn std::fmt::Display| CliError::Broken(format!("the driver's log: {why}"));
    let handler =
        Handler::new(&worker.log, Duration::from_millis(worker.sleep_ms)).map_err(|why| broken(&why))?;
    handler.catch_up(&server.parts.store, &worker.log).await.map_err(|why| broken(&why))?;
    // Up to four consumers and the sweeper run a batch at the same time; SQLite has a single
    // writer.
    let batches = if matches!(server.parts.store, Store::Sqlite { .. }) { 1 } else { 5 };
    let batch_size = (worker.concurrency / batches).clamp(1, server.parts.limits.batch_size);
    let mut parts = server.parts.context.clone();
    parts.execution.handler = Arc::new(handler);
    parts.limits.batch_size = batch_size;
    let stopped = stop_signal()?;
    let workers = Loops::new(&parts).start();
    while parts.engine.last_round_at(LoopName::Sweeper).is_none() || parts.engine.loaded_until().is_none() {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    println!("READY");
    stopped.await;
    workers.stop(Duration::from_secs(5)).await;
    server.close().await;
    Ok(())
}
