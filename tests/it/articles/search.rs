//! Full-text search: the same results on both databases for any text and any query.

use crate::{
    on_both,
    test_server::{Account, TestServer},
};
use domain::{
    ArticleId, DomainError,
    article::{ArticleEdit, ArticleFilter, ArticleQuery, ArticleRow, NewArticle},
    error::ValidationError,
    services::Articles,
    task::TaskQuery,
};
use serde_json::json;
use std::sync::Arc;
use store::{Conn, PoolRole, search};

on_both!(
    case_and_width_are_ignored_in_every_script,
    a_word_is_found_in_a_text_without_spaces,
    exact_titles_rank_first_then_titles_then_texts,
    the_last_word_is_a_prefix_and_quotes_match_phrases,
    every_query_gets_an_answer,
    pages_have_no_gaps,
    an_edit_is_indexed_immediately_and_the_old_text_is_removed,
    the_excerpt_shows_the_sentence_with_the_hit,
    letters_that_fold_to_several_are_found_and_long_words_are_cut,
    a_search_is_filtered_like_the_list,
    tasks_are_found_by_current_and_past_titles,
    old_articles_are_found_while_the_index_is_built_and_after,
);

fn articles(server: &TestServer) -> Arc<dyn Articles> {
    server.app.services.articles.clone()
}

async fn write(server: &TestServer, title: &str, body: &str) -> ArticleId {
    write_by(server, &server.creator, title, body).await
}

async fn write_by(server: &TestServer, by: &Account, title: &str, body: &str) -> ArticleId {
    server.advance_without_loops(10);
    let new = NewArticle { title: title.to_owned(), body: body.to_owned(), ..NewArticle::default() };
    articles(server).create(&by.actor, new).await.unwrap().row.id
}

async fn rows(server: &TestServer, q: &str) -> Vec<ArticleRow> {
    let query = ArticleQuery { q: Some(q.to_owned()), ..ArticleQuery::default() };
    articles(server).list(&server.creator.actor, query).await.unwrap().items
}

async fn titles(server: &TestServer, q: &str) -> Vec<String> {
    rows(server, q).await.into_iter().map(|row| row.title).collect()
}

async fn case_and_width_are_ignored_in_every_script(server: TestServer) {
    for (title, spellings) in [
        ("Über den Fluss", vec!["über", "ÜBER", "u\u{308}ber", "uber"]),
        ("ÉCOLE", vec!["école", "École", "ecole"]),
        ("Die Straße", vec!["STRASSE", "straße", "STRAẞE"]),
        ("ΟΔΟΣ ΑΘΗΝΩΝ", vec!["οδος", "οδός", "αθηνών"]),
        ("Москва", vec!["МОСКВА", "москва"]),
        ("ＦＵＬＬ width", vec!["full", "ｆｕｌｌ"]),
        ("新しいｶﾞｲﾄﾞ", vec!["ガイド", "ｶﾞｲﾄﾞ"]),
        ("İstanbul", vec!["istanbul", "ISTANBUL", "ıstanbul"]),
        ("שָׁלוֹם עולם", vec!["שלום"]),
        ("हिन्दी लेख", vec!["हिन्दी"]),
        ("서울에서", vec!["서울"]),
        ("ภาษาไทยง่าย", vec!["ไทย"]),
        ("Łódź", vec!["łódź", "lodz"]),
    ] {
        write(&server, title, "").await;
        write(&server, "Other", &format!("text with {title} inside")).await;
        for spelling in spellings {
            assert_eq!(titles(&server, spelling).await, [title, "Other"], "{spelling} in {title}");
        }
    }
}

