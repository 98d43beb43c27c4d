//! The files of the certificate and its key, for HTTPS without a proxy.

use super::named;
use crate::process::cli_error::CliError;
use clap::Args;
use std::path::PathBuf;

/// The certificate as flags and in the file.
#[derive(Debug, Clone, Default, Args)]
pub struct CertificateFlags {
    /// PEM file with the certificate of this server and its chain, to serve HTTPS without a proxy;
    /// read again when it changes, and at SIGHUP
    #[arg(long, env = "PRESSTIME_TLS_CERT", value_name = "FILE")]
    pub(super) tls_cert: Option<PathBuf>,
    /// PEM file with the private key of --tls-cert, without a passphrase
    #[arg(long, env = "PRESSTIME_TLS_KEY", value_name = "FILE")]
    pub(super) tls_key: Option<PathBuf>,
}

/// The files of a certificate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CertificateFiles {
    /// The certificate and its chain (PEM).
    pub cert: PathBuf,
    /// The private key (PEM).
    pub key: PathBuf,
}

impl CertificateFiles {
    /// Merges the settings: flags override the file. `None`: there is no certificate.
    pub(super) fn decide(flags: &CertificateFlags, file: CertificateFlags) -> Result<Option<Self>, CliError> {
        let cert = named(flags.tls_cert.clone().or(file.tls_cert));
        let key = named(flags.tls_key.clone().or(file.tls_key));
        match (cert, key) {
            (Some(cert), Some(key)) => Ok(Some(Self { cert, key })),
            (None, None) => Ok(None),
            (Some(_), None) => Err(usage("tls-cert", "its private key is missing; add --tls-key")),
            (None, Some(_)) => Err(usage("tls-key", "its certificate is missing; add --tls-cert")),
        }
    }
}

/// Returns the error for a setting.
pub(super) fn usage(name: &str, why: &str) -> CliError {
    CliError::Usage(format!("{name}: {why}"))
}
