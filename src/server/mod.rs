//! The server: opened from the configuration, serves until it is stopped.

pub mod api;
mod authenticator;
pub mod bench;
pub mod cli;
pub mod demo;
pub mod doctor;
#[cfg(test)]
mod engine_tests;
pub mod export;
pub mod hooks;
pub mod kinds;
mod list_export;
mod open;
pub mod routes;
pub mod tasks;

use crate::{
    accounts::AccountService,
    app_state::AppState,
    articles::{
        ArticleService, link_cards,
        review::{WordListService, workflow::ReviewService},
    },
    attention::AttentionService,
    calendar::CalendarService,
    deliveries::{channels::ChannelService, outside::OutsideMailService, push::PushService},
    engine::{EngineService, backups::Backups},
    http::{
        self, Web,
        auth::Authenticator,
        limits::{
            Usage,
            connections::{Acceptor, Connections},
        },
        tls::ServerTls,
    },
    imports::{self, ImportService, importer::Importer},
    media,
    meetings::{self, MeetingService, RoomService},
    messages::MessageService,
    process::{
        cli_error::CliError,
        config::{Config, Limits},
        private::prepare_folder,
        upgrade_backup,
    },
    releases::ReleaseService,
    reminders::{ReminderService, notifications::announce},
    rules::RuleService,
    security::secret_box,
    series::SeriesService,
    services::rendering,
    tasks::zone_moves,
};
use axum::Router;
use domain::{Clock, Services, clock::SystemClock};
use engine::{Loop as _, Loops, Supervisor};
use routes::UPLOADS;
use std::{
    io,
    net::SocketAddr,
    sync::Arc,
    time::{Duration, Instant},
};
use store::{
    PoolRole, Store,
    db_identity::{self, IdentityChange},
    failover,
};
use tokio::{net::TcpListener, runtime::Handle};
use tokio_util::sync::CancellationToken;

pub use open::{
    check_secret_key, check_usage, connect_any_store, connect_store, hints, listen, listen_for_redirect,
    open_migrated_store, open_store, place, tls,
};

/// Timeout for stopping the loops: sending a message takes at most 20 s.
const LOOPS_STOP_TIMEOUT: Duration = Duration::from_secs(22);
/// Minimum time for the final database statements.
const MIN_CLOSE_TIMEOUT: Duration = Duration::from_secs(1);
/// Number and interval of the retries at startup after the database has answered once.
const MAX_STARTUP_RETRIES: u32 = 20;
const STARTUP_RETRY_DELAY: Duration = Duration::from_millis(500);

/// The server: database, hint store, services and engine loops.
pub struct Server {
    /// The configuration.
    pub config: Config,
    /// State shared by the services and the loops.
    pub parts: AppState,
    /// The services.
    pub services: Services,
    /// The account service, with methods for the web layer and the command line only.
    pub accounts: Arc<AccountService>,
    /// What the import of a folder or a file needs.
    pub importer: Importer,
    /// The import service, with methods for tests.
    pub imports: Arc<ImportService>,
    /// The backups that it writes by itself.
    pub backups: Backups,
    /// The engine loops; they run from [`Server::serve`] on.
    pub loops: Loops,
    /// Connections of the clients.
    pub clients: Arc<Connections>,
    /// Runtime for pages and the API; `None`: the current one.
    pub web: Option<Handle>,
    /// Certificate for HTTPS; `None`: HTTP.
    pub tls: Option<Arc<ServerTls>>,
}

impl Server {
    /// Creates the data folder, migrates the schema (not of a newer release) and creates the hint
    /// store. Redis may be unavailable: tasks are then executed from SQL. Starts no loop.
    pub async fn open(config: &Config) -> Result<Self, CliError> {
        Self::open_with(config, Arc::new(SystemClock)).await
    }

