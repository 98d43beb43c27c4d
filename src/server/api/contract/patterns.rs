//! Regular expressions of the OpenAPI document, in the syntax that ECMA-262, Python and Rust share.

/// Characters that a line of text must not contain: controls, noncharacters and invisible ones.
/// Direction controls are not among them: a title may contain them.
macro_rules! invalid_chars {
    () => {
        concat!(
            r"\u0000-\u001f\u007f-\u009f\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5",
            r"\u180e\u200b\u200e\u200f\u2028\u2029\u2060-\u2065\u206a-\u206f\u2800\u3164\uffa0\ufdd0-\ufdef\ufff0-\ufffb\ufffe\uffff",
            "\u{110bd}\u{110cd}\u{13430}-\u{1343f}\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{1fffe}\u{1ffff}\u{2fffe}\u{2ffff}",
            "\u{3fffe}\u{3ffff}\u{4fffe}\u{4ffff}\u{5fffe}\u{5ffff}\u{6fffe}\u{6ffff}\u{7fffe}\u{7ffff}\u{8fffe}\u{8ffff}",
            "\u{9fffe}\u{9ffff}\u{afffe}\u{affff}\u{bfffe}\u{bffff}\u{cfffe}\u{cffff}\u{dfffe}\u{dffff}",
            "\u{e0000}-\u{e00ff}\u{e01f0}-\u{e0fff}\u{efffe}\u{effff}\u{ffffe}\u{fffff}\u{10fffe}\u{10ffff}"
        )
    };
}
/// Controls that change the direction of a text, and the byte order mark.
macro_rules! direction_controls {
    () => {
        r"\u202a-\u202e\u2066-\u2069\ufeff"
    };
}
/// Characters that are invisible on their own.
macro_rules! blank_chars {
    () => {
        r"\u0020\u00a0\u1680\u2000-\u200d\u202f\u205f\u3000"
    };
}

/// Control characters.
macro_rules! control_chars {
    () => {
        r"\u0000-\u001f\u007f-\u009f"
    };
}
/// White space that is not a control character.
macro_rules! white_space {
    () => {
        r"\u0020\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
    };
}

/// A point of P-256, 65 bytes in base64url.
pub(super) const PUSH_KEY: &str = "^B[A-Za-z0-9_-]{86}=?$";
/// 16 bytes in base64url.
pub(super) const PUSH_SECRET: &str = "^[A-Za-z0-9_-]{22}(?:==)?$";
/// A title: one line with at least one visible character.
pub(super) const TITLE: &str = concat!(
    "^[^",
    invalid_chars!(),
    "]*[^",
    invalid_chars!(),
    direction_controls!(),
    blank_chars!(),
    "][^",
    invalid_chars!(),
    "]*$"
);
/// A display name: like a title, but without direction controls.
pub(super) const DISPLAY_NAME: &str = concat!(
    "^[^",
    invalid_chars!(),
    direction_controls!(),
    "]*[^",
    invalid_chars!(),
    direction_controls!(),
    blank_chars!(),
    "][^",
    invalid_chars!(),
    direction_controls!(),
    "]*$"
);
/// Text without control characters but tabs and line ends.
pub(super) const TEXT: &str = concat!(
    r"^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufdd0-\ufdef\ufffe\uffff",
    "\u{1fffe}\u{1ffff}\u{2fffe}\u{2ffff}\u{3fffe}\u{3ffff}\u{4fffe}\u{4ffff}\u{5fffe}\u{5ffff}\u{6fffe}\u{6ffff}",
    "\u{7fffe}\u{7ffff}\u{8fffe}\u{8ffff}\u{9fffe}\u{9ffff}\u{afffe}\u{affff}\u{bfffe}\u{bffff}\u{cfffe}\u{cffff}",
    "\u{dfffe}\u{dffff}\u{efffe}\u{effff}\u{ffffe}\u{fffff}\u{10fffe}\u{10ffff}]*$"
);
/// A requested slug: blank, which counts as absent, or with a letter or a digit of any script.
pub(super) const SLUG: &str = concat!(r"^[\u0009-\u000d\u0085", white_space!(), r"]*$|[\p{L}\p{N}]");

/// A month and a day of any year, without 29 February.
macro_rules! day {
    () => {
        "(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))"
    };
}
/// A date from 2000 to 2199.
macro_rules! date {
    () => {
        concat!(
            "(?:2[01][0-9]{2}-",
            day!(),
            "|(?:20(?:0[048]|[2468][048]|[13579][26])|21(?:0[48]|[2468][048]|[13579][26]))-02-29)"
        )
    };
}
/// An hour and a minute.
macro_rules! minute {
    () => {
        "(?:[01][0-9]|2[0-3]):[0-5][0-9]"
    };
}

/// An instant from 2000 to 2199, RFC 3339.
pub(super) const INSTANT: &str =
    concat!("^", date!(), "T", minute!(), r":[0-5][0-9](?:\.[0-9]{1,9})?(?:Z|[+-]", minute!(), ")$");
/// A local time from 2000 to 2199.
pub(super) const LOCAL_TIME: &str = concat!("^", date!(), "T", minute!(), "(?::[0-5][0-9])?$");

/// One delay of a retry schedule, from 1 second to 24 hours.
macro_rules! delay {
    () => {
        concat!(
            "(?:(?:[1-9][0-9]{0,3}|[1-7][0-9]{4}|8[0-5][0-9]{3}|86[0-3][0-9]{2}|86400)s",
            "|(?:[1-9][0-9]{0,2}|1[0-3][0-9]{2}|14[0-3][0-9]|1440)m|(?:[1-9]|1[0-9]|2[0-4])h)"
        )
    };
}
/// A retry schedule of at most 20 delays.
pub(super) const RETRY_SCHEDULE: &str =
    concat!("^[ ,，]*(?:", delay!(), "(?:[ ,，]+", delay!(), "){0,19}[ ,，]*)?$");

