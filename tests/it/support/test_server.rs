//! A whole server for a test: fresh data, a manual clock, and accounts.

pub use super::test_account::Account;

use super::test_account;
use crate::http_client::{HttpClient, client};
use domain::services::Sessions as _;
use domain::{
    Clock, Role, Timestamp,
    account::Client,
    clock::{ManualClock, SystemClock},
};
use presstime::{
    process::config::{Address, Config},
    server::Server,
};
use serde_json::{Value, json};
use std::sync::Arc;
use tempfile::TempDir;
use tokio::{net::TcpListener, runtime::Handle};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

/// Storage of the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Backend {
    /// SQLite, hints in the process.
    Embedded,
    /// PostgreSQL and Redis.
    Servers,
}

/// Runs tests (`async fn name(server: TestServer)`) on both backends with a manual clock.
#[macro_export]
macro_rules! on_both {
    ($($test:ident),+ $(,)?) => {$(
        mod $test {
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn embedded() {
                super::$test($crate::test_server::TestServer::start($crate::test_server::Backend::Embedded).await).await;
            }
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn servers() {
                super::$test($crate::test_server::TestServer::start($crate::test_server::Backend::Servers).await).await;
            }
        }
    )+};
}

/// A whole server and its accounts.
pub struct TestServer {
    /// Its URL, without a trailing slash.
    pub url: String,
    /// Its storage.
    pub backend: Backend,
    /// The server itself: state, services, loops.
    pub app: Arc<Server>,
    /// Its settings, for a second node or for the command line.
    pub config: Config,
    /// An admin.
    pub admin: Account,
    /// A creator: the user of most tests.
    pub creator: Account,
    /// Another creator.
    pub colleague: Account,
    /// A reviewer.
    pub reviewer: Account,
    clock: Option<Arc<ManualClock>>,
    running: Running,
    _data: TempDir,
    _servers: Option<(Arc<test_support::Postgres>, Arc<test_support::Redis>)>,
}

/// The serving task, stopped on drop.
struct Running {
    stop: CancellationToken,
    tasks: TaskTracker,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

/// Start time of the manual clock: a Monday morning.
pub const START_TIME: Timestamp = Timestamp::from_millis(1_803_888_000_000); // 2027-03-01T08:00:00Z

impl TestServer {
    /// Starts a server with a manual clock. The loops run only in [`TestServer::advance`] and
    /// [`TestServer::tick`].
    pub async fn start(backend: Backend) -> Self {
        Self::launch(backend, Some(Arc::new(ManualClock::at(START_TIME)))).await
    }

    /// Starts a server with a manual clock on SQLite, with other settings.
    pub async fn start_with(change: impl FnOnce(&mut Config)) -> Self {
        let data = test_support::fast_folder();
        let (mut config, _) = settings(Backend::Embedded, &data).await;
        change(&mut config);
        Self::launch_on((Backend::Embedded, config, data, None), Some(Arc::new(ManualClock::at(START_TIME))))
            .await
    }

    /// Starts a server with the system clock and running loops, as in production.
    pub async fn start_realtime(backend: Backend) -> Self {
        Self::launch(backend, None).await
    }

    /// Starts a server with the system clock whose web requests run on another runtime.
    pub async fn start_realtime_on(backend: Backend, web: Handle) -> Self {
        let data = test_support::fast_folder();
        let (config, servers) = settings(backend, &data).await;
        Self::launch_in((backend, config, data, servers), None, Some(web)).await
    }

    /// Starts a server with the system clock on PostgreSQL and Redis, with other settings.
    pub async fn start_realtime_with(change: impl FnOnce(&mut Config)) -> Self {
        let data = test_support::fast_folder();
        let (mut config, servers) = settings(Backend::Servers, &data).await;
        change(&mut config);
        Self::launch_on((Backend::Servers, config, data, servers), None).await
    }

    async fn launch(backend: Backend, clock: Option<Arc<ManualClock>>) -> Self {
        let data = test_support::fast_folder();
        let (config, servers) = settings(backend, &data).await;
        Self::launch_on((backend, config, data, servers), clock).await
    }

