//! `/articles`: all articles, last changed first.

pub mod list_fns;
pub mod plan;
mod row;

use crate::{
    live::live_resource,
    saved_views::SavedViewBar,
    tasks::{
        list_page::{
            bulk::{BulkForm, BulkList},
            list_fns::ActOnTask,
            table_row::ROW_FORM,
        },
        move_form::MoveFormRow,
        result::announce_change,
    },
    ui::{
        async_view::AsyncView,
        empty::Empty,
        form::Form,
        icon::Icon,
        page::header::PageHeader,
        table::{
            address::{ListAddress, MOVE},
            entries::{Entry, entries},
            header::{EARLIEST, ORDER, SortHeader, Tab, Tabs, TimeHeader},
            keys::{KeysHint, use_list_keys},
            pager::{ExportLinks, PageLinks, Pager},
            search::Search,
        },
    },
};
use domain::{
    accounts::saved_view::ViewedList,
    article::{ArticleFilter, ArticleQuery, ArticleRow},
    event::Signal as Change,
    task::TaskRow,
    tasks::{search_filters, search_filters::OF_ARTICLES},
};
use leptos::{either::Either, html, prelude::*};
use list_fns::{ArticleList, list_articles};
use row::{ArticleTableRow, can_select, key, move_form};
use texts::articles::plan::PlanTexts;
use texts::{
    articles::ArticleTexts,
    lists::TableTexts,
    number::{counted, grouped},
};

/// Value of the order: by the time of publication, earliest first and latest first. Only the published
/// articles have an index for it.
const PUBLISHED: &str = "published";
const LAST_PUBLISHED: &str = "-published";
/// Parameter: only the user's own articles.
const MINE: &str = "mine";
/// The tabs; the first is the default.
const TABS: [Option<ArticleFilter>; 5] = [
    None,
    Some(ArticleFilter::Draft),
    Some(ArticleFilter::Scheduled),
    Some(ArticleFilter::Published),
    Some(ArticleFilter::Trash),
];

/// The list; the URL holds its filters.
#[component]
pub fn Articles() -> impl IntoView {
    let texts = ArticleTexts::here();
    let address = ListAddress::here();
    let query = Memo::new(move |_| address.with(query_of));
    let wants = |change: &Change| matches!(change.entity.as_str(), "article" | "release" | "task");
    let read = live_resource(wants, move || query.get(), list_articles);
    let act = ServerAction::<ActOnTask>::new();
    announce_change(act);
    view! {
        <PageHeader title=texts.heading().to_owned()>
            <a class="button" href=plan::IMPORT_PAGE><Icon name="import" />{PlanTexts::here().open()}</a>
            <a class="button main" href="/articles/new"><Icon name="edit" />{texts.write()}</a>
        </PageHeader>
        <Search address=address label=texts.search() button=texts.find() choice=(MINE, texts.mine()) filters=&OF_ARTICLES />
        {move || query.with(|query| query.tag.clone()).map(|tag| view! {
            <p class="tag-filter">{texts.with_tag(&tag)} " " <a href="/articles">{texts.clear()}</a></p>
        })}
        <SavedViewBar list=ViewedList::Articles address=address />
        <Form action=act id=ROW_FORM>""</Form>
        <AsyncView from=read children=move |list| view! { <List list=list address=address query=query /> } />
    }
}

/// Returns the query that the URL means.
fn query_of(address: &ListAddress) -> ArticleQuery {
    let q = address.get("q");
    let in_text = q.as_deref().map(|q| search_filters::split(q, &OF_ARTICLES));
    let state = in_text.as_ref().and_then(|found| found.get("state")).map(str::to_owned);
    ArticleQuery {
        filter: state.or_else(|| address.get("state")).and_then(|word| word.parse().ok()),
        q,
        tag: address.get("tag"),
        is_mine: address.get(MINE).is_some(),
        is_by_publication: [PUBLISHED, LAST_PUBLISHED].iter().any(|order| address.is(ORDER, order)),
        is_oldest_first: [PUBLISHED, EARLIEST].iter().any(|order| address.is(ORDER, order)),
        day: address.get("day"),
        cursor: address.get("cursor"),
        limit: None,
    }
}

#[component]
fn List(list: Signal<ArticleList>, address: Memo<ListAddress>, query: Memo<ArticleQuery>) -> impl IntoView {
    let items = move || list.with(|list| list.page.items.clone());
    let rows = entries(items, (address, MOVE), |row: &ArticleRow| row.id, move_form);
    // A search for common words may have an empty page that is not the last one.
    let is_empty = Memo::new(move |_| {
        list.with(|list| {
            rows.with(Vec::is_empty)
                && (list.page.next_cursor.is_none() || query.with(|query| query.q.is_none()))
        })
    });
    let has_boxes = Memo::new(move |_| list.with(|list| list.page.items.iter().any(can_select)));
    let matching = Signal::derive(move || {
        let filter = query.with(|query| query.filter);
        list.with(|list| list.counts?.of(filter).map(counted))
    });
    let links = Memo::new(move |_| list.with(|list| query.with(|query| page_links(list, query))));
    let is_searched = move || query.with(|query| query.q.is_some());
    let has_days = Signal::derive(move || {
        !is_searched() && (!is_empty.get() || query.with(|query| query.day.is_some()))
    });
    let to_best = move || {
        let is_later_page = query.with(|query| query.q.is_some() && query.cursor.is_some());
        is_later_page.then(|| address.with(|address| address.start().to_string()))
    };
    view! {
        <FilterTabs list=list address=address query=query />
        {move || has_boxes.get().then(|| view! { <BulkForm address=address matching=matching list=BulkList::Articles /> })}
        {move || {
            if is_empty.get() {
                Either::Left(view! { <NoArticles address=address query=query /> })
            } else {
                Either::Right(view! { <Table rows=rows address=address query=query /> })
            }
        }}
        {move || to_best().map(|href| view! { <p class="cursor"><a href=href>{ArticleTexts::here().best_matches()}</a></p> })}
        <Pager address=address links=links has_days=has_days />
        <ExportLinks address=address list="articles" />
        <KeysHint />
    }
}

