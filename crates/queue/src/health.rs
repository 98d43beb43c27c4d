//! What `INFO` says of the server, in plain words.

use crate::{Health, QueueError};
use domain::engine::Memory;
use std::time::Duration;

const FULL: &str =
    "Redis is full and refuses to write: give it more memory (maxmemory); tasks go out from SQL";
const REPLICA: &str =
    "this Redis is a read-only replica: give the address of its master; tasks go out from SQL";
const UNSAVED: &str =
    "Redis could not save its data and refuses to write: look at its disk and its log; tasks go out from SQL";
const LOADING: &str = "Redis is still loading its data: wait a moment; tasks go out from SQL";

/// Why the server cannot be trusted with hints: it throws keys away when its memory is full.
pub(crate) fn evicts(info: &str) -> Option<String> {
    let policy = field(info, "maxmemory_policy").unwrap_or("noeviction");
    let limit: u64 = field(info, "maxmemory").and_then(|bytes| bytes.parse().ok()).unwrap_or(0);
    (limit > 0 && policy != "noeviction").then(|| {
        format!(
            "Redis throws keys away when its memory is full (maxmemory-policy is {policy}), so it is not used: \
             set maxmemory-policy to noeviction; tasks go out from SQL"
        )
    })
}

/// Whether the server is a node of a cluster.
pub(crate) fn is_cluster(info: &str) -> bool {
    field(info, "cluster_enabled") == Some("1")
}

/// What the server, or each master of a cluster, says of itself.
pub(crate) fn read(told: &[String], ping: Duration) -> Health {
    let mut name = told.first().map_or_else(|| "Redis".to_owned(), |info| name(info));
    if told.first().is_some_and(|info| is_cluster(info)) {
        name = format!("{name}, cluster of {}", told.len());
    }
    let keeps = told.first().map(|info| keeps(info)).unwrap_or_default();
    Health { name, keeps, trouble: told.iter().find_map(|info| trouble(info)), ping, memory: memory(told) }
}

/// Why the server refuses what it is asked, and what to do, by the code of its answer; `None`: some other error.
pub(crate) fn refusal(code: &str) -> Option<&'static str> {
    match code {
        "OOM" => Some(FULL),
        "READONLY" => Some(REPLICA),
        "MISCONF" => Some(UNSAVED),
        "LOADING" => Some(LOADING),
        _ => None,
    }
}

/// What all of them hold together.
fn memory(told: &[String]) -> Option<Memory> {
    let bytes = |info: &str, name: &str| field(info, name)?.parse::<u64>().ok();
    let used =
        told.iter().map(|info| bytes(info, "used_memory")).sum::<Option<u64>>().filter(|used| *used > 0)?;
    Some(Memory { used, limit: told.iter().filter_map(|info| bytes(info, "maxmemory")).sum() })
}

fn is_full(info: &str) -> bool {
    memory(&[info.to_owned()]).is_some_and(|memory| memory.limit > 0 && memory.used >= memory.limit)
}

fn keeps(info: &str) -> String {
    let persists = match (field(info, "aof_enabled"), field(info, "rdb_last_save_time")) {
        (Some("1"), _) => "an append-only file",
        (_, Some(_)) => "snapshots at most",
        _ => return String::new(),
    };
    let policy = field(info, "maxmemory_policy").unwrap_or("noeviction");
    let limit = match field(info, "maxmemory_human") {
        Some("0B") | None => "without a memory limit".to_owned(),
        Some(limit) => format!("with a memory limit of {limit}"),
    };
    format!("keeps {persists}, {limit}, maxmemory-policy {policy}")
}

fn name(info: &str) -> String {
    match (field(info, "valkey_version"), field(info, "redis_version")) {
        (Some(version), _) => format!("Valkey {version}"),
        (None, Some(version)) => format!("Redis {version}"),
        (None, None) => "Redis".to_owned(),
    }
}

