//! HTTPS without a proxy: certificate and key from files, which are read again when they change.

use crate::process::{cli_error::CliError, config::CertificateFiles};
use domain::{Timestamp, health::IssueDetail};
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

/// The end of the year 9999, seconds from 1970: no certificate has a later one.
const LAST_SECOND: u64 = 253_402_300_799;

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
    /// When the certificate of the acceptor expires.
    expires_at: Timestamp,
    /// What the log said last about its end.
    reported: Option<IssueDetail>,
}

impl fmt::Debug for ServerTls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServerTls").field("files", &self.files).finish_non_exhaustive()
    }
}

impl ServerTls {
    /// Reads certificate and key. A certificate that has expired is used: nothing is published by a server
    /// that does not start, and the log, the engine page and `doctor` report it.
    ///
    /// # Errors
    /// If a file cannot be read, they do not belong together, or the certificate is not valid yet at `now`.
    pub fn read(files: &CertificateFiles, now: Timestamp) -> Result<Self, CliError> {
        let pem = PemFiles::read(files)?;
        let (acceptor, expires_at) = pem.acceptor(files, now)?;
        let state = State { acceptor, seen: pem.digest(), is_used: true, expires_at, reported: None };
        Ok(Self { files: files.clone(), state: Mutex::new(state) })
    }

    /// Returns when the certificate for new connections expires.
    #[must_use]
    pub fn expires_at(&self) -> Timestamp {
        self.state().expires_at
    }

    /// Logs, once each, that the certificate expires soon and that it has expired.
    pub fn report_expiry(&self, now: Timestamp) {
        let mut state = self.state();
        let found = IssueDetail::of_certificate(state.expires_at, now);
        if let Some(issue) = found.as_ref().filter(|issue| Some(*issue) != state.reported.as_ref()) {
            tracing::warn!("{issue} ({})", self.files.cert.display());
        }
        state.reported = found;
    }

    /// Reads the files again. If they have changed and can be used, new connections use them. If they
    /// cannot be used, or have expired before the previous ones, those stay, and the reason is logged once.
    pub fn read_again(&self, now: Timestamp) {
        let pem = PemFiles::read(&self.files);
        let seen = match &pem {
            Ok(pem) => pem.digest(),
            Err(why) => why.to_string().into_bytes(),
        };
        let (is_known, was_used, previous) = {
            let state = self.state();
            (seen == state.seen, state.is_used, state.expires_at)
        };
        if is_known && was_used {
            return;
        }
        let read = pem.and_then(|pem| pem.acceptor(&self.files, now));
        let read = read.and_then(|(acceptor, expires_at)| match expires_at < now && expires_at < previous {
            true => Err(wrong("tls-cert", &self.files.cert, "has expired; renew the certificate")),
            false => Ok((acceptor, expires_at)),
        });
        let is_used = read.is_ok();
        match read {
            Ok((acceptor, expires_at)) => {
                let mut state = self.state();
                (state.acceptor, state.expires_at) = (acceptor, expires_at);
                drop(state);
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

    /// Returns an acceptor with TLS 1.2 and 1.3, and when its certificate expires.
    fn acceptor(
        &self,
        files: &CertificateFiles,
        now: Timestamp,
    ) -> Result<(TlsAcceptor, Timestamp), CliError> {
        let of_cert = |why: &str| wrong("tls-cert", &files.cert, why);
        let of_key = |why: &str| wrong("tls-key", &files.key, why);
        let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&self.cert).collect();
        let chain = chain.map_err(|_| of_cert("is no list of certificates (PEM)"))?;
        let Some(own) = chain.first() else {
            return Err(of_cert("has no certificate in it (PEM: -----BEGIN CERTIFICATE-----)"));
        };
        let expires_at = check_time(own, &files.cert, now)?;
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
        Ok((TlsAcceptor::from(Arc::new(config)), expires_at))
    }
}

fn wrong(setting: &str, file: &Path, why: &str) -> CliError {
    CliError::Usage(format!("{setting}: {} {why}", file.display()))
}

/// Returns when the certificate in `file` expires, if it is valid already. Whom clients trust is not checked.
fn check_time(certificate: &CertificateDer<'_>, file: &Path, now: Timestamp) -> Result<Timestamp, CliError> {
    let unusable = || wrong("tls-cert", file, "has a certificate in it that cannot be used");
    let parsed = ParsedCertificate::try_from(certificate).map_err(|_| unusable())?;
    let seconds = u64::try_from(now.millis() / 1_000).unwrap_or_default();
    match time_problem(&parsed, seconds) {
        // Not wrong usage: a later start succeeds, when the clock is right.
        Some(CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. }) => {
            let why = "is not valid yet; check the clock of this machine";
            return Err(CliError::Failed(format!("tls-cert: {} {why}", file.display())));
        }
        // Its end is before its beginning.
        Some(CertificateError::Expired) => return Err(unusable()),
        _ => {}
    }
    let end = match time_problem(&parsed, LAST_SECOND) {
        Some(CertificateError::ExpiredContext { not_after, .. }) => not_after.as_secs(),
        _ => LAST_SECOND,
    };
    Ok(Timestamp::from_millis(i64::try_from(end).unwrap_or(i64::MAX).saturating_mul(1_000)))
}

/// Returns what is wrong with a certificate at a time, in seconds from 1970: its time is checked before its
/// issuer, which is never found without roots.
fn time_problem(certificate: &ParsedCertificate<'_>, seconds: u64) -> Option<CertificateError> {
    let at = UnixTime::since_unix_epoch(Duration::from_secs(seconds));
    let algorithms = ring::default_provider().signature_verification_algorithms.all;
    let roots = RootCertStore::empty();
    match verify_server_cert_signed_by_trust_anchor(certificate, &roots, &[], at, algorithms) {
        Err(Error::InvalidCertificate(why)) => Some(why),
        _ => None,
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
    fn a_certificate_is_refused_before_its_time_and_used_after_it() {
        let (expired, now) = (Authority::generate_until(2020), SystemClock.now());
        let tls = ServerTls::read(&files(&expired), now).unwrap();
        assert_eq!(tls.expires_at().to_string(), "2020-01-01T00:00:00.000Z");
        tls.report_expiry(now);
        let end = tls.expires_at();
        assert_eq!(tls.state().reported, Some(IssueDetail::CertificateExpired { at: end }));
        let valid = Authority::generate();
        assert!(ServerTls::read(&files(&valid), now).unwrap().expires_at() > now);
        // Certificates of the tests are valid from 1975 on.
        let early = ServerTls::read(&files(&valid), Timestamp::from_millis(0)).unwrap_err().to_string();
        assert!(early.contains("not valid yet"), "{early}");
        // A renewal ends the report.
        fs::copy(valid.server_cert(), expired.server_cert()).unwrap();
        fs::copy(valid.server_key(), expired.server_key()).unwrap();
        tls.read_again(now);
        tls.report_expiry(now);
        assert_eq!(tls.state().reported, None);
    }

    #[test]
    fn an_expired_certificate_does_not_replace_a_valid_one() {
        let (own, expired, now) = (Authority::generate(), Authority::generate_until(2020), SystemClock.now());
        let tls = ServerTls::read(&files(&own), now).unwrap();
        let first = tls.acceptor();
        fs::copy(expired.server_cert(), own.server_cert()).unwrap();
        fs::copy(expired.server_key(), own.server_key()).unwrap();
        tls.read_again(now);
        assert!(Arc::ptr_eq(first.config(), tls.acceptor().config()) && tls.expires_at() > now);
    }
}
