//! Articles: create, save, rename, compare, search; and what readers may see.

mod follows;

use crate::{
    on_both,
    test_server::{Account, TestServer},
};
use domain::{
    ArticleId, DomainError,
    account::Idempotency,
    article::{Article, ArticleEdit, ArticleFilter, ArticleQuery, DiffLine, NewArticle},
    error::ValidationError,
    services::Articles,
};
use std::sync::Arc;
use store::{PoolRole, site};

on_both!(
    a_title_becomes_a_slug_and_duplicates_get_a_number,
    duplicate_titles_are_numbered_without_a_limit,
    invalid_article_text_is_refused_with_the_limit,
    line_ends_are_normalized,
    a_second_tab_gets_a_conflict_with_both_texts,
    an_unchanged_text_creates_no_revision,
    one_of_two_concurrent_writers_gets_a_conflict,
    autosaves_of_one_session_are_merged,
    a_pinned_autosave_is_never_merged,
    an_old_text_is_restored_as_a_new_revision,
    an_old_slug_redirects_and_cannot_be_reused,
    only_owners_and_admins_edit_an_article,
    a_repeated_request_creates_one_article,
    the_list_is_searched_filtered_and_paged,
    a_scheduled_article_shows_edits_after_the_pinned_revision,
    readers_see_only_the_published_revision,
);

fn articles(server: &TestServer) -> Arc<dyn Articles> {
    server.app.services.articles.clone()
}

async fn write(server: &TestServer, by: &Account, title: &str, body: &str) -> Article {
    let new = NewArticle { title: title.to_owned(), body: body.to_owned(), ..NewArticle::default() };
    articles(server).create(&by.actor, new).await.expect("the article is created")
}

fn text(body: &str, seen: i32) -> ArticleEdit {
    ArticleEdit { title: None, body: Some(body.to_owned()), seen_revision: seen, ..ArticleEdit::default() }
}

fn autosave(body: &str, seen: i32) -> ArticleEdit {
    ArticleEdit { is_autosave: true, ..text(body, seen) }
}

async fn numbers(server: &TestServer, id: ArticleId) -> Vec<i32> {
    let rows = articles(server).revisions(&server.creator.actor, id).await.expect("revisions");
    rows.iter().map(|row| row.number).collect()
}

async fn a_title_becomes_a_slug_and_duplicates_get_a_number(server: TestServer) {
    let by = &server.creator;
    assert_eq!(write(&server, by, "  Hello, World! ", "").await.row.slug, "hello-world");
    assert_eq!(write(&server, by, "Hello World", "").await.row.slug, "hello-world-2");
    assert_eq!(write(&server, by, "hello world?", "").await.row.slug, "hello-world-3");
    assert_eq!(write(&server, by, "你好，世界", "").await.row.slug, "你好-世界");
    assert_eq!(write(&server, by, "!!!", "").await.row.slug, "article");
    let new = NewArticle {
        title: "T".to_owned(),
        body: String::new(),
        slug: Some("Hello-World".to_owned()),
        ..NewArticle::default()
    };
    assert_eq!(articles(&server).create(&by.actor, new).await.unwrap().row.slug, "hello-world-4");
}

async fn duplicate_titles_are_numbered_without_a_limit(server: TestServer) {
    for number in 1..=25 {
        let slug = write(&server, &server.creator, "Daily", "").await.row.slug;
        let wanted = if number == 1 { "daily".to_owned() } else { format!("daily-{number}") };
        assert_eq!(slug, wanted);
    }
}

async fn invalid_article_text_is_refused_with_the_limit(server: TestServer) {
    let cases = [
        (String::new(), String::new(), DomainError::invalid("title", ValidationError::Empty)),
        (
            "x".repeat(100_000),
            String::new(),
            DomainError::invalid("title", ValidationError::TooLong { max: 300 }),
        ),
        (
            "t".to_owned(),
            "x".repeat(500_001),
            DomainError::invalid("body", ValidationError::TooLarge { max: 500_000 }),
        ),
        ("t".to_owned(), "a\0b".to_owned(), DomainError::invalid("body", ValidationError::BadCharacters)),
    ];
    for (title, body, refusal) in cases {
        let new = NewArticle { title, body, ..NewArticle::default() };
        assert_eq!(articles(&server).create(&server.creator.actor, new).await, Err(refusal));
    }
    let whole = write(&server, &server.creator, &"中".repeat(300), &"x".repeat(500_000)).await;
    assert_eq!((whole.row.slug.chars().count(), whole.body.len()), (100, 500_000));
}