    /// Like [`Server::open`], with another clock.
    pub async fn open_with(config: &Config, clock: Arc<dyn Clock>) -> Result<Self, CliError> {
        let parts = open::parts(config, clock).await?;
        let cautious = parts.by_cautious_clock();
        let accounts = Arc::new(AccountService::new(cautious.clone()));
        let importer = open::importer(&cautious, accounts.clone());
        let imports = Arc::new(ImportService::new(importer.clone()));
        let backups = Backups::new(parts.clone(), config)?;
        let services = Services {
            articles: Arc::new(ArticleService::new(cautious.clone())),
            tasks: importer.tasks.clone(),
            channels: Arc::new(ChannelService::new(cautious.clone())),
            outside_mail: Arc::new(OutsideMailService::new(cautious.clone())),
            attention: Arc::new(AttentionService::new(cautious.clone())),
            words: Arc::new(WordListService::new(cautious.clone())),
            reviews: Arc::new(ReviewService::new(cautious.clone())),
            series: Arc::new(SeriesService::new(cautious.clone())),
            rooms: Arc::new(RoomService::new(cautious.clone())),
            doors: Arc::new(RoomService::new(cautious.clone())),
            calendar: Arc::new(CalendarService::new(cautious.clone())),
            slots: Arc::new(CalendarService::new(cautious.clone())),
            feeds: Arc::new(CalendarService::new(cautious.clone())),
            meetings: Arc::new(MeetingService::new(cautious.clone())),
            media: importer.media.clone(),
            releases: Arc::new(ReleaseService::new(cautious.clone())),
            imports: imports.clone(),
            messages: Arc::new(MessageService::new(cautious.clone())),
            rules: Arc::new(RuleService::new(cautious.clone())),
            reminders: Arc::new(ReminderService::new(cautious.clone())),
            notifications: Arc::new(ReminderService::new(cautious.clone())),
            push: Arc::new(PushService::new(cautious)),
            engine: Arc::new(EngineService::new(parts.clone(), backups.clone())),
            accounts: accounts.clone(),
            sessions: accounts.clone(),
            second_factors: accounts.clone(),
            passkeys: accounts.clone(),
            sign_in: accounts.clone(),
            invitations: accounts.clone(),
            tokens: accounts.clone(),
            presence: accounts.clone(),
            views: accounts.clone(),
            groups: accounts.clone(),
            settings: accounts.clone(),
        };
        let Limits { clients_per_address, clients, .. } = config.limits;
        let clients = Arc::new(Connections::new(clients_per_address, clients, config.proxies.clone()));
        let loops = Loops::new(&parts);
        Ok(Self {
            config: config.clone(),
            services,
            accounts,
            importer,
            imports,
            backups,
            loops,
            parts,
            clients,
            web: None,
            tls: None,
        })
    }

    /// Serves pages and the API and runs the engine until `stop`; then finishes open work.
    pub async fn serve(&self, listener: TcpListener, stop: CancellationToken) -> Result<(), CliError> {
        self.register_address(&listener)?;
        let workers = self.start().await?;
        let _announcing = announce::start(&self.parts, self.likely_url(), stop.child_token());
        let _backing_up = self.config.role.runs_engine().then(|| self.backups.start(stop.child_token()));
        let served = self.serve_pages(listener, stop).await;
        self.shut_down(workers).await;
        served
    }

    /// Runs the engine without pages until `stop`; then finishes open work.
    pub async fn work(&self, stop: CancellationToken) -> Result<(), CliError> {
        let workers = self.start().await?;
        let _announcing = announce::start(&self.parts, self.likely_url(), stop.child_token());
        let _backing_up = self.backups.start(stop.child_token());
        stop.cancelled().await;
        self.shut_down(workers).await;
        Ok(())
    }

