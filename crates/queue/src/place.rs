//! Where the server is: one address, some nodes of a cluster, or sentinels that know the present master.

use crate::QueueError;
use redis::{
    Client, ConnectionInfo, IntoConnectionInfo, RedisError, RedisResult,
    cluster::ClusterClient,
    cluster_async::ClusterConnection,
    io::tcp::TcpSettings,
    sentinel::{SentinelClient, SentinelNodeConnectionInfo, SentinelServerType},
};
use std::{io, time::Duration};
use tokio::{sync::Mutex, time::timeout};

/// Longest time for one answer.
pub(crate) const ANSWER: Duration = Duration::from_millis(500);
/// Longest time to connect.
pub(crate) const CONNECT: Duration = Duration::from_secs(1);

/// What the address names.
pub(crate) enum Place {
    /// A server, or nodes of one cluster: any of them will do.
    Servers(Vec<ConnectionInfo>),
    /// Ask these who the master is.
    Sentinels(Box<Mutex<SentinelClient>>),
}

impl Place {
    /// Reads `redis://host:port/db`, several `host:port` of one cluster with commas between them, or
    /// `redis+sentinel://host:port,host:port/name-of-the-master/db`.
    pub(crate) fn read(url: &str) -> Result<Self, QueueError> {
        let odd = |error: RedisError| QueueError::Address(error.to_string());
        let Some((scheme, rest)) = url.split_once("://").filter(|(scheme, _)| !scheme.contains("unix"))
        else {
            return Ok(Self::Servers(vec![swift(url).map_err(odd)?]));
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
            return Ok(Self::Servers(each(scheme, &user, path).map_err(odd)?));
        };
        let (name, db) = path.split_once('/').unwrap_or((path, ""));
        let sentinels = each(scheme, "", "").map_err(odd)?;
        // Name, password and database are those of the master; the way to it is as safe as the way to the sentinels.
        let master = each(scheme, &user, db).map_err(odd)?;
        let master = master.first().map(|info| {
            SentinelNodeConnectionInfo::default().set_redis_connection_info(info.redis_settings().clone())
        });
        SentinelClient::build(sentinels, name, master, SentinelServerType::Master)
            .map(|client| Self::Sentinels(Box::new(Mutex::new(client))))
            .map_err(odd)
    }

    /// Clients of single servers, any of which will do; none is connected yet.
    pub(crate) async fn clients(&self) -> RedisResult<Vec<Client>> {
        match self {
            Self::Servers(all) => all.iter().map(|info| Client::open(info.clone())).collect(),
            Self::Sentinels(client) => {
                let mut client = client.lock().await;
                let asked = timeout(CONNECT, client.async_get_client()).await;
                Ok(vec![asked.unwrap_or_else(|_| Err(late()))?])
            }
        }
    }

    /// A connection to the whole cluster these addresses belong to.
    pub(crate) async fn cluster(&self) -> RedisResult<ClusterConnection> {
        let Self::Servers(all) = self else {
            return Err(RedisError::from((
                redis::ErrorKind::InvalidClientConfig,
                "a cluster has no sentinels",
            )));
        };
        let client = ClusterClient::builder(all.clone())
            .connection_timeout(CONNECT)
            .response_timeout(ANSWER)
            .overall_response_timeout(Some(2 * ANSWER))
            .retries(2)
            .tcp_settings(TcpSettings::default().set_nodelay(true))
            .build()?;
        timeout(2 * CONNECT, client.get_async_connection()).await.unwrap_or_else(|_| Err(late()))
    }
}

fn late() -> RedisError {
    RedisError::from(io::Error::from(io::ErrorKind::TimedOut))
}

fn swift(url: &str) -> RedisResult<ConnectionInfo> {
    // Off by default in this version of the client: each command would wait for the acknowledgement of the one before.
    Ok(url.into_connection_info()?.set_tcp_settings(TcpSettings::default().set_nodelay(true)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_server_several_nodes_and_sentinels_are_told_apart() {
        let count = |url| match Place::read(url) {
            Ok(Place::Servers(all)) => all.len(),
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
