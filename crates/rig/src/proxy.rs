//! A way between a program and a server that can be cut, held up or forgotten.

use crate::port::answers;
use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{
        TcpListener, TcpStream,
        tcp::{OwnedReadHalf, OwnedWriteHalf},
    },
    sync::watch,
    task::JoinSet,
};

/// How it is on the way.
#[derive(Debug, Clone, Copy, Default)]
struct Weather {
    /// Where new connections lead.
    target: u16,
    is_held: bool,
    /// How long everything takes, each way.
    delay: Duration,
    cuts: u64,
    forgets: u64,
}

/// What becomes of some bytes.
enum Fate {
    Arrives,
    Vanishes,
    Ends,
}

/// A text whose answer is to be lost.
type Trap = Arc<Mutex<Option<Vec<u8>>>>;

/// Listens on a port of its own and hands everything on. It ends, with all connections, when it is dropped.
#[derive(Debug)]
pub struct Proxy {
    port: u16,
    weather: watch::Sender<Weather>,
    trap: Trap,
    taken: Arc<AtomicU64>,
    _serving: JoinSet<()>,
}

impl Proxy {
    /// A way to the server on that port of the loopback, whether it runs or not.
    ///
    /// # Panics
    /// If the loopback has no free port.
    pub async fn to(target: u16) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("the loopback has a free port");
        let port = listener.local_addr().expect("its address").port();
        let weather = watch::Sender::new(Weather { target, ..Weather::default() });
        let (trap, taken) = (Trap::default(), Arc::<AtomicU64>::default());
        let mut serving = JoinSet::new();
        serving.spawn(serve(listener, weather.subscribe(), Arc::clone(&trap), Arc::clone(&taken)));
        answers(port).await;
        Self { port, weather, trap, taken, _serving: serving }
    }

    /// Where it listens.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// How many connections were opened to it so far, whether or not there was a server behind it.
    #[must_use]
    pub fn taken(&self) -> u64 {
        self.taken.load(Ordering::SeqCst)
    }

    /// Ends all connections, and leads new ones to another server on the loopback: an address that moves to whoever takes over.
    pub fn lead_to(&self, target: u16) {
        self.weather.send_modify(|weather| {
            weather.target = target;
            weather.cuts += 1;
        });
    }

    /// Ends all connections, whatever is under way on them.
    pub fn cut(&self) {
        self.weather.send_modify(|weather| weather.cuts += 1);
    }

    /// The next time this text is sent through here, it arrives; the answer to it does not, and its connection ends. Once.
    pub fn lose_the_answer_to(&self, text: &str) {
        *self.trap.lock().unwrap_or_else(PoisonError::into_inner) = Some(text.as_bytes().to_vec());
    }

    /// Whether a text whose answer is to be lost has not been sent yet.
    #[must_use]
    pub fn lurks(&self) -> bool {
        self.trap.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// Forgets the connections there are, as a firewall does or a server that lost its power: what is sent on them vanishes, both
    /// ways, and nobody is told. New ones pass.
    pub fn forget(&self) {
        self.weather.send_modify(|weather| weather.forgets += 1);
    }

    /// From now on everything takes so long, each way.
    pub fn delay(&self, delay: Duration) {
        self.weather.send_modify(|weather| weather.delay = delay);
    }

    /// From now on nothing arrives, or everything again, held bytes first. Nobody is told: the connections stay.
    pub fn hold(&self, is_held: bool) {
        self.weather.send_modify(|weather| weather.is_held = is_held);
    }
}

async fn serve(listener: TcpListener, weather: watch::Receiver<Weather>, trap: Trap, taken: Arc<AtomicU64>) {
    let mut open = JoinSet::new();
    while let Ok((near, _)) = listener.accept().await {
        taken.fetch_add(1, Ordering::SeqCst);
        open.spawn(join(near, weather.clone(), Arc::clone(&trap)));
        while open.try_join_next().is_some() {}
    }
}

/// One connection, until one side ends it or it is cut; once it is forgotten, until the near side ends it.
async fn join(near: TcpStream, weather: watch::Receiver<Weather>, trap: Trap) {
    let Weather { target, cuts, forgets, .. } = *weather.borrow();
    let Ok(far) = TcpStream::connect(("127.0.0.1", target)).await else { return };
    if near.set_nodelay(true).is_err() || far.set_nodelay(true).is_err() {
        return;
    }
    let ((from_near, to_near), (from_far, to_far)) = (near.into_split(), far.into_split());
    let (is_sprung, now) = (AtomicBool::new(false), weather.clone());
    let is_forgotten = || now.borrow().forgets > forgets;
    let there = |bytes: &[u8]| {
        if is_forgotten() {
            return Fate::Vanishes;
        }
        let is_it = spring(&trap, bytes);
        is_sprung.fetch_or(is_it, Ordering::SeqCst);
        Fate::Arrives
    };
    let back = |_: &[u8]| match is_sprung.load(Ordering::SeqCst) {
        _ if is_forgotten() => Fate::Vanishes,
        true => Fate::Ends,
        false => Fate::Arrives,
    };
    let far_ends = async {
        pump(from_far, to_near, weather.clone(), back).await;
        if is_forgotten() {
            std::future::pending().await
        }
    };
    let mut ends = weather.clone();
    tokio::select! {
        () = pump(from_near, to_far, weather.clone(), there) => {}
        () = far_ends => {}
        _ = ends.wait_for(|weather| weather.cuts > cuts) => {}
    }
}

/// Whether the text that is waited for is among these bytes; it is waited for no longer then.
fn spring(trap: &Trap, bytes: &[u8]) -> bool {
    let mut trap = trap.lock().unwrap_or_else(PoisonError::into_inner);
    let is_it = trap.as_ref().is_some_and(|text| bytes.windows(text.len()).any(|part| part == &text[..]));
    if is_it {
        *trap = None;
    }
    is_it
}

/// Hands on what comes, until an end comes, or something with which it ends.
async fn pump(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    mut weather: watch::Receiver<Weather>,
    fate: impl Fn(&[u8]) -> Fate,
) {
    let mut bytes = vec![0; 16 * 1024];
    while let Ok(count @ 1..) = from.read(&mut bytes).await {
        if weather.wait_for(|weather| !weather.is_held).await.is_err() {
            return;
        }
        let delay = weather.borrow().delay;
        if !delay.is_zero() {
            tokio::time::sleep(delay).await;
        }
        match fate(&bytes[..count]) {
            Fate::Vanishes => {}
            Fate::Arrives if to.write_all(&bytes[..count]).await.is_ok() => {}
            Fate::Arrives | Fate::Ends => return,
        }
    }
}
