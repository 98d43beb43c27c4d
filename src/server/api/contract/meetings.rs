//! Schemas of rooms and meetings.

use super::patterns::{DISPLAY_NAME, EMAIL, INSTANT, LOCAL_TIME, TEXT, TITLE, URL};
use domain::reminders::{MAX_MEETING_REMINDERS, RemindBy};
use domain::{
    Role,
    input_limits::{MAX_NAME_CHARS, MAX_TITLE_CHARS},
    meetings::{
        Approval, DeadlineDecision, MAX_ATTENDEES, MAX_DESCRIPTION_BYTES, MAX_EQUIPMENT, MAX_EQUIPMENT_CHARS,
        MAX_PLACE_CHARS,
    },
    series::{MovedOccurrences, Reach},
};
use serde_json::{Value, json};

/// Additions to the generated schemas.
pub(super) fn changed_schemas() -> Value {
    let words = |words: &[&str]| {
        let words: Vec<Value> = words.iter().map(|word| json!(word)).chain([Value::Null]).collect();
        json!({"enum": words})
    };
    let name = json!({"minLength": 1, "maxLength": MAX_NAME_CHARS, "pattern": DISPLAY_NAME});
    let equipment = json!({
        "maxItems": MAX_EQUIPMENT,
        "items": {"minLength": 1, "maxLength": MAX_EQUIPMENT_CHARS, "pattern": DISPLAY_NAME}
    });
    let clock = "^(?:(?:[01][0-9]|2[0-3]):[0-5][0-9]|24:00)$";
    let weekday = "^(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)$";
    json!({
        "RoomFields": {"properties": {
            "name": name,
            "place": {"maxLength": MAX_PLACE_CHARS, "pattern": DISPLAY_NAME},
            "equipment": equipment,
            "zone": {"$ref": "#/components/schemas/Zone"},
            "booked_by": words(Role::NAMES),
            "approval": words(Approval::NAMES)
        }},
        "DeadlineBody": {"properties": {"decision": words(DeadlineDecision::NAMES)}},
        "HoursBody": {"properties": {
            "from": {"pattern": clock}, "to": {"pattern": clock}, "weekdays": {"items": {"pattern": weekday}}
        }},
        "MeetingEditBody": {"properties": edit()},
        "MeetingReminderBody": {"properties": {
            "before": {"enum": ["start", "end"]}, "by": {"enum": RemindBy::NAMES}
        }},
        "NewAttendeeBody": {"properties": {"email": {"pattern": EMAIL}, "name": {"pattern": DISPLAY_NAME}}},
        "MeetingActionBody": {"properties": {
            "reason": {"pattern": DISPLAY_NAME}, "reach": words(Reach::NAMES), "moved": words(MovedOccurrences::NAMES)
        }}
    })
}

/// The changes of a meeting, and how far they reach.
fn edit() -> Value {
    let mut edit = texts();
    for (name, words) in [("reach", Reach::NAMES), ("moved", MovedOccurrences::NAMES)] {
        let words: Vec<Value> = words.iter().map(|word| json!(word)).chain([Value::Null]).collect();
        edit[name] = json!({"enum": words});
    }
    edit
}

/// The texts and attendees of a meeting.
fn texts() -> Value {
    let description = format!("Plain text, at most {MAX_DESCRIPTION_BYTES} bytes.");
    json!({
        "title": {"minLength": 1, "maxLength": MAX_TITLE_CHARS, "pattern": TITLE},
        "description": {"maxLength": MAX_DESCRIPTION_BYTES / 4, "pattern": TEXT, "description": description},
        "link": {"pattern": URL},
        "attendees": {"maxItems": MAX_ATTENDEES},
        "reminders": {"maxItems": MAX_MEETING_REMINDERS}
    })
}

/// A new meeting: two instants and a zone that may be absent, or two local times and their zone.
pub(super) fn new_meeting() -> Value {
    let time = |pattern: &str, text: &str| json!({"type": "string", "pattern": pattern, "description": text});
    let forms = [
        (
            ["starts_at", "ends_at"].as_slice(),
            json!({"starts_at": time(INSTANT, "Start, RFC 3339, within the next 18 months."),
                   "ends_at": time(INSTANT, "End, after the start, at most 14 days later."),
                   "zone": {"oneOf": [{"type": "null"}, {"$ref": "#/components/schemas/Zone"}]}}),
        ),
        (
            ["local_start", "local_end", "zone"].as_slice(),
            json!({"local_start": time(LOCAL_TIME, "Local start: `2027-03-28T09:00`."),
                   "local_end": time(LOCAL_TIME, "Local end."),
                   "zone": {"$ref": "#/components/schemas/Zone"},
                   "disambiguation": {"enum": ["earlier", "later", null]}}),
        ),
    ];
    let one = |(required, mut properties): (&[&str], Value)| {
        let required: Vec<&str> = ["title"].iter().chain(required).copied().collect();
        let own = [
            (
                "title",
                json!({"type": "string", "minLength": 1, "maxLength": MAX_TITLE_CHARS, "pattern": TITLE}),
            ),
            ("description", json!({"type": ["string", "null"], "maxLength": 5_000, "pattern": TEXT})),
            ("room_id", json!({"type": ["string", "null"], "format": "uuid"})),
            ("link", json!({"type": ["string", "null"], "pattern": URL})),
            (
                "series",
                json!({"oneOf": [{"type": "null"}, {"$ref": "#/components/schemas/MeetingRecurrenceBody"}]}),
            ),
            ("conflicts", json!({"enum": ["refuse", "skip", null]})),
            ("if_taken", json!({"enum": ["refuse", "wait", null]})),
            (
                "attendees",
                json!({"type": ["array", "null"], "maxItems": MAX_ATTENDEES,
                                 "items": {"$ref": "#/components/schemas/NewAttendeeBody"}}),
            ),
            (
                "reminders",
                json!({"type": ["array", "null"], "maxItems": MAX_MEETING_REMINDERS,
                                 "items": {"$ref": "#/components/schemas/MeetingReminderBody"}}),
            ),
        ];
        for (name, schema) in own {
            properties[name] = schema;
        }
        json!({"type": "object", "required": required, "properties": properties, "additionalProperties": false})
    };
    json!({"description": "A new meeting: `starts_at` and `ends_at`, or `local_start`, `local_end` and `zone`. With instants `zone` is optional.",
           "oneOf": forms.map(one)})
}
