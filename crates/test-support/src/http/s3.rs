//! An S3 server: `s3s` with its file system as storage. It checks the signatures of all requests.

use crate::port::wait_for_port;
use hyper::{Method, Request, body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use s3s::{
    auth::SimpleAuth,
    service::{S3Service, S3ServiceBuilder},
};
use s3s_fs::FileSystem;
use std::{
    io,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};
use tempfile::TempDir;
use tokio::{net::TcpListener, task::JoinSet};

/// A running S3 server with one bucket. Stops when dropped.
#[derive(Debug)]
pub struct S3 {
    port: u16,
    folder: TempDir,
    /// Number of PUT requests that it still answers.
    puts: Arc<AtomicUsize>,
    serving: JoinSet<()>,
}

impl S3 {
    /// Name of its bucket.
    pub const BUCKET: &str = "desk-media";
    /// Id of its access key.
    pub const ACCESS_KEY_ID: &str = "desk";
    /// Secret of its access key.
    pub const SECRET_ACCESS_KEY: &str = "open sesame, open sesame";

    /// Starts a server on a free port.
    ///
    /// # Panics
    /// If the loopback has no free port.
    pub async fn start() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        std::fs::create_dir(folder.path().join(Self::BUCKET)).expect("its bucket");
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("the loopback has a free port");
        let port = listener.local_addr().expect("its address").port();
        let puts = Arc::new(AtomicUsize::new(usize::MAX));
        let mut serving = JoinSet::new();
        serving.spawn(serve(listener, service(folder.path()), Arc::clone(&puts)));
        wait_for_port(port).await;
        Self { port, folder, puts, serving }
    }

    /// Returns its URL, `http://127.0.0.1:PORT`.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Stops it with all connections. Its objects stay.
    pub async fn stop(&mut self) {
        self.serving.shutdown().await;
    }

    /// Starts it again on its port.
    ///
    /// # Panics
    /// If another program has taken the port.
    pub async fn restart(&mut self) {
        let listener = TcpListener::bind(("127.0.0.1", self.port)).await.expect("its port is free");
        self.serving.spawn(serve(listener, service(self.folder.path()), Arc::clone(&self.puts)));
        wait_for_port(self.port).await;
    }

    /// Answers this many PUT requests (an object, or a part of one), then closes the connection of each one: as a server that stops
    /// in the middle of an upload.
    pub fn allow_puts(&self, count: usize) {
        self.puts.store(count, Ordering::SeqCst);
    }

    /// Returns the names of all objects of the bucket, in order.
    ///
    /// # Panics
    /// If its folder cannot be read.
    #[must_use]
    pub fn objects(&self) -> Vec<String> {
        let bucket = self.folder.path().join(Self::BUCKET);
        let mut names = Vec::new();
        let mut folders = vec![bucket.clone()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).expect("a folder of its objects").flatten() {
                let path = entry.path();
                match path.is_dir() {
                    true => folders.push(path),
                    false => names.push(name_of(&bucket, &path)),
                }
            }
        }
        names.sort();
        names
    }

    /// Returns the number of files of uploads in parts that were neither completed nor aborted.
    ///
    /// # Panics
    /// If its folder cannot be read.
    #[must_use]
    pub fn unfinished_uploads(&self) -> usize {
        let entries = std::fs::read_dir(self.folder.path()).expect("the folder of its buckets").flatten();
        entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(".upload")).count()
    }

    /// Writes an object, as another program does.
    ///
    /// # Panics
    /// If it cannot be written.
    pub fn put(&self, name: &str, content: &[u8]) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("it is below the bucket")).expect("its folder");
        std::fs::write(path, content).expect("it can be written");
    }

    /// Deletes an object, as another program does.
    ///
    /// # Panics
    /// If it does not exist.
    pub fn delete(&self, name: &str) {
        std::fs::remove_file(self.path(name)).expect("the object exists");
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(Self::BUCKET).join(name)
    }
}

fn name_of(bucket: &Path, path: &Path) -> String {
    let name = path.strip_prefix(bucket).expect("it is below the bucket");
    name.to_str().expect("names are text").to_owned()
}

fn service(folder: &Path) -> S3Service {
    let mut builder = S3ServiceBuilder::new(FileSystem::new(folder).expect("a folder for its objects"));
    builder.set_auth(SimpleAuth::from_single(S3::ACCESS_KEY_ID, S3::SECRET_ACCESS_KEY));
    builder.build()
}

async fn serve(listener: TcpListener, service: S3Service, puts: Arc<AtomicUsize>) {
    let mut open = JoinSet::new();
    while let Ok((client, _)) = listener.accept().await {
        let (service, puts) = (service.clone(), Arc::clone(&puts));
        open.spawn(async move {
            let answer = service_fn(move |request: Request<Incoming>| {
                let is_answered = request.method() != Method::PUT || may_put(&puts);
                let service = service.clone();
                async move {
                    if !is_answered {
                        return Err(io::Error::other("it stops here"));
                    }
                    let answered = hyper::service::Service::call(&service, request).await;
                    answered.map_err(|why| io::Error::other(format!("{why:?}")))
                }
            });
            // A client may leave at any time.
            let _ = http1::Builder::new().serve_connection(TokioIo::new(client), answer).await;
        });
        while open.try_join_next().is_some() {}
    }
}

/// Whether one more PUT request is answered.
fn may_put(puts: &AtomicUsize) -> bool {
    puts.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1)).is_ok()
}
