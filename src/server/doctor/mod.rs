//! `presstime doctor`: checks everything that the server depends on. Each finding is one line with
//! a remedy.

mod age;
mod public;

use crate::{
    engine::backups::newest_first,
    files::{BackupFiles, MediaFiles},
    media::{backup, backup::Presence},
    process::{cli_error::CliError, config::Config, private, sanitize::sanitize, tls_roots::TlsRoots},
    security::secret_box,
    server, zone,
};
use domain::{
    Clock as _,
    clock::SystemClock,
    engine::NodeRole,
    health::{HealthIssue, HealthIssueKind},
};
use engine::{error_chain, redis_membership};
use queue::Hints;
use std::{
    fmt,
    path::{Path, PathBuf},
    sync::Arc,
    time::Instant,
};
use store::{PoolRole, Store, db_identity, node, report, setting, zone_move};
use texts::{Language, engine::health::HealthTexts};

/// Severity of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// No problem.
    Ok,
    /// Works, but should be fixed.
    Warn,
    /// The server would not start or would not work correctly.
    Fail,
}

/// Result of one check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Severity.
    pub mark: Mark,
    /// What was checked.
    pub what: &'static str,
    /// State and remedy.
    pub how: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = match self.mark {
            Mark::Ok => "ok",
            Mark::Warn => "warn",
            Mark::Fail => "fail",
        };
        write!(f, "{mark:4}  {:9}  {}", self.what, sanitize(&self.how))
    }
}

fn found(mark: Mark, what: &'static str, how: impl Into<String>) -> Finding {
    Finding { mark, what, how: how.into() }
}

/// A Redis that is configured and not used counts as failed, though tasks are executed without it.
fn found_issue(what: &'static str, issue: &HealthIssue, about: &str) -> Finding {
    let is_unused = issue.kind == HealthIssueKind::HintStoreUnavailable;
    let mark = if issue.is_blocking() || is_unused { Mark::Fail } else { Mark::Warn };
    found(mark, what, format!("{about}{}", HealthTexts(Language::En).explanation(issue)))
}

/// Runs all checks. Changes nothing except a probe file, which is removed. Does not create the
/// folder or the database.
pub async fn examine(config: &Config) -> Vec<Finding> {
    let mut findings = vec![folder(config), age::zones(SystemClock.now())];
    findings.extend(age::local_clock(SystemClock.now()));
    findings.extend(files(config));
    findings.extend(disk(config));
    for (setting, file) in
        [("extra-ca-certs", &config.extra_ca_certs), ("redis-ca-certs", &config.redis_ca_certs)]
    {
        findings.extend(file.as_deref().map(|file| certificates(setting, file)));
    }
    let mut desk = None;
    if is_database_missing(config) {
        let how = format!("none yet at {}; `presstime serve` creates it", server::place(config));
        findings.push(found(Mark::Ok, "database", how));
    } else {
        match server::connect_store(config).await {
            Ok(store) => {
                findings.extend(database(&store, config).await);
                desk = Some(store);
            }
            Err(error) => findings.push(found(Mark::Fail, "database", error.to_string())),
        }
    }
    findings.extend(media(desk.as_ref(), config).await);
    findings.extend(backups(config).await);
    findings.extend(redis(config, desk.as_ref()).await);
    findings.extend(public::https(config));
    findings.extend(public::url(config, desk.as_ref()).await);
    if let Some(store) = desk {
        store.close().await;
    }
    findings.push(port(config).await);
    findings.extend(guessed_links(config).map(|how| found(Mark::Warn, "links", how)));
    findings
}

/// Returns what is wrong with links, in mails for example, if no public base URL is given; `None`: one is
/// given, or a single node needs none. A node without pages listens on no address, and of several nodes
/// each would name its own.
#[must_use]
pub fn guessed_links(config: &Config) -> Option<String> {
    let is_worker = config.role == NodeRole::Work;
    if config.public_url.is_some() || !(is_worker || config.is_postgres()) {
        return None;
    }
    let why = if is_worker { "this node serves no pages" } else { "other nodes may have other addresses" };
    Some(format!(
        "links in messages of this node lead to {}, which is a guess: {why}; give all nodes the same --public-url",
        server::open::likely_url(config)
    ))
}

/// Whether the database file is missing or empty: opening it would create it.
fn is_database_missing(config: &Config) -> bool {
    let is_empty = |file: PathBuf| file.metadata().map_or(true, |file| file.len() == 0);
    store::db_identity::file_of(&config.database()).is_some_and(is_empty)
}

/// The data folder; if it does not exist, the folder in which it would be created.
fn existing_folder(config: &Config) -> PathBuf {
    let data = std::path::absolute(&config.data).unwrap_or_else(|_| config.data.clone());
    let there = data.ancestors().find(|folder| folder.exists());
    there.map_or_else(|| data.clone(), Path::to_path_buf)
}