/// One label of a host name.
macro_rules! label {
    () => {
        "[a-z0-9](?:[a-z0-9]|-[a-z0-9]){0,30}"
    };
}
/// A host name of the public internet.
macro_rules! host {
    () => {
        concat!("(?:", label!(), r"\.){1,4}[a-z]{2,20}")
    };
}
/// A host name and nothing else.
pub(super) const HOST_NAME: &str = concat!("^", host!(), "$");
/// URL of a webhook or of an SMS gateway.
pub(super) const URL: &str =
    concat!("^https://", host!(), r"(?::443|:8443)?(?:/[A-Za-z0-9._~-]*){0,8}(?:\?[A-Za-z0-9._~=&-]*)?$");
/// URL of an AMQP broker.
pub(super) const BROKER_URL: &str = concat!("^amqps://", host!(), "(?::5671|:443)?(?:/[A-Za-z0-9._~-]*)?$");
/// An e-mail address. Letters of all alphabets are accepted, too; the pattern has some of them.
pub(super) const EMAIL: &str = concat!(
    r"^(?:[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]{1,60}(?:\.[A-Za-z0-9_-]{1,3})?@",
    host!(),
    r"|[a-zß-öø-ÿ]{1,30}@(?:[a-zß-öø-ÿ]{1,20}\.){1,2}[a-z]{2,6})$"
);
/// A phone number.
pub(super) const PHONE_NUMBER: &str = r"^\+?[0-9]{3,15}$";
/// A user name at another server: one line with at least one visible character.
pub(super) const USERNAME: &str = concat!(
    "^[^",
    control_chars!(),
    "]*[^",
    control_chars!(),
    white_space!(),
    "][^",
    control_chars!(),
    "]*$"
);
/// The same without a colon, which ends the name in a login over HTTP.
pub(super) const SITE_USERNAME: &str = concat!(
    "^[^:",
    control_chars!(),
    "]*[^:",
    control_chars!(),
    white_space!(),
    "][^:",
    control_chars!(),
    "]*$"
);
/// A password for another server.
pub(super) const PASSWORD: &str = concat!("^[^", control_chars!(), "]+$");
/// An Admin API key of Ghost.
pub(super) const ADMIN_KEY: &str = "^[0-9a-f]{24}:[0-9a-f]{64}$";
/// The value of an HTTP header.
pub(super) const HEADER_VALUE: &str = "^[ -~]+$";
/// The name of an HTTP header.
pub(super) const HEADER_NAME: &str = "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$";
/// The key of a message: no control characters, and at least one that is visible.
pub(super) const MESSAGE_KEY: &str = concat!(
    "^[^",
    control_chars!(),
    "]*[^.",
    control_chars!(),
    white_space!(),
    "][^",
    control_chars!(),
    "]*$"
);
/// The name of a signal.
pub(super) const SIGNAL_NAME: &str = r"^[A-Za-z0-9._:/-]+$";
/// A duration of days, hours, minutes or seconds. The server also accepts others.
pub(super) const DELAY: &str = "^P(?:[0-9]{1,4}D|T[0-9]{1,5}[HMS]|[0-9]{1,3}DT[0-9]{1,3}H)$";
/// A JSON object with the recipients and the text. The server also accepts other JSON that contains
/// `{text}`.
pub(super) const JSON_TEMPLATE: &str = concat!(
    r#"^\{(?:"[A-Za-z0-9_]{1,40}": ?"[A-Za-z0-9 _.:+-]{0,100}", ?){0,20}"#,
    r#""[A-Za-z0-9_]{1,40}": ?"\{to\}", ?"[A-Za-z0-9_]{1,40}": ?"\{text\}"\}$"#
);
/// A form-encoded template that contains `{text}`.
pub(super) const FORM_TEMPLATE: &str = r"^[!-~]*\{text\}[!-~]*$";
/// The name of an AMQP exchange.
pub(super) const EXCHANGE: &str = "^[A-Za-z0-9_.:-]*$";
/// An AMQP routing key, with `{kind}` at most once.
pub(super) const ROUTING_KEY: &str = concat!(
    "^[^{}",
    control_chars!(),
    "]*[^{}",
    control_chars!(),
    white_space!(),
    "][^{}",
    control_chars!(),
    r"]*(?:\{kind\}[^{}",
    control_chars!(),
    "]*)?$"
);

/// The query of a URL, without `?`.
pub(super) const QUERY: &str = "^[!->@-~]*$";
/// A date from 2000 to 2199.
pub(super) const DATE: &str = concat!("^", date!(), "$");
/// A time of the day.
pub(super) const CLOCK: &str = concat!("^", minute!(), "$");
/// The id of an account, or the caller.
pub(super) const ACCOUNT: &str = "^(?:me|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$";

/// Cursors, by the path of their list.
pub(super) const CURSORS: [(&str, &str); 5] = [
    ("/activity", "^[1-9][0-9]{0,17}$"),
    ("/articles", "^(?:s[1-4]-)?[0-9a-f]{1,15}-[0-9a-f]{32}$"),
    ("/meetings", r"^-?[0-9]{1,18}\.[0-9a-f]{32}$"),
    ("/reminders", r"^-?[0-9]{1,18}\.[0-9a-f]{32}$"),
    ("/tasks", r"^-?[0-9]{1,18}\.[0-9a-f]{32}$"),
];
