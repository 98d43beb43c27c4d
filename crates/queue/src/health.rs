//! Reads the state of a Redis server from the output of `INFO`.

use crate::Health;
use domain::{engine::Memory, health::IssueDetail};
use std::time::Duration;

/// Returns the issue if the server may evict hints when its memory is full.
pub(crate) fn eviction_issue(info: &str) -> Option<IssueDetail> {
    let policy = field(info, "maxmemory_policy").unwrap_or("noeviction");
    let limit: u64 = field(info, "maxmemory").and_then(|bytes| bytes.parse().ok()).unwrap_or(0);
    (limit > 0 && policy != "noeviction").then(|| IssueDetail::RedisEvicts { policy: policy.to_owned() })
}

/// Whether the server is a node of a cluster.
pub(crate) fn is_cluster(info: &str) -> bool {
    field(info, "cluster_enabled") == Some("1")
}

/// Summarises the `INFO` output of the server, or of each master of a cluster.
pub(crate) fn summarize(infos: &[String], ping: Duration) -> Health {
    let mut name = infos.first().map_or_else(|| "Redis".to_owned(), |info| name(info));
    if infos.first().is_some_and(|info| is_cluster(info)) {
        name = format!("{name}, cluster of {}", infos.len());
    }
    let persistence = infos.first().map(|info| persistence(info)).unwrap_or_default();
    Health {
        name,
        persistence,
        issue: infos.iter().find_map(|info| issue(info)).map(Into::into),
        ping,
        memory: memory(infos),
    }
}

/// Maps the code of an error response to an issue; `None`: some other error.
pub(crate) fn error_issue(code: &str) -> Option<IssueDetail> {
    match code {
        "OOM" => Some(IssueDetail::RedisFull),
        "READONLY" => Some(IssueDetail::RedisReplica),
        "MISCONF" => Some(IssueDetail::RedisUnsaved),
        "LOADING" => Some(IssueDetail::RedisLoading),
        _ => None,
    }
}

/// Total memory usage.
fn memory(infos: &[String]) -> Option<Memory> {
    let bytes = |info: &str, name: &str| field(info, name)?.parse::<u64>().ok();
    let used =
        infos.iter().map(|info| bytes(info, "used_memory")).sum::<Option<u64>>().filter(|used| *used > 0)?;
    Some(Memory { used, limit: infos.iter().filter_map(|info| bytes(info, "maxmemory")).sum() })
}

fn is_full(info: &str) -> bool {
    memory(&[info.to_owned()]).is_some_and(|memory| memory.limit > 0 && memory.used >= memory.limit)
}

fn persistence(info: &str) -> String {
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

fn issue(info: &str) -> Option<IssueDetail> {
    let is = |name: &str, value: &str| field(info, name) == Some(value);
    if let Some(issue) = eviction_issue(info) {
        Some(issue)
    } else if is("role", "slave") && !is("slave_read_only", "0") {
        Some(IssueDetail::RedisReplica)
    } else if is("loading", "1") {
        Some(IssueDetail::RedisLoading)
    } else if is_full(info) {
        Some(IssueDetail::RedisFull)
    } else if is("rdb_last_bgsave_status", "err") {
        Some(IssueDetail::RedisUnsaved)
    } else if is("aof_enabled", "1") && is("aof_last_write_status", "err") {
        Some(IssueDetail::RedisUnwritten)
    } else if is_too_old(info) {
        Some(IssueDetail::RedisTooOld)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_evicts_is_an_issue() {
        assert!(eviction_issue("maxmemory:1000\r\nmaxmemory_policy:allkeys-lru\r\n").is_some());
        assert!(eviction_issue("maxmemory:0\r\nmaxmemory_policy:allkeys-lru\r\n").is_none());
        assert!(eviction_issue("maxmemory:1000\r\nmaxmemory_policy:noeviction\r\n").is_none());
    }

    #[test]
    fn persistence_and_memory_limit_are_reported() {
        let of = |info: &str| summarize(&[info.to_owned()], Duration::ZERO).persistence;
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
    fn a_full_server_and_its_memory_usage_are_reported() {
        let of = |info: &str| summarize(&[info.to_owned()], Duration::ZERO);
        let health = of("used_memory:2000\r\nmaxmemory:1000\r\nmaxmemory_policy:noeviction\r\n");
        assert_eq!(health.memory, Some(Memory { used: 2_000, limit: 1_000 }));
        assert_eq!(health.issue, Some(IssueDetail::RedisFull.into()));
        assert_eq!(of("used_memory:2000\r\nmaxmemory:0\r\n").issue, None);
        assert_eq!(of("").memory, None);
        let two = ["used_memory:2\r\nmaxmemory:9\r\n", "used_memory:3\r\nmaxmemory:9\r\n"].map(str::to_owned);
        assert_eq!(memory(&two), Some(Memory { used: 5, limit: 18 }));
    }

    #[test]
    fn replicas_and_old_servers_are_reported() {
        let of = |info: &str| summarize(&[info.to_owned()], Duration::ZERO).issue;
        assert_eq!(of("redis_version:7.0.15\r\nrole:master\r\n"), None);
        assert!(of("redis_version:5.0.3\r\nrole:master\r\n") == Some(IssueDetail::RedisTooOld.into()));
        assert!(of("redis_version:7.0.15\r\nrole:slave\r\n") == Some(IssueDetail::RedisReplica.into()));
    }
}
