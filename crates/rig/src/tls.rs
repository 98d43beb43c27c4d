//! A certificate authority of one's own, and TLS before servers that have none.

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};
use tempfile::TempDir;
use tokio::{
    net::{TcpListener, TcpStream},
    task::JoinSet,
};
use tokio_rustls::{
    TlsAcceptor,
    rustls::{
        ServerConfig,
        crypto::ring,
        pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer},
    },
};

/// An authority that nobody believes by default, and a server's certificate by it for `localhost` and 127.0.0.1.
#[derive(Debug)]
pub struct Authority {
    folder: TempDir,
    server: Arc<ServerConfig>,
}

impl Authority {
    /// A fresh one.
    ///
    /// # Panics
    /// If the temporary folder cannot be written.
    #[must_use]
    pub fn fresh() -> Self {
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let issuer = CertifiedIssuer::self_signed(params, key()).expect("a certificate of its own");
        let server_key = key();
        let names = ["localhost".to_owned(), "127.0.0.1".to_owned()];
        let server = CertificateParams::new(names).expect("names of a server");
        let server = server.signed_by(&server_key, &issuer).expect("a certificate for the server");
        let folder = tempfile::tempdir().expect("a temporary folder");
        let write = |name: &str, text: String| std::fs::write(folder.path().join(name), text);
        write("authority.pem", issuer.pem()).expect("the authority");
        write("server.pem", server.pem()).expect("the server's certificate");
        write("server.key", server_key.serialize_pem()).expect("the server's key");
        let secret = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(server_key.serialize_der()));
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .expect("versions of TLS")
            .with_no_client_auth()
            .with_single_cert(vec![server.der().clone()], secret)
            .expect("the key fits the certificate");
        Self { folder, server: Arc::new(config) }
    }

    /// The file (PEM) that makes others believe it.
    #[must_use]
    pub fn file(&self) -> PathBuf {
        self.folder.path().join("authority.pem")
    }

    /// Where `server.pem` and `server.key` lie.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Greets as its server.
    #[must_use]
    pub fn acceptor(&self) -> TlsAcceptor {
        TlsAcceptor::from(Arc::clone(&self.server))
    }

    /// An encrypted port before an open one of the loopback.
    ///
    /// # Panics
    /// If the loopback has no free port.
    pub async fn before(&self, port: u16) -> Front {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("the loopback has a free port");
        let front = listener.local_addr().expect("its address").port();
        let (acceptor, mut serving) = (self.acceptor(), JoinSet::new());
        serving.spawn(async move {
            let mut open = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                // Who does not believe it goes away: that is its right.
                open.spawn(pass(acceptor.clone(), stream, port));
            }
        });
        Front { port: front, _serving: serving }
    }
}

/// TLS before a server; ends when it is dropped.
#[derive(Debug)]
pub struct Front {
    /// Where it listens, on the loopback.
    pub port: u16,
    _serving: JoinSet<()>,
}

async fn pass(acceptor: TlsAcceptor, stream: TcpStream, port: u16) -> std::io::Result<()> {
    let mut outside = acceptor.accept(stream).await?;
    let mut inside = TcpStream::connect(("127.0.0.1", port)).await?;
    tokio::io::copy_bidirectional(&mut outside, &mut inside).await.map(drop)
}

fn key() -> KeyPair {
    KeyPair::generate().expect("a key")
}
