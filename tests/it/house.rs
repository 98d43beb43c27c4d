//! A whole server for a story: fresh data, a clock that stands still until it is moved, and people who ask it things.

use crate::caller::{Caller, client};
use domain::{
    Actor, Clock, PersonId, Role, Timestamp,
    clock::{ManualClock, SystemClock},
    person::{Client, Person, Scope, Theme},
};
use presstime::{
    config::{Address, Config},
    house::House,
    password_hash,
};
use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};
use store::{Who, invitation, person, setting};
use tempfile::TempDir;
use tokio::{net::TcpListener, runtime::Handle};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

/// What the server stands on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flavour {
    /// SQLite, hints in the process.
    Embedded,
    /// PostgreSQL and Redis.
    Servers,
}

/// Runs stories (`async fn name(house: Story)`) on both flavours, the time standing still.
#[macro_export]
macro_rules! on_both {
    ($($story:ident),+ $(,)?) => {$(
        mod $story {
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn embedded() {
                super::$story($crate::house::Story::begin($crate::house::Flavour::Embedded).await).await;
            }
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn servers() {
                super::$story($crate::house::Story::begin($crate::house::Flavour::Servers).await).await;
            }
        }
    )+};
}

/// A whole server and the people of the story.
pub struct Story {
    /// Where it is reached, without a slash at its end.
    pub url: String,
    /// What it stands on.
    pub flavour: Flavour,
    /// The server itself: parts, desk, loops.
    pub house: Arc<House>,
    /// Its settings, for a second node or the command line beside it.
    pub config: Config,
    /// An admin.
    pub admin: Account,
    /// A creator: who most stories are about.
    pub creator: Account,
    /// Another creator.
    pub colleague: Account,
    /// A reviewer.
    pub reviewer: Account,
    clock: Option<Arc<ManualClock>>,
    running: Running,
    _data: TempDir,
    _servers: Option<(Arc<rig::Postgres>, Arc<rig::Redis>)>,
}

/// Somebody with an account.
#[derive(Debug, Clone)]
pub struct Account {
    /// For calls past the web.
    pub actor: Actor,
    /// Address they log in with.
    pub email: String,
    /// Password they log in with.
    pub password: String,
    /// An API token of theirs.
    pub token: String,
}

/// The task that serves; told to stop when the story ends.
struct Running {
    stop: CancellationToken,
    tasks: TaskTracker,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

/// The moment at which every story with a standing clock begins: a Monday morning.
pub const BEGIN: Timestamp = Timestamp::from_millis(1_803_888_000_000); // 2027-03-01T08:00:00Z

impl Story {
    /// A story whose time stands still until [`Story::advance`]; the loops run only then.
    pub async fn begin(flavour: Flavour) -> Self {
        Self::open(flavour, Some(Arc::new(ManualClock::at(BEGIN)))).await
    }

    /// A story with standing time on SQLite, with other settings.
    pub async fn begin_with(change: impl FnOnce(&mut Config)) -> Self {
        let data = tempfile::tempdir().expect("a temporary folder");
        let (mut config, _) = settings(Flavour::Embedded, &data).await;
        change(&mut config);
        Self::open_on((Flavour::Embedded, config, data, None), Some(Arc::new(ManualClock::at(BEGIN)))).await
    }

    /// A story in real time with running loops, as in production.
    pub async fn live(flavour: Flavour) -> Self {
        Self::open(flavour, None).await
    }

    /// A story in real time whose pages are served by another runtime.
    pub async fn live_beside(flavour: Flavour, web: Handle) -> Self {
        let data = tempfile::tempdir().expect("a temporary folder");
        let (config, servers) = settings(flavour, &data).await;
        Self::open_beside((flavour, config, data, servers), None, Some(web)).await
    }

    /// The same on both servers, with other settings.
    pub async fn live_with(change: impl FnOnce(&mut Config)) -> Self {
        let data = tempfile::tempdir().expect("a temporary folder");
        let (mut config, servers) = settings(Flavour::Servers, &data).await;
        change(&mut config);
        Self::open_on((Flavour::Servers, config, data, servers), None).await
    }

    async fn open(flavour: Flavour, clock: Option<Arc<ManualClock>>) -> Self {
        let data = tempfile::tempdir().expect("a temporary folder");
        let (config, servers) = settings(flavour, &data).await;
        Self::open_on((flavour, config, data, servers), clock).await
    }

