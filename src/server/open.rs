//! Opens the database and the hint store.

use super::{hooks::HOOKS, likely_url, migrate, open_store, tasks::TaskService};
use crate::{
    accounts::AccountService,
    app_state::AppState,
    files::{MediaFiles, import_folder::ImportFolder},
    imports::importer::Importer,
    media::MediaService,
    process::{cli_error::CliError, config::Config, tls_roots::TlsRoots},
    security::secret_box,
    senders::{Senders, egress, push::vapid},
};
use domain::{Clock, clock::SystemClock};
use engine::{HighWatermark, error_chain};
use queue::{Hints, InProcessHints, RedisHints};
use std::sync::Arc;
use store::{PoolRole, Store};
use tokio_util::sync::CancellationToken;

/// Reads what can only be wrong usage: certificates, and the address of Redis. Opens and connects to
/// nothing.
pub fn check_usage(config: &Config) -> Result<(), CliError> {
    TlsRoots::read(config.extra_ca_certs.as_deref())?;
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    hints(config, &clock).map(drop)
}

/// Opens the database and creates what services and loops share.
pub(super) async fn parts(config: &Config, clock: Arc<dyn Clock>) -> Result<AppState, CliError> {
    let trust = TlsRoots::read(config.extra_ca_certs.as_deref())?;
    let media = MediaFiles::open(config)?;
    let store = open_store(config).await?;
    migrate(&store, config).await?;
    let hints = hints(&Config { buckets: buckets(&store, config).await?, ..config.clone() }, &clock)?;
    let rules = egress::Rules {
        allow_private: config.webhook_allow_private,
        allow_http: config.webhook_allow_http,
        allowed_hosts: config.egress_hosts.clone().into(),
        listen_address: egress::ListenAddress::default(),
    };
    let secret_box = secret_box::open(&store, config).await?;
    let push_key = vapid::open(&store, &secret_box).await?;
    let mut senders = Senders::new(secret_box, rules, &trust, &likely_url(config));
    senders.push_key = Some(push_key);
    let senders = Arc::new(senders);
    let mut parts = AppState::new(store, hints, clock, &config.node, &HOOKS).with_senders(senders);
    parts.media = media;
    parts.imports = ImportFolder::in_data(&config.data);
    parts.limits.window_ms = i64::try_from(config.window.as_millis()).unwrap_or(i64::MAX);
    parts.node.role = config.role;
    parts.events.high_watermark = Arc::new(HighWatermark::in_folder(&config.data));
    Ok(parts)
}

/// Returns what imports need.
pub(super) fn importer(parts: &AppState, settings: Arc<AccountService>) -> Importer {
    let (tasks, media) = (TaskService::new(parts.clone()), MediaService::new(parts.clone()));
    let stop = CancellationToken::new();
    Importer {
        parts: parts.clone(),
        tasks: Arc::new(tasks),
        media: Arc::new(media),
        settings,
        id: None,
        stop,
    }
}

/// Returns the number of buckets that all nodes use; the first node decides it.
async fn buckets(store: &Store, config: &Config) -> Result<u16, CliError> {
    if config.redis_url.is_none() {
        return Ok(config.buckets);
    }
    let mut tx = store.begin(PoolRole::Web).await?;
    let count = store::buckets::initialize(tx.conn(), config.buckets).await?;
    tx.commit().await?;
    Ok(count)
}

/// Creates the hint store: in memory, or in Redis. Does not wait for Redis.
pub fn hints(config: &Config, clock: &Arc<dyn Clock>) -> Result<Arc<dyn Hints>, CliError> {
    let Some(url) = &config.redis_url else {
        return Ok(Arc::new(InProcessHints::new(config.buckets, Arc::clone(clock))));
    };
    let prefix = config.redis_tag.as_deref().unwrap_or("pt");
    let hints = match config.redis_ca_certs.as_deref() {
        Some(file) => {
            let trust = TlsRoots::of("redis-ca-certs", file)?;
            RedisHints::with_ca(&url.0, trust.pem().unwrap_or_default(), prefix, config.buckets)
        }
        None => RedisHints::new(&url.0, prefix, config.buckets),
    };
    match hints {
        Ok(hints) => Ok(Arc::new(hints)),
        Err(why) => Err(CliError::RedisAddress { url: url.clone(), why: error_chain(&why) }),
    }
}
