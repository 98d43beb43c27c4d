//! HTTPS without a proxy: the certificate, and the redirect from HTTP.

use super::{
    address::listen_address,
    certificate::{CertificateFiles, CertificateFlags, usage},
};
use crate::process::cli_error::CliError;
use clap::Args;

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

impl From<CertificateFlags> for HttpsFlags {
    fn from(certificate: CertificateFlags) -> Self {
        Self { certificate, http_redirect: None }
    }
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
        let certificate = CertificateFiles::decide(&flags.certificate, file.certificate)?;
        let redirect = flags.http_redirect.clone().or(file.http_redirect);
        Ok(Self { certificate, redirect: redirect.filter(|address| !address.is_empty()) })
    }

    /// Validates the certificate's settings; `public_url`: the configured public base URL.
    pub(super) fn check(&self, public_url: Option<&str>) -> Result<(), CliError> {
        if self.certificate.is_some() && public_url.is_some_and(|url| !is_https(url)) {
            return Err(usage("public-url", "with --tls-cert it begins with https://"));
        }
        Ok(())
    }

    /// Validates the redirect from HTTP. Only `serve` and `doctor` use it: the file of a server is also read
    /// by commands that are given no public URL.
    ///
    /// # Errors
    /// If the address cannot be listened on, or there is none to which it could lead.
    pub fn check_redirect(&self, public_url: Option<&str>) -> Result<(), CliError> {
        let Some(address) = &self.redirect else { return Ok(()) };
        listen_address(address).map_err(|why| usage("http-redirect", &why))?;
        if !public_url.is_some_and(is_https) {
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

fn is_https(url: &str) -> bool {
    url.starts_with("https://")
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
        let none = HttpsFlags::default;
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
        assert!(redirect("0.0.0.0:80").check_redirect(Some("https://desk.example.org")).is_ok());
        for public_url in [None, Some("http://desk.example.org")] {
            assert!(redirect("0.0.0.0:80").check_redirect(public_url).is_err());
            assert!(redirect("0.0.0.0:80").check(public_url).is_ok(), "for other commands");
        }
        assert!(redirect("80").check_redirect(Some("https://desk.example.org")).is_err());
    }
}