async fn line_ends_are_normalized(server: TestServer) {
    let article = write(&server, &server.creator, "T", "a\r\nb\r\n").await;
    assert_eq!(article.body, "a\nb\n");
}

async fn a_second_tab_gets_a_conflict_with_both_texts(server: TestServer) {
    let (articles, actor) = (articles(&server), &server.creator.actor);
    let id = write(&server, &server.creator, "T", "one").await.row.id;
    assert_eq!(articles.save(actor, id, text("two", 1)).await.unwrap().row.revision, 2);
    let conflict = DomainError::TextConflict {
        revision: 2,
        title: "T".to_owned(),
        body: "two".to_owned(),
        has_text: true,
    };
    assert_eq!(articles.save(actor, id, text("mine", 1)).await, Err(conflict));
    assert_eq!(articles.find(actor, id).await.unwrap().body, "two");
    assert_eq!(articles.save(actor, id, text("both", 2)).await.unwrap().row.revision, 3);
}

async fn an_unchanged_text_creates_no_revision(server: TestServer) {
    let (articles, actor) = (articles(&server), &server.creator.actor);
    let id = write(&server, &server.creator, "T", "one").await.row.id;
    assert_eq!(articles.save(actor, id, text("one", 1)).await.unwrap().row.revision, 1);
    assert_eq!(articles.save(actor, id, text("two", 1)).await.unwrap().row.revision, 2);
    let again = articles.save(actor, id, text("two", 1)).await.unwrap();
    assert_eq!(again.row.revision, 2, "a repeated save after a lost response is no conflict");
}

async fn one_of_two_concurrent_writers_gets_a_conflict(server: TestServer) {
    let id = write(&server, &server.creator, "T", "start").await.row.id;
    let (articles, actor, admin) = (articles(&server), &server.creator.actor, &server.admin.actor);
    let (one, other) =
        tokio::join!(articles.save(actor, id, text("one", 1)), articles.save(admin, id, text("other", 1)));
    assert_eq!([&one, &other].iter().filter(|done| done.is_ok()).count(), 1);
    let lost = if one.is_ok() { other } else { one };
    assert!(matches!(lost, Err(DomainError::TextConflict { revision: 2, .. })), "{lost:?}");
}

async fn autosaves_of_one_session_are_merged(server: TestServer) {
    let (articles, actor) = (articles(&server), &server.creator.actor);
    let id = write(&server, &server.creator, "T", "0").await.row.id;
    for seen in 1..=4 {
        let saved = articles.save(actor, id, autosave(&seen.to_string(), seen)).await.unwrap();
        assert_eq!((saved.row.revision, saved.body), (seen + 1, seen.to_string()));
    }
    assert_eq!(numbers(&server, id).await, [5, 1]);
    articles.save(&server.admin.actor, id, autosave("admin", 5)).await.unwrap();
    assert_eq!(numbers(&server, id).await, [6, 5, 1], "the revision of another author is kept");
    articles.save(actor, id, autosave("a", 6)).await.unwrap();
    server.advance(4 * 60_000).await;
    articles.save(actor, id, autosave("a and more", 7)).await.unwrap();
    let newest = articles.revisions(actor, id).await.unwrap().remove(0);
    assert_eq!((newest.number, newest.saved.at), (8, server.now()), "the time is that of the last save");
    server.advance(60_000).await;
    articles.save(actor, id, autosave("b", 8)).await.unwrap();
    assert_eq!(numbers(&server, id).await, [9, 8, 6, 5, 1], "a new session starts after five minutes");
    articles.save(actor, id, text("by hand", 9)).await.unwrap();
    assert_eq!(numbers(&server, id).await, [10, 9, 8, 6, 5, 1]);
}

async fn a_pinned_autosave_is_never_merged(server: TestServer) {
    let (articles, actor) = (articles(&server), &server.creator.actor);
    let id = write(&server, &server.creator, "T", "0").await.row.id;
    articles.save(actor, id, autosave("pinned", 1)).await.unwrap();
    let new = serde_json::json!({ "kind": "article.publish", "target_id": id, "due_at": server.time_after(60_000) });
    let task = server.as_creator().post("/api/v1/tasks", &new).await.expect(201);
    let cancel = format!("/api/v1/tasks/{}/cancel", task["id"].as_str().unwrap());
    server.as_creator().post(&cancel, &serde_json::json!({ "seen_version": 1 })).await.expect(200);
    articles.save(actor, id, autosave("later", 2)).await.unwrap();
    assert_eq!(numbers(&server, id).await, [3, 2, 1], "an undo may need it");
    assert_eq!(articles.revision(actor, id, 2).await.unwrap().body, "pinned");
}

