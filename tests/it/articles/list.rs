//! The article list: pages in both directions, days, counts, and forms on demand.

use crate::{on_both, test_server::TestServer};
use domain::{
    Page,
    article::{ArticleCounts, ArticleFilter, ArticleQuery, ArticleRow},
};

on_both!(
    articles_are_paged_in_both_directions,
    published_articles_are_paged_by_their_publication,
    articles_start_on_a_day_of_the_reader,
    the_articles_of_each_filter_are_counted,
    the_counts_follow_a_search,
    the_form_to_delete_is_in_the_page_only_when_the_url_asks_for_it,
);

async fn read(server: &TestServer, query: ArticleQuery) -> Page<ArticleRow> {
    server.app.services.articles.list(&server.creator.actor, query).await.unwrap()
}

fn titles(page: &Page<ArticleRow>) -> Vec<String> {
    page.items.iter().map(|row| row.title.clone()).collect()
}

async fn articles_are_paged_in_both_directions(server: TestServer) {
    // Two are changed at the same time: the id decides their order.
    for number in 0..5 {
        server.create_draft(&format!("Draft {number}")).await;
        server.advance(if number == 1 { 0 } else { 1_000 }).await;
    }
    let query = |is_oldest_first, cursor| ArticleQuery {
        is_oldest_first,
        cursor,
        limit: Some(2),
        ..ArticleQuery::default()
    };
    let mut order: Vec<Vec<String>> = Vec::new();
    for is_oldest_first in [false, true] {
        let first = read(&server, query(is_oldest_first, None)).await;
        let second = read(&server, query(is_oldest_first, first.next_cursor.clone())).await;
        let third = read(&server, query(is_oldest_first, second.next_cursor.clone())).await;
        assert_eq!((first.previous_cursor.as_deref(), third.next_cursor.as_deref()), (None, None));
        assert_eq!((first.items.len(), second.items.len(), third.items.len()), (2, 2, 1));
        let back = read(&server, query(is_oldest_first, third.previous_cursor.clone())).await;
        assert_eq!(titles(&back), titles(&second));
        let start = read(&server, query(is_oldest_first, back.previous_cursor)).await;
        assert_eq!((titles(&start), start.previous_cursor.is_none()), (titles(&first), true));
        order.push([titles(&first), titles(&second), titles(&third)].concat());
    }
    order[1].reverse();
    assert_eq!(order[0], order[1]);
    for cursor in ["p", "pzz-1", "p5"] {
        let refused =
            server.app.services.articles.list(&server.creator.actor, query(false, Some(cursor.to_owned())));
        assert_eq!(refused.await.unwrap_err().field(), Some("cursor"), "{cursor}");
    }
}

async fn published_articles_are_paged_by_their_publication(server: TestServer) {
    let mut ids = Vec::new();
    for number in 0..3 {
        let (article, _) = server.schedule_new_article(&format!("Number {number}"), 60_000).await;
        ids.push(article["id"].as_str().unwrap().to_owned());
        server.advance(61_000).await;
    }
    server.create_draft("Draft").await;
    // The first one changes last.
    let edit = serde_json::json!({ "title": "Number 0", "body": "Changed", "seen_revision": 1 });
    server.as_creator().patch(&format!("/api/v1/articles/{}", ids[0]), &edit).await.expect(200);
    let query = |is_oldest_first, cursor| ArticleQuery {
        filter: Some(ArticleFilter::Published),
        is_by_publication: true,
        is_oldest_first,
        cursor,
        limit: Some(2),
        ..ArticleQuery::default()
    };
    for (is_oldest_first, expected) in [(false, ["2", "1", "0"]), (true, ["0", "1", "2"])] {
        let first = read(&server, query(is_oldest_first, None)).await;
        let second = read(&server, query(is_oldest_first, first.next_cursor.clone())).await;
        let all = [titles(&first), titles(&second)].concat();
        assert_eq!(all, expected.map(|number| format!("Number {number}")));
        let back = read(&server, query(is_oldest_first, second.previous_cursor)).await;
        assert_eq!(titles(&back), titles(&first));
    }
    let by_change = ArticleQuery { is_by_publication: false, limit: None, ..query(false, None) };
    assert_eq!(titles(&read(&server, by_change).await)[0], "Number 0");
    let page = server.page(&server.creator, "/articles?state=published&order=-published").await;
    assert!(page.contains("order=published") && page.contains("aria-sort=\"descending\""), "{page}");
}