fn folder(config: &Config) -> Finding {
    let (existing, data) = (existing_folder(config), config.data.display());
    match private::prepare_folder(&existing) {
        Ok(()) if private::is_writable_by_others(&config.data) => {
            let how =
                format!("other users of this machine may replace files in {data}; run chmod 700 {data}");
            found(Mark::Warn, "folder", how)
        }
        Ok(()) if config.data.exists() => found(Mark::Ok, "folder", format!("{data} is writable")),
        Ok(()) => {
            found(Mark::Ok, "folder", format!("{data} does not exist yet; `presstime serve` creates it"))
        }
        Err(CliError::DataFolder { why, .. }) => {
            let error = CliError::DataFolder { path: config.data.clone(), why };
            found(Mark::Fail, "folder", error.to_string())
        }
        Err(error) => found(Mark::Fail, "folder", error.to_string()),
    }
}

/// Whether other users of this machine may read secret or unpublished data: one finding for each
/// file.
fn files(config: &Config) -> Vec<Finding> {
    let files: Vec<PathBuf> = private::data_files(config)
        .into_iter()
        .chain(config.file_with_secrets.clone())
        .chain(config.https.certificate.as_ref().map(|files| files.key.clone()))
        .collect();
    let open = private::open_to_others(&files);
    if open.is_empty() {
        let there = files.iter().filter(|file| file.exists()).count();
        return match there {
            0 => Vec::new(),
            _ => {
                vec![found(Mark::Ok, "files", format!("{there} data files are readable by their owner only"))]
            }
        };
    }
    let warning = |file: PathBuf| {
        let how = format!("other users of this machine may read {0}; run chmod 600 {0}", file.display());
        found(Mark::Warn, "files", how)
    };
    open.into_iter().map(warning).collect()
}

/// Whether a release with newer time-zone data has used the database.
async fn newer_zones(store: &Store) -> Result<Option<Finding>, store::StoreError> {
    let mut lease = store.read(PoolRole::Web).await?;
    let last = setting::find(lease.conn(), zone_move::RELEASE_SETTING).await?;
    let newer = last.filter(|last| zone::is_newer(last, zone::data_version()));
    let how = |last| {
        format!(
            "the database was last served with time-zone data {last}, newer than this program's; use the newer release"
        )
    };
    Ok(newer.map(|last| found(Mark::Warn, "zones", how(last))))
}

/// Free space for the data folder, from `df`: the standard library cannot query it.
fn disk(config: &Config) -> Option<Finding> {
    let answer = std::process::Command::new("df").arg("-Pk").arg(existing_folder(config)).output().ok()?;
    let text = String::from_utf8_lossy(&answer.stdout).into_owned();
    let free_kb: u64 = text.lines().nth(1)?.split_whitespace().nth(3)?.parse().ok()?;
    let free = format!("{} MiB are free for the data folder", free_kb / 1024);
    Some(match free_kb / 1024 {
        0..100 => found(Mark::Fail, "disk", format!("{free}; free some space, a full disk stops the server")),
        100..1024 => found(Mark::Warn, "disk", format!("{free}; free some space before the disk is full")),
        _ => found(Mark::Ok, "disk", free),
    })
}

/// Certificates configured by the operator.
fn certificates(setting: &str, file: &Path) -> Finding {
    match TlsRoots::of(setting, file) {
        Ok(trust) => {
            let count = trust.further().len();
            found(Mark::Ok, "certs", format!("{count} CA certificates of {} are trusted", file.display()))
        }
        Err(error) => found(Mark::Fail, "certs", error.to_string()),
    }
}

/// Whether all uploaded files exist, and the bucket answers.
async fn media(store: Option<&Store>, config: &Config) -> Option<Finding> {
    let files = match MediaFiles::open(config) {
        Ok(files) => files,
        Err(error) => return Some(found(Mark::Fail, "media", error.to_string())),
    };
    let inventory = match files.inventory().await {
        Ok(inventory) => inventory,
        Err(why) => return Some(found(Mark::Fail, "media", why.to_string())),
    };
    let presence = match store {
        // An older schema has no such table; that was reported already.
        Some(store) => backup::examine(store, &inventory).await.ok()?,
        None => Presence::default(),
    };
    let Presence { complete, missing } = presence;
    let Some(first) = missing.first() else {
        let exist = format!("{complete} uploaded files exist");
        return match files.bucket_name() {
            Some(bucket) => Some(found(Mark::Ok, "media", format!("{exist} in {bucket}"))),
            None => (complete > 0).then(|| found(Mark::Ok, "media", exist)),
        };
    };
    let how = format!(
        "{} of {} uploaded files are missing, the first is {}; restore them from a backup",
        missing.len(),
        complete + missing.len(),
        first
    );
    Some(found(Mark::Fail, "media", how))
}

