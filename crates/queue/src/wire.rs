//! A connection to one server or to a whole cluster.

use redis::{
    Cmd, FromRedisValue, Pipeline, RedisFuture, RedisResult, Value,
    aio::{ConnectionLike, MultiplexedConnection},
    cluster_async::ClusterConnection,
    cluster_routing::{MultipleNodeRoutingInfo, RoutingInfo},
};

/// A connection, shared by all who ask over it. In a cluster a pipeline may touch the keys of one bucket only.
#[derive(Clone)]
pub(crate) enum Wire {
    /// To one server.
    One(MultiplexedConnection),
    /// To all masters of a cluster; it heals itself.
    Many(ClusterConnection),
}

impl Wire {
    /// What each master says of itself.
    pub(crate) async fn info(&mut self) -> RedisResult<Vec<String>> {
        let ask = redis::cmd("INFO");
        match self {
            Self::One(server) => Ok(vec![ask.query_async(server).await?]),
            Self::Many(cluster) => {
                let masters = RoutingInfo::MultiNode((MultipleNodeRoutingInfo::AllMasters, None));
                let told = cluster.route_command(ask, masters).await?;
                let told: std::collections::BTreeMap<String, String> =
                    FromRedisValue::from_redis_value(told)?;
                Ok(told.into_values().collect())
            }
        }
    }
}

impl ConnectionLike for Wire {
    fn req_packed_command<'a>(&'a mut self, cmd: &'a Cmd) -> RedisFuture<'a, Value> {
        match self {
            Self::One(server) => server.req_packed_command(cmd),
            Self::Many(cluster) => cluster.req_packed_command(cmd),
        }
    }

    fn req_packed_commands<'a>(
        &'a mut self,
        pipeline: &'a Pipeline,
        offset: usize,
        count: usize,
    ) -> RedisFuture<'a, Vec<Value>> {
        match self {
            Self::One(server) => server.req_packed_commands(pipeline, offset, count),
            Self::Many(cluster) => cluster.req_packed_commands(pipeline, offset, count),
        }
    }

    fn get_db(&self) -> i64 {
        match self {
            Self::One(server) => server.get_db(),
            Self::Many(cluster) => cluster.get_db(),
        }
    }
}
