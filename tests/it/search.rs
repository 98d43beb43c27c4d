//! Full-text search: the same results on both engines, whatever was written and whatever is typed.

use crate::{
    house::{Account, Story},
    on_both,
};
use domain::{
    ArticleId, Refusal,
    article::{ArticleEdit, ArticleFilter, ArticleQuery, ArticleRow, NewArticle},
    desk::Articles,
    refusal::Problem,
    task::TaskQuery,
};
use serde_json::json;
use std::sync::Arc;
use store::{Conn, Who, search};

on_both!(
    case_and_width_do_not_matter_in_any_script,
    a_word_is_found_amid_a_text_without_blanks,
    exact_titles_rank_first_then_titles_then_texts,
    the_last_word_is_a_prefix_and_quotes_hold_words_together,
    whatever_is_typed_is_answered,
    pages_follow_each_other_without_gaps,
    a_change_is_found_at_once_and_the_old_text_no_more,
    the_hit_is_shown_in_its_sentence,
    a_search_is_narrowed_like_the_list,
    tasks_are_found_by_every_name_their_article_has_or_had,
    articles_of_before_the_index_are_found_while_it_is_filled_and_after,
);

fn desk(house: &Story) -> Arc<dyn Articles> {
    house.house.desk.articles.clone()
}

async fn write(house: &Story, title: &str, body: &str) -> ArticleId {
    write_by(house, &house.creator, title, body).await
}

async fn write_by(house: &Story, by: &Account, title: &str, body: &str) -> ArticleId {
    house.wait_without_loops(10);
    let new = NewArticle { title: title.to_owned(), body: body.to_owned(), slug: None };
    desk(house).create(&by.actor, new).await.unwrap().row.id
}

async fn rows(house: &Story, q: &str) -> Vec<ArticleRow> {
    let query = ArticleQuery { q: Some(q.to_owned()), ..ArticleQuery::default() };
    desk(house).list(&house.creator.actor, query).await.unwrap().items
}

async fn titles(house: &Story, q: &str) -> Vec<String> {
    rows(house, q).await.into_iter().map(|row| row.title).collect()
}

async fn case_and_width_do_not_matter_in_any_script(house: Story) {
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
        write(&house, title, "").await;
        write(&house, "Other", &format!("text with {title} inside")).await;
        for spelling in spellings {
            assert_eq!(titles(&house, spelling).await, [title, "Other"], "{spelling} in {title}");
        }
    }
}

async fn a_word_is_found_amid_a_text_without_blanks(house: Story) {
    write(&house, "昨天", "我们在公园里散步，用iPhone拍照。").await;
    write(&house, "别的", "公共的花园").await;
    assert_eq!(titles(&house, "公园").await, ["昨天"]);
    assert_eq!(titles(&house, "园").await, ["别的", "昨天"]);
    assert_eq!(titles(&house, "iphone").await, ["昨天"]);
    assert_eq!(titles(&house, "在公园里").await, ["昨天"]);
    assert_eq!(titles(&house, "公园的").await, Vec::<String>::new());
}

async fn exact_titles_rank_first_then_titles_then_texts(house: Story) {
    write(&house, "Uber", "").await;
    write(&house, "Über", "").await;
    write(&house, "Text 1", "uber").await;
    write(&house, "Text 2", "über").await;
    assert_eq!(titles(&house, "über").await, ["Über", "Uber", "Text 2", "Text 1"]);
    assert_eq!(titles(&house, "uber").await, ["Uber", "Über", "Text 1", "Text 2"]);
    write(&house, "Newer uber", "").await;
    assert_eq!(titles(&house, "uber").await[..2], ["Newer uber", "Uber"]);
}

async fn the_last_word_is_a_prefix_and_quotes_hold_words_together(house: Story) {
    write(&house, "Über den Fluss", "").await;
    write(&house, "Fluss, den über", "").await;
    assert_eq!(titles(&house, "den flu").await.len(), 2);
    assert_eq!(titles(&house, "flu den").await.len(), 0);
    assert_eq!(titles(&house, "\"den fluss\"").await, ["Über den Fluss"]);
    assert_eq!(titles(&house, "“DEN FLUSS” über").await, ["Über den Fluss"]);
    assert_eq!(titles(&house, "\"den flu\"").await.len(), 0);
    assert_eq!(titles(&house, "\"den flu").await.len(), 2);
    assert_eq!(titles(&house, "den nowhere").await.len(), 0);
    assert_eq!(titles(&house, "den-fluss").await.len(), 2, "a slug is searched as words");
}

async fn whatever_is_typed_is_answered(house: Story) {
    write(&house, "Plain", "NEAR AND far, 🎉 or ❤️ * 3.14 cafe\u{301}").await;
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
        assert_eq!(titles(&house, typed).await.len(), count, "{typed}");
    }
    assert_eq!(titles(&house, &"x ".repeat(99)).await.len(), 0);
    let long = ArticleQuery { q: Some("x".repeat(10_000)), ..ArticleQuery::default() };
    let refused = desk(&house).list(&house.creator.actor, long).await;
    assert_eq!(refused, Err(Refusal::invalid("q", Problem::TooLong { max: 200 })));
}

