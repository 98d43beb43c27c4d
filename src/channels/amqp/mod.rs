//! Messages to an exchange of an AMQP 0-9-1 broker: persistent, with the id that stays, and believed only when the broker
//! has confirmed them. Without the feature `amqp` such messages wait and say why.

pub mod absent;
#[cfg(feature = "amqp")]
mod messenger;
#[cfg(feature = "amqp")]
mod wire;

#[cfg(not(feature = "amqp"))]
pub use absent::Messenger;
#[cfg(feature = "amqp")]
pub use messenger::Messenger;

/// Whether this program can send over AMQP.
pub const IS_BUILT: bool = cfg!(feature = "amqp");
