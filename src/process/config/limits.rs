//! Limits for one account, one address and all clients together, on one node.

use clap::Args;
use std::time::Duration;

/// The limits as flags and in the file. `None`: the default of [`Limits`].
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Limits")]
pub struct LimitFlags {
    /// Maximum requests per second of one account, counted separately for its API tokens and its
    /// browsers; bursts of ten times as many are allowed. Counted by each node on its own; 0: no
    /// limit [default: 100]
    #[arg(long, env = "PRESSTIME_REQUESTS_PER_SECOND", value_name = "N")]
    pub requests_per_second: Option<u32>,
    /// Maximum MiB per day that one account may send to this node, by forms and by the API; 0: no
    /// limit [default: 512]
    #[arg(long, env = "PRESSTIME_MIB_PER_DAY", value_name = "N")]
    pub mib_per_day: Option<u32>,
    /// Maximum number of live streams (open tabs) of one account on this node [default: 20]
    #[arg(long, env = "PRESSTIME_STREAMS_PER_PERSON", value_name = "N")]
    pub streams_per_person: Option<u32>,
    /// Maximum number of connections from one address (IPv6: one /64) to this node; proxies listed
    /// in --proxies are exempt [default: 256]
    #[arg(long, env = "PRESSTIME_CLIENTS_PER_ADDRESS", value_name = "N")]
    pub clients_per_address: Option<u32>,
    /// Maximum number of connections from all addresses together to this node [default: 4096]
    #[arg(long, env = "PRESSTIME_CLIENTS", value_name = "N")]
    pub clients: Option<u32>,
}

/// The effective limits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Requests per second of one account; 0: no limit.
    pub requests_per_second: u32,
    /// MiB per day that one account may send; 0: no limit.
    pub mib_per_day: u32,
    /// Live streams of one account.
    pub streams_per_person: u32,
    /// Connections from one address.
    pub clients_per_address: u32,
    /// Connections from all addresses.
    pub clients: u32,
    /// Write timeout: how long a client may accept no data. Not a flag; tests set a shorter one.
    pub write_timeout: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            requests_per_second: 100,
            mib_per_day: 512,
            streams_per_person: 20,
            clients_per_address: 256,
            clients: 4_096,
            write_timeout: Duration::from_secs(30),
        }
    }
}

impl Limits {
    /// Merges the settings: flags and environment override the file, the file overrides the
    /// defaults.
    pub(super) fn decide(flags: &LimitFlags, file: &LimitFlags) -> Self {
        let usual = Self::default();
        Self {
            requests_per_second: flags
                .requests_per_second
                .or(file.requests_per_second)
                .unwrap_or(usual.requests_per_second),
            mib_per_day: flags.mib_per_day.or(file.mib_per_day).unwrap_or(usual.mib_per_day),
            streams_per_person: flags
                .streams_per_person
                .or(file.streams_per_person)
                .unwrap_or(usual.streams_per_person),
            clients_per_address: flags
                .clients_per_address
                .or(file.clients_per_address)
                .unwrap_or(usual.clients_per_address),
            clients: flags.clients.or(file.clients).unwrap_or(usual.clients),
            write_timeout: usual.write_timeout,
        }
    }

    /// Returns the name of a limit that is 0 and would lock out every client.
    pub(super) fn zero(&self) -> Option<&'static str> {
        let must_be_one = [
            ("streams-per-person", self.streams_per_person),
            ("clients-per-address", self.clients_per_address),
            ("clients", self.clients),
        ];
        must_be_one.into_iter().find(|(_, limit)| *limit == 0).map(|(name, _)| name)
    }
}
