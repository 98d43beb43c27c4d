//! Why messages may not be sent to an address.

use serde::{Deserialize, Serialize};

/// Why messages may not be sent to an address. The text completes a sentence that starts with "the
/// address".
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AddressError {
    /// It cannot be parsed.
    #[error("is not a web address; write it like https://example.org/hook")]
    Unreadable,
    /// It does not use encryption.
    #[error("must begin with https://")]
    NotEncrypted,
    /// It contains a user name or a password.
    #[error("must not contain a user name or a password")]
    HoldsPassword,
    /// Its port belongs to another kind of service.
    #[error("must use port 443, 8443, or one from 1024 on")]
    Port,
    /// It resolves to a private network.
    #[error("is in a private network; the operator can allow that")]
    Private,
    /// It is an address of this server.
    #[error("is an address of this server itself")]
    OwnAddress,
    /// It is not on the operator's allow list of hosts.
    #[error("is not on the operator's list of hosts")]
    NotListed,
    /// It is not a host name.
    #[error("is not a host name; write it like mail.example.org")]
    NotAHostName,
    /// It is not the address of an AMQP broker.
    #[error("is not the address of an AMQP broker; write it like amqps://mq.example.org")]
    NotABroker,
    /// It does not use encryption and is not inside a private network.
    #[error("must use encryption, except inside a private network if the operator allows that")]
    Unencrypted,
}
