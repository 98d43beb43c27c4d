//! The accounts as a table: tabs, search, sorting and pages.

use super::{
    query::{PeopleOrder, PeoplePage, PeopleQuery, PeopleTab},
    row::AccountRow,
};
use crate::ui::{
    empty::Empty,
    table::{
        address::ListAddress,
        header::{SortHeader, Tab, Tabs},
        pager::{PageLinks, Pager},
        search::Search,
    },
};
use domain::account::Account;
use leptos::{either::Either, prelude::*};
use texts::{accounts::AccountTexts, layout::LayoutTexts, lists::TableTexts, number::grouped};

/// The list; the URL holds its filters.
#[component]
pub fn AccountList(
    /// All accounts.
    accounts: Signal<Vec<Account>>,
) -> impl IntoView {
    let texts = AccountTexts::here();
    let address = ListAddress::here();
    let query = Memo::new(move |_| address.with(PeopleQuery::of));
    let page = Memo::new(move |_| accounts.with(|accounts| query.with(|query| query.page(accounts))));
    let links = Memo::new(move |_| page.with(links_of));
    let is_empty = Memo::new(move |_| page.with(|page| page.rows.is_empty()));
    let counts = Signal::derive(move || {
        let count = |tab: PeopleTab, accounts: &[Account]| accounts.iter().filter(|one| tab.has(one)).count();
        accounts
            .with(|accounts| PeopleTab::ALL.map(|tab| Some(grouped(count(tab, accounts) as u64))).to_vec())
    });
    let current = Signal::derive(move || query.with(|query| query.tab.value()));
    view! {
        <Search address=address label=texts.find_person() button=texts.find() />
        <Tabs address=address tabs=tabs() current=current counts=counts />
        {move || if is_empty.get() {
            Either::Left(view! {
                <Empty title=texts.no_people() hint=texts.no_people_hint()>
                    <a class="button" href="/settings/people">{LayoutTexts::here().all()}</a>
                </Empty>
            })
        } else {
            Either::Right(view! { <Table page=page address=address query=query /> })
        }}
        <Pager address=address links=links has_days=Signal::stored(false) />
    }
}

fn tabs() -> Vec<Tab> {
    let texts = AccountTexts::here();
    let label = |tab: PeopleTab| match tab {
        PeopleTab::All => LayoutTexts::here().all(),
        PeopleTab::Role(role) => texts.role_name(role),
        PeopleTab::Disabled => texts.disabled_tab(),
    };
    PeopleTab::ALL.map(|tab| Tab { value: tab.value(), label: label(tab) }).to_vec()
}

fn links_of(page: &PeoplePage) -> PageLinks {
    let shown = TableTexts::here().shown_of(grouped(page.rows.len() as u64), grouped(page.total as u64));
    PageLinks { previous: page.previous.clone(), next: page.next.clone(), shown }
}

#[component]
fn Table(page: Memo<PeoplePage>, address: Memo<ListAddress>, query: Memo<PeopleQuery>) -> impl IntoView {
    let texts = AccountTexts::here();
    let header = move |order: PeopleOrder, label: &'static str| {
        let sorted =
            Signal::derive(move || query.with(|query| (query.order == order).then_some(query.is_descending)));
        view! { <SortHeader address=address label=label column=order.value() sorted=sorted /> }
    };
    let rows = move || page.with(|page| page.rows.clone());
    // Contains everything that is shown, so that a change replaces the row.
    let key = |account: &Account| (account.id, account.role, account.is_disabled, account.name.clone());
    view! {
        <table class="list-table account-list">
            <thead>
                <tr>
                    {header(PeopleOrder::Name, texts.name())}
                    {header(PeopleOrder::Role, texts.role())}
                    {header(PeopleOrder::Joined, texts.joined())}
                    <th scope="col" class="actions">{TableTexts::here().actions()}</th>
                </tr>
            </thead>
            <tbody><For each=rows key=key children=|account| view! { <AccountRow account=account /> } /></tbody>
        </table>
    }
}