    async fn launch_on(environment: Environment, clock: Option<Arc<ManualClock>>) -> Self {
        Self::launch_in(environment, clock, None).await
    }

    async fn launch_in(
        (backend, config, data, servers): Environment,
        clock: Option<Arc<ManualClock>>,
        web: Option<Handle>,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let url = format!("http://{}", listener.local_addr().expect("its address"));
        let public_url = config.public_url.clone().unwrap_or_else(|| url.clone());
        let config = Config { public_url: Some(public_url), ..config };
        let time: Arc<dyn Clock> = match &clock {
            Some(clock) => Arc::clone(clock) as Arc<dyn Clock>,
            None => Arc::new(SystemClock),
        };
        let app = Server::open_with(&config, time).await.expect("the server opens");
        let app = Arc::new(Server { web, ..app });
        if let Some(clock) = &clock {
            align(&app, clock);
        }
        let running = serve(&app, listener, clock.is_none());
        let (admin, creator, colleague, reviewer) = tokio::join!(
            test_account::create(&app, "admin", Role::Admin),
            test_account::create(&app, "creator", Role::Creator),
            test_account::create(&app, "colleague", Role::Creator),
            test_account::create(&app, "reviewer", Role::Reviewer),
        );
        Self {
            url,
            backend,
            app,
            config,
            admin,
            creator,
            colleague,
            reviewer,
            clock,
            running,
            _data: data,
            _servers: servers,
        }
    }

    /// Returns the current time of the server.
    pub fn now(&self) -> Timestamp {
        self.app.parts.clock.now()
    }

    /// Returns the time `millis` from now in the format of the API.
    pub fn time_after(&self, millis: i64) -> String {
        self.now().plus(millis).to_string()
    }

    /// Advances the clock and runs the loops until nothing is left to do at that time.
    pub async fn advance(&self, millis: i64) {
        let clock = self.clock.as_ref().expect("only a manual clock can be moved");
        clock.advance(millis);
        self.tick().await;
    }

    /// Advances the clock without running the loops, as if they had died.
    pub fn advance_without_loops(&self, millis: i64) {
        self.clock.as_ref().expect("only a manual clock can be moved").advance(millis);
    }

    /// Opens a second node on the same storage. Its loops do not run by themselves.
    pub async fn open_second_node(&self) -> Server {
        let config = Config { node: "another".to_owned(), ..self.config.clone() };
        Server::open_with(&config, Arc::clone(&self.app.parts.clock)).await.expect("the server opens")
    }

    /// Sets the database clock, as seen by this node, to the server's clock.
    pub fn align_database_clock(&self, app: &Server) {
        if let Some(clock) = &self.clock {
            align(app, clock);
        }
    }

    /// Logs in and returns the session cookie as a browser sends it.
    pub async fn session_cookie(&self, account: &Account) -> String {
        let accounts = &self.app.accounts;
        let client = client_at("127.0.0.1", "test");
        let fresh = accounts.log_in(&account.email, &account.password, &client).await;
        format!("__Host-sid={}", fresh.expect("the account may log in").session.0)
    }

    /// Runs all loops at the current time.
    pub async fn tick(&self) {
        if let Some(clock) = &self.clock {
            align(&self.app, clock);
        }
        for _ in 0..3 {
            self.app.loops.tick(self.now()).await;
        }
    }

    /// A client with the admin's token.
    pub fn as_admin(&self) -> HttpClient {
        self.as_account(&self.admin)
    }

    /// A client with the creator's token.
    pub fn as_creator(&self) -> HttpClient {
        self.as_account(&self.creator)
    }

    /// A client with the other creator's token.
    pub fn as_colleague(&self) -> HttpClient {
        self.as_account(&self.colleague)
    }

    /// A client with the reviewer's token.
    pub fn as_reviewer(&self) -> HttpClient {
        self.as_account(&self.reviewer)
    }

    /// A client with the token of an account.
    pub fn as_account(&self, account: &Account) -> HttpClient {
        HttpClient { client: client(false), url: self.url.clone(), token: Some(account.token.clone()) }
    }

    /// A client without a token.
    pub fn as_anonymous(&self) -> HttpClient {
        HttpClient { client: client(false), url: self.url.clone(), token: None }
    }

