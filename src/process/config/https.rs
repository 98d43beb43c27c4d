//! HTTPS without a proxy: the files of the certificate and its key, and the redirect from HTTP.

use super::{address::listen_address, named};
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

/// The settings as flags and in the file.
#[derive(Debug, Clone, Default, Args)]
pub struct HttpsFlags {
    /// The certificate.
    #[command(flatten)]
    pub(super) certificate: CertificateFlags,
    /// Address and port on which HTTP is answered with a redirect to --public-url, e.g. 0.0.0.0:80
    #[arg(long, env = "PRESSTIME_HTTP_REDIRECT", value_name = "ADDR", value_parser = listen_address)]
    pub(super) http_redirect: Option<String>,
}

/// The files of a certificate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CertificateFiles {
    /// The certificate and its chain (PEM).
    pub cert: PathBuf,
    /// The private key (PEM).
    pub key: PathBuf,
}

/// The effective settings.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Https {
    /// The certificate; `None`: this server speaks HTTP.
    pub certificate: Option<CertificateFiles>,
    /// Address and port of the redirect from HTTP; `None`: no redirect.
    pub redirect: Option<String>,
}

impl Https {
    /// Merges the settings: flags override the file.
    pub(super) fn decide(flags: &HttpsFlags, file: HttpsFlags) -> Result<Self, CliError> {
        let (given, in_file) = (flags.certificate.clone(), file.certificate);
        let cert = named(given.tls_cert.or(in_file.tls_cert));
        let key = named(given.tls_key.or(in_file.tls_key));
        let certificate = match (cert, key) {
            (Some(cert), Some(key)) => Some(CertificateFiles { cert, key }),
            (None, None) => None,
            (Some(_), None) => return Err(usage("tls-cert", "its private key is missing; add --tls-key")),
            (None, Some(_)) => return Err(usage("tls-key", "its certificate is missing; add --tls-cert")),
        };
        let redirect = flags.http_redirect.clone().or(file.http_redirect);
        Ok(Self { certificate, redirect: redirect.filter(|address| !address.is_empty()) })
    }

    /// Validates the settings; `public_url`: the configured public base URL.
    pub(super) fn check(&self, public_url: Option<&str>) -> Result<(), CliError> {
        let is_https = public_url.is_some_and(|url| url.starts_with("https://"));
        if self.certificate.is_some() && public_url.is_some() && !is_https {
            return Err(usage("public-url", "with --tls-cert it begins with https://"));
        }
        let Some(address) = &self.redirect else { return Ok(()) };
        listen_address(address).map_err(|why| usage("http-redirect", &why))?;
        if !is_https {
            let why = "it needs an address to which it leads; add --public-url with https://";
            return Err(usage("http-redirect", why));
        }
        Ok(())
    }

    /// Scheme of the address at which this server listens.
    #[must_use]
    pub fn scheme(&self) -> &'static str {
        if self.certificate.is_some() { "https" } else { "http" }
    }
}

fn usage(name: &str, why: &str) -> CliError {
    CliError::Usage(format!("{name}: {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flags(cert: &str, key: &str) -> HttpsFlags {
        let certificate = CertificateFlags { tls_cert: Some(cert.into()), tls_key: Some(key.into()) };
        HttpsFlags { certificate, http_redirect: None }
    }

    #[test]
    fn a_certificate_needs_its_key() {
        let none = || HttpsFlags::default();
        let of_file = Https::decide(&none(), flags("file.pem", "file.key")).unwrap();
        assert_eq!(of_file.scheme(), "https");
        let of_flags = Https::decide(&flags("a.pem", "a.key"), flags("file.pem", "file.key")).unwrap();
        let expected = CertificateFiles { cert: "a.pem".into(), key: "a.key".into() };
        assert_eq!(of_flags.certificate, Some(expected));
        assert_eq!(Https::decide(&flags("", ""), none()).unwrap(), Https::default());
        for half in [flags("a.pem", ""), flags("", "a.key")] {
            assert!(matches!(Https::decide(&half, none()), Err(CliError::Usage(_))));
        }
    }

    #[test]
    fn https_needs_a_public_url_that_fits() {
        let with_certificate = Https::decide(&flags("a.pem", "a.key"), HttpsFlags::default()).unwrap();
        assert!(with_certificate.check(None).is_ok());
        assert!(with_certificate.check(Some("https://desk.example.org")).is_ok());
        assert!(with_certificate.check(Some("http://desk.example.org")).is_err());
        let redirect = |address: &str| Https { redirect: Some(address.to_owned()), certificate: None };
        assert!(redirect("0.0.0.0:80").check(Some("https://desk.example.org")).is_ok());
        for public_url in [None, Some("http://desk.example.org")] {
            assert!(redirect("0.0.0.0:80").check(public_url).is_err());
        }
        assert!(redirect("80").check(Some("https://desk.example.org")).is_err());
    }
}
