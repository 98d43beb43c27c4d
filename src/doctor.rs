//! Examines what the server would stand on: one finding a line, each with what to do.

use crate::{
    channels::trust::Trust,
    config::Config,
    house,
    plain::plain,
    presence, private,
    trouble::{Trouble, chain},
    vault, zone,
};
use domain::{clock::SystemClock, fault::Fault};
use queue::Hints;
use std::{
    fmt,
    path::{Path, PathBuf},
    sync::Arc,
    time::Instant,
};
use store::{Store, Who, node, place, report, setting, zone_move};

/// How grave a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// As it should be.
    Ok,
    /// It works, and ought to be looked at.
    Warn,
    /// The server would not start or would not keep its promises.
    Fail,
}

/// One thing that was looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// How grave it is.
    pub mark: Mark,
    /// What was looked at.
    pub what: &'static str,
    /// How it is, and what to do.
    pub how: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = match self.mark {
            Mark::Ok => "ok",
            Mark::Warn => "warn",
            Mark::Fail => "fail",
        };
        write!(f, "{mark:4}  {:9}  {}", self.what, plain(&self.how))
    }
}

fn found(mark: Mark, what: &'static str, how: impl Into<String>) -> Finding {
    Finding { mark, what, how: how.into() }
}

/// Looks at everything; changes nothing but a probe file that is removed again. Folder and database are made by others.
pub async fn examine(config: &Config) -> Vec<Finding> {
    let mut findings = vec![folder(config), zones()];
    findings.extend(files(config));
    findings.extend(disk(config));
    for (setting, file) in
        [("extra-ca-certs", &config.extra_ca_certs), ("redis-ca-certs", &config.redis_ca_certs)]
    {
        findings.extend(file.as_deref().map(|file| certificates(setting, file)));
    }
    let mut desk = None;
    if is_to_come(config) {
        let how = format!("none yet at {}; `presstime serve` makes it", house::place(config));
        findings.push(found(Mark::Ok, "database", how));
    } else {
        match house::connect_store(config).await {
            Ok(store) => {
                findings.extend(database(&store, config).await);
                desk = Some(store);
            }
            Err(trouble) => findings.push(found(Mark::Fail, "database", trouble.to_string())),
        }
    }
    findings.extend(redis(config, desk.as_ref()).await);
    if let Some(store) = desk {
        store.close().await;
    }
    findings.push(port(config).await);
    findings
}

/// Whether the database is a file that is not there, or holds nothing: to open it would make it.
fn is_to_come(config: &Config) -> bool {
    let is_empty = |file: PathBuf| file.metadata().map_or(true, |file| file.len() == 0);
    store::place::file_of(&config.database()).is_some_and(is_empty)
}

/// The data folder; while it is not there, the folder in which it will be made.
fn ground(config: &Config) -> PathBuf {
    let data = std::path::absolute(&config.data).unwrap_or_else(|_| config.data.clone());
    let there = data.ancestors().find(|folder| folder.exists());
    there.map_or_else(|| data.clone(), Path::to_path_buf)
}

fn folder(config: &Config) -> Finding {
    let (ground, data) = (ground(config), config.data.display());
    match house::prepare_folder(&ground) {
        Ok(()) if config.data.exists() => found(Mark::Ok, "folder", format!("{data} can be written")),
        Ok(()) => found(Mark::Ok, "folder", format!("{data} is not there yet; `presstime serve` makes it")),
        Err(Trouble::DataFolder { why, .. }) => {
            let trouble = Trouble::DataFolder { path: config.data.clone(), why };
            found(Mark::Fail, "folder", trouble.to_string())
        }
        Err(trouble) => found(Mark::Fail, "folder", trouble.to_string()),
    }
}

/// Whether other users of this machine may read what is secret or not yet public: one finding a file.
fn files(config: &Config) -> Vec<Finding> {
    let files: Vec<PathBuf> =
        private::data_files(config).into_iter().chain(config.file_with_secrets.clone()).collect();
    let open = private::open_to_others(&files);
    if open.is_empty() {
        let there = files.iter().filter(|file| file.exists()).count();
        return match there {
            0 => Vec::new(),
            _ => vec![found(
                Mark::Ok,
                "files",
                format!("{there} files of the desk can be read by their owner alone"),
            )],
        };
    }
    let warning = |file: PathBuf| {
        let how = format!("other users of this machine may read {0}; run chmod 600 {0}", file.display());
        found(Mark::Warn, "files", how)
    };
    open.into_iter().map(warning).collect()
}

/// The time-zone data goes with the program, whatever the machine has.
fn zones() -> Finding {
    found(Mark::Ok, "zones", format!("IANA time-zone data {}, in this program", zone::data_version()))
}

/// Whether the database was served with newer time-zone data.
async fn newer_zones(store: &Store) -> Result<Option<Finding>, store::StoreError> {
    let mut lease = store.read(Who::People).await?;
    let last = setting::find(lease.conn(), zone_move::DATA).await?;
    let newer = last.filter(|last| zone::is_newer(last, zone::data_version()));
    let how = |last| {
        format!(
            "the database was last served with time-zone data {last}, newer than this program's; use the newer program"
        )
    };
    Ok(newer.map(|last| found(Mark::Warn, "zones", how(last))))
}

