//! A Redis Cluster: three masters with one replica each.

use crate::{port::free_port, redis::Redis, tls::Authority};
use tokio::process::Command;

/// A running cluster. Stops when dropped.
#[derive(Debug)]
pub struct Cluster {
    nodes: Vec<Option<Redis>>,
    ports: Vec<u16>,
}

impl Cluster {
    /// Starts six servers on free ports and forms a cluster.
    ///
    /// # Panics
    /// If Redis is not installed or the servers do not find each other.
    pub async fn start() -> Self {
        let (mut nodes, mut ports, mut hosts) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..6 {
            // By default the cluster bus uses the port 10,000 above, which outgoing connections may
            // occupy.
            let (port, bus) = (free_port(), free_port());
            let settings = ["--cluster-enabled", "yes", "--cluster-config-file", "nodes.conf"];
            let short_timeout = ["--cluster-node-timeout", "1000", "--cluster-require-full-coverage", "no"];
            let bus_port = ["--cluster-port", &bus.to_string()];
            nodes.push(Some(
                Redis::start_with(port, &[&settings[..], &short_timeout, &bus_port].concat()).await,
            ));
            ports.push(port);
            hosts.push(format!("127.0.0.1:{port}@{bus}"));
        }
        let joined = Command::new("redis-cli")
            .args(["--cluster", "create"])
            .args(&hosts)
            .args(["--cluster-replicas", "1", "--cluster-yes"])
            .output()
            .await
            .expect("redis-cli is installed");
        assert!(joined.status.success(), "{joined:?}");
        let cluster = Self { nodes, ports };
        for node in cluster.nodes() {
            node.wait_until(&["cluster", "info"], "cluster_state:ok").await;
            let linked = if is_master(node).await { "connected_slaves:1" } else { "master_link_status:up" };
            node.wait_until(&["info", "replication"], linked).await;
        }
        cluster
    }

    /// Starts a cluster of one server with a TLS port whose certificate `authority` signed. Also
    /// returns that port.
    ///
    /// # Panics
    /// If Redis is not installed or the cluster does not form.
    pub async fn start_encrypted(authority: &Authority) -> (Self, u16) {
        let bus = free_port().to_string();
        let settings = ["--cluster-enabled", "yes", "--tls-cluster", "yes", "--cluster-port", &bus];
        let (node, port) = Redis::start_encrypted(authority, &settings).await;
        node.command(&["cluster", "addslotsrange", "0", "16383"]).await;
        node.wait_until(&["cluster", "info"], "cluster_state:ok").await;
        (Self { ports: vec![node.port()], nodes: vec![Some(node)] }, port)
    }

    /// Returns the addresses of its first three nodes as one URL.
    #[must_use]
    pub fn url(&self) -> String {
        let hosts: Vec<String> = self.ports.iter().take(3).map(|port| format!("127.0.0.1:{port}")).collect();
        format!("redis://{}", hosts.join(","))
    }

    /// Returns the URLs of all running nodes.
    #[must_use]
    pub fn urls(&self) -> Vec<String> {
        self.nodes().map(Redis::url).collect()
    }

    /// Returns all running nodes, the original masters first.
    pub fn nodes(&self) -> impl Iterator<Item = &Redis> {
        self.nodes.iter().flatten()
    }

    /// Moves this many slots with their keys from the second master to the first, while both serve
    /// clients.
    ///
    /// # Panics
    /// If `redis-cli` fails.
    pub async fn reshard(&self, slots: usize) {
        let mut masters = self.nodes();
        let (to, from) = (masters.next().expect("it runs"), masters.next().expect("it runs"));
        let (to_id, from_id) = (to.query(&["cluster", "myid"]).await, from.query(&["cluster", "myid"]).await);
        let moved = Command::new("redis-cli")
            .args(["--cluster", "reshard", &format!("127.0.0.1:{}", to.port()), "--cluster-yes"])
            .args(["--cluster-from", from_id.trim(), "--cluster-to", to_id.trim()])
            .args(["--cluster-slots", &slots.to_string()])
            .output()
            .await
            .expect("redis-cli is installed");
        assert!(moved.status.success(), "{moved:?}");
    }

    /// Kills (SIGKILL) a master.
    ///
    /// # Panics
    /// If no master runs.
    pub async fn kill_master(&mut self) {
        for index in 0..self.nodes.len() {
            if let Some(node) = &self.nodes[index]
                && is_master(node).await
            {
                let node = self.nodes[index].take().expect("it runs");
                return node.kill().await;
            }
        }
        panic!("no master runs");
    }
}

async fn is_master(node: &Redis) -> bool {
    node.query(&["info", "replication"]).await.contains("role:master")
}
