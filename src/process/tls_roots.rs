//! TLS roots: the public certificate authorities and those the operator adds.

use crate::process::cli_error::CliError;
use rustls::{
    ClientConfig, RootCertStore,
    pki_types::{CertificateDer, pem::PemObject as _},
};
use std::{fmt, path::Path, sync::Arc};

/// Additional certificate authorities; by default none.
#[derive(Clone, Default)]
pub struct TlsRoots {
    pem: Arc<str>,
    further: Arc<[CertificateDer<'static>]>,
}

impl fmt::Debug for TlsRoots {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TlsRoots").field("further", &self.further.len()).finish_non_exhaustive()
    }
}

impl TlsRoots {
    /// Reads additional certificates from a PEM file; `None`: none.
    pub fn read(file: Option<&Path>) -> Result<Self, CliError> {
        file.map_or_else(|| Ok(Self::default()), |file| Self::of("extra-ca-certs", file))
    }

    /// Reads additional certificates from a PEM file. `setting` is the name of the option, for
    /// errors.
    pub fn of(setting: &str, file: &Path) -> Result<Self, CliError> {
        let wrong = |why: &str| CliError::Usage(format!("{setting}: {} {why}", file.display()));
        let pem = std::fs::read_to_string(file).map_err(|why| wrong(&format!("cannot be read: {why}")))?;
        let found: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(pem.as_bytes()).collect();
        let further = found.map_err(|_| wrong("is no list of certificates (PEM)"))?;
        if further.is_empty() {
            return Err(wrong("has no certificate in it (PEM: -----BEGIN CERTIFICATE-----)"));
        }
        let trust = Self { pem: pem.into(), further: further.into() };
        trust.roots().map_err(|_| wrong("has a certificate in it that cannot be used"))?;
        Ok(trust)
    }

    /// Returns the TLS configuration of a client.
    pub fn client(&self) -> Result<ClientConfig, rustls::Error> {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        Ok(ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()?
            .with_root_certificates(self.roots()?)
            .with_no_client_auth())
    }

    /// Returns the additional certificates.
    #[must_use]
    pub fn further(&self) -> &[CertificateDer<'static>] {
        &self.further
    }

    /// Returns the additional certificates as PEM; `None`: none.
    #[must_use]
    pub fn pem(&self) -> Option<&str> {
        Some(&*self.pem).filter(|pem| !pem.is_empty())
    }

    fn roots(&self) -> Result<RootCertStore, rustls::Error> {
        let mut roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
        for certificate in self.further.iter() {
            roots.add(certificate.clone())?;
        }
        Ok(roots)
    }
}
