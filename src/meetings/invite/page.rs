//! The page on which an attendee answers, without scripts.

use super::answer::LinkedMeeting;
use crate::{http::assets, text::html::escape};
use domain::meetings::Answer;
use std::fmt::Write as _;
use texts::{
    Language,
    mail::invitation::{AnswerTexts, InvitationWords},
    time::{place, placed_text},
};

/// The result of an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Said {
    /// There was no action.
    Nothing,
    /// The answer is stored.
    Stored,
    /// No answer was chosen.
    Choose,
}

/// Renders the meeting with the form.
pub fn meeting(linked: &LinkedMeeting, said: Said) -> String {
    let texts = AnswerTexts(linked.language);
    let mut main = format!("<h1 dir=\"auto\">{}</h1>", escape(&linked.meeting.title));
    let said = match said {
        Said::Nothing => "",
        Said::Stored => texts.stored(),
        Said::Choose => texts.choose(),
    };
    if !said.is_empty() {
        let _ = write!(main, "<p class=\"answer-said\" role=\"status\">{said}</p>");
    }
    for line in lines(linked) {
        let _ = write!(main, "<p dir=\"auto\">{}</p>", escape(&line));
    }
    if linked.is_of_series {
        let _ = write!(main, "<p>{}</p>", texts.of_series());
    }
    if let Some(link) = &linked.meeting.link {
        let link = escape(link);
        let _ = write!(main, "<p><a href=\"{link}\" rel=\"noreferrer\">{link}</a></p>");
    }
    if !linked.meeting.description.is_empty() {
        let text = escape(&linked.meeting.description);
        let _ = write!(main, "<p class=\"answer-text\" dir=\"auto\">{text}</p>");
    }
    let present = match linked.answer {
        Answer::Pending => texts.pending(),
        Answer::Accepted => texts.accepted(),
        Answer::Tentative => texts.may_come(),
        Answer::Declined => texts.declined(),
    };
    let _ = write!(main, "<h2>{}</h2><p><strong>{present}</strong></p>", texts.title());
    main.push_str(&match linked.is_open {
        true => form(texts, linked.answer),
        false => format!("<p>{}</p>", texts.closed()),
    });
    document(&linked.desk, linked.language, &main)
}

/// Renders the page of a link that does not work.
pub fn unknown(desk: &str, language: Language) -> String {
    let texts = AnswerTexts(language);
    document(desk, language, &format!("<h1>{}</h1><p>{}</p>", texts.title(), texts.unknown()))
}

/// Who invites, when and where.
fn lines(linked: &LinkedMeeting) -> Vec<String> {
    let (meeting, language) = (&linked.meeting, linked.language);
    let words = InvitationWords(language);
    let moment = |at: i64| {
        let wall = linked.zone.wall_clock_time(at.into());
        placed_text(language, wall, None, &place(language, linked.zone.name()))
    };
    let mut lines = vec![
        AnswerTexts(language).organizer(&linked.facts.organizer),
        words.starts(&moment(meeting.starts_at)),
        words.ends(&moment(meeting.ends_at)),
    ];
    if !linked.facts.room.is_empty() {
        lines.push(words.room(&linked.facts.room));
    }
    lines
}

fn form(texts: AnswerTexts, present: Answer) -> String {
    let mut form = "<form method=\"post\" class=\"answer-form\">".to_owned();
    for (answer, label) in [
        (Answer::Accepted, texts.accept()),
        (Answer::Tentative, texts.tentative()),
        (Answer::Declined, texts.decline()),
    ] {
        let _ = write!(
            form,
            "<button type=\"submit\" name=\"answer\" value=\"{answer}\" aria-pressed=\"{}\">{label}</button>",
            answer == present,
        );
    }
    let _ = write!(form, "</form><p>{}</p>", texts.can_change());
    form
}

/// Renders a page for people without an account.
pub fn document(desk: &str, language: Language, main: &str) -> String {
    let style = assets::site_style();
    let sheet = match style.is_empty() {
        true => String::new(),
        false => format!("<link rel=\"stylesheet\" href=\"{}\">", escape(&style)),
    };
    format!(
        "<!DOCTYPE html><html lang=\"{}\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"color-scheme\" content=\"light dark\"><meta name=\"robots\" content=\"noindex\">\
         <title>{1}</title>{sheet}<link rel=\"icon\" href=\"/favicon.svg\" type=\"image/svg+xml\"></head>\
         <body class=\"answer\"><header class=\"site-head\"><p class=\"brand\">{1}</p></header>\
         <main class=\"site-main\">{main}</main></body></html>",
        AnswerTexts(language).lang(),
        escape(desk),
    )
}