fn trouble(info: &str) -> Option<String> {
    let is = |name: &str, value: &str| field(info, name) == Some(value);
    if let Some(words) = evicts(info) {
        Some(words)
    } else if is("role", "slave") && !is("slave_read_only", "0") {
        Some(REPLICA.to_owned())
    } else if is("loading", "1") {
        Some(LOADING.to_owned())
    } else if is_full(info) {
        Some(FULL.to_owned())
    } else if is("rdb_last_bgsave_status", "err") {
        Some(UNSAVED.to_owned())
    } else if is("aof_enabled", "1") && is("aof_last_write_status", "err") {
        Some("Redis could not write its append-only file and refuses to write: look at its disk".to_owned())
    } else if is_too_old(info) {
        Some("this Redis is too old: version 6.2 or later is needed".to_owned())
    } else {
        None
    }
}

fn is_too_old(info: &str) -> bool {
    let mut parts =
        field(info, "redis_version").unwrap_or("7").split('.').map(|part| part.parse().unwrap_or(0u32));
    (parts.next().unwrap_or(0), parts.next().unwrap_or(2)) < (6, 2)
}

fn field<'a>(info: &'a str, name: &str) -> Option<&'a str> {
    info.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':')).map(str::trim)
}

/// What is wrong with a server that did not say how it is.
pub(crate) fn words(error: &QueueError) -> String {
    match error {
        QueueError::Untrusted(words) | QueueError::Refused(words) => words.clone(),
        QueueError::Open => {
            "Redis did not answer and is left alone for 5 s; tasks go out from SQL".to_owned()
        }
        QueueError::Away(source) => {
            format!(
                "Redis cannot be reached ({source}); tasks go out from SQL. Is it running, and is the address right?"
            )
        }
        QueueError::Address(words) => words.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_evicts_is_not_trusted() {
        assert!(evicts("maxmemory:1000\r\nmaxmemory_policy:allkeys-lru\r\n").is_some());
        assert!(evicts("maxmemory:0\r\nmaxmemory_policy:allkeys-lru\r\n").is_none());
        assert!(evicts("maxmemory:1000\r\nmaxmemory_policy:noeviction\r\n").is_none());
    }

    #[test]
    fn how_a_server_keeps_what_it_holds_is_told() {
        let of = |info: &str| read(&[info.to_owned()], Duration::ZERO).keeps;
        let info = "maxmemory_human:64.00M\r\nmaxmemory_policy:noeviction\r\naof_enabled:1\r\nrdb_last_save_time:1\r\n";
        assert_eq!(
            of(info),
            "keeps an append-only file, with a memory limit of 64.00M, maxmemory-policy noeviction"
        );
        let info = "maxmemory_human:0B\r\naof_enabled:0\r\nrdb_last_save_time:1\r\n";
        assert_eq!(of(info), "keeps snapshots at most, without a memory limit, maxmemory-policy noeviction");
        assert_eq!(of(""), "");
    }

    #[test]
    fn a_full_server_is_named_and_what_it_holds_is_told() {
        let of = |info: &str| read(&[info.to_owned()], Duration::ZERO);
        let health = of("used_memory:2000\r\nmaxmemory:1000\r\nmaxmemory_policy:noeviction\r\n");
        assert_eq!(health.memory, Some(Memory { used: 2_000, limit: 1_000 }));
        assert_eq!(health.trouble.as_deref(), Some(FULL));
        assert_eq!(of("used_memory:2000\r\nmaxmemory:0\r\n").trouble, None);
        assert_eq!(of("").memory, None);
        let two = ["used_memory:2\r\nmaxmemory:9\r\n", "used_memory:3\r\nmaxmemory:9\r\n"].map(str::to_owned);
        assert_eq!(memory(&two), Some(Memory { used: 5, limit: 18 }));
    }

    #[test]
    fn replicas_and_old_servers_are_named() {
        let of = |info: &str| read(&[info.to_owned()], Duration::ZERO).trouble;
        assert_eq!(of("redis_version:7.0.15\r\nrole:master\r\n"), None);
        assert!(of("redis_version:5.0.3\r\nrole:master\r\n").is_some_and(|words| words.contains("too old")));
        assert!(of("redis_version:7.0.15\r\nrole:slave\r\n").is_some_and(|words| words.contains("replica")));
    }
}
