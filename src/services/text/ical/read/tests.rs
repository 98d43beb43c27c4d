//! Lines and components.

use super::*;

fn read(text: &str, max: usize) -> Result<Vec<RawEvent>, ReadProblem> {
    file(text, max).map(|file| file.events)
}

fn calendar(lines: &str) -> String {
    format!("BEGIN:VCALENDAR\r\n{lines}\r\nEND:VCALENDAR\r\n")
}

#[test]
fn lines_are_unfolded_and_texts_unescaped() {
    let text = calendar(
        "BEGIN:VEVENT\r\nUID:1\r\nSUMMARY;LANGUAGE=en:One\\, two\\; th\r\n ree\\nfour\\\\\r\n\
         DTSTART;TZID=\"Europe/Berlin\";X-A=\"a;b:c\":20270101T090000\r\nBEGIN:VALARM\r\nSUMMARY:No\r\n\
         END:VALARM\r\nX-OTHER:y\r\nEND:VEVENT",
    );
    let all = read(&text, 10).unwrap();
    assert_eq!((all.len(), all[0].line, all[0].properties.len()), (1, 2, 3));
    assert_eq!(all[0].text("SUMMARY"), "One, two; three\nfour\\");
    let start = all[0].find("DTSTART").unwrap();
    assert_eq!((start.parameter("TZID"), start.value.as_str()), (Some("Europe/Berlin"), "20270101T090000"));
    assert_eq!(start.parameter("X-A"), Some("a;b:c"));
}

#[test]
fn everything_is_bounded() {
    let one = "BEGIN:VEVENT\nUID:1\nEND:VEVENT\n";
    assert_eq!(read(&calendar(&one.repeat(11)), 10), Err(ReadProblem::TooMany));
    assert_eq!(read(&calendar("BEGIN:VEVENT\nUID:1"), 10).unwrap().len(), 1, "END:VCALENDAR ends it");
    assert_eq!(read("BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1", 10), Err(ReadProblem::Unclosed(2)));
    assert_eq!(read("SUMMARY:text", 10), Err(ReadProblem::NoCalendar));
    let folds = format!("SUMMARY:{}", "a\n ".repeat(MAX_LINE_BYTES));
    assert_eq!(read(&calendar(&folds), 10), Err(ReadProblem::LongLine(2)));
    assert_eq!(
        read(&calendar(&format!("X:{}", "a".repeat(MAX_LINE_BYTES))), 10),
        Err(ReadProblem::LongLine(2))
    );
    let event = read(&calendar(&format!("BEGIN:VEVENT\n{}END:VEVENT", "UID:1\n".repeat(9_999))), 10).unwrap();
    assert_eq!((event[0].properties.len(), event[0].is_cut), (MAX_PROPERTIES, true));
    let deep = "BEGIN:A\n".repeat(1_000_000) + &"END:B\n".repeat(100);
    assert_eq!(read(&deep, 10), Err(ReadProblem::TooDeep(17)));
    let parts = "BEGIN:VTIMEZONE\nEND:VTIMEZONE\n".repeat(MAX_ZONE_PARTS + 1);
    assert_eq!(read(&calendar(&parts), 10), Err(ReadProblem::TooManyParts));
}

#[test]
fn zones_and_methods_belong_to_their_calendar() {
    let zone = "BEGIN:VTIMEZONE\nTZID:Own\nX-LIC-LOCATION:Europe/Berlin\nBEGIN:STANDARD\nDTSTART:19700101T000000\n\
                TZOFFSETTO:+0100\nEND:STANDARD\nEND:VTIMEZONE\n";
    let event = "BEGIN:VEVENT\nUID:1\nSEQUENCE:2\nEND:VEVENT\n";
    let text = format!(
        "{}{}",
        calendar(&format!("{event}{zone}METHOD:Cancel\nX-WR-TIMEZONE:Asia/Tokyo")),
        calendar(event)
    );
    let found = file(&text, 10).unwrap();
    let [first, second] = &found.calendars[..] else { panic!("{found:?}") };
    assert_eq!((first.method.as_str(), first.zone.as_str()), ("CANCEL", "Asia/Tokyo"));
    assert_eq!((second.method.as_str(), second.zones.len()), ("", 0));
    let own = &first.zones[0];
    assert_eq!((own.name.as_str(), own.location.as_str(), own.parts.len()), ("Own", "Europe/Berlin", 1));
    assert_eq!(own.parts[0].len(), 2);
    let places: Vec<usize> = found.events.iter().map(|event| event.calendar).collect();
    assert_eq!(places, [0, 1]);
}
