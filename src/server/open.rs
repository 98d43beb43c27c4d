//! Opens the database, the hint store and the addresses to listen on.

use super::{hooks::HOOKS, migrate, tasks::TaskService};
use crate::{
    accounts::AccountService,
    app_state::AppState,
    files::{MediaFiles, import_folder::ImportFolder},
    http::tls::ServerTls,
    imports::importer::Importer,
    media::MediaService,
    process::{
        cli_error::CliError,
        config::Config,
        private::{self, prepare_folder},
        tls_roots::TlsRoots,
    },
    security::secret_box,
    senders::{Senders, egress, push::vapid},
};
use domain::{Clock, clock::SystemClock};
use engine::{HighWatermark, error_chain};
use queue::{Hints, InProcessHints, RedisHints};
use std::{io, sync::Arc};
use store::{Options, PoolRole, Store};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// Reads what can only be wrong usage: the redirect from HTTP, certificates, and the address of Redis. Opens and
/// connects to nothing.
pub fn check_usage(config: &Config) -> Result<(), CliError> {
    config.https.check_redirect(config.public_url.as_deref())?;
    TlsRoots::read(config.extra_ca_certs.as_deref())?;
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    hints(config, &clock).map(drop)
}

/// Opens the database and creates what services and loops share.
pub(super) async fn parts(config: &Config, clock: Arc<dyn Clock>) -> Result<AppState, CliError> {
    let trust = TlsRoots::read(config.extra_ca_certs.as_deref())?;
    let media = MediaFiles::open(config)?;
    let store = open_migrated_store(config).await?;
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

/// Refuses a key that is not the one of this database, before anything is written.
pub async fn check_secret_key(store: &Store, config: &Config) -> Result<(), CliError> {
    let versions = store.schema_versions().await;
    let versions = versions.map_err(|error| CliError::database(place(config), &error))?;
    // A new database has no secrets.
    if versions.found == 0 { Ok(()) } else { secret_box::examine(store, config).await }
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

/// Connects to the database without changing its schema, and restricts the permissions of its
/// files. Rejects a database of a newer release.
pub async fn open_store(config: &Config) -> Result<Store, CliError> {
    let store = connect_store(config).await?;
    private::restrict_data_files(config);
    Ok(store)
}

/// Connects to the database and migrates its schema. Rejects a database of a newer release, and a
/// secret key that is not the one of the database.
pub async fn open_migrated_store(config: &Config) -> Result<Store, CliError> {
    let store = open_store(config).await?;
    check_secret_key(&store, config).await?;
    migrate(&store, config).await?;
    Ok(store)
}

/// Connects to the database without any change; rejects a database of a newer release.
pub async fn connect_store(config: &Config) -> Result<Store, CliError> {
    let store = connect_any_store(config).await?;
    match store.unknown_migration().await.map_err(|error| CliError::database(place(config), &error))? {
        Some(newer) => Err(CliError::DatabaseNewer(newer)),
        None => Ok(store),
    }
}

/// Connects to the database without any change, whatever release wrote it.
pub async fn connect_any_store(config: &Config) -> Result<Store, CliError> {
    if config.database_url.is_none() {
        prepare_folder(&config.data)?;
    }
    let options = Options {
        web_connections: config.connections,
        silence_timeout: config.statement_timeout,
        ..Options::new(config.database())
    };
    Store::open(&options).await.map_err(|error| CliError::database(place(config), &error))
}

/// Describes the location of the database, without a password.
#[must_use]
pub fn place(config: &Config) -> String {
    match &config.database_url {
        Some(url) => url.to_string(),
        None => config.database_file().display().to_string(),
    }
}

/// Likely public base URL.
pub(super) fn likely_url(config: &Config) -> String {
    config.public_url.clone().unwrap_or_else(|| format!("{}://{}", config.https.scheme(), config.listen))
}

/// Binds the configured address.
pub async fn listen(config: &Config) -> Result<TcpListener, CliError> {
    let address = config.listen.clone();
    TcpListener::bind(&address).await.map_err(|why| match why.kind() {
        io::ErrorKind::AddrInUse => CliError::PortInUse { address },
        _ => CliError::Listen { address, why },
    })
}

/// Binds the address at which HTTP is answered with a redirect; `None`: there is none.
pub async fn listen_for_redirect(config: &Config) -> Result<Option<TcpListener>, CliError> {
    let Some(address) = &config.https.redirect else { return Ok(None) };
    let listener = TcpListener::bind(address).await;
    listener
        .map(Some)
        .map_err(|why| CliError::Failed(format!("http-redirect: cannot listen on {address}: {why}")))
}

/// Reads the certificate for HTTPS; `None`: this server speaks HTTP.
pub fn tls(config: &Config) -> Result<Option<Arc<ServerTls>>, CliError> {
    let files = config.https.certificate.as_ref();
    files.map(|files| ServerTls::read(files, SystemClock.now()).map(Arc::new)).transpose()
}
