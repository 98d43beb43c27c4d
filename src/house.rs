//! The whole server in one value: opened from the settings, served until told to stop.

use crate::{
    channels::{
        Ways,
        guard::{Own, Rules},
        trust::Trust,
    },
    config::{Config, Limits},
    desk::{
        articles::ArticleDesk,
        attention::AttentionDesk,
        channels::ChannelDesk,
        engine::EngineDesk,
        people::PeopleDesk,
        rendering,
        tasks::{TaskDesk, zone_moves},
    },
    memory::Memory,
    parts::Parts,
    private,
    trouble::{self, Trouble},
    vault,
    web::{
        self, Web,
        auth::Door,
        limits::{
            Usage,
            clients::{Acceptor, Clients},
        },
    },
    worker::{Loop as _, Loops, Workers},
};
use async_trait::async_trait;
use domain::{
    Actor, Clock, Desk, Refusal,
    clock::SystemClock,
    desk::People,
    person::{Scope, SessionSecret},
};
use queue::{Hints, InProcess, RedisHints};
use std::{
    io,
    net::SocketAddr,
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};
use store::{
    Options, Store, Who,
    place::{self, Become},
    takeover,
};
use tokio::{net::TcpListener, runtime::Handle};
use tokio_util::sync::CancellationToken;

/// How long the loops may take: what is being sent to the outside ends by itself within 20 s.
const SENDS: Duration = Duration::from_secs(22);

/// How long a farewell to the database may take at least.
const LAST: Duration = Duration::from_secs(1);

/// How often, and how long after one another, a start tries to reach the database again once it has answered.
const TRIES: u32 = 20;
const AGAIN: Duration = Duration::from_millis(500);

/// The server: the truth, the hints, what people can do with them, and the loops.
pub struct House {
    /// The settings it was opened with.
    pub config: Config,
    /// What the use cases and the loops share.
    pub parts: Parts,
    /// What people can do.
    pub desk: Desk,
    /// Accounts, with what only the web layer and the command line may do.
    pub people: Arc<PeopleDesk>,
    /// The loops; none runs until [`House::serve`].
    pub loops: Loops,
    /// The connections of clients.
    pub clients: Arc<Clients>,
    /// The runtime that serves pages and the API; `None`: the one that runs the rest.
    pub web: Option<Handle>,
}

impl House {
    /// Opens everything: makes the data folder, refuses a database of a newer program, brings the schema up to date, connects
    /// the hints. Redis may be away: the house works from SQL until it comes. Nothing runs yet.
    pub async fn open(config: &Config) -> Result<Self, Trouble> {
        Self::open_with(config, Arc::new(SystemClock)).await
    }

    /// The same with another clock.
    pub async fn open_with(config: &Config, clock: Arc<dyn Clock>) -> Result<Self, Trouble> {
        let trust = Trust::read(config.extra_ca_certs.as_deref())?;
        let store = open_store(config).await?;
        migrate(&store, config).await?;
        let hints = hints(&Config { buckets: buckets(&store, config).await?, ..config.clone() }, &clock)?;
        let window_ms = i64::try_from(config.window.as_millis()).unwrap_or(i64::MAX);
        let rules = Rules {
            allow_private: config.webhook_allow_private,
            allow_http: config.webhook_allow_http,
            only: config.egress_hosts.clone().into(),
            own: Own::default(),
        };
        let vault = vault::open(&store, config).await?;
        let ways = Arc::new(Ways::new(vault, rules, &trust, &usual_url(config)));
        let role = config.role;
        let memory = Arc::new(Memory::in_folder(&config.data));
        let parts = Parts { window_ms, ways, role, memory, ..Parts::new(store, hints, clock, &config.node) };
        let cautious = parts.by_cautious_clock();
        let people = Arc::new(PeopleDesk::new(cautious.clone()));
        let desk = Desk {
            articles: Arc::new(ArticleDesk::new(cautious.clone())),
            tasks: Arc::new(TaskDesk::new(cautious.clone())),
            channels: Arc::new(ChannelDesk::new(cautious.clone())),
            attention: Arc::new(AttentionDesk::new(cautious)),
            engine: Arc::new(EngineDesk::new(parts.clone())),
            people: Arc::clone(&people) as Arc<dyn People>,
        };
        let Limits { clients_per_address, clients, .. } = config.limits;
        let clients = Arc::new(Clients::new(clients_per_address, clients, config.proxies.clone()));
        let loops = Loops::new(&parts);
        Ok(Self { config: config.clone(), desk, people, loops, parts, clients, web: None })
    }

    /// Serves pages and API and runs the engine until `stop`; then finishes what is open.
    pub async fn serve(&self, listener: TcpListener, stop: CancellationToken) -> Result<(), Trouble> {
        self.listens(&listener)?;
        let workers = self.start().await?;
        let served = self.serve_pages(listener, stop).await;
        self.end(workers).await;
        served
    }

    /// Runs the engine without pages until `stop`; then finishes what is open.
    pub async fn work(&self, stop: CancellationToken) -> Result<(), Trouble> {
        let workers = self.start().await?;
        stop.cancelled().await;
        self.end(workers).await;
        Ok(())
    }

