//! Notifications to systemd, which starts Presstime as a service of `Type=notify`. Each is one datagram
//! of text, see `man sd_notify`. Without systemd none is sent.

use clap::Args;
use std::{
    io,
    path::{Path, PathBuf},
    time::Duration,
};

/// What systemd passes to a service by environment variables.
#[derive(Debug, Clone, Default, Args)]
pub struct Systemd {
    /// Socket for notifications; a name that begins with @ is abstract
    #[arg(long, env = "NOTIFY_SOCKET", value_name = "PATH", hide = true)]
    notify_socket: Option<PathBuf>,
    /// After how long without a notification systemd restarts the service, microseconds
    #[arg(long, env = "WATCHDOG_USEC", value_name = "N", hide = true)]
    watchdog_usec: Option<u64>,
}

impl Systemd {
    /// Sends a notification, for example `READY=1`. An error is logged only: the service continues.
    pub fn notify(&self, state: &str) {
        let Some(socket) = &self.notify_socket else { return };
        if let Err(why) = send(socket, state) {
            tracing::warn!("systemd was not notified of {state}: {why}");
        }
    }

    /// Whether systemd, or a program like it, receives notifications.
    #[must_use]
    pub fn is_present(&self) -> bool {
        self.notify_socket.is_some()
    }

    /// Returns how often to send `WATCHDOG=1`; `None`: systemd does not wait for it.
    #[must_use]
    pub fn watchdog_interval(&self) -> Option<Duration> {
        self.watchdog_usec.filter(|timeout| *timeout > 0).map(|timeout| Duration::from_micros(timeout) / 3)
    }
}

#[cfg(target_os = "linux")]
fn send(socket: &Path, state: &str) -> io::Result<()> {
    use std::os::{
        linux::net::SocketAddrExt as _,
        unix::{
            ffi::OsStrExt as _,
            net::{SocketAddr, UnixDatagram},
        },
    };
    let address = match socket.as_os_str().as_bytes().strip_prefix(b"@") {
        Some(name) => SocketAddr::from_abstract_name(name)?,
        None => SocketAddr::from_pathname(socket)?,
    };
    let sender = UnixDatagram::unbound()?;
    sender.set_nonblocking(true)?;
    sender.send_to_addr(state.as_bytes(), &address).map(drop)
}

#[cfg(not(target_os = "linux"))]
fn send(_socket: &Path, _state: &str) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;
    use std::os::{
        linux::net::SocketAddrExt as _,
        unix::net::{SocketAddr, UnixDatagram},
    };

    /// Asserts that a notification to `name` arrives at the socket.
    fn check_arrival(name: PathBuf, socket: &UnixDatagram) {
        socket.set_nonblocking(true).unwrap();
        let systemd = Systemd { notify_socket: Some(name), watchdog_usec: Some(30_000_000) };
        systemd.notify("READY=1");
        let mut text = [0; 16];
        let length = socket.recv(&mut text).unwrap();
        assert_eq!(text.get(..length), Some(&b"READY=1"[..]));
        assert_eq!(systemd.watchdog_interval(), Some(Duration::from_secs(10)));
    }

    #[test]
    fn a_notification_arrives_at_the_socket() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notify");
        let socket = UnixDatagram::bind(&path).unwrap();
        check_arrival(path, &socket);
        let name = format!("presstime-{}", std::process::id());
        let address = SocketAddr::from_abstract_name(name.as_bytes()).unwrap();
        check_arrival(PathBuf::from(format!("@{name}")), &UnixDatagram::bind_addr(&address).unwrap());
    }

    #[test]
    fn without_systemd_nothing_is_sent() {
        let systemd = Systemd::default();
        systemd.notify("READY=1");
        assert!(!systemd.is_present() && systemd.watchdog_interval().is_none());
    }
}
