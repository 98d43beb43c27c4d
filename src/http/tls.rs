//! HTTPS without a proxy: certificate and key from files, which are read again when they change.

use crate::process::{cli_error::CliError, config::CertificateFiles};
use domain::Timestamp;
use rustls::{
    CertificateError, Error, RootCertStore, ServerConfig,
    client::verify_server_cert_signed_by_trust_anchor,
    crypto::ring,
    pki_types::{CertificateDer, PrivateKeyDer, UnixTime, pem::PemObject as _},
    server::ParsedCertificate,
};
use sha2::{Digest as _, Sha256};
use std::{
    fmt,
    path::Path,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use tokio_rustls::TlsAcceptor;

/// The certificate with which this server answers.
pub struct ServerTls {
    files: CertificateFiles,
    state: Mutex<State>,
}

struct State {
    /// For new connections.
    acceptor: TlsAcceptor,
    /// Digest of the files, or the error, at the last reading. Another one is a change.
    seen: Vec<u8>,
    /// Whether that reading could be used. Otherwise it is tried again: its time may come.
    is_used: bool,
}

impl fmt::Debug for ServerTls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServerTls").field("files", &self.files).finish_non_exhaustive()
    }
}

impl ServerTls {
    /// Reads certificate and key.
    ///
    /// # Errors
    /// If a file cannot be read, they do not belong together, or the certificate is not valid at `now`.
    pub fn read(files: &CertificateFiles, now: Timestamp) -> Result<Self, CliError> {
        let pem = PemFiles::read(files)?;
        let state = State { acceptor: pem.acceptor(files, now)?, seen: pem.digest(), is_used: true };
        Ok(Self { files: files.clone(), state: Mutex::new(state) })
    }

    /// Reads the files again. If they have changed and can be used, new connections use them. If they
    /// cannot be used, the previous ones stay, and the reason is logged once.
    pub fn read_again(&self, now: Timestamp) {
        let pem = PemFiles::read(&self.files);
        let seen = match &pem {
            Ok(pem) => pem.digest(),
            Err(why) => why.to_string().into_bytes(),
        };
        let (is_known, was_used) = {
            let state = self.state();
            (seen == state.seen, state.is_used)
        };
        if is_known && was_used {
            return;
        }
        let read = pem.and_then(|pem| pem.acceptor(&self.files, now));
        let is_used = read.is_ok();
        match read {
            Ok(acceptor) => {
                self.state().acceptor = acceptor;
                tracing::info!(
                    "new connections use the changed certificate in {}",
                    self.files.cert.display()
                );
            }
            Err(_) if is_known => {}
            Err(why) => tracing::warn!("{why}; new connections use the previous certificate"),
        }
        let mut state = self.state();
        state.seen = seen;
        state.is_used = is_used;
    }

