//! A certificate authority for tests, and a TLS proxy for servers without TLS.

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair, date_time_ymd};
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

/// An authority that no client trusts by default, and a server certificate for `localhost` and
/// 127.0.0.1.
#[derive(Debug)]
pub struct Authority {
    folder: TempDir,
    server: Arc<ServerConfig>,
}

impl Authority {
    /// Generates keys and certificates.
    ///
    /// # Panics
    /// If the temporary folder cannot be written.
    #[must_use]
    pub fn generate() -> Self {
        Self::generate_until(4096)
    }

    /// Like [`Self::generate`]; the server's certificate expires at the beginning of this year.
    ///
    /// # Panics
    /// If the temporary folder cannot be written.
    #[must_use]
    pub fn generate_until(year: i32) -> Self {
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let issuer = CertifiedIssuer::self_signed(params, key()).expect("a certificate of its own");
        let server_key = key();
        let names = ["localhost".to_owned(), "127.0.0.1".to_owned()];
        let mut server = CertificateParams::new(names).expect("names of a server");
        server.not_after = date_time_ymd(year, 1, 1);
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

    /// Returns the CA certificate file (PEM) for clients.
    #[must_use]
    pub fn file(&self) -> PathBuf {
        self.folder.path().join("authority.pem")
    }

    /// Returns the file with the server's certificate.
    #[must_use]
    pub fn server_cert(&self) -> PathBuf {
        self.folder.path().join("server.pem")
    }

    /// Returns the file with the server's private key.
    #[must_use]
    pub fn server_key(&self) -> PathBuf {
        self.folder.path().join("server.key")
    }

    /// Returns the folder with `server.pem` and `server.key`.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Returns a TLS acceptor with the server certificate.
    #[must_use]
    pub fn acceptor(&self) -> TlsAcceptor {
        TlsAcceptor::from(Arc::clone(&self.server))
    }

    /// Starts a TLS proxy in front of a server on the loopback.
    ///
    /// # Panics
    /// If the loopback has no free port.
    pub async fn start_proxy(&self, port: u16) -> TlsProxy {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("the loopback has a free port");
        let proxy_port = listener.local_addr().expect("its address").port();
        let (acceptor, mut serving) = (self.acceptor(), JoinSet::new());
        serving.spawn(async move {
            let mut open = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                // A client that does not trust the certificate disconnects.
                open.spawn(forward(acceptor.clone(), stream, port));
            }
        });
        TlsProxy { port: proxy_port, _serving: serving }
    }
}

/// A TLS proxy. Stops when dropped.
#[derive(Debug)]
pub struct TlsProxy {
    /// Its loopback port.
    pub port: u16,
    _serving: JoinSet<()>,
}

async fn forward(acceptor: TlsAcceptor, stream: TcpStream, port: u16) -> std::io::Result<()> {
    let mut outside = acceptor.accept(stream).await?;
    let mut inside = TcpStream::connect(("127.0.0.1", port)).await?;
    tokio::io::copy_bidirectional(&mut outside, &mut inside).await.map(drop)
}

fn key() -> KeyPair {
    KeyPair::generate().expect("a key")
}