#[component]
fn FilterTabs(
    list: Signal<ArticleList>,
    address: Memo<ListAddress>,
    query: Memo<ArticleQuery>,
) -> impl IntoView {
    let texts = ArticleTexts::here();
    let labels = [texts.all(), texts.drafts(), texts.scheduled(), texts.published(), texts.trash()];
    let word = |filter: Option<ArticleFilter>| filter.map_or("", ArticleFilter::as_str);
    let tab = |(filter, label)| Tab { value: word(filter), label };
    let tabs = TABS.into_iter().zip(labels).map(tab).collect();
    let current = Signal::derive(move || query.with(|query| word(query.filter)));
    let counts = Signal::derive(move || {
        list.with(|list| {
            let count = |filter| list.counts?.of(filter).map(counted);
            TABS.into_iter().map(count).collect::<Vec<_>>()
        })
    });
    view! { <Tabs address=address tabs=tabs current=current counts=counts /> }
}

/// Returns the links of the page, and the number of its rows and of all.
fn page_links(list: &ArticleList, query: &ArticleQuery) -> PageLinks {
    let (texts, shown) = (TableTexts::here(), grouped(list.page.items.len() as u64));
    let total = list.counts.and_then(|counts| counts.of(query.filter));
    let shown = match total {
        Some(total) => texts.shown_of(shown, counted(total)),
        None => texts.shown(shown),
    };
    PageLinks { previous: list.page.previous_cursor.clone(), next: list.page.next_cursor.clone(), shown }
}

#[component]
fn Table(
    rows: Memo<Vec<Entry<ArticleRow, TaskRow>>>,
    address: Memo<ListAddress>,
    query: Memo<ArticleQuery>,
) -> impl IntoView {
    let (texts, table_texts) = (ArticleTexts::here(), TableTexts::here());
    let entry = move |entry| match entry {
        Entry::Row(row) => Either::Left(view! { <ArticleTableRow row=row address=address /> }),
        Entry::Form(_, task) => Either::Right(view! { <MoveFormRow task=task address=address columns=6 /> }),
    };
    let is_by_publication =
        move |query: &ArticleQuery| query.is_by_publication && query.filter == Some(ArticleFilter::Published);
    let is_latest_first = Signal::derive(move || query.with(|query| !query.is_oldest_first));
    let by_publication = Signal::derive(move || {
        query.with(|query| is_by_publication(query).then_some(!query.is_oldest_first))
    });
    let is_other = Signal::derive(move || by_publication.with(Option::is_some));
    let has_publication = Memo::new(move |_| {
        query.with(|query| query.filter == Some(ArticleFilter::Published) && query.q.is_none())
    });
    let can_sort = Signal::derive(move || query.with(|query| query.q.is_none()));
    let table = NodeRef::<html::Table>::new();
    use_list_keys(table);
    view! {
        <table class="list-table" node_ref=table>
            <thead>
                <tr>
                    <th scope="col">{texts.title()}</th>
                    <th scope="col">{texts.status()}</th>
                    {move || match has_publication.get() {
                        true => view! {
                            <SortHeader
                                address=address label=texts.when() column=PUBLISHED sorted=by_publication
                                is_descending_first=true class="when"
                            />
                        }
                        .into_any(),
                        false => view! { <th scope="col" class="when">{texts.when()}</th> }.into_any(),
                    }}
                    <th scope="col" class="owner">{texts.owner()}</th>
                    <TimeHeader address=address label=texts.column_changed() is_latest_first=is_latest_first can_sort=can_sort is_other=is_other />
                    <th scope="col" class="actions">{table_texts.actions()}</th>
                </tr>
            </thead>
            <tbody><For each=move || rows.get() key=|entry| entry.key(key) children=entry /></tbody>
        </table>
    }
}

/// Nothing to list: says why, and links to more.
#[component]
fn NoArticles(address: Memo<ListAddress>, query: Memo<ArticleQuery>) -> impl IntoView {
    let (texts, table_texts) = (ArticleTexts::here(), TableTexts::here());
    let query = query.get();
    let is_placed = query.q.is_none() && (query.day.is_some() || query.cursor.is_some());
    let is_filtered = query.filter.is_some() || query.q.is_some() || query.is_mine;
    let is_whole_trash = query.filter == Some(ArticleFilter::Trash) && query.q.is_none() && !query.is_mine;
    let (title, hint) = match (is_placed, is_whole_trash) {
        (true, _) => (table_texts.nothing_from_here(), table_texts.nothing_from_here_hint()),
        (false, true) => (texts.trash_empty(), texts.trash_empty_hint()),
        (false, false) => (texts.none_found(), texts.none_found_hint()),
    };
    let to_start = address.with(|address| address.start().to_string());
    let link = match is_placed {
        true => view! { <a class="button" href=to_start>{table_texts.to_start()}</a> },
        false => view! { <a class="button" href="/articles".to_owned()>{texts.clear()}</a> },
    };
    match is_placed || is_filtered {
        true => view! { <Empty title=title hint=hint>{link}</Empty> }.into_any(),
        false => view! {
            <Empty title=texts.none() hint=texts.none_hint()>
                <a class="button main" href="/articles/new">{texts.write()}</a>
            </Empty>
        }
        .into_any(),
    }
}