    /// Returns the acceptor for a new connection.
    #[must_use]
    pub fn acceptor(&self) -> TlsAcceptor {
        self.state().acceptor.clone()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Contents of the files.
struct PemFiles {
    cert: Vec<u8>,
    key: Vec<u8>,
}

impl PemFiles {
    fn read(files: &CertificateFiles) -> Result<Self, CliError> {
        let read = |setting: &str, file: &Path| {
            std::fs::read(file).map_err(|why| wrong(setting, file, &format!("cannot be read: {why}")))
        };
        Ok(Self { cert: read("tls-cert", &files.cert)?, key: read("tls-key", &files.key)? })
    }

    fn digest(&self) -> Vec<u8> {
        let digests = [&self.cert, &self.key].map(|text| Sha256::digest(text).to_vec());
        digests.concat()
    }

    /// Returns an acceptor with TLS 1.2 and 1.3.
    fn acceptor(&self, files: &CertificateFiles, now: Timestamp) -> Result<TlsAcceptor, CliError> {
        let of_cert = |why: &str| wrong("tls-cert", &files.cert, why);
        let of_key = |why: &str| wrong("tls-key", &files.key, why);
        let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&self.cert).collect();
        let chain = chain.map_err(|_| of_cert("is no list of certificates (PEM)"))?;
        let Some(own) = chain.first() else {
            return Err(of_cert("has no certificate in it (PEM: -----BEGIN CERTIFICATE-----)"));
        };
        check_time(own, &files.cert, now)?;
        let key = PrivateKeyDer::from_pem_slice(&self.key).map_err(|_| {
            of_key("has no private key without a passphrase in it (PEM: -----BEGIN PRIVATE KEY-----)")
        })?;
        let builder = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(|why| CliError::Broken(why.to_string()))?;
        let config = builder.with_no_client_auth().with_single_cert(chain, key);
        let mut config = config.map_err(|why| match why {
            Error::InconsistentKeys(_) => {
                of_key(&format!("does not fit the certificate in {}", files.cert.display()))
            }
            why => of_key(&format!("cannot be used: {why}")),
        })?;
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(TlsAcceptor::from(Arc::new(config)))
    }
}

fn wrong(setting: &str, file: &Path, why: &str) -> CliError {
    CliError::Usage(format!("{setting}: {} {why}", file.display()))
}

/// Checks that the certificate in `file` is valid now. Whom clients trust is not checked.
fn check_time(certificate: &CertificateDer<'_>, file: &Path, now: Timestamp) -> Result<(), CliError> {
    let parsed = ParsedCertificate::try_from(certificate)
        .map_err(|_| wrong("tls-cert", file, "has a certificate in it that cannot be used"))?;
    let seconds = u64::try_from(now.millis() / 1_000).unwrap_or_default();
    let now = UnixTime::since_unix_epoch(Duration::from_secs(seconds));
    let algorithms = ring::default_provider().signature_verification_algorithms.all;
    // The time is checked before the issuer, which is never found without roots.
    let roots = RootCertStore::empty();
    let Err(Error::InvalidCertificate(why)) =
        verify_server_cert_signed_by_trust_anchor(&parsed, &roots, &[], now, algorithms)
    else {
        return Ok(());
    };
    // Not wrong usage: a later start succeeds, after a renewal or when the clock is right.
    let failed = |why: &str| Err(CliError::Failed(format!("tls-cert: {} {why}", file.display())));
    match why {
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
            failed("has expired; renew the certificate")
        }
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            failed("is not valid yet; check the clock of this machine")
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{Clock as _, clock::SystemClock};
    use std::fs;
    use test_support::Authority;

    fn files(authority: &Authority) -> CertificateFiles {
        CertificateFiles { cert: authority.server_cert(), key: authority.server_key() }
    }

    #[test]
    fn changed_files_are_used_and_wrong_ones_are_not() {
        let (own, other, now) = (Authority::generate(), Authority::generate(), SystemClock.now());
        let tls = ServerTls::read(&files(&own), now).unwrap();
        let is_same = |one: &TlsAcceptor, other: &TlsAcceptor| Arc::ptr_eq(one.config(), other.config());
        let first = tls.acceptor();
        tls.read_again(now);
        assert!(is_same(&first, &tls.acceptor()), "nothing has changed");
        // Between the two copies of a renewal, the key does not fit.
        fs::copy(other.server_cert(), own.server_cert()).unwrap();
        tls.read_again(now);
        assert!(is_same(&first, &tls.acceptor()), "the key does not fit");
        fs::copy(other.server_key(), own.server_key()).unwrap();
        tls.read_again(now);
        let second = tls.acceptor();
        assert!(!is_same(&first, &second), "the files were changed");
        fs::remove_file(own.server_key()).unwrap();
        tls.read_again(now);
        assert!(is_same(&second, &tls.acceptor()), "the key is missing");
    }

    #[test]
    fn a_certificate_that_is_not_valid_yet_is_used_when_its_time_comes() {
        let (own, other, now) = (Authority::generate(), Authority::generate(), SystemClock.now());
        let tls = ServerTls::read(&files(&own), now).unwrap();
        let first = tls.acceptor();
        fs::copy(other.server_cert(), own.server_cert()).unwrap();
        fs::copy(other.server_key(), own.server_key()).unwrap();
        // The clock is wrong when the files change.
        tls.read_again(Timestamp::from_millis(0));
        assert!(Arc::ptr_eq(first.config(), tls.acceptor().config()), "not valid yet");
        tls.read_again(now);
        assert!(!Arc::ptr_eq(first.config(), tls.acceptor().config()), "the clock is right again");
    }

    #[test]
    fn a_certificate_is_refused_before_and_after_its_time() {
        let (authority, now) = (Authority::generate_until(2020), SystemClock.now());
        let expired = ServerTls::read(&files(&authority), now).unwrap_err().to_string();
        assert!(expired.contains("has expired"), "{expired}");
        let authority = Authority::generate();
        assert!(ServerTls::read(&files(&authority), now).is_ok());
        // Certificates of the tests are valid from 1975 on.
        let early = ServerTls::read(&files(&authority), Timestamp::from_millis(0)).unwrap_err().to_string();
        assert!(early.contains("not valid yet"), "{early}");
    }
}