async fn an_old_text_is_restored_as_a_new_revision(server: TestServer) {
    let (articles, actor) = (articles(&server), &server.creator.actor);
    let id = write(&server, &server.creator, "T", "one\n").await.row.id;
    articles.save(actor, id, text("two\n", 1)).await.unwrap();
    let lines = articles.diff(actor, id, 1, 2).await.unwrap();
    assert_eq!(lines, [DiffLine::Removed("one".to_owned()), DiffLine::Added("two".to_owned())]);
    let stale = articles.restore(actor, id, 1, 1).await;
    assert!(matches!(stale, Err(DomainError::TextConflict { revision: 2, .. })), "{stale:?}");
    let back = articles.restore(actor, id, 1, 2).await.unwrap();
    assert_eq!((back.row.revision, back.body.as_str()), (3, "one\n"));
    assert_eq!(articles.restore(actor, id, 9, 3).await, Err(DomainError::no_such("revision")));
    let log = server.app.services.tasks.events(actor, 0, 1_000).await.unwrap();
    let verbs: Vec<_> = log.items.iter().filter(|e| e.entity_id == id.0).map(|e| e.verb.as_str()).collect();
    assert_eq!(verbs, ["create", "save", "restore"], "one event per change");
}

async fn an_old_slug_redirects_and_cannot_be_reused(server: TestServer) {
    let (articles, actor) = (articles(&server), &server.creator.actor);
    let first = write(&server, &server.creator, "First", "").await.row.id;
    let other = write(&server, &server.creator, "Other", "").await.row.id;
    let renamed = articles.rename(actor, first, "Better Name".to_owned()).await.unwrap();
    assert_eq!((renamed.row.slug.as_str(), renamed.former_slugs), ("better-name", vec!["first".to_owned()]));
    let taken = DomainError::Taken { what: "slug".to_owned() };
    assert_eq!(articles.rename(actor, other, "better-name".to_owned()).await, Err(taken.clone()));
    assert_eq!(articles.rename(actor, other, "first".to_owned()).await, Err(taken));
    assert_eq!(write(&server, &server.creator, "First", "").await.row.slug, "first-2");
    let back = articles.rename(actor, first, "first".to_owned()).await.unwrap();
    assert_eq!((back.row.slug.as_str(), back.former_slugs), ("first", vec!["better-name".to_owned()]));
    assert_eq!(
        articles.rename(actor, first, " ".to_owned()).await,
        Err(DomainError::invalid("slug", ValidationError::Empty))
    );
}

async fn only_owners_and_admins_edit_an_article(server: TestServer) {
    let articles = articles(&server);
    let id = write(&server, &server.creator, "T", "one").await.row.id;
    for other in [&server.colleague.actor, &server.reviewer.actor] {
        assert!(!articles.find(other, id).await.unwrap().may_change);
        assert_eq!(articles.save(other, id, text("x", 1)).await, Err(DomainError::NotAllowed));
        assert_eq!(articles.rename(other, id, "x".to_owned()).await, Err(DomainError::NotAllowed));
        assert_eq!(articles.restore(other, id, 1, 1).await, Err(DomainError::NotAllowed));
    }
    assert!(articles.save(&server.admin.actor, id, text("two", 1)).await.is_ok());
    let nothing = articles.find(&server.creator.actor, ArticleId::generate()).await;
    assert_eq!(nothing, Err(DomainError::no_such("article")));
}

async fn a_repeated_request_creates_one_article(server: TestServer) {
    let mut actor = server.creator.actor.clone();
    let key = |fingerprint: &str| Idempotency { key: "k".to_owned(), fingerprint: fingerprint.to_owned() };
    let new = NewArticle { title: "Once".to_owned(), body: String::new(), ..NewArticle::default() };
    actor.idempotency = Some(key("a"));
    let first = articles(&server).create(&actor, new.clone()).await.unwrap();
    let again = articles(&server).create(&actor, new.clone()).await.unwrap();
    assert_eq!(first.row.id, again.row.id);
    actor.idempotency = Some(key("b"));
    assert_eq!(articles(&server).create(&actor, new).await, Err(DomainError::KeyReused));
}

