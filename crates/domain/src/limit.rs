//! Every limit on what people and programs send; the same numbers on the page, in the API and in the docs.

/// Longest title, in characters.
pub const TITLE_CHARS: usize = 300;
/// Largest body, in bytes of UTF-8.
pub const BODY_BYTES: usize = 500_000;
/// How long a deleted article can be restored, in milliseconds: 30 days.
pub const TRASH_MS: i64 = 30 * 24 * 3_600_000;
/// Longest slug, in characters.
pub const SLUG_CHARS: usize = 100;
/// Most tasks in one bulk call.
pub const BULK_ITEMS: usize = 10_000;
/// Largest body of a bulk call, in bytes.
pub const BULK_BYTES: usize = 8 * 1024 * 1024;
/// Largest body of any other request, in bytes.
pub const REQUEST_BYTES: usize = 2 * 1024 * 1024;
/// Most items on one page of a list.
pub const PAGE_ITEMS: u32 = 200;
/// Items on one page of a list unless asked otherwise.
pub const PAGE_DEFAULT: u32 = 50;
/// Most events on one page.
pub const PAGE_EVENTS: u32 = 1_000;
/// Shortest password, in characters.
pub const PASSWORD_MIN: usize = 8;
/// Longest password, in characters.
pub const PASSWORD_MAX: usize = 128;
/// Longest name of a person or of the desk, in characters.
pub const NAME_CHARS: usize = 100;
/// Longest e-mail address, in bytes (RFC 5321).
pub const EMAIL_BYTES: usize = 254;
/// Longest search, in characters.
pub const SEARCH_CHARS: usize = 200;
/// How long an undo is offered beside the change, in milliseconds.
pub const UNDO_OFFER_MS: i64 = 10_000;
/// Longest address of a channel, in bytes.
pub const ADDRESS_BYTES: usize = 2_000;
/// Most messages of one channel on their way at once.
pub const CONCURRENCY_MAX: u16 = 20;
/// The highest limit of a kind: more are never executed in one transaction.
pub const AT_ONCE_MAX: u16 = 500;
/// Longest `Idempotency-Key`, in bytes.
pub const IDEMPOTENCY_KEY_BYTES: usize = 255;
/// Most tasks of one cause that are tried again at once.
pub const RETRY_ITEMS: u64 = 1_000;
/// Most recipients of a channel.
pub const RECIPIENTS_MAX: usize = 50;
/// Longest text of a short message, in characters.
pub const SMS_CHARS: usize = 480;
/// Longest template of a short message, in bytes.
pub const TEMPLATE_BYTES: usize = 4_000;
/// Longest routing key of a message, filled in, in bytes (AMQP 0-9-1: a short string).
pub const ROUTING_KEY_BYTES: usize = 255;
/// Longest name of an exchange, in bytes (AMQP 0-9-1).
pub const EXCHANGE_BYTES: usize = 127;
/// Longest secret of a channel, in bytes.
pub const SECRET_BYTES: usize = 1_000;
/// How long after its password was entered a session may make what outlives it, in milliseconds: 10 minutes.
pub const PASSWORD_GRACE_MS: i64 = 600_000;
/// Most tokens of others that an admin sees on one page.
pub const TOKENS_SHOWN: i64 = 1_000;
