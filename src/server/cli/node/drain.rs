//! `drain`: asks a running node to stop, and waits until it has.

use crate::{
    process::{
        cli_error::CliError,
        config::{Config, NodeFlag},
        human_duration::HumanDuration,
    },
    server::{self, cli::require_database},
};
use clap::Args;
use domain::{Timestamp, clock::SystemClock};
use std::time::Duration;
use store::{
    PoolRole, Store, StoreError,
    node::{self, NodeRow},
};
use uuid::Uuid;

/// Default of `--timeout`: more than the longest graceful stop.
const TIMEOUT: Duration = Duration::from_secs(60);
/// Interval between two looks at the state of the node.
const CHECK_INTERVAL: Duration = Duration::from_millis(200);
/// A node without a heartbeat for this long has died, milliseconds.
const DEAD_AFTER_MS: i64 = 10_000;

/// Flags of `drain`.
#[derive(Debug, Args)]
#[command(after_help = "\
The node with the name of --node on this database takes no new work, finishes open transactions and messages that are being
sent, and exits with code 0, as after SIGTERM; it may run on another machine. With other nodes on the database nothing waits:
start the new process first, wait until it is ready, then drain the old one.")]
pub struct Drain {
    #[command(flatten)]
    pub node: NodeFlag,
    /// If several processes have this name, stop the one that started first
    #[arg(long)]
    oldest: bool,
    /// How long to wait until the node has stopped [default: 60s]
    #[arg(long, value_name = "TIME")]
    timeout: Option<HumanDuration>,
}

/// Asks the node to stop; fails if it does not report in time that it has.
pub async fn run(config: &Config, flags: &Drain) -> Result<(), CliError> {
    require_database(config)?;
    // A newer release may have migrated the database already: its steps only add.
    let store = server::connect_any_store(config).await?;
    let drained = drain(&store, config, flags).await;
    store.close().await;
    drained
}

async fn drain(store: &Store, config: &Config, flags: &Drain) -> Result<(), CliError> {
    let wrong = |error: StoreError| CliError::database(server::place(config), &error);
    let name = &config.node;
    if store.schema_versions().await.map_err(wrong)?.found < node::DRAIN_STEP {
        let why = format!(
            "the release that runs on this database cannot be asked to stop; send SIGTERM to node {name}"
        );
        return Err(CliError::Failed(why));
    }
    let (now, rows) = node::list(store, PoolRole::Web, &SystemClock).await.map_err(wrong)?;
    let id = choose(&rows, name, now, flags.oldest)?;
    if node::request_drain(store, id, &SystemClock).await.map_err(wrong)? {
        println!("node {name} takes no new work and finishes what is in flight");
    }
    let timeout = flags.timeout.map_or(TIMEOUT, |timeout| timeout.0);
    match tokio::time::timeout(timeout, wait_until_stopped(store, id)).await {
        Ok(stopped) => stopped.map_err(wrong)?,
        Err(_) => {
            let timeout = HumanDuration(timeout);
            let why = format!("node {name} has not stopped within {timeout}; its log says what it waits for");
            return Err(CliError::Failed(why));
        }
    }
    println!("node {name} has stopped");
    Ok(())
}

/// Returns the id of the living process with this name.
fn choose(rows: &[NodeRow], name: &str, now: Timestamp, is_oldest_meant: bool) -> Result<Uuid, CliError> {
    let is_alive = |row: &&NodeRow| row.state == "alive" && now.millis() - row.heartbeat_at <= DEAD_AFTER_MS;
    let alive: Vec<&NodeRow> = rows.iter().filter(is_alive).collect();
    let named: Vec<&NodeRow> = alive.iter().copied().filter(|row| row.name == name).collect();
    let oldest = named.iter().min_by_key(|row| row.started_at);
    let others: Vec<&str> = alive.iter().map(|row| row.name.as_str()).collect();
    let why = match oldest {
        Some(oldest) if named.len() == 1 || is_oldest_meant => return Ok(oldest.id),
        Some(_) => format!(
            "{} running nodes have the name {name}; --oldest stops the one that started first",
            named.len()
        ),
        None if others.is_empty() => "no node is running on this database".to_owned(),
        None => {
            format!("no running node has the name {name}; pass --node with one of: {}", others.join(", "))
        }
    };
    Err(CliError::Failed(why))
}

/// Waits until the node reports that it has stopped. One that is called lost may still finish its work.
async fn wait_until_stopped(store: &Store, id: Uuid) -> Result<(), StoreError> {
    loop {
        match node::state_of(store, id).await {
            Ok(state) if state.as_deref().is_none_or(|state| state == "stopped") => return Ok(()),
            Err(error) if !error.is_temporary() => return Err(error),
            Ok(_) | Err(_) => tokio::time::sleep(CHECK_INTERVAL).await,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(100_000);

    fn row(number: u128, name: &str, state: &str, age_ms: i64) -> NodeRow {
        NodeRow {
            id: Uuid::from_u128(number),
            name: name.to_owned(),
            role: "all".to_owned(),
            version: "1".to_owned(),
            state: state.to_owned(),
            started_at: i64::try_from(number).expect("a small number"),
            heartbeat_at: NOW.millis() - age_ms,
            engine_seen_at: None,
            ended_at: None,
            drain_requested_at: None,
        }
    }

    #[test]
    fn only_one_living_node_of_the_name_is_drained() {
        let rows = [
            row(1, "a", "alive", 10_001),
            row(2, "a", "alive", 900),
            row(3, "a", "lost", 900),
            row(4, "b", "alive", 0),
            row(5, "b", "alive", 0),
            row(6, "c", "stopped", 0),
        ];
        let chosen = |name: &str, is_oldest_meant| {
            choose(&rows, name, NOW, is_oldest_meant).map_err(|error| error.to_string())
        };
        assert_eq!(chosen("a", false), Ok(Uuid::from_u128(2)));
        assert!(chosen("b", false).is_err_and(|why| why.contains("--oldest")));
        assert_eq!(chosen("b", true), Ok(Uuid::from_u128(4)));
        assert!(chosen("c", true).is_err_and(|why| why.ends_with("one of: a, b, b")));
        let none = choose(&[], "a", NOW, false).map_err(|error| error.to_string());
        assert!(none.is_err_and(|why| why.contains("no node is running")));
    }
}
