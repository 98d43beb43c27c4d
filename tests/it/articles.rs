//! Articles: written, saved, named, compared, found; and what readers may see of them.

use crate::{
    house::{Account, Story},
    on_both,
};
use domain::{
    ArticleId, Refusal,
    article::{Article, ArticleEdit, ArticleFilter, ArticleQuery, DiffLine, NewArticle},
    desk::Articles,
    person::Idempotency,
    refusal::Problem,
};
use std::sync::Arc;
use store::{Who, site};

on_both!(
    a_title_becomes_a_name_and_equal_ones_get_a_number,
    a_popular_title_gets_a_number_however_many_have_it,
    what_an_article_cannot_hold_is_refused_with_the_limit,
    line_ends_become_plain,
    a_second_tab_gets_a_conflict_with_both_texts,
    an_equal_text_makes_no_revision,
    of_two_writers_at_once_one_gets_a_conflict,
    autosaves_of_one_sitting_are_folded,
    a_pinned_autosave_is_never_folded,
    an_old_text_comes_back_as_a_new_revision,
    a_former_name_leads_to_the_article_and_cannot_be_taken,
    only_owners_and_admins_change_a_text,
    a_repeated_request_makes_one_article,
    the_list_is_searched_narrowed_and_paged,
    a_scheduled_text_says_how_far_the_writer_has_gone_on,
    readers_see_the_published_text_only,
);

fn desk(house: &Story) -> Arc<dyn Articles> {
    house.house.desk.articles.clone()
}

async fn write(house: &Story, by: &Account, title: &str, body: &str) -> Article {
    let new = NewArticle { title: title.to_owned(), body: body.to_owned(), slug: None };
    desk(house).create(&by.actor, new).await.expect("the article is made")
}

fn text(body: &str, seen: i32) -> ArticleEdit {
    ArticleEdit { title: None, body: Some(body.to_owned()), seen_revision: seen, is_autosave: false }
}

fn autosave(body: &str, seen: i32) -> ArticleEdit {
    ArticleEdit { is_autosave: true, ..text(body, seen) }
}

async fn numbers(house: &Story, id: ArticleId) -> Vec<i32> {
    let rows = desk(house).revisions(&house.creator.actor, id).await.expect("revisions");
    rows.iter().map(|row| row.number).collect()
}

async fn a_title_becomes_a_name_and_equal_ones_get_a_number(house: Story) {
    let by = &house.creator;
    assert_eq!(write(&house, by, "  Hello, World! ", "").await.row.slug, "hello-world");
    assert_eq!(write(&house, by, "Hello World", "").await.row.slug, "hello-world-2");
    assert_eq!(write(&house, by, "hello world?", "").await.row.slug, "hello-world-3");
    assert_eq!(write(&house, by, "你好，世界", "").await.row.slug, "你好-世界");
    assert_eq!(write(&house, by, "!!!", "").await.row.slug, "article");
    let new = NewArticle { title: "T".to_owned(), body: String::new(), slug: Some("Hello-World".to_owned()) };
    assert_eq!(desk(&house).create(&by.actor, new).await.unwrap().row.slug, "hello-world-4");
}

async fn a_popular_title_gets_a_number_however_many_have_it(house: Story) {
    for number in 1..=25 {
        let slug = write(&house, &house.creator, "Daily", "").await.row.slug;
        let wanted = if number == 1 { "daily".to_owned() } else { format!("daily-{number}") };
        assert_eq!(slug, wanted);
    }
}

async fn what_an_article_cannot_hold_is_refused_with_the_limit(house: Story) {
    let cases = [
        (String::new(), String::new(), Refusal::invalid("title", Problem::Empty)),
        ("x".repeat(100_000), String::new(), Refusal::invalid("title", Problem::TooLong { max: 300 })),
        ("t".to_owned(), "x".repeat(500_001), Refusal::invalid("body", Problem::TooLarge { max: 500_000 })),
        ("t".to_owned(), "a\0b".to_owned(), Refusal::invalid("body", Problem::BadCharacters)),
    ];
    for (title, body, refusal) in cases {
        let new = NewArticle { title, body, slug: None };
        assert_eq!(desk(&house).create(&house.creator.actor, new).await, Err(refusal));
    }
    let whole = write(&house, &house.creator, &"中".repeat(300), &"x".repeat(500_000)).await;
    assert_eq!((whole.row.slug.chars().count(), whole.body.len()), (100, 500_000));
}