/// Free space where the data folder is, by `df`: the standard library cannot tell.
fn disk(config: &Config) -> Option<Finding> {
    let answer = std::process::Command::new("df").arg("-Pk").arg(ground(config)).output().ok()?;
    let text = String::from_utf8_lossy(&answer.stdout).into_owned();
    let free_kb: u64 = text.lines().nth(1)?.split_whitespace().nth(3)?.parse().ok()?;
    let free = format!("{} MiB are free for the data folder", free_kb / 1024);
    Some(match free_kb / 1024 {
        0..100 => found(Mark::Fail, "disk", format!("{free}; make room, a full disk stops everything")),
        100..1024 => found(Mark::Warn, "disk", format!("{free}; make room before it is full")),
        _ => found(Mark::Ok, "disk", free),
    })
}

/// The certificates that the operator names.
fn certificates(setting: &str, file: &Path) -> Finding {
    match Trust::of(setting, file) {
        Ok(trust) => {
            let count = trust.further().len();
            found(Mark::Ok, "certs", format!("{count} authorities of {} are believed", file.display()))
        }
        Err(trouble) => found(Mark::Fail, "certs", trouble.to_string()),
    }
}

async fn database(store: &Store, config: &Config) -> Vec<Finding> {
    let mut findings = match look(store).await {
        Ok(findings) => findings,
        Err(error) => vec![found(Mark::Fail, "database", chain(&error))],
    };
    if let Some(first) = findings.first_mut() {
        first.how = format!("{} at {}", first.how, house::place(config));
    }
    // What else is wrong with the database stands above.
    if let Err(trouble @ (Trouble::SecretKey | Trouble::DataFolder { .. })) =
        vault::examine(store, config).await
    {
        findings.push(found(Mark::Fail, "secrets", trouble.to_string()));
    }
    findings
}

async fn look(store: &Store) -> Result<Vec<Finding>, store::StoreError> {
    let mut lease = store.read(Who::People).await?;
    report::database(lease.conn()).await?;
    let asked = Instant::now();
    let name = report::database(lease.conn()).await?;
    let ping = asked.elapsed().as_micros();
    drop(lease);
    let mut findings = vec![found(Mark::Ok, "database", format!("{name} answers in {ping} µs"))];
    let schema = store.steps().await?;
    findings.push(match schema.found {
        step if step == schema.known => {
            found(Mark::Ok, "schema", format!("step {step}, as this program knows it"))
        }
        0 => found(Mark::Ok, "schema", "none yet; `presstime serve` or `presstime migrate` makes it"),
        older => found(
            Mark::Warn,
            "schema",
            format!("step {older}; run `presstime migrate` for step {}", schema.known),
        ),
    });
    if schema.found == schema.known {
        findings.extend(newer_zones(store).await?);
    }
    let tx = store.begin(Who::People).await?;
    tx.rollback().await?;
    let clocks = store.clocks(&SystemClock).await?;
    let offset = clocks.database.since(clocks.node);
    findings.push(match offset.abs() {
        0..=2_000 => found(Mark::Ok, "clock", format!("{offset} ms ahead of this machine's clock")),
        2_001..=30_000 => found(Mark::Warn, "clock", format!("the database's clock is {offset} ms ahead of this machine's; start a time service (chrony, systemd-timesyncd) on both")),
        _ => found(Mark::Fail, "clock", format!("the database's clock is {offset} ms ahead of this machine's: nothing would be published; start a time service (chrony, systemd-timesyncd) on both")),
    });
    Ok(findings)
}

async fn redis(config: &Config, desk: Option<&Store>) -> Vec<Finding> {
    let Some(url) = &config.redis_url else {
        return vec![found(Mark::Ok, "hints", "kept in the process; Redis is not needed for one node")];
    };
    let hints = match house::hints(config, &(Arc::new(SystemClock) as _)) {
        Ok(hints) => hints,
        Err(trouble) => return vec![found(Mark::Fail, "redis", trouble.to_string())],
    };
    let health = hints.health().await;
    let ping = health.ping.as_micros();
    let is_well = health.trouble.is_none();
    let mut findings = vec![match health.trouble {
        Some(trouble) => found(
            Mark::Fail,
            "redis",
            format!(
                "{} at {url}: {trouble}; until then everything goes out from SQL, a little later",
                health.name
            ),
        ),
        None => found(
            Mark::Ok,
            "redis",
            format!(
                "{} at {url} answers in {ping} µs; it {}; what is due is in SQL, so it need not persist anything",
                health.name, health.keeps
            ),
        ),
    }];
    if let Some(store) = desk.filter(|_| is_well) {
        findings.extend(
            apart(store, hints.as_ref()).await.map(|fault| found(Mark::Warn, "redis", fault.to_string())),
        );
    }
    findings
}

/// Who of this desk does not use that Redis, and who of another one does; nodes that began a moment ago have still to show themselves.
async fn apart(store: &Store, hints: &dyn Hints) -> Option<Fault> {
    let (now, rows) = node::list(store, Who::People, &SystemClock).await.ok()?;
    let desk = place::known_desk(store.read(Who::People).await.ok()?.conn()).await.ok()??;
    let lives = |row: &node::NodeRow| {
        row.state == "alive"
            && row.started_at < now.millis() - presence::MEET_MS
            && row.beat_at > now.millis() - node::SILENT_MS
    };
    let living: Vec<_> = rows.into_iter().filter(lives).map(|row| (row.id, row.name)).collect();
    presence::trouble(desk, &living, &hints.seen(now).await.ok()?)
}

async fn port(config: &Config) -> Finding {
    match house::listen(config).await {
        Ok(_) => found(Mark::Ok, "port", format!("{} is free", config.listen)),
        Err(Trouble::PortInUse { address }) => found(
            Mark::Warn,
            "port",
            format!("{address} is in use: by a running server, or choose another with --listen"),
        ),
        Err(trouble) => found(Mark::Fail, "port", trouble.to_string()),
    }
}
