//! An open connection to one server or to a whole cluster.

use redis::{
    Cmd, FromRedisValue, Pipeline, RedisFuture, RedisResult, Value,
    aio::{ConnectionLike, MultiplexedConnection},
    cluster_async::ClusterConnection,
    cluster_routing::{MultipleNodeRoutingInfo, RoutingInfo},
};

/// A connection that can be cloned and shared. In a cluster a pipeline may use the keys of only one
/// bucket.
#[derive(Clone)]
pub(crate) enum Connection {
    /// To one server.
    Single(MultiplexedConnection),
    /// To all masters of a cluster; reconnects by itself.
    Cluster(ClusterConnection),
}

impl Connection {
    /// Returns the `INFO` output of each master.
    pub(crate) async fn infos(&mut self) -> RedisResult<Vec<String>> {
        let command = redis::cmd("INFO");
        match self {
            Self::Single(server) => Ok(vec![command.query_async(server).await?]),
            Self::Cluster(cluster) => {
                let masters = RoutingInfo::MultiNode((MultipleNodeRoutingInfo::AllMasters, None));
                let infos = cluster.route_command(command, masters).await?;
                let infos: std::collections::BTreeMap<String, String> =
                    FromRedisValue::from_redis_value(infos)?;
                Ok(infos.into_values().collect())
            }
        }
    }
}

impl ConnectionLike for Connection {
    fn req_packed_command<'a>(&'a mut self, cmd: &'a Cmd) -> RedisFuture<'a, Value> {
        match self {
            Self::Single(server) => server.req_packed_command(cmd),
            Self::Cluster(cluster) => cluster.req_packed_command(cmd),
        }
    }

    fn req_packed_commands<'a>(
        &'a mut self,
        pipeline: &'a Pipeline,
        offset: usize,
        count: usize,
    ) -> RedisFuture<'a, Vec<Value>> {
        match self {
            Self::Single(server) => server.req_packed_commands(pipeline, offset, count),
            Self::Cluster(cluster) => cluster.req_packed_commands(pipeline, offset, count),
        }
    }

    fn get_db(&self) -> i64 {
        match self {
            Self::Single(server) => server.get_db(),
            Self::Cluster(cluster) => cluster.get_db(),
        }
    }
}
