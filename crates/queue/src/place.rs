//! Where the server is: one address, some nodes of a cluster, or sentinels that know the present master.

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

/// Longest time for one answer.
pub(crate) const ANSWER: Duration = Duration::from_millis(500);
/// Longest time to connect.
pub(crate) const CONNECT: Duration = Duration::from_secs(1);

/// What the address names.
pub(crate) enum Place {
    /// A server, or nodes of one cluster: any of them will do. Beside them who vouches for them, if not the public authorities.
    Servers(Vec<ConnectionInfo>, Option<TlsCertificates>),
    /// Ask these who the master is.
    Sentinels(Box<Mutex<SentinelClient>>),
}

impl Place {
    /// Reads `redis://host:port/db`, several `host:port` of one cluster with commas between them, or
    /// `redis+sentinel://host:port,host:port/name-of-the-master/db`. `authorities`: certificates (PEM) of those by whom the servers
    /// are believed, instead of the public ones.
    pub(crate) fn read(url: &str, authorities: Option<&str>) -> Result<Self, QueueError> {
        let odd = |error: RedisError| QueueError::Address(error.to_string());
        let certs = authorities.map(certificates);
        let Some((scheme, rest)) = url.split_once("://").filter(|(scheme, _)| !scheme.contains("unix"))
        else {
            return Ok(Self::Servers(vec![swift(url).map_err(odd)?], None));
        };
        let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
        let (user, hosts) = match authority.rsplit_once('@') {
            Some((user, hosts)) => (format!("{user}@"), hosts),
            None => (String::new(), authority),
        };
        let each = |scheme: &str, user: &str, path: &str| -> RedisResult<Vec<ConnectionInfo>> {
            hosts.split(',').map(|host| swift(&format!("{scheme}://{user}{host}/{path}"))).collect()
        };
        let Some(scheme) = scheme.strip_suffix("+sentinel") else {
            return Ok(Self::Servers(each(scheme, &user, path).map_err(odd)?, certs));
        };
        let (name, db) = path.split_once('/').unwrap_or((path, ""));
        let sentinels = each(scheme, "", "").map_err(odd)?;
        // Name, password and database are those of the master.
        let master = each(scheme, &user, db).map_err(odd)?;
        watched(&sentinels, name, &master[0], certs)
            .map(|client| Self::Sentinels(Box::new(Mutex::new(client))))
            .map_err(odd)
    }

    /// Clients of single servers, any of which will do; none is connected yet.
    pub(crate) async fn clients(&self) -> RedisResult<Vec<Client>> {
        match self {
            Self::Servers(all, certs) => all.iter().map(|info| client(info, certs.as_ref())).collect(),
            Self::Sentinels(client) => {
                let mut client = client.lock().await;
                let asked = timeout(CONNECT, client.async_get_client()).await;
                Ok(vec![asked.unwrap_or_else(|_| Err(late()))?])
            }
        }
    }

    /// A connection to the whole cluster these addresses belong to.
    pub(crate) async fn cluster(&self) -> RedisResult<ClusterConnection> {
        let Self::Servers(all, certs) = self else {
            return Err(RedisError::from((
                redis::ErrorKind::InvalidClientConfig,
                "a cluster has no sentinels",
            )));
        };
        let mut builder = ClusterClient::builder(all.clone());
        // To name certificates is to ask for encryption, whatever the addresses say.
        if let Some(certs) = certs.as_ref().filter(|_| all.iter().all(is_secure)) {
            builder = builder.certs(certs.clone());
        }
        let client = builder
            .connection_timeout(CONNECT)
            .response_timeout(ANSWER)
            .overall_response_timeout(Some(2 * ANSWER))
            .retries(2)
            .tcp_settings(quick())
            .build()?;
        timeout(2 * CONNECT, client.get_async_connection()).await.unwrap_or_else(|_| Err(late()))
    }
}

fn client(info: &ConnectionInfo, certs: Option<&TlsCertificates>) -> RedisResult<Client> {
    match certs.filter(|_| is_secure(info)) {
        Some(certs) => Client::build_with_tls(info.clone(), certs.clone()),
        None => Client::open(info.clone()),
    }
}

/// Who asks the sentinels. The way to the master is as safe as the way to them.
fn watched(
    sentinels: &[ConnectionInfo],
    name: &str,
    master: &ConnectionInfo,
    certs: Option<TlsCertificates>,
) -> RedisResult<SentinelClient> {
    let addresses = sentinels.iter().map(|info| info.addr().clone());
    let mut builder = SentinelClientBuilder::new(addresses, name, SentinelServerType::Master)?
        .set_client_to_sentinel_tcp_settings(quick())
        .set_client_to_redis_tcp_settings(quick())
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

fn late() -> RedisError {
    RedisError::from(io::Error::from(io::ErrorKind::TimedOut))
}

fn swift(url: &str) -> RedisResult<ConnectionInfo> {
    Ok(url.into_connection_info()?.set_tcp_settings(quick()))
}

// Off by default in this version of the client: each command would wait for the acknowledgement of the one before.
fn quick() -> TcpSettings {
    TcpSettings::default().set_nodelay(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_server_several_nodes_and_sentinels_are_told_apart() {
        let count = |url| match Place::read(url, None) {
            Ok(Place::Servers(all, _)) => all.len(),
            Ok(Place::Sentinels(_)) => 100,
            Err(_) => 0,
        };
        assert_eq!(count("redis://host:6379/0"), 1);
        assert_eq!(count("unix:///run/redis.sock"), 1);
        assert_eq!(count("rediss://me:pw@a:1,b:2,c:3"), 3);
        assert_eq!(count("redis+sentinel://me:pw@a:26379,b:26379/desk/1"), 100);
        assert_eq!(count("not an address"), 0);
    }
}
