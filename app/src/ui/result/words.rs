//! The words of the result of a form that loads a page. A signed cookie carries them from the form to
//! its page, whose URL has only the random id of the cookie (`?r=ID`). The first page that is rendered
//! with the id takes the words and deletes the cookie, so a reload, *Back* and another tab show nothing.
//!
//! On the server, the web layer checks the signature and provides the words. A redirect that the router
//! follows loads no page: then the script takes the cookie. Its words only choose sentences.

use crate::server_fns::result_url::ID;
use leptos::prelude::*;
use leptos_router::{hooks::use_query_map, location::Url};
use serde::{Deserialize, Serialize};
use wasm_bindgen::{JsCast, JsValue};

/// The words of a result: names and values.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResultWords(Vec<(String, String)>);

impl ResultWords {
    /// Reads words that are written like the query of a URL.
    #[must_use]
    pub fn parse(query: &str) -> Self {
        let decode = |text: &str| Url::unescape(&text.replace('+', " "));
        let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
        Self(pairs.map(|(name, value)| (name.to_owned(), decode(value))).collect())
    }

    /// Value of a word; `None`: the result does not have it.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<String> {
        self.0.iter().find(|(own, _)| own == name).map(|(_, value)| value.clone())
    }

    /// Whether there is no result.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Prefix of the names of the cookies; the id follows.
#[must_use]
pub fn cookie_prefix(is_secure: bool) -> &'static str {
    if is_secure { "__Host-result-" } else { "result-" }
}

/// The words in the value of a cookie: between its moment and its signature.
#[must_use]
pub fn words_in(cookie: &str) -> Option<&str> {
    let (text, _signature) = cookie.rsplit_once('.')?;
    text.split_once('.').map(|(_moment, words)| words)
}

/// The header that deletes the cookie with this name.
#[must_use]
pub fn deletion(name: &str, is_secure: bool) -> String {
    let secure = if is_secure { "; Secure" } else { "" };
    format!("{name}=; Path=/; SameSite=Lax; Max-Age=0{secure}")
}

/// Provides the words of the result of this page. Called once, by the layout: it needs the router.
pub fn provide() {
    let of_page = SharedValue::new(|| use_context::<ResultWords>().unwrap_or_default()).into_inner();
    let query = use_query_map();
    let id = Memo::new(move |_| query.with(|query| query.get(ID)));
    let words = Memo::new(move |before: Option<&ResultWords>| {
        let id = id.get();
        match before {
            None => of_page.clone(),
            Some(_) => id.and_then(|id| take(&id)).unwrap_or_default(),
        }
    });
    // The first value belongs to the page that the server rendered, so it is read before another is opened.
    _ = words.with_untracked(ResultWords::is_empty);
    Effect::new(move |_| {
        if id.with(Option::is_some) {
            hide_id();
        }
    });
    provide_context(words);
}

/// Returns the words of the result that this page shows.
#[must_use]
pub fn result_words() -> Memo<ResultWords> {
    use_context::<Memo<ResultWords>>().unwrap_or_else(|| {
        provide();
        expect_context::<Memo<ResultWords>>()
    })
}

/// Takes the words out of the cookie with this id, in the browser.
fn take(id: &str) -> Option<ResultWords> {
    let page: web_sys::HtmlDocument = document().unchecked_into();
    let cookies = page.cookie().ok()?;
    [true, false].into_iter().find_map(|is_secure| {
        let name = format!("{}{id}", cookie_prefix(is_secure));
        let of_name = |pair: &str| pair.strip_prefix(&name)?.strip_prefix('=').map(str::to_owned);
        let value = cookies.split("; ").find_map(of_name)?;
        _ = page.set_cookie(&deletion(&name, is_secure));
        words_in(&value).map(ResultWords::parse)
    })
}

/// Removes the id from the address bar: it is used up.
fn hide_id() {
    let location = window().location();
    let part = |text: Result<String, JsValue>| text.unwrap_or_default();
    let (path, search, anchor) = (part(location.pathname()), part(location.search()), part(location.hash()));
    let is_id = |pair: &str| pair.split('=').next() == Some(ID);
    let kept: Vec<&str> =
        search.trim_start_matches('?').split('&').filter(|pair| !pair.is_empty() && !is_id(pair)).collect();
    let query = if kept.is_empty() { String::new() } else { format!("?{}", kept.join("&")) };
    if let Ok(history) = window().history() {
        let state = history.state().unwrap_or_default();
        _ = history.replace_state_with_url(&state, "", Some(&format!("{path}{query}{anchor}")));
    }
}

#[cfg(test)]
mod tests {
    use super::{ResultWords, words_in};

    #[test]
    fn words_are_decoded() {
        let words = ResultWords::parse("done=view-deleted.One+%26%20only&account=7");
        assert_eq!(words.get("done").as_deref(), Some("view-deleted.One & only"));
        assert_eq!((words.get("account").as_deref(), words.get("meeting")), (Some("7"), None));
        assert!(ResultWords::parse("").is_empty());
    }

    #[test]
    fn a_cookie_has_its_words_between_moment_and_signature() {
        assert_eq!(words_in("1.done=bulk-moved.a.2.ff"), Some("done=bulk-moved.a.2"));
        assert_eq!(words_in("1.ff"), None);
        assert_eq!(words_in(""), None);
    }
}