    /// Starts the loops, after a check whether this database is a copy, and the first heartbeat.
    async fn start(&self) -> Result<Supervisor, CliError> {
        // SQLite has created the folder already. With PostgreSQL a node works without it, except that
        // it notices no restore of an older state; the high watermark warns then.
        if let Err(error) = prepare_folder(&self.config.data) {
            tracing::debug!("{error}");
        }
        let what = self.check_identity().await?.map(|change| match change {
            IdentityChange::Copy => "is a copy of another one",
            IdentityChange::Older => {
                "is older than at the last start of this node: an earlier state was restored"
            }
        });
        if let Some(what) = what {
            tracing::warn!(
                "this database {what}; deliveries are held until an admin confirms on the engine page"
            );
        }
        self.adjust_local_times().await?;
        meetings::report_missing_constraint(&self.parts).await;
        self.loops.heartbeat.tick(self.parts.clock.now()).await;
        self.check_key().await?;
        Ok(self.loops.start())
    }

    /// Refuses to go on with a key that was replaced between the opening and the first heartbeat, which
    /// `secrets rotate` does not see. A database that does not answer is no reason to refuse.
    async fn check_key(&self) -> Result<(), CliError> {
        match secret_box::is_current(&self.parts.store, &self.config, &self.parts.senders.vault).await {
            Ok(false) | Err(CliError::SecretKey) => {}
            Ok(true) | Err(_) => return Ok(()),
        }
        self.loops.heartbeat.leave().await;
        let why = "the stored secrets were encrypted with a new key while this node started; start it again";
        Err(CliError::Failed(why.to_owned()))
    }

    /// Recomputes the due times of tasks with a local time, if this release has newer time-zone data
    /// than the last start. Runs before the loops. Returns the number of changed tasks.
    pub async fn adjust_local_times(&self) -> Result<u64, CliError> {
        let mut retries = 0;
        loop {
            match zone_moves::keep_local_times(&self.parts).await {
                Err(error) if error.is_temporary() && retries < MAX_STARTUP_RETRIES => {
                    tracing::warn!("the database does not answer yet, retrying: {error:?}");
                    retries += 1;
                    tokio::time::sleep(STARTUP_RETRY_DELAY).await;
                }
                result => return result.map_err(|error| CliError::database(place(&self.config), &error)),
            }
        }
    }

    /// Checks whether this database is a copy or was restored, and records its server's timeline.
    /// Retries temporary errors.
    async fn check_identity(&self) -> Result<Option<IdentityChange>, CliError> {
        let (mut retries, parts) = (0, &self.parts);
        let check = async || {
            let found = failover::timeline(parts.store.read(PoolRole::Engine).await?.conn()).await?;
            if let Some(timeline) = found {
                parts.engine.set_timeline(timeline);
            }
            db_identity::check(&parts.store, parts.clock.now(), parts.events.high_watermark.load().await)
                .await
        };
        loop {
            match check().await {
                Err(error) if error.is_temporary() && retries < MAX_STARTUP_RETRIES => {
                    tracing::warn!("the database does not answer yet, retrying: {error:?}");
                    retries += 1;
                    tokio::time::sleep(STARTUP_RETRY_DELAY).await;
                }
                result => return result.map_err(|error| CliError::database(place(&self.config), &error)),
            }
        }
    }

    async fn shut_down(&self, workers: Supervisor) {
        let begun = Instant::now();
        let ended = CancellationToken::new();
        let stop = async {
            let is_stopped = workers.stop(LOOPS_STOP_TIMEOUT).await;
            ended.cancel();
            is_stopped
        };
        let (is_stopped, ()) = tokio::join!(stop, self.loops.heartbeat.keep_alive(&ended));
        if !is_stopped {
            tracing::warn!("a loop did not stop in time and was aborted; nothing is lost");
        }
        let last = async {
            self.loops.heartbeat.leave().await;
            if let Err(error) = self.parts.events.high_watermark.store(&self.parts.store).await {
                tracing::debug!("the high watermark of the log was not stored: {error:?}");
            }
            self.close().await;
        };
        // The database may not answer, or a request that was cut off may still hold a connection.
        let left = LOOPS_STOP_TIMEOUT.saturating_sub(begun.elapsed()).max(MIN_CLOSE_TIMEOUT);
        if tokio::time::timeout(left, last).await.is_err() {
            tracing::warn!("the database connections were not closed in time; nothing is lost");
        }
    }

