//! Sends short messages with one POST to a gateway, built from a template. One request contains all
//! numbers, so that a retry concerns either all or none.

use super::{OutboundMessage, SendResult, http::HttpSender, message_text::MessageText};
use domain::{
    channel::{ChannelEvent, SmsEndpoint, SmsFormat},
    delivery::Outcome,
    input_limits::MAX_SMS_CHARS,
    text::slice_text,
};
use reqwest::header::{self, HeaderName, HeaderValue};
use serde_json::json;

/// Makes one attempt.
pub async fn send(
    http: &HttpSender,
    route: &SmsEndpoint,
    outbound: &OutboundMessage,
    site: &str,
) -> SendResult {
    let text = match &outbound.options {
        Some(_) => Some((outbound.body.chars().take(MAX_SMS_CHARS).collect(), ChannelEvent::Message)),
        None => {
            MessageText::read(&outbound.body, route.language, site).map(|text| (text.short(), text.event))
        }
    };
    let Some((text, event)) = text else {
        return SendResult::unsendable("the message cannot be read");
    };
    let id = outbound.message_id();
    let text = fill(route, &[("{text}", &text), ("{id}", &id), ("{event}", event.as_str())]);
    let secret = match secret(route, outbound) {
        Ok(secret) => secret,
        Err(why) => return SendResult::without_response(Outcome::Blocked, why),
    };
    let kind = match route.format {
        SmsFormat::Json => "application/json",
        SmsFormat::Form => "application/x-www-form-urlencoded",
    };
    let request = |request: reqwest::RequestBuilder| {
        let request = request.header(header::CONTENT_TYPE, kind).header("idempotency-key", id).body(text);
        match secret {
            Some((name, value)) => request.header(name, value),
            None => request,
        }
    };
    http.post(&route.url, outbound.at, request).await
}

/// Returns the header with the channel's secret.
fn secret(
    route: &SmsEndpoint,
    outbound: &OutboundMessage,
) -> Result<Option<(HeaderName, HeaderValue)>, &'static str> {
    let Some(name) = &route.header else { return Ok(None) };
    let name: HeaderName = name.parse().map_err(|_| "the name of the header cannot be sent")?;
    let value = outbound.secret().ok_or("the channel's secret is missing; give it again")?;
    let mut value = HeaderValue::from_str(value).map_err(|_| "the channel's secret cannot be sent")?;
    value.set_sensitive(true);
    Ok(Some((name, value)))
}

/// Returns the request body. Placeholders are replaced once, from left to right, so that no value
/// is read as a template.
#[must_use]
pub fn fill(route: &SmsEndpoint, values: &[(&str, &str)]) -> String {
    let to = route.to.join(",");
    let numbers = json!(route.to).to_string();
    let known = values.iter().copied().chain([("{to}", to.as_str())]);
    let known: Vec<(&str, String)> =
        known.map(|(name, value)| (name, escaped(route.format, value))).collect();
    let (mut filled, mut rest) = (String::new(), route.template.as_str());
    while let Some(place) = rest.find('{') {
        let (before, from) = rest.split_at(place);
        filled.push_str(before);
        let list = ("{numbers}", &numbers);
        let mut all = known.iter().map(|(name, value)| (*name, value)).chain([list]);
        let (length, value) = match all.find(|(name, _)| from.starts_with(name)) {
            Some((name, value)) => (name.len(), value.as_str()),
            None => (1, "{"),
        };
        filled.push_str(value);
        rest = slice_text(from, length..);
    }
    filled + rest
}

/// Whether the template yields a valid body for any values.
#[must_use]
pub fn is_valid_template(route: &SmsEndpoint) -> bool {
    let nasty = "\"\\\n\u{1}{}&=%字";
    let text = fill(route, &[("{text}", nasty), ("{id}", nasty), ("{event}", nasty)]);
    match route.format {
        SmsFormat::Form => text.is_ascii() && !text.contains(char::is_whitespace),
        SmsFormat::Json => serde_json::from_str::<serde_json::Value>(&text).is_ok(),
    }
}

fn escaped(format: SmsFormat, value: &str) -> String {
    match format {
        SmsFormat::Json => {
            let quoted = json!(value).to_string();
            slice_text(&quoted, 1..quoted.len() - 1).to_owned()
        }
        SmsFormat::Form => url::form_urlencoded::byte_serialize(value.as_bytes()).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::account::Language;

    fn route(format: SmsFormat, template: &str) -> SmsEndpoint {
        let to = vec!["+491".to_owned(), "+862".to_owned()];
        let (url, template) = (String::new(), template.to_owned());
        SmsEndpoint { url, format, template, header: None, to, language: Language::En }
    }

    #[test]
    fn values_are_escaped_and_never_read_as_a_template() {
        let values = [("{text}", "a \"b\" {to}\n&c=字")];
        let json =
            fill(&route(SmsFormat::Json, r#"{"n":{numbers},"to":"{to}","t":"{text}","x":{}}"#), &values);
        let read: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(
            read,
            json!({"n": ["+491", "+862"], "to": "+491,+862", "t": "a \"b\" {to}\n&c=字", "x": {}})
        );
        let form = fill(&route(SmsFormat::Form, "to={to}&t={text}"), &values);
        assert_eq!(form, "to=%2B491%2C%2B862&t=a+%22b%22+%7Bto%7D%0A%26c%3D%E5%AD%97");
    }

    #[test]
    fn an_invalid_template_is_detected() {
        for (format, template, is_good) in [
            (SmsFormat::Json, r#"{"a":"{text}"}"#, true),
            (SmsFormat::Json, r#"{"a":{text}}"#, false),
            (SmsFormat::Json, r#"{"a":"{numbers}","b":"{text}"}"#, false),
            (SmsFormat::Json, "{text}", false),
            (SmsFormat::Form, "a={text}&b={to}", true),
            (SmsFormat::Form, "a={text}\nb={to}", false),
        ] {
            assert_eq!(is_valid_template(&route(format, template)), is_good, "{template}");
        }
    }
}
