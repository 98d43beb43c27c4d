//! `bench`: the engine under load, for comparison with other queues.

use super::serve::told_to_stop;
use crate::{
    bench::{Changes, Handler, Many, Wishes},
    config::Config,
    house::House,
    parts::Parts,
    trouble::Trouble,
    worker::{Loops, Name},
};
use clap::{Args, Parser, Subcommand, ValueEnum};
use domain::Lane;
use serde_json::json;
use std::{ffi::OsString, path::PathBuf, sync::Arc, time::Duration};
use store::{Store, StoreError, Who};

/// What is measured.
#[derive(Debug, Subcommand)]
pub enum Bench {
    /// One command of the drivers' contract; the last line of the output is the result
    Driver(Words),
}

/// A command of the contract as it was written: its flags are not those of the other verbs (`--log` names a file).
#[derive(Debug, Args)]
#[command(disable_help_flag = true)]
pub struct Words {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true)]
    words: Vec<OsString>,
}

/// What a command of the contract is read as.
#[derive(Debug, Parser)]
#[command(name = "presstime bench driver", no_binary_name = true)]
struct Line {
    #[command(subcommand)]
    driver: Driver,
}

/// The commands of the contract.
#[derive(Debug, Subcommand)]
pub enum Driver {
    /// Print what is measured, in one line
    Version,
    /// Make the schema
    Init,
    /// Schedule tasks
    Enqueue(Enqueue),
    /// Execute tasks until told to stop
    Worker(Worker),
    /// Schedule tasks, move each to an hour later, then cancel each
    Resched(Resched),
}

/// Which tasks.
#[derive(Debug, Args)]
pub struct Which {
    #[arg(long)]
    count: u64,
    /// When the first is due, milliseconds since 1970
    #[arg(long)]
    t0: f64,
    /// Their names are PREFIX:0, PREFIX:1 …
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
    /// Milliseconds from one to the next
    #[arg(long, default_value_t = 0.0)]
    step: f64,
    /// Their priority: high, normal or low
    #[arg(long, default_value = "normal")]
    lane: Lane,
}

/// How tasks are scheduled, and changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Mode {
    /// Thousands in a call
    Bulk,
    /// One call at a time
    Single,
}

/// Flags of `worker`.
#[derive(Debug, Args)]
pub struct Worker {
    /// Where every handled task leaves a line
    #[arg(long)]
    log: PathBuf,
    /// How long handling one takes
    #[arg(long, default_value_t = 0)]
    sleep_ms: u64,
    /// Most tasks handled at once
    #[arg(long, default_value_t = 50)]
    concurrency: usize,
}

/// Flags of `resched`.
#[derive(Debug, Args)]
pub struct Resched {
    #[command(flatten)]
    which: Which,
    /// `single`: one task in a call, 50 calls at once
    #[arg(long, default_value = "bulk")]
    mode: Mode,
}

/// Does one command of the contract.
pub async fn run(config: &Config, bench: Bench) -> Result<(), Trouble> {
    let Bench::Driver(Words { words }) = bench;
    let Line { driver } = Line::try_parse_from(words).map_err(|why| Trouble::Usage(why.to_string()))?;
    let house = House::open(config).await?;
    let done = match driver {
        Driver::Version => version(&house).await,
        Driver::Init => Ok(()),
        Driver::Enqueue(enqueue) => schedule(&house, enqueue).await,
        Driver::Worker(worker) => return work(&house, worker).await,
        Driver::Resched(resched) => change(&house, resched).await,
    };
    house.close().await;
    done.map_err(|error| Trouble::Broken(format!("the database refused: {error:?}")))
}

async fn version(house: &House) -> Result<(), StoreError> {
    let mut lease = house.parts.store.read(Who::Engine).await?;
    let database = store::report::database(lease.conn()).await?;
    let hints = house.parts.hints.health().await.name;
    println!("presstime {}, {database}, hints {hints}", env!("CARGO_PKG_VERSION"));
    Ok(())
}

async fn schedule(house: &House, enqueue: Enqueue) -> Result<(), StoreError> {
    let Enqueue { which, mode, step, lane } = enqueue;
    let many = Many { count: which.count, t0: which.t0, step, prefix: which.prefix, lane };
    let wishes = Wishes { parts: house.parts.clone() };
    let result = if mode == Mode::Bulk {
        let took = wishes.bulk(&many).await?;
        json!({"count": many.count, "seconds": took.as_secs_f64(), "bulk": true})
    } else {
        let took = wishes.singly(&many).await?;
        let micros: Vec<f64> = took.iter().map(|one| one.as_secs_f64() * 1e6).collect();
        let seconds = took.iter().sum::<Duration>().as_secs_f64();
        json!({"count": many.count, "seconds": seconds, "lat_us": micros})
    };
    println!("{result}");
    Ok(())
}

async fn change(house: &House, resched: Resched) -> Result<(), StoreError> {
    let which = resched.which;
    let many = Many { count: which.count, t0: which.t0, step: 0.0, prefix: which.prefix, lane: Lane::Normal };
    let changes = if resched.mode == Mode::Bulk { Changes::BULK } else { Changes::SINGLE };
    let (moved, cancelled, left) = Wishes { parts: house.parts.clone() }.change(&many, changes).await?;
    let Changes { each, at_once } = changes;
    let note = format!(
        "both take {each} tasks a call, each with the version it was seen in, {at_once} calls at once"
    );
    let result = json!({
        "resched_s": moved.as_secs_f64(), "cancel_s": cancelled.as_secs_f64(), "left": left, "note": note,
    });
    println!("{result}");
    Ok(())
}

async fn work(house: &House, worker: Worker) -> Result<(), Trouble> {
    let broken = |why: &dyn std::fmt::Display| Trouble::Broken(format!("the driver's log: {why}"));
    let handler =
        Handler::new(&worker.log, Duration::from_millis(worker.sleep_ms)).map_err(|why| broken(&why))?;
    handler.catch_up(&house.parts.store, &worker.log).await.map_err(|why| broken(&why))?;
    // Four consumers and the sweeper may each be at a batch; on SQLite there is one writer.
    let batches = if matches!(house.parts.store, Store::Sqlite { .. }) { 1 } else { 5 };
    let at_once = (worker.concurrency / batches).clamp(1, house.parts.at_once);
    let parts = Parts { effects: Arc::new(handler), at_once, ..house.parts.clone() };
    let told = told_to_stop()?;
    let workers = Loops::new(&parts).start();
    while parts.pulse.beat_at(Name::Sweeper).is_none() || parts.pulse.fed_until().is_none() {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    println!("READY");
    told.await;
    workers.stop(Duration::from_secs(5)).await;
    house.close().await;
    Ok(())
}