    /// Registers the listening address, so that no message is sent to it. Returns the address.
    fn register_address(&self, listener: &TcpListener) -> Result<SocketAddr, CliError> {
        let bound = listener.local_addr().map_err(|why| CliError::Broken(why.to_string()))?;
        self.parts.senders.rules.listen_address.set(bound);
        Ok(bound)
    }

    /// Serves pages and the API without running the engine, until `stop`.
    pub async fn serve_pages(&self, listener: TcpListener, stop: CancellationToken) -> Result<(), CliError> {
        let bound = self.register_address(&listener)?;
        // Before the first stream opens, so that no event between the two is missed.
        self.loops.event_tailer.catch_up(self.parts.clock.now()).await;
        let pages = routes::router(self.web(self.public_url(bound), stop.clone()));
        let _filling = rendering::start(&self.parts, stop.child_token());
        let _reading = link_cards::start(&self.parts, stop.child_token());
        let _sweeping = media::sweep::start(&self.parts, stop.child_token());
        let _removing = imports::sweep::start(&self.parts, stop.child_token());
        self.answer(listener, pages, self.tls.clone(), stop).await
    }

    /// Answers HTTP with a redirect to the public URL, until `stop`.
    pub async fn serve_redirect(
        &self,
        listener: TcpListener,
        stop: CancellationToken,
    ) -> Result<(), CliError> {
        let public_url = self.config.public_url.as_deref().unwrap_or_default();
        self.answer(listener, http::redirect::router(public_url), None, stop).await
    }

    /// Answers the clients of a listener on the runtime for pages, until `stop`.
    async fn answer(
        &self,
        listener: TcpListener,
        router: Router,
        tls: Option<Arc<ServerTls>>,
        stop: CancellationToken,
    ) -> Result<(), CliError> {
        let connections = Arc::clone(&self.clients);
        let acceptor = Acceptor { connections, write_timeout: self.config.limits.write_timeout, tls };
        let broken = |why: io::Error| CliError::Broken(why.to_string());
        // A std listener, so that it is registered with the runtime of the web tasks.
        let listener = listener.into_std().map_err(broken)?;
        let service = router.into_make_service_with_connect_info::<SocketAddr>();
        let serving = http::serve::until(listener, service, acceptor, stop);
        match &self.web {
            Some(web) => web.spawn(serving).await.map_err(|why| CliError::Broken(why.to_string()))?,
            None => serving.await,
        }
        .map_err(broken)
    }

    /// Public base URL, without a trailing slash.
    #[must_use]
    pub fn public_url(&self, bound: SocketAddr) -> String {
        self.config.public_url.clone().unwrap_or_else(|| format!("{}://{bound}", self.config.https.scheme()))
    }

    /// Likely public base URL, for links printed without a running server.
    #[must_use]
    pub fn likely_url(&self) -> String {
        open::likely_url(&self.config)
    }

    /// Waits for running statements and closes all connections.
    pub async fn close(&self) {
        self.parts.store.close().await;
    }

    /// Returns the state of the request handlers. `public_url`: without a trailing slash.
    fn web(&self, public_url: String, stop: CancellationToken) -> Web {
        let config = &self.config;
        let mut hosts = config.hosts.clone();
        // The host name in `listen` is also an accepted host name.
        hosts.extend(config.listen.rsplit_once(':').and_then(|(host, _)| host.parse().ok()));
        let is_given = config.public_url.is_some();
        let address = http::Address::new(public_url, is_given, config.proxies.clone(), hosts);
        Web {
            services: self.services.clone(),
            authenticator: Arc::clone(&self.accounts) as Arc<dyn Authenticator>,
            parts: self.parts.clone(),
            address: Arc::new(address),
            usage: Arc::new(Usage::new(&config.limits)),
            uploads: &UPLOADS,
            site: Arc::default(),
            stop,
        }
    }
}

/// Migrates the schema, after a backup if there is content.
pub async fn migrate(store: &Store, config: &Config) -> Result<(), CliError> {
    upgrade_backup::migrate(store, config, &place(config)).await
}
