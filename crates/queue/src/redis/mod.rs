//! Hints in Redis: connections, scripts, and the nodes of a cluster.

pub(crate) mod breaker;
pub(crate) mod cluster_pop;
pub(crate) mod connection;
pub(crate) mod decrement;
pub(crate) mod depth;
pub(crate) mod endpoint;
pub(crate) mod hints;
pub(crate) mod lazy_connection;
pub(crate) mod membership;
pub(crate) mod piggyback;
pub(crate) mod pubsub;
pub(crate) mod scripts;