async fn line_ends_become_plain(house: Story) {
    let article = write(&house, &house.creator, "T", "a\r\nb\r\n").await;
    assert_eq!(article.body, "a\nb\n");
}

async fn a_second_tab_gets_a_conflict_with_both_texts(house: Story) {
    let (desk, actor) = (desk(&house), &house.creator.actor);
    let id = write(&house, &house.creator, "T", "one").await.row.id;
    assert_eq!(desk.save(actor, id, text("two", 1)).await.unwrap().row.revision, 2);
    let conflict = Refusal::TextConflict { revision: 2, title: "T".to_owned(), body: "two".to_owned() };
    assert_eq!(desk.save(actor, id, text("mine", 1)).await, Err(conflict));
    assert_eq!(desk.find(actor, id).await.unwrap().body, "two");
    assert_eq!(desk.save(actor, id, text("both", 2)).await.unwrap().row.revision, 3);
}

async fn an_equal_text_makes_no_revision(house: Story) {
    let (desk, actor) = (desk(&house), &house.creator.actor);
    let id = write(&house, &house.creator, "T", "one").await.row.id;
    assert_eq!(desk.save(actor, id, text("one", 1)).await.unwrap().row.revision, 1);
    assert_eq!(desk.save(actor, id, text("two", 1)).await.unwrap().row.revision, 2);
    let again = desk.save(actor, id, text("two", 1)).await.unwrap();
    assert_eq!(again.row.revision, 2, "an answer that got lost is no conflict");
}

async fn of_two_writers_at_once_one_gets_a_conflict(house: Story) {
    let id = write(&house, &house.creator, "T", "start").await.row.id;
    let (desk, actor, admin) = (desk(&house), &house.creator.actor, &house.admin.actor);
    let (one, other) =
        tokio::join!(desk.save(actor, id, text("one", 1)), desk.save(admin, id, text("other", 1)));
    assert_eq!([&one, &other].iter().filter(|done| done.is_ok()).count(), 1);
    let lost = if one.is_ok() { other } else { one };
    assert!(matches!(lost, Err(Refusal::TextConflict { revision: 2, .. })), "{lost:?}");
}

async fn autosaves_of_one_sitting_are_folded(house: Story) {
    let (desk, actor) = (desk(&house), &house.creator.actor);
    let id = write(&house, &house.creator, "T", "0").await.row.id;
    for seen in 1..=4 {
        let saved = desk.save(actor, id, autosave(&seen.to_string(), seen)).await.unwrap();
        assert_eq!((saved.row.revision, saved.body), (seen + 1, seen.to_string()));
    }
    assert_eq!(numbers(&house, id).await, [5, 1]);
    desk.save(&house.admin.actor, id, autosave("admin", 5)).await.unwrap();
    assert_eq!(numbers(&house, id).await, [6, 5, 1], "another writer's text is kept");
    desk.save(actor, id, autosave("a", 6)).await.unwrap();
    house.advance(5 * 60_000).await;
    desk.save(actor, id, autosave("b", 7)).await.unwrap();
    assert_eq!(numbers(&house, id).await, [8, 7, 6, 5, 1], "after five minutes a sitting is kept");
    desk.save(actor, id, text("by hand", 8)).await.unwrap();
    assert_eq!(numbers(&house, id).await, [9, 8, 7, 6, 5, 1]);
}

