//! The door page as HTML: large enough to be read from three metres. Its script reads it again when
//! something changed; without it, the browser does every 30 seconds.

use super::{Door, DoorMeeting, act::MINUTES, check_in};
use crate::{services::qr_code, text::html::escape, zone::Zone};
use domain::{Timestamp, base::local_time::minute_text, series::ZoneRules as _};
use std::fmt::Write as _;
use texts::meetings::door::DoorTexts;

/// Title and style of the page.
pub struct Frame<'a> {
    /// Title of the site.
    pub desk: &'a str,
    /// URL of the stylesheet; empty: none.
    pub style: &'a str,
    /// Public URL of the desk.
    pub public_url: &'a str,
    /// Texts.
    pub texts: DoorTexts,
}

/// What the script of the page needs.
pub struct Live<'a> {
    /// Lets it run.
    pub nonce: &'a str,
    /// URL of the page.
    pub page: &'a str,
}

/// Reads the page again when the stream says so, unless a PIN is being typed.
const SCRIPT: &str = "const { stream, page } = document.body.dataset;
new EventSource(stream).addEventListener('changed', () => {
  if (!document.getElementById('pin')?.value) location.replace(page);
});";

/// Renders the page. `secret`: that of the link; `said`: the result of an action.
pub fn door(frame: &Frame<'_>, door: &Door, (secret, live): (&str, &Live<'_>), said: Option<&str>) -> String {
    let texts = frame.texts;
    let mut main = String::new();
    if let Some(said) = said {
        let _ = write!(main, "<p class=\"door-said\" role=\"status\">{}</p>", escape(said));
    }
    state(&mut main, texts, door);
    let form = Form { door, secret, texts };
    if let Some(meeting) = door.to_check_in() {
        form.check_in(&mut main, meeting);
        code(&mut main, frame, door, meeting);
    }
    next(&mut main, texts, door);
    if door.can_book() {
        form.book(&mut main);
    }
    let class = if door.current.is_some() { "door busy" } else { "door free" };
    let script = format!("<script type=\"module\" nonce=\"{}\">{SCRIPT}</script>", escape(live.nonce),);
    let attributes = format!(
        "class=\"{class}\" data-page=\"{}\" data-stream=\"/rooms/{}/door/stream?key={}\"",
        escape(live.page),
        door.row.room_id,
        escape(secret),
    );
    let head = format!(
        "<header class=\"door-head\"><h1 dir=\"auto\">{}</h1><p><span class=\"door-label\">{}</span> <time>{}</time></p></header>",
        escape(&door.row.name),
        texts.clock(),
        clock(door.zone, door.now),
    );
    document(frame, &attributes, &format!("{head}<main>{main}</main>{script}"))
}

/// Renders the page of a link that does not work.
pub fn unknown(frame: &Frame<'_>) -> String {
    document(
        frame,
        "class=\"door\"",
        &format!("<main><p class=\"door-said\">{}</p></main>", frame.texts.unknown()),
    )
}

fn state(main: &mut String, texts: DoorTexts, door: &Door) {
    let _ = match &door.current {
        Some(meeting) => write!(
            main,
            "<p class=\"door-state\">{} <span>{} {}</span></p><p class=\"door-title\" dir=\"auto\">{}</p>\
             <p class=\"door-who\" dir=\"auto\">{}</p>",
            texts.busy(),
            texts.until(),
            clock(door.zone, meeting.ends_at),
            escape(&meeting.title),
            escape(&meeting.organizer),
        ),
        None => {
            let until = match door.free_until() {
                Some(at) => format!("{} {}", texts.until(), clock(door.zone, at)),
                None => texts.free_long().to_owned(),
            };
            write!(main, "<p class=\"door-state\">{} <span>{until}</span></p>", texts.free())
        }
    };
}

/// The QR code with which a person checks in with a phone.
fn code(main: &mut String, frame: &Frame<'_>, door: &Door, meeting: &DoorMeeting) {
    let path = check_in::path_at_door(&door.row.secret_hash, meeting.id);
    if let Some(svg) = qr_code::svg(&format!("{}{path}", frame.public_url)) {
        let _ = write!(
            main,
            "<figure class=\"door-code\">{svg}<figcaption>{}</figcaption></figure>",
            frame.texts.scan()
        );
    }
}

fn next(main: &mut String, texts: DoorTexts, door: &Door) {
    let _ = match &door.next {
        Some(meeting) => write!(
            main,
            "<p class=\"door-next\">{} {}–{} <bdi>{}</bdi></p>",
            texts.next(),
            clock(door.zone, meeting.starts_at),
            clock(door.zone, meeting.ends_at),
            escape(&meeting.title),
        ),
        None => write!(main, "<p class=\"door-next\">{}</p>", texts.nothing_next()),
    };
}

/// The forms of the page.
struct Form<'a> {
    door: &'a Door,
    secret: &'a str,
    texts: DoorTexts,
}

impl Form<'_> {
    fn open(&self, main: &mut String) {
        let _ = write!(
            main,
            "<form method=\"post\" action=\"/rooms/{}/door\" class=\"door-form\">\
             <input type=\"hidden\" name=\"key\" value=\"{}\">",
            self.door.row.room_id,
            escape(self.secret),
        );
    }

    fn check_in(&self, main: &mut String, meeting: &DoorMeeting) {
        let until = meeting.check_in_until.map(|at| clock(self.door.zone, at)).unwrap_or_default();
        self.open(main);
        let _ = write!(
            main,
            "<input type=\"hidden\" name=\"meeting\" value=\"{}.{}\">\
             <button type=\"submit\" class=\"button main\" name=\"act\" value=\"check_in\">{}</button>\
             <span>{} {until}</span></form>",
            meeting.id,
            meeting.version.0,
            self.texts.check_in(),
            self.texts.check_in_until(),
        );
    }

    fn book(&self, main: &mut String) {
        self.open(main);
        let _ = write!(
            main,
            "<input type=\"hidden\" name=\"act\" value=\"book\"><h2>{}</h2>\
             <label for=\"pin\">{}</label>\
             <input id=\"pin\" name=\"pin\" type=\"password\" inputmode=\"numeric\" autocomplete=\"off\" maxlength=\"8\" required>",
            self.texts.book(),
            self.texts.pin(),
        );
        for minutes in MINUTES.into_iter().filter(|minutes| self.door.is_free_for(*minutes)) {
            let _ = write!(
                main,
                "<button type=\"submit\" class=\"button main\" name=\"minutes\" value=\"{minutes}\">{minutes} {}</button>",
                self.texts.minutes(),
            );
        }
        main.push_str("</form>");
    }
}

/// `14:05` in the zone of the room.
fn clock(zone: Zone, at: Timestamp) -> String {
    let local = zone.local_at(at).map(minute_text).unwrap_or_default();
    local.split_once('T').map(|(_, clock)| clock.to_owned()).unwrap_or_default()
}

fn document(frame: &Frame<'_>, attributes: &str, body: &str) -> String {
    let sheet = match frame.style.is_empty() {
        true => String::new(),
        false => format!("<link rel=\"stylesheet\" href=\"{}\">", escape(frame.style)),
    };
    format!(
        "<!DOCTYPE html><html lang=\"{}\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"color-scheme\" content=\"light dark\"><meta name=\"robots\" content=\"noindex\">\
         <title>{}</title>{sheet}<link rel=\"icon\" href=\"/favicon.svg\" type=\"image/svg+xml\"></head>\
         <body {attributes}>{body}</body></html>",
        frame.texts.0.as_str(),
        escape(frame.desk),
    )
}