async fn pages_follow_each_other_without_gaps(house: Story) {
    for number in 0..7 {
        write(&house, &format!("Ocean {number}"), "").await;
        write(&house, &format!("Text {number}"), "by the ocean").await;
    }
    let (mut seen, mut cursor) = (Vec::new(), None);
    loop {
        let query =
            ArticleQuery { q: Some("ocean".to_owned()), limit: Some(4), cursor, ..ArticleQuery::default() };
        let page = desk(&house).list(&house.creator.actor, query).await.unwrap();
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
            matches!(desk(&house).list(&house.creator.actor, query).await, Err(Refusal::Invalid { .. })),
            "{cursor}"
        );
    }
}

async fn a_change_is_found_at_once_and_the_old_text_no_more(house: Story) {
    let id = write(&house, "Before", "elephants").await;
    let edit = ArticleEdit {
        title: Some("After".to_owned()),
        body: Some("giraffes".to_owned()),
        seen_revision: 1,
        is_autosave: true,
    };
    desk(&house).save(&house.creator.actor, id, edit).await.unwrap();
    assert_eq!(titles(&house, "elephants").await.len(), 0);
    assert_eq!(titles(&house, "giraffes").await, ["After"]);
    desk(&house).rename(&house.creator.actor, id, "zebra-crossing".to_owned()).await.unwrap();
    assert_eq!(titles(&house, "zebra").await, ["After"]);
    desk(&house).restore(&house.creator.actor, id, 1, 2).await.unwrap();
    assert_eq!(titles(&house, "elephants").await, ["Before"]);
    assert_eq!(titles(&house, "giraffes").await.len(), 0);
}

async fn the_hit_is_shown_in_its_sentence(house: Story) {
    write(
        &house,
        "<b>Title</b>",
        "First. We **met** by [the river](https://e.example) & <i>spoke</i>. Last.",
    )
    .await;
    let list = house.as_creator().get("/api/v1/articles?q=RIVER").await.expect(200);
    let excerpt = json!([
        {"text": "We met by the ", "is_hit": false},
        {"text": "river", "is_hit": true},
        {"text": " & <i>spoke</i>.", "is_hit": false},
    ]);
    assert_eq!(list["items"][0]["excerpt"], excerpt);
    let list = house.as_creator().get("/api/v1/articles?q=title").await.expect(200);
    assert!(list["items"][0].get("excerpt").is_none(), "only the title holds it");
    let browser = house.browser_of(&house.creator).await;
    let page = browser.get("/articles?q=river").await.expect_page();
    assert!(page.contains("<mark>river<") && page.contains("&lt;i&gt;spoke"), "{page}");
}

async fn a_search_is_narrowed_like_the_list(house: Story) {
    write(&house, "Mine", "whale").await;
    write_by(&house, &house.colleague, "Theirs", "whale").await;
    house.scheduled("Whale, scheduled", 3_600_000).await;
    let find = async |filter, is_mine| {
        let query = ArticleQuery { q: Some("whale".to_owned()), filter, is_mine, ..ArticleQuery::default() };
        let page = desk(&house).list(&house.creator.actor, query).await.unwrap();
        page.items.into_iter().map(|row| row.title).collect::<Vec<_>>()
    };
    assert_eq!(find(None, false).await, ["Whale, scheduled", "Theirs", "Mine"]);
    assert_eq!(find(None, true).await, ["Whale, scheduled", "Mine"]);
    assert_eq!(find(Some(ArticleFilter::Draft), false).await, ["Theirs", "Mine"]);
    assert_eq!(find(Some(ArticleFilter::Published), false).await, Vec::<String>::new());
}

async fn tasks_are_found_by_every_name_their_article_has_or_had(house: Story) {
    let (article, task) = house.scheduled("Überfahrt 公园", 3_600_000).await;
    house.scheduled("Another", 3_600_000).await;
    let find = async |q: &str| {
        let query = TaskQuery { q: Some(q.to_owned()), ..TaskQuery::default() };
        let page = house.house.desk.tasks.list(&house.creator.actor, query).await.unwrap();
        page.items.into_iter().map(|row| row.id.to_string()).collect::<Vec<_>>()
    };
    let id = vec![task["id"].as_str().unwrap().to_owned()];
    for q in ["ÜBERFAHRT", "uberf", "公园", "园"] {
        assert_eq!(find(q).await, id, "{q}");
    }
    let edit =
        ArticleEdit { title: Some("Renamed".to_owned()), body: None, seen_revision: 1, is_autosave: false };
    let article = article["id"].as_str().unwrap().parse().unwrap();
    desk(&house).save(&house.creator.actor, article, edit).await.unwrap();
    assert_eq!((find("überfahrt").await, find("renamed").await), (id.clone(), id));
    assert_eq!((find("nowhere").await.len(), find("!!!").await.len()), (0, 0));
}

async fn articles_of_before_the_index_are_found_while_it_is_filled_and_after(house: Story) {
    for number in 0..45 {
        write(&house, &format!("Old {number}"), "an ÜBER-old text").await;
    }
    forget_index(&house).await;
    assert_eq!(titles(&house, "old text").await.len(), 45);
    house.advance(1_000).await;
    let mut lease = house.house.parts.store.read(Who::People).await.unwrap();
    assert!(search::is_filled(lease.conn()).await.unwrap());
    drop(lease);
    let found = titles(&house, "über text").await;
    assert_eq!((found.len(), found[0].as_str(), found[44].as_str()), (45, "Old 44", "Old 0"));
    write(&house, "New", "über text").await;
    assert_eq!(titles(&house, "über text").await[0], "New");
}

/// As the database is after the step that brings the index.
async fn forget_index(house: &Story) {
    let mut tx = house.house.parts.store.begin(Who::People).await.unwrap();
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
