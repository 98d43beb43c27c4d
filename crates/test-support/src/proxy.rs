//! A TCP proxy that can cut, delay, hold or silently drop connections.

use crate::port::wait_for_port;
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

/// What the proxy does at present.
#[derive(Debug, Clone, Copy, Default)]
struct Conditions {
    /// Port to which new connections lead.
    target: u16,
    is_held: bool,
    /// Delay in each direction.
    delay: Duration,
    cuts: u64,
    drops: u64,
}

/// What to do with received bytes.
enum Action {
    Forward,
    Drop,
    Close,
}

/// A text whose response is to be dropped.
type PendingDrop = Arc<Mutex<Option<Vec<u8>>>>;

/// Listens on a free port and forwards connections. Stops, with all connections, when dropped.
#[derive(Debug)]
pub struct Proxy {
    port: u16,
    conditions: watch::Sender<Conditions>,
    pending_drop: PendingDrop,
    accepted: Arc<AtomicU64>,
    _serving: JoinSet<()>,
}

impl Proxy {
    /// Starts a proxy to the server on this loopback port, whether that runs or not.
    ///
    /// # Panics
    /// If the loopback has no free port.
    pub async fn to(target: u16) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("the loopback has a free port");
        let port = listener.local_addr().expect("its address").port();
        let conditions = watch::Sender::new(Conditions { target, ..Conditions::default() });
        let (pending_drop, accepted) = (PendingDrop::default(), Arc::<AtomicU64>::default());
        let mut serving = JoinSet::new();
        serving.spawn(serve(
            listener,
            conditions.subscribe(),
            Arc::clone(&pending_drop),
            Arc::clone(&accepted),
        ));
        wait_for_port(port).await;
        Self { port, conditions, pending_drop, accepted, _serving: serving }
    }

    /// Returns the port on which it listens.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Returns how many connections it has accepted, whether or not the server was running.
    #[must_use]
    pub fn connection_count(&self) -> u64 {
        self.accepted.load(Ordering::SeqCst)
    }

    /// Closes all connections and leads new ones to another loopback port, as an address that moves
    /// in a failover.
    pub fn retarget(&self, target: u16) {
        self.conditions.send_modify(|conditions| {
            conditions.target = target;
            conditions.cuts += 1;
        });
    }

    /// Closes all connections.
    pub fn cut(&self) {
        self.conditions.send_modify(|conditions| conditions.cuts += 1);
    }

    /// Forwards the next request that contains this text, but drops the response and closes the
    /// connection. Once.
    pub fn drop_response_to(&self, text: &str) {
        *self.pending_drop.lock().unwrap_or_else(PoisonError::into_inner) = Some(text.as_bytes().to_vec());
    }

    /// Whether the text of [`Proxy::drop_response_to`] has not been sent yet.
    #[must_use]
    pub fn is_drop_pending(&self) -> bool {
        self.pending_drop.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    /// Silently drops all bytes of the present connections, as a firewall or a server without power
    /// does. New connections work.
    pub fn drop_silently(&self) {
        self.conditions.send_modify(|conditions| conditions.drops += 1);
    }

    /// Delays everything in each direction from now on.
    pub fn delay(&self, delay: Duration) {
        self.conditions.send_modify(|conditions| conditions.delay = delay);
    }

    /// Holds all bytes back, or releases them in order. The connections stay open.
    pub fn hold(&self, is_held: bool) {
        self.conditions.send_modify(|conditions| conditions.is_held = is_held);
    }
}

async fn serve(
    listener: TcpListener,
    conditions: watch::Receiver<Conditions>,
    pending_drop: PendingDrop,
    accepted: Arc<AtomicU64>,
) {
    let mut open = JoinSet::new();
    while let Ok((client, _)) = listener.accept().await {
        accepted.fetch_add(1, Ordering::SeqCst);
        open.spawn(forward(client, conditions.clone(), Arc::clone(&pending_drop)));
        while open.try_join_next().is_some() {}
    }
}

/// Serves one connection until a side closes it or it is cut; after a silent drop, until the client
/// closes it.
async fn forward(client: TcpStream, conditions: watch::Receiver<Conditions>, pending_drop: PendingDrop) {
    let Conditions { target, cuts, drops, .. } = *conditions.borrow();
    let Ok(server) = TcpStream::connect(("127.0.0.1", target)).await else { return };
    if client.set_nodelay(true).is_err() || server.set_nodelay(true).is_err() {
        return;
    }
    let ((from_client, to_client), (from_server, to_server)) = (client.into_split(), server.into_split());
    let (is_triggered, now) = (AtomicBool::new(false), conditions.clone());
    let is_dropped = || now.borrow().drops > drops;
    let to_server_action = |bytes: &[u8]| {
        if is_dropped() {
            return Action::Drop;
        }
        let is_found = trigger(&pending_drop, bytes);
        is_triggered.fetch_or(is_found, Ordering::SeqCst);
        Action::Forward
    };
    let to_client_action = |_: &[u8]| match is_triggered.load(Ordering::SeqCst) {
        _ if is_dropped() => Action::Drop,
        true => Action::Close,
        false => Action::Forward,
    };
    let server_closes = async {
        copy(from_server, to_client, conditions.clone(), to_client_action).await;
        if is_dropped() {
            std::future::pending().await
        }
    };
    let mut cut = conditions.clone();
    tokio::select! {
        () = copy(from_client, to_server, conditions.clone(), to_server_action) => {}
        () = server_closes => {}
        _ = cut.wait_for(|conditions| conditions.cuts > cuts) => {}
    }
}

/// Whether these bytes contain the text that is waited for. Then it is waited for no longer.
fn trigger(pending_drop: &PendingDrop, bytes: &[u8]) -> bool {
    let mut pending_drop = pending_drop.lock().unwrap_or_else(PoisonError::into_inner);
    let is_found =
        pending_drop.as_ref().is_some_and(|text| bytes.windows(text.len()).any(|part| part == &text[..]));
    if is_found {
        *pending_drop = None;
    }
    is_found
}

/// Forwards bytes until the source closes or `action` says so.
async fn copy(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    mut conditions: watch::Receiver<Conditions>,
    action: impl Fn(&[u8]) -> Action,
) {
    let mut bytes = vec![0; 16 * 1024];
    while let Ok(count @ 1..) = from.read(&mut bytes).await {
        if conditions.wait_for(|conditions| !conditions.is_held).await.is_err() {
            return;
        }
        let delay = conditions.borrow().delay;
        if !delay.is_zero() {
            tokio::time::sleep(delay).await;
        }
        match action(&bytes[..count]) {
            Action::Drop => {}
            Action::Forward if to.write_all(&bytes[..count]).await.is_ok() => {}
            Action::Forward | Action::Close => return,
        }
    }
}
