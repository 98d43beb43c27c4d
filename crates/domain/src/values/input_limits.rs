//! Limits on user and API input. The pages, the API and the documentation use the same values.

/// Maximum length of a title, in characters.
pub const MAX_TITLE_CHARS: usize = 300;
/// Maximum size of an article body, in bytes of UTF-8.
pub const MAX_BODY_BYTES: usize = 500_000;
/// How long a deleted article can be restored, in milliseconds: 30 days.
pub const TRASH_RETENTION_MS: i64 = 30 * 24 * 3_600_000;
/// Maximum length of a slug, in characters.
pub const MAX_SLUG_CHARS: usize = 100;
/// Maximum number of tasks in one bulk request.
pub const MAX_BULK_ITEMS: usize = 10_000;
/// Maximum size of a bulk request, in bytes.
pub const MAX_BULK_BYTES: usize = 8 * 1024 * 1024;
/// Maximum size of any other request, in bytes.
pub const MAX_REQUEST_BYTES: usize = 2 * 1024 * 1024;
/// Maximum number of items on one page of a list.
pub const MAX_PAGE_ITEMS: u32 = 200;
/// Default number of items on one page of a list.
pub const DEFAULT_PAGE_ITEMS: u32 = 50;
/// Maximum number of events on one page.
pub const MAX_PAGE_EVENTS: u32 = 1_000;
/// Minimum length of a password, in characters.
pub const MIN_PASSWORD_CHARS: usize = 8;
/// Maximum length of a password, in characters.
pub const MAX_PASSWORD_CHARS: usize = 128;
/// Maximum length of the name of an account or of the site, in characters.
pub const MAX_NAME_CHARS: usize = 100;
/// Maximum length of an e-mail address, in bytes (RFC 5321).
pub const MAX_EMAIL_BYTES: usize = 254;
/// Maximum length of a search, in characters.
pub const MAX_SEARCH_CHARS: usize = 200;
/// How long the undo button is shown after a change, in milliseconds.
pub const UNDO_OFFER_MS: i64 = 10_000;
/// Maximum length of a channel's address, in bytes.
pub const MAX_ADDRESS_BYTES: usize = 2_000;
/// Maximum number of messages of one channel in flight at the same time.
pub const MAX_CHANNEL_CONCURRENCY: u16 = 20;
/// Maximum rate of a channel, in messages a second.
pub const MAX_CHANNEL_RATE: u16 = 1_000;
/// Maximum concurrency limit of a kind: one transaction never executes more tasks.
pub const MAX_KIND_CONCURRENCY: u16 = 500;
/// Maximum rate of a kind, in executions a second or minute.
pub const MAX_KIND_RATE: u16 = 1_000;
/// Maximum grace of a kind that an admin can set, in minutes: 30 days.
pub const MAX_KIND_GRACE_MINUTES: i32 = 30 * 24 * 60;
/// Maximum number of invalid items that the refusal of a bulk request lists.
pub const MAX_REPORTED_ITEMS: usize = 100;
/// Maximum length of an `Idempotency-Key`, in bytes.
pub const MAX_IDEMPOTENCY_KEY_BYTES: usize = 255;
/// Maximum number of tasks of one cause that are retried by one request.
pub const MAX_RETRY_ITEMS: u64 = 1_000;
/// Maximum number of recipients of a channel.
pub const MAX_RECIPIENTS: usize = 50;
/// Maximum length of a short message, in characters.
pub const MAX_SMS_CHARS: usize = 480;
/// Maximum size of the template of a short message, in bytes.
pub const MAX_TEMPLATE_BYTES: usize = 4_000;
/// Maximum length of a routing key after substitution, in bytes (AMQP 0-9-1: a short string).
pub const MAX_ROUTING_KEY_BYTES: usize = 255;
/// Maximum length of the name of an exchange, in bytes (AMQP 0-9-1).
pub const MAX_EXCHANGE_BYTES: usize = 127;
/// Maximum length of a channel's secret, in bytes.
pub const MAX_SECRET_BYTES: usize = 1_000;
/// How long after a password check a session may create credentials that outlive it, in
/// milliseconds: 10 minutes.
pub const PASSWORD_GRACE_MS: i64 = 600_000;
/// Maximum number of other accounts' tokens on an admin's page.
pub const MAX_TOKENS_SHOWN: i64 = 1_000;
/// Maximum number of invitations in the list.
pub const MAX_INVITATIONS_SHOWN: i64 = 200;
/// Maximum size of the body of a delayed message, in bytes.
pub const MAX_MESSAGE_BYTES: usize = 64 * 1024;
/// Maximum length of the key of a delayed message, in characters.
pub const MAX_MESSAGE_KEY_CHARS: usize = 200;
/// Maximum number of headers of a delayed message.
pub const MAX_MESSAGE_HEADERS: usize = 20;
/// Maximum length of the value of a header, in bytes.
pub const MAX_HEADER_VALUE_BYTES: usize = 1_000;
/// Maximum number of fields in the data of a signal.
pub const MAX_SIGNAL_FIELDS: usize = 32;
/// Maximum size of the data of a signal, in bytes.
pub const MAX_SIGNAL_DATA_BYTES: usize = 8 * 1024;