async fn a_word_is_found_in_a_text_without_spaces(server: TestServer) {
    write(&server, "昨天", "我们在公园里散步，用iPhone拍照。").await;
    write(&server, "别的", "公共的花园").await;
    assert_eq!(titles(&server, "公园").await, ["昨天"]);
    assert_eq!(titles(&server, "园").await, ["别的", "昨天"]);
    assert_eq!(titles(&server, "iphone").await, ["昨天"]);
    assert_eq!(titles(&server, "在公园里").await, ["昨天"]);
    assert_eq!(titles(&server, "公园的").await, Vec::<String>::new());
}

async fn exact_titles_rank_first_then_titles_then_texts(server: TestServer) {
    write(&server, "Uber", "").await;
    write(&server, "Über", "").await;
    write(&server, "Text 1", "uber").await;
    write(&server, "Text 2", "über").await;
    assert_eq!(titles(&server, "über").await, ["Über", "Uber", "Text 2", "Text 1"]);
    assert_eq!(titles(&server, "uber").await, ["Uber", "Über", "Text 1", "Text 2"]);
    write(&server, "Newer uber", "").await;
    assert_eq!(titles(&server, "uber").await[..2], ["Newer uber", "Uber"]);
}

async fn the_last_word_is_a_prefix_and_quotes_match_phrases(server: TestServer) {
    write(&server, "Über den Fluss", "").await;
    write(&server, "Fluss, den über", "").await;
    assert_eq!(titles(&server, "den flu").await.len(), 2);
    assert_eq!(titles(&server, "flu den").await.len(), 0);
    assert_eq!(titles(&server, "\"den fluss\"").await, ["Über den Fluss"]);
    assert_eq!(titles(&server, "“DEN FLUSS” über").await, ["Über den Fluss"]);
    assert_eq!(titles(&server, "\"den flu\"").await.len(), 0);
    assert_eq!(titles(&server, "\"den flu").await.len(), 2);
    assert_eq!(titles(&server, "den nowhere").await.len(), 0);
    assert_eq!(titles(&server, "den-fluss").await.len(), 2, "a slug is searched as words");
}

async fn every_query_gets_an_answer(server: TestServer) {
    write(&server, "Plain", "NEAR AND far, 🎉 or ❤️ * 3.14 cafe\u{301}").await;
    for (typed, count) in [
        ("!!! … —", 0),
        ("🎉", 1),
        ("❤", 1),
        ("🎂", 0),
        ("AND", 1),
        ("OR NOT NEAR *", 0),
        ("near AND", 1),
        ("NEAR(far, 2)", 0),
        ("plain\" OR \"x", 0),
        ("\"", 0),
        ("title:plain", 0),
        ("^plain", 1),
        ("-plain", 1),
        ("plain*", 1),
        ("'); drop table article; --", 0),
        ("a\\b:* & !c | 'd'", 0),
        ("café", 1),
        ("\u{301}\u{301}", 0),
        ("\u{202E}plain\u{202C}", 1),
        ("pl\u{AD}ain", 1),
        ("a\u{0}b", 0),
    ] {
        assert_eq!(titles(&server, typed).await.len(), count, "{typed}");
    }
    assert_eq!(titles(&server, &"x ".repeat(99)).await.len(), 0);
    let long = ArticleQuery { q: Some("x".repeat(10_000)), ..ArticleQuery::default() };
    let refused = articles(&server).list(&server.creator.actor, long).await;
    assert_eq!(refused, Err(DomainError::invalid("q", ValidationError::TooLong { max: 200 })));
}

