//! A Redis Cluster of one's own: three masters and a replica for each.

use crate::{port::free_port, redis::Redis};
use std::{process::Output, time::Duration};
use tokio::process::Command;

/// A running cluster; ends when dropped.
#[derive(Debug)]
pub struct Cluster {
    nodes: Vec<Option<Redis>>,
    ports: Vec<u16>,
}

impl Cluster {
    /// Starts six servers on free ports and joins them.
    ///
    /// # Panics
    /// If Redis is not installed or the servers do not find each other.
    pub async fn start() -> Self {
        let (mut nodes, mut ports, mut hosts) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..6 {
            // Their bus is 10,000 above, if not told otherwise: among the ports of outgoing connections, and taken now and then.
            let (port, bus) = (free_port(), free_port());
            let settings = ["--cluster-enabled", "yes", "--cluster-config-file", "nodes.conf"];
            let quick = ["--cluster-node-timeout", "1000", "--cluster-require-full-coverage", "no"];
            let bus_port = ["--cluster-port", &bus.to_string()];
            nodes.push(Some(Redis::start_with(port, &[&settings[..], &quick, &bus_port].concat()).await));
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
        for place in 0..6 {
            cluster.wait_until(place, "cluster info", "cluster_state:ok").await;
            cluster
                .wait_until(
                    place,
                    "info replication",
                    if cluster.is_master(place).await {
                        "connected_slaves:1"
                    } else {
                        "master_link_status:up"
                    },
                )
                .await;
        }
        cluster
    }

    /// Addresses of its first three nodes, as one setting.
    #[must_use]
    pub fn url(&self) -> String {
        let hosts: Vec<String> = self.ports.iter().take(3).map(|port| format!("127.0.0.1:{port}")).collect();
        format!("redis://{}", hosts.join(","))
    }

    /// The addresses of all nodes that run.
    #[must_use]
    pub fn urls(&self) -> Vec<String> {
        self.nodes.iter().flatten().map(Redis::url).collect()
    }

    /// Kills (SIGKILL) a master.
    ///
    /// # Panics
    /// If none is left.
    pub async fn kill_a_master(&mut self) {
        for place in 0..6 {
            if self.nodes[place].is_some() && self.is_master(place).await {
                let node = self.nodes[place].take().expect("it runs");
                return node.kill().await;
            }
        }
        panic!("no master runs");
    }

    async fn is_master(&self, place: usize) -> bool {
        let told = self.ask(place, "info replication").await;
        String::from_utf8_lossy(&told.stdout).contains("role:master")
    }

    async fn ask(&self, place: usize, command: &str) -> Output {
        let port = self.ports[place].to_string();
        let asked = Command::new("redis-cli").args(["-p", &port]).args(command.split(' ')).output().await;
        asked.expect("redis-cli is installed")
    }

    async fn wait_until(&self, place: usize, command: &str, told: &str) {
        for _ in 0..400 {
            if String::from_utf8_lossy(&self.ask(place, command).await.stdout).contains(told) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("the node {place} does not say {told}");
    }
}