async fn a_pinned_autosave_is_never_folded(house: Story) {
    let (desk, actor) = (desk(&house), &house.creator.actor);
    let id = write(&house, &house.creator, "T", "0").await.row.id;
    desk.save(actor, id, autosave("pinned", 1)).await.unwrap();
    let new =
        serde_json::json!({ "kind": "article.publish", "target_id": id, "due_at": house.later(60_000) });
    let task = house.as_creator().post("/api/v1/tasks", &new).await.expect(201);
    let cancel = format!("/api/v1/tasks/{}/cancel", task["id"].as_str().unwrap());
    house.as_creator().post(&cancel, &serde_json::json!({ "seen_version": 1 })).await.expect(200);
    desk.save(actor, id, autosave("later", 2)).await.unwrap();
    assert_eq!(numbers(&house, id).await, [3, 2, 1], "an undo may want it back");
    assert_eq!(desk.revision(actor, id, 2).await.unwrap().body, "pinned");
}

async fn an_old_text_comes_back_as_a_new_revision(house: Story) {
    let (desk, actor) = (desk(&house), &house.creator.actor);
    let id = write(&house, &house.creator, "T", "one\n").await.row.id;
    desk.save(actor, id, text("two\n", 1)).await.unwrap();
    let lines = desk.diff(actor, id, 1, 2).await.unwrap();
    assert_eq!(lines, [DiffLine::Removed("one".to_owned()), DiffLine::Added("two".to_owned())]);
    let stale = desk.restore(actor, id, 1, 1).await;
    assert!(matches!(stale, Err(Refusal::TextConflict { revision: 2, .. })), "{stale:?}");
    let back = desk.restore(actor, id, 1, 2).await.unwrap();
    assert_eq!((back.row.revision, back.body.as_str()), (3, "one\n"));
    assert_eq!(desk.restore(actor, id, 9, 3).await, Err(Refusal::no_such("revision")));
    let log = house.house.desk.tasks.events(actor, 0, 1_000).await.unwrap();
    let verbs: Vec<_> = log.items.iter().filter(|e| e.entity_id == id.0).map(|e| e.verb.as_str()).collect();
    assert_eq!(verbs, ["create", "save", "restore"], "one line of the log for each change");
}

async fn a_former_name_leads_to_the_article_and_cannot_be_taken(house: Story) {
    let (desk, actor) = (desk(&house), &house.creator.actor);
    let first = write(&house, &house.creator, "First", "").await.row.id;
    let other = write(&house, &house.creator, "Other", "").await.row.id;
    let renamed = desk.rename(actor, first, "Better Name".to_owned()).await.unwrap();
    assert_eq!((renamed.row.slug.as_str(), renamed.former_slugs), ("better-name", vec!["first".to_owned()]));
    let taken = Refusal::Taken { what: "slug".to_owned() };
    assert_eq!(desk.rename(actor, other, "better-name".to_owned()).await, Err(taken.clone()));
    assert_eq!(desk.rename(actor, other, "first".to_owned()).await, Err(taken));
    assert_eq!(write(&house, &house.creator, "First", "").await.row.slug, "first-2");
    let back = desk.rename(actor, first, "first".to_owned()).await.unwrap();
    assert_eq!((back.row.slug.as_str(), back.former_slugs), ("first", vec!["better-name".to_owned()]));
    assert_eq!(
        desk.rename(actor, first, " ".to_owned()).await,
        Err(Refusal::invalid("slug", Problem::Empty))
    );
}

async fn only_owners_and_admins_change_a_text(house: Story) {
    let desk = desk(&house);
    let id = write(&house, &house.creator, "T", "one").await.row.id;
    for other in [&house.colleague.actor, &house.reviewer.actor] {
        assert!(!desk.find(other, id).await.unwrap().may_change);
        assert_eq!(desk.save(other, id, text("x", 1)).await, Err(Refusal::NotAllowed));
        assert_eq!(desk.rename(other, id, "x".to_owned()).await, Err(Refusal::NotAllowed));
        assert_eq!(desk.restore(other, id, 1, 1).await, Err(Refusal::NotAllowed));
    }
    assert!(desk.save(&house.admin.actor, id, text("two", 1)).await.is_ok());
    let nothing = desk.find(&house.creator.actor, ArticleId::fresh()).await;
    assert_eq!(nothing, Err(Refusal::no_such("article")));
}

