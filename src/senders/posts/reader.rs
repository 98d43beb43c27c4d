//! Asks for a published post as a reader does: its public address, without cookies and credentials.

use super::report::absent;
use crate::{
    senders::{
        OutboundMessage, SendResult,
        http::{HttpSender, NoAnswer, PageStart},
    },
    text::render::tags::{Token, Tokenizer},
};
use domain::{
    delivery::Outcome,
    post::{KnownPost, PostReport},
};
use std::time::Duration;

/// Maximum number of bytes of a page that are searched.
const MAX_PAGE_BYTES: usize = 2 * 1024 * 1024;
/// Maximum length of an entity after its first letter, bytes.
const MAX_ENTITY_BYTES: usize = 11;
/// Maximum duration with all redirects. The claim of an attempt is longer.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Looks whether readers see a post: its address answers 200 with its title.
pub async fn look(http: &HttpSender, outbound: &OutboundMessage, title: &str) -> SendResult {
    let Some((known, url, report)) = outbound.post.as_ref().and_then(asked) else {
        return SendResult::unsendable("the site has named no public address");
    };
    let answer = match tokio::time::timeout(TIMEOUT, http.read_start(url, MAX_PAGE_BYTES)).await {
        Ok(answer) => answer,
        Err(_) => Err(NoAnswer::TimedOut),
    };
    let (outcome, status, text) = match answer {
        Err(why) => {
            (Outcome::Unreachable, None, format!("published there, but readers do not see it: {why}"))
        }
        Ok(PageStart { status: 200, bytes, .. }) if shows(&String::from_utf8_lossy(&bytes), title, known) => {
            (Outcome::Delivered, Some(200), "a reader sees it".to_owned())
        }
        Ok(PageStart { status: 200, .. }) => {
            let why = "published there, but readers see a page without its title: an old one from a cache, or another one";
            (Outcome::Refused, Some(200), why.to_owned())
        }
        Ok(PageStart { status, .. }) => {
            let why = format!("published there, but readers do not see it: the site answers {status}");
            (Outcome::Refused, Some(status), why)
        }
    };
    let live = Some(outcome == Outcome::Delivered);
    SendResult {
        status,
        is_about_message: outcome != Outcome::Delivered,
        post: Some(Box::new(PostReport { live, ..report })),
        ..SendResult::without_response(outcome, &text)
    }
}

/// Returns the address to ask, and what stays known of the post; `None`: the site has named no address.
fn asked(known: &KnownPost) -> Option<(&KnownPost, &str, PostReport)> {
    let KnownPost { id, remote_id, content_hash, .. } = known.clone();
    let report = PostReport {
        remote_id: Some(remote_id?),
        content_hash: Some(content_hash?),
        is_public: true,
        ..absent(id)
    };
    Some((known, known.url.as_deref()?, report))
}

/// Whether a page shows a title or the marker of the post. Sites change quotes and dashes, so letters and digits count.
fn shows(page: &str, title: &str, known: &KnownPost) -> bool {
    if page.contains(&known.id.0.simple().to_string()) {
        return true;
    }
    let (mut text, mut tokens) = (String::new(), Tokenizer::of(page));
    while let Some(token) = tokens.next() {
        match token {
            Token::Text(part) => letters_of(part, &mut text),
            Token::Open(tag) if matches!(tag.name.as_str(), "script" | "style") => {
                tokens.skip_element(&tag.name);
            }
            Token::Open(_) | Token::Close(_) => {}
        }
    }
    let wanted: String = title.chars().filter(|letter| counts(*letter)).collect();
    text.contains(&wanted)
}

/// Whether a letter is compared. WordPress makes a sign of the `x` in `3x4`.
fn counts(letter: char) -> bool {
    letter.is_alphanumeric() && letter != 'x'
}

/// Appends the letters and digits of a text. Its entities count as none.
fn letters_of(text: &str, to: &mut String) {
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        to.extend(before.chars().filter(|letter| counts(*letter)));
        let start = after.get(..after.floor_char_boundary(MAX_ENTITY_BYTES)).unwrap_or_default();
        let entity = start.find(';').filter(|end| {
            let name = start.get(..*end).unwrap_or_default();
            !name.is_empty() && name.chars().all(|c| c == '#' || c.is_ascii_alphanumeric())
        });
        rest = entity.and_then(|end| after.get(end + 1..)).unwrap_or(after);
    }
    to.extend(rest.chars().filter(|letter| counts(*letter)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::linear::assert_linear;
    use domain::PostId;

    #[test]
    fn a_title_is_found_however_the_site_writes_its_quotes() {
        let known = KnownPost { id: PostId::generate(), remote_id: None, content_hash: None, url: None };
        let title = "It's \"one\" – R&D; now";
        for (page, is_shown) in [
            ("<h1>It&#8217;s &#8220;one&#8221; &#8211; R&amp;D; now</h1>".to_owned(), true),
            ("<title>It’s “one” — R&#038;<b>D; now</b></title>".to_owned(), true),
            ("<h1>It's two</h1>".to_owned(), false),
            (format!("<!-- {} -->", known.id.0.simple()), true),
        ] {
            assert_eq!(shows(&page, title, &known), is_shown, "{page}");
        }
    }

    #[test]
    fn a_sign_between_numbers_is_found() {
        let known = KnownPost { id: PostId::generate(), remote_id: None, content_hash: None, url: None };
        for (page, is_shown) in
            [("<h1>Next 4&#215;4</h1>", true), ("<h1>Next 4x4</h1>", true), ("<h1>Next 4x5</h1>", false)]
        {
            assert_eq!(shows(page, "Next 4x4", &known), is_shown, "{page}");
        }
    }

    #[test]
    fn an_ampersand_that_begins_no_entity_loses_nothing() {
        let mut letters = String::new();
        letters_of("R&D &; & Co", &mut letters);
        assert_eq!(letters, "RDCo");
        assert_linear("&", (50_000, |bytes: usize| "&".repeat(bytes)), |text| {
            letters_of(text, &mut String::new())
        });
    }
}