    /// A browser with cookies, not logged in. It does not follow redirects.
    pub fn browser(&self) -> HttpClient {
        HttpClient { client: client(true), url: self.url.clone(), token: None }
    }

    /// A browser that has logged in through the form.
    pub async fn log_in_browser(&self, account: &Account) -> HttpClient {
        let browser = self.browser();
        let form = [("email", account.email.as_str()), ("password", &account.password), ("from", "/login")];
        let reply = browser.form("/fn/log_in", &form).await;
        assert!((300..400).contains(&reply.status), "log-in answered {}: {}", reply.status, reply.text);
        browser
    }

    /// Creates a draft of the creator and returns it as the API does.
    pub async fn create_draft(&self, title: &str) -> Value {
        let new = json!({ "title": title, "body": format!("# {title}\n\nA text about {title}.\n") });
        self.as_creator().post("/api/v1/articles", &new).await.expect(201)
    }

    /// Creates a draft of the creator and its publish task, due in `millis`. Returns both as the
    /// API does.
    pub async fn schedule_new_article(&self, title: &str, millis: i64) -> (Value, Value) {
        let article = self.create_draft(title).await;
        let new = json!({ "kind": "article.publish", "target_id": article["id"], "due_at": self.time_after(millis) });
        let task = self.as_creator().post("/api/v1/tasks", &new).await.expect(201);
        (article, task)
    }

    /// Returns the current task as the API does.
    pub async fn task(&self, task: &Value) -> Value {
        let path = format!("/api/v1/tasks/{}", task["id"].as_str().expect("a task has an id"));
        self.as_admin().get(&path).await.expect(200)
    }

    /// Stops serving and waits for it, e.g. before another server opens the same data.
    pub async fn stop(&self) {
        self.running.stop.cancel();
        self.running.tasks.wait().await;
    }
}

/// A client at that address, without cookies.
pub fn client_at(address: &str, agent: &str) -> Client {
    Client { address: address.to_owned(), agent: agent.to_owned(), ..Client::default() }
}

/// Backend, settings, data folder, and the database servers to keep alive.
type Environment =
    (Backend, Config, TempDir, Option<(Arc<test_support::Postgres>, Arc<test_support::Redis>)>);

/// Sets the clock of PostgreSQL to the manual clock. SQLite uses the manual clock already.
fn align(app: &Server, clock: &ManualClock) {
    if matches!(app.parts.store, store::Store::Postgres { .. }) {
        app.parts.store.set_clock_offset(clock.now().since(SystemClock.now()));
    }
}

/// Migrates an empty database, as the first start of a desk does.
async fn migrate(url: String) {
    let store = store::Store::open(&store::Options::new(&url)).await.expect("an empty database");
    store.migrate().await.expect("the migrations");
    store.close().await;
}

/// Settings with empty storage for a backend.
async fn settings(
    backend: Backend,
    data: &TempDir,
) -> (Config, Option<(Arc<test_support::Postgres>, Arc<test_support::Redis>)>) {
    let config = Config {
        node: "test".to_owned(),
        webhook_allow_private: true,
        webhook_allow_http: true,
        ..Config::new(data.path())
    };
    if backend == Backend::Embedded {
        test_support::create_filled_sqlite(&config.database_file(), migrate).await;
        return (config, None);
    }
    let (postgres, redis) = (test_support::postgres().await, test_support::redis().await);
    let config = Config {
        database_url: Some(Address(postgres.create_filled(migrate).await)),
        redis_url: Some(Address(redis.url())),
        redis_tag: Some(uuid::Uuid::now_v7().simple().to_string()),
        connections: 4,
        ..config
    };
    (config, Some((postgres, redis)))
}

fn serve(app: &Arc<Server>, listener: TcpListener, with_loops: bool) -> Running {
    let (stop, tasks) = (CancellationToken::new(), TaskTracker::new());
    let (app, end) = (Arc::clone(app), stop.clone());
    tasks.spawn(async move {
        let served =
            if with_loops { app.serve(listener, end).await } else { app.serve_pages(listener, end).await };
        served.expect("it serves until it is stopped");
    });
    tasks.close();
    Running { stop, tasks }
}