    /// Starts the loops, once it is known whether this database is a copy of another one, or was put back, and this node has shown
    /// itself and knows which tasks are suspects.
    async fn start(&self) -> Result<Workers, Trouble> {
        let what = self.settle().await?.map(|news| match news {
            Become::Copy => "is a copy of another one",
            Become::Older => "is older than this node last saw it: a former state was put back",
        });
        if let Some(what) = what {
            tracing::warn!(
                "this database {what}; messages are held until an admin confirms on the engine page that this desk takes over"
            );
        }
        self.keep_local_times().await?;
        self.loops.roster.tick(self.parts.clock.now()).await;
        Ok(self.loops.start())
    }

    /// Gives what waits in wall-clock time its instant by this program's time-zone data, if that is newer than at the last start.
    /// Before the loops: nothing goes out by outdated rules. How many items moved.
    pub async fn keep_local_times(&self) -> Result<u64, Trouble> {
        let mut tries = 0;
        loop {
            match zone_moves::keep_local_times(&self.parts).await {
                Err(error) if error.is_temporary() && tries < TRIES => {
                    tracing::warn!("the database does not answer yet: {error:?}");
                    tries += 1;
                    tokio::time::sleep(AGAIN).await;
                }
                kept => return kept.map_err(|error| Trouble::database(place(&self.config), &error)),
            }
        }
    }

    /// What has become of this database; notes which timeline its server is on. A connection that breaks now is no reason to give up.
    async fn settle(&self) -> Result<Option<Become>, Trouble> {
        let (mut tries, parts) = (0, &self.parts);
        let settle = async || {
            if let Some(timeline) = takeover::timeline(parts.store.read(Who::Engine).await?.conn()).await? {
                parts.pulse.set_timeline(timeline);
            }
            place::settle(&parts.store, parts.clock.now(), parts.memory.recall().await).await
        };
        loop {
            match settle().await {
                Err(error) if error.is_temporary() && tries < TRIES => {
                    tracing::warn!("the database does not answer yet: {error:?}");
                    tries += 1;
                    tokio::time::sleep(AGAIN).await;
                }
                settled => return settled.map_err(|error| Trouble::database(place(&self.config), &error)),
            }
        }
    }

    async fn end(&self, workers: Workers) {
        let begun = Instant::now();
        if !workers.stop(SENDS).await {
            tracing::warn!("a loop was still at work and was left behind; nothing is lost");
        }
        let last = async {
            self.loops.roster.leave().await;
            if let Err(error) = self.parts.memory.keep(&self.parts.store).await {
                tracing::debug!("how far the log has come is not kept: {error:?}");
            }
            self.close().await;
        };
        // The database may be silent, and a request that was cut off may have a connection for as long as it likes.
        let left = SENDS.saturating_sub(begun.elapsed()).max(LAST);
        if tokio::time::timeout(left, last).await.is_err() {
            tracing::warn!("the database did not let go in time; nothing is lost");
        }
    }

    /// Where this listens: no message goes there.
    fn listens(&self, listener: &TcpListener) -> Result<SocketAddr, Trouble> {
        let bound = listener.local_addr().map_err(|why| Trouble::Broken(why.to_string()))?;
        self.parts.ways.rules.own.listen(bound);
        Ok(bound)
    }

    /// Serves pages and API without running the engine, until `stop`.
    pub async fn serve_pages(&self, listener: TcpListener, stop: CancellationToken) -> Result<(), Trouble> {
        let bound = self.listens(&listener)?;
        // Before the first stream opens: what happens between the two would be told to nobody.
        self.loops.tail.catch_up(self.parts.clock.now()).await;
        let pages =
            web::router(self.web(bound, stop.clone())).into_make_service_with_connect_info::<SocketAddr>();
        let acceptor =
            Acceptor { clients: Arc::clone(&self.clients), write_timeout: self.config.limits.write_timeout };
        let broken = |why: io::Error| Trouble::Broken(why.to_string());
        // Made anew there: a runtime drives the connections that its own tasks make.
        let listener = listener.into_std().map_err(broken)?;
        let _filling = rendering::start(&self.parts, stop.child_token());
        let serving = web::serve::until(listener, pages, acceptor, stop);
        match &self.web {
            Some(web) => web.spawn(serving).await.map_err(|why| Trouble::Broken(why.to_string()))?,
            None => serving.await,
        }
        .map_err(broken)
    }

    /// Where people reach the desk, without a slash at its end.
    #[must_use]
    pub fn public_url(&self, bound: SocketAddr) -> String {
        self.config.public_url.clone().unwrap_or_else(|| format!("http://{bound}"))
    }

    /// Where people most likely reach the desk, for links printed without a running server.
    #[must_use]
    pub fn usual_url(&self) -> String {
        usual_url(&self.config)
    }

    /// Waits for running statements and closes all connections.
    pub async fn close(&self) {
        self.parts.store.close().await;
    }

