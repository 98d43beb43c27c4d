//! Why a post of WordPress is not for everyone, and when strangers see it.

use super::{Next, reader::Item};
use crate::imports::importer::posts::{
    post::Timing,
    site_time::{SiteTime, Time},
};
use domain::Timestamp;

/// Parts of the names of custom fields that limit who sees a post.
const GATE_FIELDS: &[&str] = &[
    "embargo",
    "members_access",
    "members_only",
    "member_only",
    "membership",
    "newsletter_access",
    "restrict",
    "paywall",
    "rcp_user_level",
    "rcp_subscription_level",
    "rcp_access_level",
    "unlisted",
    "is_private",
    "post_private",
    "password_protect",
    "hide_post",
];
/// Values of such fields that limit nothing.
const OPEN_VALUES: &[&str] = &[
    "",
    "0",
    "no",
    "off",
    "false",
    "none",
    "all",
    "any",
    "everybody",
    "everyone",
    "public",
    "default",
    "a:0:{}",
    "null",
];
/// Field of a plugin that is there for every post, and what it says if it limits one.
const FIELD_FOR_ALL: (&str, &str) = ("um_content_restriction", "_um_custom_access_settings\";");

/// The time of a post.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PostTime {
    /// When it is or becomes public; `None`: unknown.
    pub at: Option<Timestamp>,
    /// When strangers see it.
    pub timing: Timing,
    /// Why the time cannot be used.
    pub held: Option<String>,
    /// A warning about the time.
    pub warning: Option<String>,
}

/// Reads the time of a post. A local time without its UTC time is read in the zone of the site.
pub fn time(item: &Item, site: &SiteTime) -> PostTime {
    let status = item.text("wp:status");
    let timing = if status == "publish" { Timing::Public } else { Timing::Scheduled(None) };
    let found = |at, timing| PostTime { at, timing, held: None, warning: None };
    let (utc, local) = (Time::read(item.text("wp:post_date_gmt")), Time::read(item.text("wp:post_date")));
    let written = match (utc, local) {
        (Some(Time::Exact(at)), _) | (None, Some(Time::Exact(at))) => return found(Some(at), timing),
        (Some(Time::Local(utc)), _) => return found(Some(as_utc(utc)), timing),
        (None, None) => return found(None, timing),
        (None, Some(Time::Local(local))) => local,
    };
    match (site.instant(written), status) {
        (_, other) if !matches!(other, "publish" | "future") => found(Some(as_utc(written)), timing),
        (Some(_), "future") if !site.is_once(written) => {
            let held = format!(
                "it is scheduled there for {written}, which the clocks of that day show twice or never; schedule it at the desk"
            );
            PostTime { held: Some(held), ..found(None, timing) }
        }
        (Some((at, zone)), "future") => found(Some(at), Timing::Scheduled(zone)),
        (Some((at, _)), _) => found(Some(at), timing),
        (None, "future") => PostTime { held: Some(no_zone(written)), ..found(None, timing) },
        (None, _) => {
            let warning = format!("its date, {written}, has no time zone and is read as UTC; {GIVE_ZONE}");
            PostTime { warning: Some(warning), ..found(Some(as_utc(written)), timing) }
        }
    }
}

/// Whether the zone of the site decides when strangers see a post.
pub fn needs_zone(item: &Item) -> bool {
    matches!(item.text("wp:status"), "publish" | "future")
        && Time::read(item.text("wp:post_date_gmt")).is_none()
}

/// Advice to give the time zone of the site.
pub const GIVE_ZONE: &str = "give the time zone of the site";

fn no_zone(written: chrono::NaiveDateTime) -> String {
    format!(
        "it is scheduled there for {written}, without a time zone, and the other posts do not show that of the site; {GIVE_ZONE}"
    )
}

fn as_utc(time: chrono::NaiveDateTime) -> Timestamp {
    Timestamp::from_millis(time.and_utc().timestamp_millis())
}

/// Returns why strangers do not see a post, now or at its time.
pub fn held(item: &Item, time: &PostTime) -> Option<String> {
    // A password of blanks is one, too.
    if item.texts.get("wp:post_password").is_some_and(|password| !password.is_empty()) {
        return Some("it has a password".to_owned());
    }
    match item.text("wp:status") {
        "publish" | "future" => {}
        "" => return Some("it has no state".to_owned()),
        other => return Some(format!("its state is {other}")),
    }
    if let Some((name, value)) = item.fields.iter().find(|(name, value)| is_gate(name, value)) {
        let value: String = value.trim().chars().take(60).collect();
        return Some(format!("its field {name} is {value}"));
    }
    time.held.clone().or_else(|| time.at.is_none().then(|| "it has no date".to_owned()))
}

/// Whether a custom field limits who sees the post.
fn is_gate(name: &str, value: &str) -> bool {
    let name = name.to_lowercase().replace('-', "_");
    let (field, limits) = FIELD_FOR_ALL;
    if name == field {
        return value.split_once(limits).is_some_and(|(_, rest)| {
            let rest = rest.split(';').next().unwrap_or_default();
            rest.ends_with("\"1\"") || rest.ends_with(":1")
        });
    }
    let value = value.trim().to_lowercase();
    GATE_FIELDS.iter().any(|part| name.contains(part)) && !OPEN_VALUES.contains(&value.as_str())
}

/// Returns what is left out because WordPress never shows it.
pub fn left_out(item: &Item) -> Option<Next> {
    let status = item.text("wp:status");
    matches!(status, "trash" | "auto-draft" | "inherit")
        .then(|| Next::LeftOut(format!("posts in the state {status}"), item.text("title").to_owned()))
}
