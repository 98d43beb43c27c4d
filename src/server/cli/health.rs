//! `health`: asks a running server whether it publishes. For containers, which have no other client.

use crate::process::{
    cli_error::CliError,
    config::{Config, ListenFlag},
};
use clap::Args;
use reqwest::{Client, StatusCode};
use rustls::crypto::ring;
use serde_json::Value;
use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    time::Duration,
};

/// Timeout for the response.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Flags of `health`.
#[derive(Debug, Args)]
#[command(after_help = "\
It asks /readyz on this machine: exit code 0 while due tasks are executed, else 1 with the reason. A node without pages
(`presstime work`) does not listen.")]
pub struct Health {
    #[command(flatten)]
    pub listen: ListenFlag,
}

/// What a server answers.
pub struct Readiness {
    /// `ready`, `not_ready`, or `silent`: it does not respond.
    pub state: &'static str,
    /// Why it is not ready; `None`: it is.
    pub problem: Option<String>,
    /// Version of its program; `None`: not known.
    pub version: Option<String>,
}

/// Prints that the server is ready; fails if it is not, or does not respond.
pub async fn run(config: &Config) -> Result<(), CliError> {
    let address = local_address(&config.listen);
    match ask(config).await?.problem {
        Some(problem) => Err(CliError::Failed(format!("the server at {address} {problem}"))),
        None => {
            println!("the server at {address} is ready");
            Ok(())
        }
    }
}

/// Asks the server with these settings on this machine.
pub async fn ask(config: &Config) -> Result<Readiness, CliError> {
    let address = local_address(&config.listen);
    // Fails if a provider is installed already.
    let _ = ring::default_provider().install_default();
    // The certificate has the public name, not the address on this machine, and nothing secret is sent.
    let client = Client::builder().tls_danger_accept_invalid_certs(true).no_proxy().timeout(TIMEOUT).build();
    let client = client.map_err(|why| CliError::Broken(why.to_string()))?;
    let url = format!("{}://{address}/readyz", config.https.scheme());
    let (status, text) = match read(&client, &url).await {
        Ok(response) => response,
        Err(error) => {
            let problem = format!("does not respond: {}", engine::error_chain(&error));
            return Ok(Readiness { state: "silent", problem: Some(problem), version: None });
        }
    };
    let body: Value = serde_json::from_str(&text).unwrap_or_default();
    let version = body["version"].as_str().map(str::to_owned);
    if status == StatusCode::OK {
        return Ok(Readiness { state: "ready", problem: None, version });
    }
    let reason = body["message"].as_str().map_or_else(|| status.to_string(), str::to_owned);
    Ok(Readiness { state: "not_ready", problem: Some(format!("is not ready: {reason}")), version })
}

async fn read(client: &Client, url: &str) -> Result<(StatusCode, String), reqwest::Error> {
    let response = client.get(url).send().await?;
    Ok((response.status(), response.text().await?))
}

/// Returns the address at which a server that listens on `listen` answers this machine.
fn local_address(listen: &str) -> String {
    match listen.parse::<SocketAddr>() {
        Ok(address) if address.ip().is_unspecified() => {
            let ip = match address.ip() {
                IpAddr::V4(_) => IpAddr::V4(Ipv4Addr::LOCALHOST),
                IpAddr::V6(_) => IpAddr::V6(Ipv6Addr::LOCALHOST),
            };
            SocketAddr::new(ip, address.port()).to_string()
        }
        _ => listen.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::local_address;

    #[test]
    fn a_server_on_all_addresses_is_asked_on_this_machine() {
        for (listen, address) in [
            ("0.0.0.0:3000", "127.0.0.1:3000"),
            ("[::]:80", "[::1]:80"),
            ("192.0.2.1:3000", "192.0.2.1:3000"),
            ("localhost:3000", "localhost:3000"),
        ] {
            assert_eq!(local_address(listen), address);
        }
    }
}
