//! The configured address: one server, some nodes of a cluster, or sentinels that know the current
//! master.

use crate::QueueError;
use redis::{
    Client, ConnectionAddr, ConnectionInfo, IntoConnectionInfo, RedisError, RedisResult, TlsCertificates,
    TlsMode,
    cluster::ClusterClient,
    cluster_async::ClusterConnection,
    io::tcp::TcpSettings,
    sentinel::{SentinelClient, SentinelClientBuilder, SentinelServerType},
};
use std::{io, time::Duration};
use tokio::{sync::Mutex, time::timeout};

/// Timeout for one response.
pub(crate) const RESPONSE_TIMEOUT: Duration = Duration::from_millis(500);
/// Timeout for connecting.
pub(crate) const CONNECT_TIMEOUT: Duration = Duration::from_secs(1);

/// Parsed address.
pub(crate) enum Endpoint {
    /// One server, or some nodes of a cluster. With the CA certificates, if not the public ones.
    Servers(Vec<ConnectionInfo>, Option<TlsCertificates>),
    /// Sentinels, which are response for the current master.
    Sentinels(Box<Mutex<SentinelClient>>),
}

impl Endpoint {
    /// Parses `redis://host:port/db`, several `host:port` of one cluster separated by commas, or
    /// `redis+sentinel://host:port,host:port/name-of-the-master/db`. `authorities`: PEM
    /// certificates of the CAs that are trusted instead of the public ones.
    pub(crate) fn parse(url: &str, authorities: Option<&str>) -> Result<Self, QueueError> {
        let invalid = |error: RedisError| QueueError::InvalidAddress(error.to_string());
        let certs = authorities.map(certificates);
        let Some((scheme, rest)) = url.split_once("://").filter(|(scheme, _)| !scheme.contains("unix"))
        else {
            return Ok(Self::Servers(vec![parse_server(url).map_err(invalid)?], None));
        };
        let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
        let (user, hosts) = match authority.rsplit_once('@') {
            Some((user, hosts)) => (format!("{user}@"), hosts),
            None => (String::new(), authority),
        };
        let each = |scheme: &str, user: &str, path: &str| -> RedisResult<Vec<ConnectionInfo>> {
            hosts.split(',').map(|host| parse_server(&format!("{scheme}://{user}{host}/{path}"))).collect()
        };
        let Some(scheme) = scheme.strip_suffix("+sentinel") else {
            return Ok(Self::Servers(each(scheme, &user, path).map_err(invalid)?, certs));
        };
        let (name, db) = path.split_once('/').unwrap_or((path, ""));
        let sentinels = each(scheme, "", "").map_err(invalid)?;
        // User name, password and database are those of the master.
        let master = each(scheme, &user, db).map_err(invalid)?;
        sentinel_client(&sentinels, name, &master[0], certs)
            .map(|client| Self::Sentinels(Box::new(Mutex::new(client))))
            .map_err(invalid)
    }

    /// Returns clients for the single servers, not connected yet. Each of them will do.
    pub(crate) async fn clients(&self) -> RedisResult<Vec<Client>> {
        match self {
            Self::Servers(all, certs) => all.iter().map(|info| client(info, certs.as_ref())).collect(),
            Self::Sentinels(client) => {
                let mut client = client.lock().await;
                let response = timeout(CONNECT_TIMEOUT, client.async_get_client()).await;
                Ok(vec![response.unwrap_or_else(|_| Err(timed_out()))?])
            }
        }
    }

    /// Connects to the cluster to which these addresses belong.
    pub(crate) async fn cluster(&self) -> RedisResult<ClusterConnection> {
        let Self::Servers(all, certs) = self else {
            return Err(RedisError::from((
                redis::ErrorKind::InvalidClientConfig,
                "a cluster has no sentinels",
            )));
        };
        let mut builder = ClusterClient::builder(all.clone());
        // Configured certificates make the cluster client use TLS even for plain addresses: pass
        // them only if all addresses use TLS.
        if let Some(certs) = certs.as_ref().filter(|_| all.iter().all(is_secure)) {
            builder = builder.certs(certs.clone());
        }
        let client = builder
            .connection_timeout(CONNECT_TIMEOUT)
            .response_timeout(RESPONSE_TIMEOUT)
            .overall_response_timeout(Some(2 * RESPONSE_TIMEOUT))
            .retries(2)
            .tcp_settings(nodelay())
            .build()?;
        timeout(2 * CONNECT_TIMEOUT, client.get_async_connection()).await.unwrap_or_else(|_| Err(timed_out()))
    }
}

fn client(info: &ConnectionInfo, certs: Option<&TlsCertificates>) -> RedisResult<Client> {
    match certs.filter(|_| is_secure(info)) {
        Some(certs) => Client::build_with_tls(info.clone(), certs.clone()),
        None => Client::open(info.clone()),
    }
}

/// Builds the sentinel client. TLS is used for the master if it is used for the sentinels.
fn sentinel_client(
    sentinels: &[ConnectionInfo],
    name: &str,
    master: &ConnectionInfo,
    certs: Option<TlsCertificates>,
) -> RedisResult<SentinelClient> {
    let addresses = sentinels.iter().map(|info| info.addr().clone());
    let mut builder = SentinelClientBuilder::new(addresses, name, SentinelServerType::Master)?
        .set_client_to_sentinel_tcp_settings(nodelay())
        .set_client_to_redis_tcp_settings(nodelay())
        .set_client_to_redis_protocol(master.redis_settings().protocol())
        .set_client_to_redis_db(master.redis_settings().db());
    if let Some(user) = master.redis_settings().username() {
        builder = builder.set_client_to_redis_username(user);
    }
    if let Some(password) = master.redis_settings().password() {
        builder = builder.set_client_to_redis_password(password);
    }
    if is_secure(master) {
        builder = builder.set_client_to_redis_tls_mode(TlsMode::Secure);
        if let Some(certs) = certs {
            builder = builder
                .set_client_to_sentinel_certificates(certs.clone())
                .set_client_to_redis_certificates(certs);
        }
    }
    builder.build()
}

fn is_secure(info: &ConnectionInfo) -> bool {
    matches!(info.addr(), ConnectionAddr::TcpTls { .. })
}

fn certificates(authorities: &str) -> TlsCertificates {
    TlsCertificates { client_tls: None, root_cert: Some(authorities.as_bytes().to_vec()) }
}

fn timed_out() -> RedisError {
    RedisError::from(io::Error::from(io::ErrorKind::TimedOut))
}

fn parse_server(url: &str) -> RedisResult<ConnectionInfo> {
    Ok(url.into_connection_info()?.set_tcp_settings(nodelay()))
}

// TCP_NODELAY is off by default in this client version: each command would wait for the
// acknowledgement of the previous one.
fn nodelay() -> TcpSettings {
    TcpSettings::default().set_nodelay(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_server_several_nodes_and_sentinels_are_distinguished() {
        let count = |url| match Endpoint::parse(url, None) {
            Ok(Endpoint::Servers(all, _)) => all.len(),
            Ok(Endpoint::Sentinels(_)) => 100,
            Err(_) => 0,
        };
        assert_eq!(count("redis://host:6379/0"), 1);
        assert_eq!(count("unix:///run/redis.sock"), 1);
        assert_eq!(count("rediss://me:pw@a:1,b:2,c:3"), 3);
        assert_eq!(count("redis+sentinel://me:pw@a:26379,b:26379/desk/1"), 100);
        assert_eq!(count("not an address"), 0);
    }
}
