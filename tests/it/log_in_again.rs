//! A session that has ended loses nothing: with scripts off a form goes through the log-in.

use crate::{
    caller::{Caller, Reply},
    house::Story,
    on_both,
    sheet::says,
};

on_both!(a_form_goes_through_the_log_in, a_form_of_another_site_does_not,);

const BODY: &str = "and nothing of it </textarea>\"'&amp; is lost";

/// The value of a hidden field of a page.
fn hidden(page: &str, name: &str) -> String {
    let (_, rest) =
        page.split_once(&format!("name=\"{name}\" value=\"")).unwrap_or_else(|| panic!("no {name}: {page}"));
    let value = rest.split('"').next().unwrap();
    value.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

async fn log_in(browser: &Caller, story: &Story, password: &str, held: &str) -> Reply {
    let form = [
        ("email", story.creator.email.as_str()),
        ("password", password),
        ("next", "/articles/new"),
        ("held", held),
        ("from", "/login?next=/articles/new"),
    ];
    browser.form("/fn/log_in", &form).await
}

async fn a_form_goes_through_the_log_in(story: Story) {
    let browser = story.browser();
    let typed = [("title", "Typed for an hour"), ("body", BODY), ("from", "/articles/new")];
    let asked = browser.form("/fn/create_article", &typed).await;
    assert_eq!(asked.status, 401, "{}", asked.text);
    says(&asked.text, &["what you typed is kept"]);
    let wrong = log_in(&browser, &story, "not this one", &hidden(&asked.text, "held")).await;
    assert_eq!(wrong.status, 401, "{}", wrong.text);
    let again = log_in(&browser, &story, &story.creator.password, &hidden(&wrong.text, "held")).await;
    assert_eq!(again.status, 200, "{}", again.text);
    says(&again.text, &["Typed for an hour", "nothing of it &lt;/textarea&gt;&quot;&#39;&amp;amp; is lost"]);
    let found = story.as_admin().get("/api/v1/articles").await.expect(200);
    assert_eq!(found["items"].as_array().map(Vec::len), Some(0), "nothing is sent by itself");
    let saved = browser.form("/fn/create_article", &typed).await;
    assert!((300..400).contains(&saved.status), "the session holds: {}", saved.text);
}

async fn a_form_of_another_site_does_not(story: Story) {
    let browser = story.browser();
    let held = serde_json::json!(["/fn/create_article", [["title", "T"]]]).to_string();
    for next in ["//evil.example/", "https://evil.example/", "/\\evil.example"] {
        let form = [
            ("email", story.creator.email.as_str()),
            ("password", story.creator.password.as_str()),
            ("next", next),
            ("held", held.as_str()),
        ];
        let reply = browser.form("/fn/log_in", &form).await;
        assert_eq!((reply.status, reply.header("location")), (303, "/"), "{next}");
    }
}