async fn pages_have_no_gaps(server: TestServer) {
    for number in 0..7 {
        write(&server, &format!("Ocean {number}"), "").await;
        write(&server, &format!("Text {number}"), "by the ocean").await;
    }
    let (mut seen, mut cursor) = (Vec::new(), None);
    loop {
        let query =
            ArticleQuery { q: Some("ocean".to_owned()), limit: Some(4), cursor, ..ArticleQuery::default() };
        let page = articles(&server).list(&server.creator.actor, query).await.unwrap();
        seen.extend(page.items.into_iter().map(|row| row.title));
        cursor = page.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    let names = |what: &str| (0..7).rev().map(|number| format!("{what} {number}")).collect::<Vec<_>>();
    assert_eq!(seen, [names("Ocean"), names("Text")].concat());
    for cursor in ["x", "s", "s9", "s0-1-2", "s1-zz-00000000000000000000000000000000", "1-1"] {
        let query = ArticleQuery {
            q: Some("ocean".to_owned()),
            cursor: Some(cursor.to_owned()),
            ..ArticleQuery::default()
        };
        assert!(
            matches!(
                articles(&server).list(&server.creator.actor, query).await,
                Err(DomainError::Invalid { .. })
            ),
            "{cursor}"
        );
    }
}

async fn an_edit_is_indexed_immediately_and_the_old_text_is_removed(server: TestServer) {
    let id = write(&server, "Before", "elephants").await;
    let edit = ArticleEdit {
        title: Some("After".to_owned()),
        body: Some("giraffes".to_owned()),
        seen_revision: 1,
        is_autosave: true,
        ..ArticleEdit::default()
    };
    articles(&server).save(&server.creator.actor, id, edit).await.unwrap();
    assert_eq!(titles(&server, "elephants").await.len(), 0);
    assert_eq!(titles(&server, "giraffes").await, ["After"]);
    articles(&server).rename(&server.creator.actor, id, "zebra-crossing".to_owned()).await.unwrap();
    assert_eq!(titles(&server, "zebra").await, ["After"]);
    articles(&server).restore(&server.creator.actor, id, 1, 2).await.unwrap();
    assert_eq!(titles(&server, "elephants").await, ["Before"]);
    assert_eq!(titles(&server, "giraffes").await.len(), 0);
}

async fn the_excerpt_shows_the_sentence_with_the_hit(server: TestServer) {
    write(
        &server,
        "<b>Title</b>",
        "First. We **met** by [the river](https://e.example) & <i>spoke</i>. Last.",
    )
    .await;
    let list = server.as_creator().get("/api/v1/articles?q=RIVER").await.expect(200);
    let excerpt = json!([
        {"text": "We met by the ", "is_hit": false},
        {"text": "river", "is_hit": true},
        {"text": " & <i>spoke</i>.", "is_hit": false},
    ]);
    assert_eq!(list["items"][0]["excerpt"], excerpt);
    let list = server.as_creator().get("/api/v1/articles?q=title").await.expect(200);
    assert!(list["items"][0].get("excerpt").is_none(), "only the title holds it");
    let browser = server.log_in_browser(&server.creator).await;
    let page = browser.get("/articles?q=river").await.expect_page();
    assert!(page.contains("<mark>river<") && page.contains("&lt;i&gt;spoke"), "{page}");
}

async fn letters_that_fold_to_several_are_found_and_long_words_are_cut(server: TestServer) {
    write(&server, "Letters", "Take ½ cup, 🇩🇪 and 👩‍👩‍👧 with ﷺ in ﬀ.").await;
    for q in ["½", "1", "2", "🇩🇪", "👩", "👩‍👩‍👧", "ﷺ", "صلى", "ﬀ", "ff"] {
        let list = server.as_creator().get(&format!("/api/v1/articles?q={}", percent(q))).await.expect(200);
        let parts = list["items"][0]["excerpt"].as_array().unwrap();
        assert!(parts.iter().any(|part| part["is_hit"] == true), "{q}: {list}");
        let browser = server.log_in_browser(&server.creator).await;
        browser.get(&format!("/articles?q={}", percent(q))).await.expect_page();
    }
    write(&server, "Marks", &format!("needle{}", "\u{301}".repeat(100_000))).await;
    let list = server.as_creator().get("/api/v1/articles?q=needle").await.expect(200);
    let parts = list["items"][0]["excerpt"].as_array().unwrap();
    let bytes: usize = parts.iter().map(|part| part["text"].as_str().unwrap().len()).sum();
    assert!((1..=1_000).contains(&bytes), "{bytes}");
}

fn percent(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

async fn a_search_is_filtered_like_the_list(server: TestServer) {
    write(&server, "Mine", "whale").await;
    write_by(&server, &server.colleague, "Theirs", "whale").await;
    server.schedule_new_article("Whale, scheduled", 3_600_000).await;
    let find = async |filter, is_mine| {
        let query = ArticleQuery { q: Some("whale".to_owned()), filter, is_mine, ..ArticleQuery::default() };
        let page = articles(&server).list(&server.creator.actor, query).await.unwrap();
        page.items.into_iter().map(|row| row.title).collect::<Vec<_>>()
    };
    assert_eq!(find(None, false).await, ["Whale, scheduled", "Theirs", "Mine"]);
    assert_eq!(find(None, true).await, ["Whale, scheduled", "Mine"]);
    assert_eq!(find(Some(ArticleFilter::Draft), false).await, ["Theirs", "Mine"]);
    assert_eq!(find(Some(ArticleFilter::Published), false).await, Vec::<String>::new());
}

async fn tasks_are_found_by_current_and_past_titles(server: TestServer) {
    let (article, task) = server.schedule_new_article("Überfahrt 公园", 3_600_000).await;
    server.schedule_new_article("Another", 3_600_000).await;
    let find = async |q: &str| {
        let query = TaskQuery { q: Some(q.to_owned()), ..TaskQuery::default() };
        let page = server.app.services.tasks.list(&server.creator.actor, query).await.unwrap();
        page.items.into_iter().map(|row| row.id.to_string()).collect::<Vec<_>>()
    };
    let id = vec![task["id"].as_str().unwrap().to_owned()];
    for q in ["ÜBERFAHRT", "uberf", "公园", "园"] {
        assert_eq!(find(q).await, id, "{q}");
    }
    let edit = ArticleEdit {
        title: Some("Renamed".to_owned()),
        body: None,
        seen_revision: 1,
        ..ArticleEdit::default()
    };
    let article = article["id"].as_str().unwrap().parse().unwrap();
    articles(&server).save(&server.creator.actor, article, edit).await.unwrap();
    assert_eq!((find("überfahrt").await, find("renamed").await), (id.clone(), id));
    assert_eq!((find("nowhere").await.len(), find("!!!").await.len()), (0, 0));
}

async fn old_articles_are_found_while_the_index_is_built_and_after(server: TestServer) {
    for number in 0..45 {
        write(&server, &format!("Old {number}"), "an ÜBER-old text").await;
    }
    forget_index(&server).await;
    assert_eq!(titles(&server, "old text").await.len(), 45);
    server.advance(1_000).await;
    let mut lease = server.app.parts.store.read(PoolRole::Web).await.unwrap();
    assert!(search::is_filled(lease.conn()).await.unwrap());
    drop(lease);
    let found = titles(&server, "über text").await;
    assert_eq!((found.len(), found[0].as_str(), found[44].as_str()), (45, "Old 44", "Old 0"));
    write(&server, "New", "über text").await;
    assert_eq!(titles(&server, "über text").await[0], "New");
}

/// Sets the database to its state after the migration that adds the index.
async fn forget_index(server: &TestServer) {
    let mut tx = server.app.parts.store.begin(PoolRole::Web).await.unwrap();
    match tx.conn() {
        Conn::Sqlite(c) => {
            let forget = "delete from search_index where rowid in (select seq from search_entry);
                          delete from search_entry; update search_state set is_filled = 0";
            sqlx::raw_sql(forget).execute(c).await.unwrap();
        }
        Conn::Postgres(c) => {
            let forget = "delete from search_entry; update search_state set is_filled = 0";
            sqlx::raw_sql(forget).execute(c).await.unwrap();
        }
    }
    tx.commit().await.unwrap();
}