async fn the_list_is_searched_filtered_and_paged(server: TestServer) {
    let (articles, actor) = (articles(&server), &server.creator.actor);
    for number in 0..5 {
        write(&server, &server.creator, &format!("Draft {number}"), "plain").await;
        server.advance(1_000).await;
    }
    write(&server, &server.colleague, "Theirs", "a needle, 100% 中文").await;
    server.schedule_new_article("Waits", 3_600_000).await;
    let titles = async |query: ArticleQuery| {
        let page = articles.list(actor, query).await.unwrap();
        (page.items.into_iter().map(|row| row.title).collect::<Vec<_>>(), page.next_cursor)
    };
    let find = |q: &str| ArticleQuery { q: Some(q.to_owned()), ..ArticleQuery::default() };
    assert_eq!(titles(find("NEEDLE")).await.0, ["Theirs"]);
    assert_eq!(titles(find("中文")).await.0, ["Theirs"]);
    assert_eq!(titles(find("100%")).await.0, ["Theirs"]);
    assert_eq!(titles(find("t_eirs")).await.0, Vec::<String>::new());
    let only = |filter| ArticleQuery { filter: Some(filter), ..ArticleQuery::default() };
    assert_eq!(titles(only(ArticleFilter::Scheduled)).await.0, ["Waits"]);
    assert_eq!(titles(only(ArticleFilter::Draft)).await.0.len(), 6);
    assert!(titles(only(ArticleFilter::Published)).await.0.is_empty());
    let mine = ArticleQuery { is_mine: true, ..ArticleQuery::default() };
    assert!(!titles(mine).await.0.contains(&"Theirs".to_owned()));

    let (mut seen, mut cursor) = (Vec::new(), None);
    loop {
        let page = titles(ArticleQuery { limit: Some(3), cursor, ..ArticleQuery::default() }).await;
        seen.extend(page.0);
        cursor = page.1;
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!(seen.len(), 7);
    assert_eq!(seen[2..], ["Draft 4", "Draft 3", "Draft 2", "Draft 1", "Draft 0"]);
    let bad = ArticleQuery { cursor: Some("x".to_owned()), ..ArticleQuery::default() };
    assert!(matches!(articles.list(actor, bad).await, Err(DomainError::Invalid { .. })));
}

async fn a_scheduled_article_shows_edits_after_the_pinned_revision(server: TestServer) {
    let (articles, actor) = (articles(&server), &server.creator.actor);
    let (article, task) = server.schedule_new_article("Plan", 3_600_000).await;
    let id: ArticleId = article["id"].as_str().unwrap().parse().unwrap();
    let found = articles.find(actor, id).await.unwrap();
    assert_eq!((found.waiting.len(), found.drift), (1, None));
    assert_eq!(found.row.waiting.map(|task| task.id.to_string()), task["id"].as_str().map(str::to_owned));
    let body = format!("New beginning.\n\n{}\nNew end.\n", found.body);
    let saved = articles.save(actor, id, text(&body, 1)).await.unwrap();
    let drift = saved.drift.expect("the pinned text is older");
    assert_eq!((drift.pinned, drift.changes), (1, 2));
    let rows = articles.revisions(actor, id).await.unwrap();
    assert_eq!(rows.iter().map(|row| row.is_pinned).collect::<Vec<_>>(), [false, true]);
}

async fn readers_see_only_the_published_revision(server: TestServer) {
    let (articles, actor) = (articles(&server), &server.creator.actor);
    let (article, _) = server.schedule_new_article("Embargo", 60_000).await;
    let id: ArticleId = article["id"].as_str().unwrap().parse().unwrap();
    articles.rename(actor, id, "new-name".to_owned()).await.unwrap();
    let find_public = async |slug: &str| {
        let mut lease = server.app.parts.store.read(PoolRole::Web).await.unwrap();
        site::find(lease.conn(), slug).await.unwrap()
    };
    assert_eq!((find_public("embargo").await, find_public("new-name").await), (None, None));
    server.advance(60_000).await;
    articles.save(actor, id, text("a secret draft", 1)).await.unwrap();
    let Some(site::SiteLookup::Published(piece)) = find_public("new-name").await else {
        panic!("it is public")
    };
    assert!(
        piece.html.as_deref().unwrap_or_default().contains("A text about Embargo")
            && piece.title == "Embargo",
        "{piece:?}"
    );
    assert_eq!(find_public("embargo").await, Some(site::SiteLookup::Redirect("new-name".to_owned())));
    let mut lease = server.app.parts.store.read(PoolRole::Web).await.unwrap();
    let newest = site::newest(lease.conn(), 100).await.unwrap();
    let page = site::page(lease.conn(), None, 30).await.unwrap();
    assert_eq!((newest.len(), page.len()), (1, 1));
    let after = site::page(lease.conn(), Some((piece.published_at, piece.id)), 30).await.unwrap();
    assert!(after.is_empty());
}
