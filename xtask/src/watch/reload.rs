//! Reloads the pages that are open in browsers: a stream of Server-Sent Events on a loopback port.
//!
//! Each page has a script of the server (`src/http/assets/watch.js`) that reads the stream. Events:
//! `build` (id of the running build) on connection and after each change of it; `style` (URLs of
//! the new stylesheets). A page reloads when the id differs from the first one it received.

use anyhow::{Context, Result};
use std::{
    io::{self, Read as _, Write as _},
    net::{Ipv4Addr, TcpListener, TcpStream},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
    time::Duration,
};

/// The port of live-reload tools. It stays the same, so that open pages find the next `watch`. If
/// it is in use, the system chooses another one.
const PORT: u16 = 35_729;
/// Timeout for reading the request and for sending an event.
const CLIENT_TIMEOUT: Duration = Duration::from_secs(1);
/// Any page may read the stream: it contains nothing but ids and URLs of stylesheets. Browsers
/// reconnect after half a second.
const HEAD: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\n\
                    Access-Control-Allow-Origin: *\r\nConnection: close\r\n\r\nretry: 500\n\n";

/// The stream to the open pages.
pub struct Reload {
    port: u16,
    pages: Arc<Mutex<Pages>>,
}

/// The open pages.
struct Pages {
    /// Number of builds of this process.
    build: u32,
    streams: Vec<TcpStream>,
}

impl Reload {
    /// Listens for pages until the process ends.
    pub fn listen() -> Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, PORT))
            .or_else(|_| TcpListener::bind((Ipv4Addr::LOCALHOST, 0)))
            .context("no port for reloading the browser")?;
        Self::serve(listener)
    }

    fn serve(listener: TcpListener) -> Result<Self> {
        let port = listener.local_addr()?.port();
        let pages = Arc::new(Mutex::new(Pages { build: 0, streams: Vec::new() }));
        let reload = Self { port, pages: Arc::clone(&pages) };
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                // A page that closes the connection immediately needs no answer.
                let _ = accept(stream).and_then(|stream| lock(&pages).add(stream));
            }
        });
        Ok(reload)
    }

    /// The port of the stream.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Reloads the pages: a new build is running.
    pub fn reload_pages(&self) {
        let mut pages = lock(&self.pages);
        pages.build += 1;
        let event = pages.build_event();
        pages.send(&event);
    }

    /// Replaces the stylesheets of the pages without reloading them. The URLs are separated by
    /// spaces.
    pub fn replace_styles(&self, urls: &str) {
        lock(&self.pages).send(&format!("event: style\ndata: {urls}\n\n"));
    }
}

impl Pages {
    fn add(&mut self, mut stream: TcpStream) -> io::Result<()> {
        stream.write_all(self.build_event().as_bytes())?;
        self.streams.push(stream);
        Ok(())
    }

    /// The id differs between two runs of this program too.
    fn build_event(&self) -> String {
        format!("event: build\ndata: {}-{}\n\n", std::process::id(), self.build)
    }

    /// Sends an event to all pages, and forgets those that were closed.
    fn send(&mut self, event: &str) {
        self.streams.retain_mut(|stream| stream.write_all(event.as_bytes()).is_ok());
    }
}

/// Answers a request. Every request gets the same answer. Browsers send the head in one packet.
fn accept(mut stream: TcpStream) -> io::Result<TcpStream> {
    stream.set_read_timeout(Some(CLIENT_TIMEOUT))?;
    stream.set_write_timeout(Some(CLIENT_TIMEOUT))?;
    let _ = stream.read(&mut [0; 8192])?;
    stream.write_all(HEAD.as_bytes())?;
    Ok(stream)
}

fn lock(pages: &Mutex<Pages>) -> MutexGuard<'_, Pages> {
    pages.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufRead as _, BufReader};

    #[test]
    fn an_open_page_receives_the_build_on_connection_and_each_later_change() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let reload = Reload::serve(listener).unwrap();
        let mut page = TcpStream::connect((Ipv4Addr::LOCALHOST, reload.port())).unwrap();
        page.write_all(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n").unwrap();
        let mut lines = BufReader::new(page).lines().map(Result::unwrap);
        let mut next = || lines.find(|line| line.starts_with("event:") || line.starts_with("data:")).unwrap();
        let id = std::process::id();
        assert_eq!([next(), next()], ["event: build".to_owned(), format!("data: {id}-0")]);
        reload.replace_styles("/pkg/main.1.css /pkg/site.2.css");
        assert_eq!([next(), next()], ["event: style", "data: /pkg/main.1.css /pkg/site.2.css"]);
        reload.reload_pages();
        assert_eq!([next(), next()], ["event: build".to_owned(), format!("data: {id}-1")]);
    }
}
