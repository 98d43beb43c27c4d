//! Sends messages to an exchange of an AMQP 0-9-1 broker: persistent, with a stable message id, and
//! delivered only once the broker confirms them. Without the feature `amqp` such messages stay in
//! the outbox with an explanation.

#[cfg(feature = "amqp")]
mod connection;
pub mod disabled;
#[cfg(feature = "amqp")]
mod failure;
#[cfg(feature = "amqp")]
mod pool;
#[cfg(feature = "amqp")]
mod sender;

#[cfg(not(feature = "amqp"))]
pub use disabled::AmqpSender;
#[cfg(feature = "amqp")]
pub use sender::AmqpSender;

/// Whether this build can send over AMQP.
pub const IS_BUILT: bool = cfg!(feature = "amqp");