async fn articles_start_on_a_day_of_the_reader(server: TestServer) {
    server.create_draft("Old").await;
    let zone = presstime::zone::Zone::stored(&server.creator.actor.zone);
    let (year, month, day) = zone.day(server.now());
    server.advance(3 * 86_400_000).await;
    server.create_draft("New").await;
    let day = Some(format!("{year}-{month:02}-{day:02}"));
    let page = read(&server, ArticleQuery { day: day.clone(), ..ArticleQuery::default() }).await;
    assert_eq!((titles(&page), page.previous_cursor.is_some()), (vec!["Old".to_owned()], true));
    let oldest = read(&server, ArticleQuery { day, is_oldest_first: true, ..ArticleQuery::default() }).await;
    assert_eq!(titles(&oldest), ["Old", "New"]);
    let bad = ArticleQuery { day: Some("soon".to_owned()), ..ArticleQuery::default() };
    let refused = server.app.services.articles.list(&server.creator.actor, bad).await.unwrap_err();
    assert_eq!(refused.field(), Some("day"));
}

async fn the_articles_of_each_filter_are_counted(server: TestServer) {
    let articles = &server.app.services.articles;
    server.schedule_new_article("Public", 60_000).await;
    server.advance(61_000).await;
    server.schedule_new_article("Scheduled", 3_600_000).await;
    server.create_draft("Draft").await;
    let deleted = server.create_draft("Deleted").await;
    let id = deleted["id"].as_str().unwrap().parse().unwrap();
    articles.delete(&server.creator.actor, id, None).await.unwrap();
    let counts = articles.counts(&server.creator.actor, true).await.unwrap();
    assert_eq!(
        counts,
        ArticleCounts { total: 3, drafts: Some(1), scheduled: Some(1), published: 1, trash: 1 }
    );
    for filter in [None].into_iter().chain(ArticleFilter::ALL.iter().copied().map(Some)) {
        let page = read(&server, ArticleQuery { filter, ..ArticleQuery::default() }).await;
        assert_eq!(Some(page.items.len() as u64), counts.of(filter), "{filter:?}");
    }
    assert_eq!(articles.counts(&server.colleague.actor, false).await.unwrap(), counts);
    let nothing = ArticleCounts { drafts: Some(0), scheduled: Some(0), ..ArticleCounts::default() };
    assert_eq!(articles.counts(&server.colleague.actor, true).await.unwrap(), nothing);
}

async fn the_form_to_delete_is_in_the_page_only_when_the_url_asks_for_it(server: TestServer) {
    let draft = server.create_draft("Draft").await;
    let path = format!("/articles?delete={}", draft["id"].as_str().unwrap());
    let page = server.page(&server.creator, "/articles").await;
    assert!(!page.contains("/fn/delete_article") && page.contains(&path));
    assert!(server.page(&server.creator, &path).await.contains("/fn/delete_article"));
    assert!(!server.page(&server.colleague, &path).await.contains("/fn/delete_article"));
}

async fn the_counts_follow_a_search(server: TestServer) {
    for title in ["Tide tables", "Tide pools", "Harbour"] {
        server.create_draft(title).await;
    }
    server.schedule_new_article("Spring tide", 3_600_000).await;
    let page = server.page(&server.creator, "/articles?q=tide").await;
    assert!(page.contains("3 of 3"), "{page}");
    let query = ArticleQuery { q: Some("tide".to_owned()), ..ArticleQuery::default() };
    let counts = server.app.services.articles.search_counts(&server.creator.actor, query).await.unwrap();
    let expected =
        ArticleCounts { total: 3, drafts: Some(2), scheduled: Some(1), ..ArticleCounts::default() };
    assert_eq!(counts, Some(expected));
}