    fn web(&self, bound: SocketAddr, stop: CancellationToken) -> Web {
        let config = &self.config;
        let mut hosts = config.hosts.clone();
        // A name to listen on is a name to be reached by.
        hosts.extend(config.listen.rsplit_once(':').and_then(|(host, _)| host.parse().ok()));
        let is_given = config.public_url.is_some();
        let address = web::Address::new(self.public_url(bound), is_given, config.proxies.clone(), hosts);
        Web {
            desk: self.desk.clone(),
            door: Arc::clone(&self.people) as Arc<dyn Door>,
            parts: self.parts.clone(),
            address: Arc::new(address),
            usage: Arc::new(Usage::new(&config.limits)),
            stop,
        }
    }
}

/// The number of buckets all nodes have agreed on; the first node says it.
async fn buckets(store: &Store, config: &Config) -> Result<u16, Trouble> {
    if config.redis_url.is_none() {
        return Ok(config.buckets);
    }
    let mut tx = store.begin(Who::People).await?;
    let count = store::buckets::begin(tx.conn(), config.buckets).await?;
    tx.commit().await?;
    Ok(count)
}

/// The hints: in this process, or in Redis, which may be away and is not waited for.
pub fn hints(config: &Config, clock: &Arc<dyn Clock>) -> Result<Arc<dyn Hints>, Trouble> {
    let Some(url) = &config.redis_url else {
        return Ok(Arc::new(InProcess::new(config.buckets, Arc::clone(clock))));
    };
    let prefix = config.redis_tag.as_deref().unwrap_or("pt");
    let hints = match config.redis_ca_certs.as_deref() {
        Some(file) => {
            let trust = Trust::of("redis-ca-certs", file)?;
            let authorities = trust.pem().unwrap_or_default();
            RedisHints::vouched_for(&url.0, authorities, prefix, config.buckets)
        }
        None => RedisHints::new(&url.0, prefix, config.buckets),
    };
    match hints {
        Ok(hints) => Ok(Arc::new(hints)),
        Err(why) => Err(Trouble::RedisAddress { url: url.clone(), why: trouble::chain(&why) }),
    }
}

/// Makes the data folder (for its owner alone) and makes sure that it can be written.
pub fn prepare_folder(path: &Path) -> Result<(), Trouble> {
    let wrong = |why: io::Error| Trouble::DataFolder { path: path.to_path_buf(), why };
    if !path.is_dir() {
        std::fs::create_dir_all(path).map_err(wrong)?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o700)).map_err(wrong)?;
        }
    }
    // A name of its own: two processes that start at once must not remove each other's file.
    let probe = path.join(format!(".presstime-probe-{}", uuid::Uuid::now_v7().simple()));
    std::fs::write(&probe, b"").and_then(|()| std::fs::remove_file(&probe)).map_err(wrong)
}

/// Connects to the database, without touching its schema, and takes its files away from other users of the machine. Refuses a
/// database that a newer program wrote.
pub async fn open_store(config: &Config) -> Result<Store, Trouble> {
    let store = connect_store(config).await?;
    private::restrict_data_files(config);
    Ok(store)
}

/// Connects to the database and changes nothing. Refuses one that a newer program wrote.
pub async fn connect_store(config: &Config) -> Result<Store, Trouble> {
    if config.database_url.is_none() {
        prepare_folder(&config.data)?;
    }
    let (people, patience) = (config.connections, config.patience);
    let options = Options { people, patience, ..Options::new(config.database()) };
    let store = Store::open(&options).await.map_err(|error| Trouble::database(place(config), &error))?;
    match store.newer().await.map_err(|error| Trouble::database(place(config), &error))? {
        Some(newer) => Err(Trouble::DatabaseNewer(newer)),
        None => Ok(store),
    }
}

/// Brings the schema up to date.
pub async fn migrate(store: &Store, config: &Config) -> Result<(), Trouble> {
    store.migrate().await.map_err(|error| Trouble::database(place(config), &error))
}

/// Where the database is, in words and without a password.
#[must_use]
pub fn place(config: &Config) -> String {
    match &config.database_url {
        Some(url) => url.to_string(),
        None => config.database_file().display().to_string(),
    }
}

/// Where people most likely reach the desk.
fn usual_url(config: &Config) -> String {
    config.public_url.clone().unwrap_or_else(|| format!("http://{}", config.listen))
}

/// Listens where the settings say; a sentence if somebody else does.
pub async fn listen(config: &Config) -> Result<TcpListener, Trouble> {
    let address = config.listen.clone();
    TcpListener::bind(&address).await.map_err(|why| match why.kind() {
        io::ErrorKind::AddrInUse => Trouble::PortInUse { address },
        _ => Trouble::Listen { address, why },
    })
}

#[async_trait]
impl Door for PeopleDesk {
    async fn session(&self, secret: &SessionSecret) -> Result<Option<Actor>, Refusal> {
        self.authenticate_session(secret).await
    }

    async fn look(&self, secret: &SessionSecret) -> Result<Option<Actor>, Refusal> {
        self.look_at_session(secret).await
    }

    async fn token(&self, token: &str) -> Result<Option<(Actor, Scope)>, Refusal> {
        self.authenticate_token(token).await
    }
}