/// Whether the bucket of the backups answers.
async fn backups(config: &Config) -> Option<Finding> {
    config.backup.bucket.as_ref()?;
    let place = match BackupFiles::open(config) {
        Ok(place) => place,
        Err(error) => return Some(found(Mark::Fail, "backups", error.to_string())),
    };
    Some(match place.names().await.map(newest_first).as_deref() {
        Ok([newest, ..]) => found(Mark::Ok, "backups", format!("{newest} is the newest in {}", place.name())),
        Ok([]) => found(Mark::Ok, "backups", format!("none yet in {}", place.name())),
        Err(why) => found(Mark::Fail, "backups", why.to_string()),
    })
}

async fn database(store: &Store, config: &Config) -> Vec<Finding> {
    let mut findings = match database_checks(store).await {
        Ok(findings) => findings,
        Err(error) => vec![found(Mark::Fail, "database", error_chain(&error))],
    };
    if let Some(first) = findings.first_mut() {
        first.how = format!("{} at {}", first.how, server::place(config));
    }
    // Other database problems were already reported above.
    if let Err(error @ (CliError::SecretKey | CliError::DataFolder { .. })) =
        secret_box::examine(store, config).await
    {
        findings.push(found(Mark::Fail, "secrets", error.to_string()));
    }
    findings
}

async fn database_checks(store: &Store) -> Result<Vec<Finding>, store::StoreError> {
    let mut lease = store.read(PoolRole::Web).await?;
    report::database(lease.conn()).await?;
    let asked = Instant::now();
    let name = report::database(lease.conn()).await?;
    let ping = asked.elapsed().as_micros();
    drop(lease);
    let mut findings = vec![found(Mark::Ok, "database", format!("{name} answers in {ping} µs"))];
    let schema = store.schema_versions().await?;
    findings.push(match schema.found {
        step if step == schema.known => found(Mark::Ok, "schema", format!("step {step}, up to date")),
        0 => found(Mark::Ok, "schema", "none yet; `presstime serve` or `presstime migrate` creates it"),
        older => found(
            Mark::Warn,
            "schema",
            format!("step {older}; run `presstime migrate` to get to step {}", schema.known),
        ),
    });
    if schema.found == schema.known {
        findings.extend(newer_zones(store).await?);
    }
    let tx = store.begin(PoolRole::Web).await?;
    tx.rollback().await?;
    let clocks = store.read_clocks(&SystemClock).await?;
    let offset = clocks.database.since(clocks.node);
    findings.push(match HealthIssue::of_clock_offset(offset) {
        Some(issue) => found_issue("clock", &issue, ""),
        None => found(Mark::Ok, "clock", format!("{offset} ms ahead of this machine's clock")),
    });
    Ok(findings)
}

async fn redis(config: &Config, desk: Option<&Store>) -> Vec<Finding> {
    let Some(url) = &config.redis_url else {
        return vec![found(Mark::Ok, "hints", "kept in the process; a single node needs no Redis")];
    };
    let hints = match server::hints(config, &(Arc::new(SystemClock) as _)) {
        Ok(hints) => hints,
        Err(error) => return vec![found(Mark::Fail, "redis", error.to_string())],
    };
    let health = hints.health().await;
    let ping = health.ping.as_micros();
    let is_well = health.issue.is_none();
    let mut findings = vec![match health.issue {
        Some(issue) => found_issue("redis", &issue, &format!("{} at {url}: ", health.name)),
        None => found(
            Mark::Ok,
            "redis",
            format!(
                "{} at {url} answers in {ping} µs; it {}; all tasks are in SQL, so it need not persist anything",
                health.name, health.persistence
            ),
        ),
    }];
    if let Some(store) = desk.filter(|_| is_well) {
        let issue = redis_mismatch(store, hints.as_ref()).await;
        findings.extend(issue.map(|issue| found_issue("redis", &issue, "")));
    }
    findings
}

/// Compares the nodes in SQL and in Redis. Nodes that started a moment ago are ignored, because
/// they have not announced themselves yet.
async fn redis_mismatch(store: &Store, hints: &dyn Hints) -> Option<HealthIssue> {
    let (now, rows) = node::list(store, PoolRole::Web, &SystemClock).await.ok()?;
    let desk = db_identity::find_desk_id(store.read(PoolRole::Web).await.ok()?.conn()).await.ok()??;
    let is_live = |row: &node::NodeRow| {
        row.state == "alive"
            && row.started_at < now.millis() - redis_membership::ANNOUNCE_GRACE_MS
            && row.heartbeat_at > now.millis() - node::NODE_LOST_AFTER_MS
    };
    let live: Vec<_> = rows.into_iter().filter(is_live).map(|row| (row.id, row.name)).collect();
    redis_membership::compare(desk, &live, &hints.members(now).await.ok()?)
}

async fn port(config: &Config) -> Finding {
    match server::listen(config).await {
        Ok(_) => found(Mark::Ok, "port", format!("{} is free", config.listen)),
        Err(CliError::PortInUse { address }) => found(
            Mark::Warn,
            "port",
            format!("{address} is in use: if not by a running server, choose another port with --listen"),
        ),
        Err(error) => found(Mark::Fail, "port", error.to_string()),
    }
}