    async fn open_on(ground: Ground, clock: Option<Arc<ManualClock>>) -> Self {
        Self::open_beside(ground, clock, None).await
    }

    async fn open_beside(
        (flavour, config, data, servers): Ground,
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
        let house = House::open_with(&config, time).await.expect("the house opens");
        let house = Arc::new(House { web, ..house });
        if let Some(clock) = &clock {
            align(&house, clock);
        }
        let running = serve(&house, listener, clock.is_none());
        let (admin, creator, colleague, reviewer) = tokio::join!(
            account(&house, "admin", Role::Admin),
            account(&house, "creator", Role::Creator),
            account(&house, "colleague", Role::Creator),
            account(&house, "reviewer", Role::Reviewer),
        );
        Self {
            url,
            flavour,
            house,
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

    /// The story's present moment.
    pub fn now(&self) -> Timestamp {
        self.house.parts.clock.now()
    }

    /// The moment `millis` from now, as the API writes it.
    pub fn later(&self, millis: i64) -> String {
        self.now().plus(millis).to_string()
    }

    /// Moves the clock and lets every loop do its work, until nothing more happens at that moment.
    pub async fn advance(&self, millis: i64) {
        let clock = self.clock.as_ref().expect("only a story with a standing clock can move it");
        clock.advance(millis);
        self.tick().await;
    }

    /// Moves the clock while the loops stand still, as if they had died.
    pub fn wait_without_loops(&self, millis: i64) {
        self.clock.as_ref().expect("only a story with a standing clock can move it").advance(millis);
    }

    /// A second node on the same storage, its loops standing still.
    pub async fn another(&self) -> House {
        let config = Config { node: "another".to_owned(), ..self.config.clone() };
        House::open_with(&config, Arc::clone(&self.house.parts.clock)).await.expect("the house opens")
    }

    /// Sets the database's clock, as this node sees it, to the story's.
    pub fn align(&self, house: &House) {
        if let Some(clock) = &self.clock {
            align(house, clock);
        }
    }

    /// The cookie of a fresh session, as a browser would send it.
    pub async fn cookie(&self, account: &Account) -> String {
        let people = &self.house.desk.people;
        let client = client_at("127.0.0.1", "story");
        let fresh = people.log_in(&account.email, &account.password, &client).await;
        format!("__Host-sid={}", fresh.expect("they may log in").session.0)
    }

    /// Lets every loop do its work at the present moment.
    pub async fn tick(&self) {
        if let Some(clock) = &self.clock {
            align(&self.house, clock);
        }
        for _ in 0..3 {
            self.house.loops.tick(self.now()).await;
        }
    }

    /// Asks with the admin's token.
    pub fn as_admin(&self) -> Caller {
        self.as_account(&self.admin)
    }

    /// Asks with the creator's token.
    pub fn as_creator(&self) -> Caller {
        self.as_account(&self.creator)
    }

    /// Asks with the other creator's token.
    pub fn as_colleague(&self) -> Caller {
        self.as_account(&self.colleague)
    }

    /// Asks with the reviewer's token.
    pub fn as_reviewer(&self) -> Caller {
        self.as_account(&self.reviewer)
    }

    /// Asks with the token of an account.
    pub fn as_account(&self, account: &Account) -> Caller {
        Caller { client: client(false), url: self.url.clone(), token: Some(account.token.clone()) }
    }

    /// Asks without any token.
    pub fn as_nobody(&self) -> Caller {
        Caller { client: client(false), url: self.url.clone(), token: None }
    }

    /// A browser with a cookie jar, not logged in; does not follow redirects.
    pub fn browser(&self) -> Caller {
        Caller { client: client(true), url: self.url.clone(), token: None }
    }

    /// A browser in which somebody has logged in through the page's form.
    pub async fn browser_of(&self, account: &Account) -> Caller {
        let browser = self.browser();
        let form = [("email", account.email.as_str()), ("password", &account.password), ("from", "/login")];
        let reply = browser.form("/fn/log_in", &form).await;
        assert!((300..400).contains(&reply.status), "log-in answered {}: {}", reply.status, reply.text);
        browser
    }

    /// A draft of the creator's with that title, as the API shows it.
    pub async fn draft(&self, title: &str) -> Value {
        let new = json!({ "title": title, "body": format!("# {title}\n\nA text about {title}.\n") });
        self.as_creator().post("/api/v1/articles", &new).await.expect(201)
    }

    /// A draft of the creator's and the task that publishes it in `millis`, as the API shows them.
    pub async fn scheduled(&self, title: &str, millis: i64) -> (Value, Value) {
        let article = self.draft(title).await;
        let new =
            json!({ "kind": "article.publish", "target_id": article["id"], "due_at": self.later(millis) });
        let task = self.as_creator().post("/api/v1/tasks", &new).await.expect(201);
        (article, task)
    }

    /// A task as the API shows it now.
    pub async fn task(&self, task: &Value) -> Value {
        let path = format!("/api/v1/tasks/{}", task["id"].as_str().expect("a task has an id"));
        self.as_admin().get(&path).await.expect(200)
    }

    /// Stops serving and waits for it, e.g. before another house opens the same data.
    pub async fn stop(&self) {
        self.running.stop.cancel();
        self.running.tasks.wait().await;
    }
}

/// A browser without cookies at that address.
pub fn client_at(address: &str, agent: &str) -> Client {
    Client { address: address.to_owned(), agent: agent.to_owned(), ..Client::default() }
}

/// What a story stands on: its settings, its folder, and the servers it must keep.
type Ground = (Flavour, Config, TempDir, Option<(Arc<rig::Postgres>, Arc<rig::Redis>)>);

/// Sets the clock of PostgreSQL to the story's; that of SQLite is the story's already.
fn align(house: &House, clock: &ManualClock) {
    if matches!(house.parts.store, store::Store::Postgres { .. }) {
        house.parts.store.shift_clock(clock.now().since(SystemClock.now()));
    }
}

/// Fresh storage of a flavour.
async fn settings(
    flavour: Flavour,
    data: &TempDir,
) -> (Config, Option<(Arc<rig::Postgres>, Arc<rig::Redis>)>) {
    let config = Config {
        node: "story".to_owned(),
        webhook_allow_private: true,
        webhook_allow_http: true,
        ..Config::new(data.path())
    };
    if flavour == Flavour::Embedded {
        return (config, None);
    }
    let (postgres, redis) = (rig::postgres().await, rig::redis().await);
    let config = Config {
        database_url: Some(Address(postgres.fresh_database())),
        redis_url: Some(Address(redis.url())),
        redis_tag: Some(uuid::Uuid::now_v7().simple().to_string()),
        connections: 4,
        ..config
    };
    (config, Some((postgres, redis)))
}

fn serve(house: &Arc<House>, listener: TcpListener, with_loops: bool) -> Running {
    let (stop, tasks) = (CancellationToken::new(), TaskTracker::new());
    let (house, end) = (Arc::clone(house), stop.clone());
    tasks.spawn(async move {
        let served = if with_loops {
            house.serve(listener, end).await
        } else {
            house.serve_pages(listener, end).await
        };
        served.expect("it serves until it is told to stop");
    });
    tasks.close();
    Running { stop, tasks }
}

async fn account(house: &House, name: &str, role: Role) -> Account {
    let (email, password) = (format!("{name}@desk.test"), format!("a long word for {name}"));
    let mut tx = house.parts.store.begin(Who::People).await.expect("the database answers");
    let desk = setting::desk(tx.conn()).await.expect("the desk has settings");
    let person = Person {
        id: PersonId::fresh(),
        email: email.clone(),
        name: name.to_owned(),
        role,
        is_disabled: false,
        zone: desk.zone,
        language: desk.language,
        theme: Theme::Auto,
        created_at: house.parts.clock.now(),
    };
    person::insert(tx.conn(), &person, Some(&hash(&password))).await.expect("the account is made");
    invitation::end_set_up(tx.conn()).await.expect("nobody sets it up again");
    tx.commit().await.expect("the account is kept");
    let (_, token) =
        house.people.create_token_for(&email, "story", Scope::Write).await.expect("a token is made");
    let actor = Actor {
        person: person.id,
        role,
        zone: person.zone,
        language: person.language,
        idempotency: None,
        session: None,
    };
    Account { actor, email, password, token }
}

/// Hashes each password once for all stories: to do so for each of them took a sixth of their time.
fn hash(password: &str) -> String {
    static KNOWN: Mutex<BTreeMap<String, String>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let made = || password_hash::hash(password, &mut password_hash::Memory::default()).expect("a hash");
    known.entry(password.to_owned()).or_insert_with(made).clone()
}