async fn a_repeated_request_makes_one_article(house: Story) {
    let mut actor = house.creator.actor.clone();
    let key = |fingerprint: &str| Idempotency { key: "k".to_owned(), fingerprint: fingerprint.to_owned() };
    let new = NewArticle { title: "Once".to_owned(), body: String::new(), slug: None };
    actor.idempotency = Some(key("a"));
    let first = desk(&house).create(&actor, new.clone()).await.unwrap();
    let again = desk(&house).create(&actor, new.clone()).await.unwrap();
    assert_eq!(first.row.id, again.row.id);
    actor.idempotency = Some(key("b"));
    assert_eq!(desk(&house).create(&actor, new).await, Err(Refusal::KeyReused));
}

async fn the_list_is_searched_narrowed_and_paged(house: Story) {
    let (desk, actor) = (desk(&house), &house.creator.actor);
    for number in 0..5 {
        write(&house, &house.creator, &format!("Draft {number}"), "plain").await;
        house.advance(1_000).await;
    }
    write(&house, &house.colleague, "Theirs", "a needle, 100% 中文").await;
    house.scheduled("Waits", 3_600_000).await;
    let titles = async |query: ArticleQuery| {
        let page = desk.list(actor, query).await.unwrap();
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
    assert!(matches!(desk.list(actor, bad).await, Err(Refusal::Invalid { .. })));
}

async fn a_scheduled_text_says_how_far_the_writer_has_gone_on(house: Story) {
    let (desk, actor) = (desk(&house), &house.creator.actor);
    let (article, task) = house.scheduled("Plan", 3_600_000).await;
    let id: ArticleId = article["id"].as_str().unwrap().parse().unwrap();
    let found = desk.find(actor, id).await.unwrap();
    assert_eq!((found.waiting.len(), found.drift), (1, None));
    assert_eq!(found.row.waiting.map(|task| task.id.to_string()), task["id"].as_str().map(str::to_owned));
    let body = format!("New beginning.\n\n{}\nNew end.\n", found.body);
    let saved = desk.save(actor, id, text(&body, 1)).await.unwrap();
    let drift = saved.drift.expect("the pinned text is older");
    assert_eq!((drift.pinned, drift.changes), (1, 2));
    let rows = desk.revisions(actor, id).await.unwrap();
    assert_eq!(rows.iter().map(|row| row.is_pinned).collect::<Vec<_>>(), [false, true]);
}

async fn readers_see_the_published_text_only(house: Story) {
    let (desk, actor) = (desk(&house), &house.creator.actor);
    let (article, _) = house.scheduled("Embargo", 60_000).await;
    let id: ArticleId = article["id"].as_str().unwrap().parse().unwrap();
    desk.rename(actor, id, "new-name".to_owned()).await.unwrap();
    let look = async |slug: &str| {
        let mut lease = house.house.parts.store.read(Who::People).await.unwrap();
        site::find(lease.conn(), slug).await.unwrap()
    };
    assert_eq!((look("embargo").await, look("new-name").await), (None, None));
    house.advance(60_000).await;
    desk.save(actor, id, text("a secret draft", 1)).await.unwrap();
    let Some(site::Found::Here(piece)) = look("new-name").await else { panic!("it is public") };
    assert!(
        piece.html.as_deref().unwrap_or_default().contains("A text about Embargo")
            && piece.title == "Embargo",
        "{piece:?}"
    );
    assert_eq!(look("embargo").await, Some(site::Found::Moved("new-name".to_owned())));
    let mut lease = house.house.parts.store.read(Who::People).await.unwrap();
    let newest = site::newest(lease.conn(), 100).await.unwrap();
    let page = site::page(lease.conn(), None, 30).await.unwrap();
    assert_eq!((newest.len(), page.len()), (1, 1));
    let after = site::page(lease.conn(), Some((piece.published_at, piece.id)), 30).await.unwrap();
    assert!(after.is_empty());
}
