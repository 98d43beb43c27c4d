//! What the URL of the list of people asks for, and the page of it. All accounts are loaded: a desk
//! has few.

use crate::ui::table::{address::ListAddress, header::ORDER};
use domain::{Role, account::Account};

/// Number of rows of a page.
const PAGE_ROWS: usize = 50;
/// First letter of a cursor that leads to the previous page.
const BACKWARD: char = 'p';

/// Tab of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PeopleTab {
    /// All accounts.
    All,
    /// Enabled accounts with this role.
    Role(Role),
    /// Disabled accounts.
    Disabled,
}

impl PeopleTab {
    /// All tabs, in their order.
    pub const ALL: [Self; 5] = [
        Self::All,
        Self::Role(Role::Creator),
        Self::Role(Role::Reviewer),
        Self::Role(Role::Admin),
        Self::Disabled,
    ];

    /// Value in the URL; empty: the default.
    pub const fn value(self) -> &'static str {
        match self {
            Self::All => "",
            Self::Role(role) => role.as_str(),
            Self::Disabled => "disabled",
        }
    }

    /// Whether the account is on the tab.
    pub fn has(self, account: &Account) -> bool {
        match self {
            Self::All => true,
            Self::Role(role) => account.role == role && !account.is_disabled,
            Self::Disabled => account.is_disabled,
        }
    }
}

/// Column by which the list is sorted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PeopleOrder {
    /// By name.
    Name,
    /// By role.
    Role,
    /// By the time of creation.
    Joined,
}

impl PeopleOrder {
    const ALL: [Self; 3] = [Self::Name, Self::Role, Self::Joined];

    /// Value in the URL.
    pub const fn value(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Role => "role",
            Self::Joined => "joined",
        }
    }
}

/// What the URL asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PeopleQuery {
    /// The tab.
    pub tab: PeopleTab,
    /// Text in name or e-mail address, in lower case; empty: any.
    pub q: String,
    /// The sorted column.
    pub order: PeopleOrder,
    /// Whether it is sorted in descending order.
    pub is_descending: bool,
    /// Where the page starts.
    cursor: Option<String>,
}

/// A page of the list.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PeoplePage {
    /// The accounts.
    pub rows: Vec<Account>,
    /// Number of accounts on all pages.
    pub total: usize,
    /// Cursor of the previous page.
    pub previous: Option<String>,
    /// Cursor of the next page.
    pub next: Option<String>,
}

impl PeopleQuery {
    /// Returns what the URL means.
    pub fn of(address: &ListAddress) -> Self {
        let tab = address.get("state").unwrap_or_default();
        let order = address.get(ORDER).unwrap_or_default();
        let (column, is_descending) = match order.strip_prefix('-') {
            Some(column) => (column, true),
            None => (order.as_str(), false),
        };
        let order = PeopleOrder::ALL.into_iter().find(|one| one.value() == column);
        Self {
            tab: PeopleTab::ALL.into_iter().find(|one| one.value() == tab).unwrap_or(PeopleTab::All),
            q: address.get("q").unwrap_or_default().to_lowercase(),
            order: order.unwrap_or(PeopleOrder::Name),
            is_descending: is_descending && order.is_some(),
            cursor: address.get("cursor"),
        }
    }

    /// Returns the page that the query asks for.
    pub fn page(&self, accounts: &[Account]) -> PeoplePage {
        let is_found = |text: &str| text.to_lowercase().contains(&self.q);
        let matches = |account: &&Account| {
            self.tab.has(account) && (is_found(&account.name) || is_found(&account.email))
        };
        let mut rows: Vec<&Account> = accounts.iter().filter(matches).collect();
        rows.sort_by_cached_key(|account| (self.key(account), account.name.to_lowercase(), account.id.0));
        if self.is_descending {
            rows.reverse();
        }
        let (begin, end) = self.bounds(&rows);
        let id = |at: usize| rows.get(at).map(|account| account.id.to_string());
        let previous = id(begin).filter(|_| begin > 0).map(|id| format!("{BACKWARD}{id}"));
        let next = id(end.saturating_sub(1)).filter(|_| end < rows.len());
        let shown = rows[begin..end].iter().map(|account| (*account).clone()).collect();
        PeoplePage { total: rows.len(), rows: shown, previous, next }
    }

    fn key(&self, account: &Account) -> i64 {
        match self.order {
            PeopleOrder::Name => 0,
            // Those who may do the most come first.
            PeopleOrder::Role => -(account.role as i64),
            PeopleOrder::Joined => account.created_at.millis(),
        }
    }

    /// The rows of the page: those beyond the account that the cursor names.
    fn bounds(&self, rows: &[&Account]) -> (usize, usize) {
        let cursor = self.cursor.as_deref().unwrap_or_default();
        let backward = cursor.strip_prefix(BACKWARD);
        let id = backward.unwrap_or(cursor);
        let at = rows.iter().position(|account| account.id.to_string() == id);
        let begin = match (at, backward.is_some()) {
            (None, _) => 0,
            (Some(at), true) => at.saturating_sub(PAGE_ROWS),
            (Some(at), false) => at + 1,
        };
        (begin, (begin + PAGE_ROWS).min(rows.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{
        AccountId, Timestamp,
        account::{AnswerNotices, Language, Theme},
    };

    fn account(number: u64, role: Role, is_disabled: bool) -> Account {
        Account {
            id: AccountId(uuid::Uuid::from_u64_pair(7, number)),
            email: format!("user{number}@example.org"),
            name: format!("User {number:03}"),
            role,
            is_disabled,
            zone: "UTC".to_owned(),
            language: Language::En,
            theme: Theme::Auto,
            has_shortcuts: true,
            answer_notices: AnswerNotices::Bell,
            about: String::new(),
            picture: String::new(),
            created_at: Timestamp::from_millis(1_000 - i64::try_from(number).unwrap()),
        }
    }

    fn query() -> PeopleQuery {
        PeopleQuery {
            tab: PeopleTab::All,
            q: String::new(),
            order: PeopleOrder::Name,
            is_descending: false,
            cursor: None,
        }
    }

    fn names(page: &PeoplePage) -> Vec<&str> {
        page.rows.iter().map(|account| account.name.as_str()).collect()
    }

    #[test]
    fn pages_lead_to_each_other() {
        let accounts: Vec<_> = (0..120).map(|number| account(number, Role::Creator, false)).collect();
        let first = query().page(&accounts);
        assert_eq!((first.rows.len(), first.total, first.previous.clone()), (50, 120, None));
        let second = PeopleQuery { cursor: first.next.clone(), ..query() }.page(&accounts);
        assert_eq!(names(&second)[0], "User 050");
        let third = PeopleQuery { cursor: second.next.clone(), ..query() }.page(&accounts);
        assert_eq!((third.rows.len(), third.next.clone()), (20, None));
        let back = PeopleQuery { cursor: second.previous.clone(), ..query() }.page(&accounts);
        assert_eq!(names(&back), names(&first));
    }

    #[test]
    fn people_are_filtered_searched_and_sorted() {
        let accounts =
            [account(1, Role::Creator, false), account(2, Role::Admin, false), account(3, Role::Admin, true)];
        let of = |query: PeopleQuery| names(&query.page(&accounts)).join(",").replace("User 00", "");
        assert_eq!(of(PeopleQuery { tab: PeopleTab::Role(Role::Admin), ..query() }), "2");
        assert_eq!(of(PeopleQuery { tab: PeopleTab::Disabled, ..query() }), "3");
        assert_eq!(of(PeopleQuery { q: "user3@".to_owned(), ..query() }), "3");
        assert_eq!(of(PeopleQuery { order: PeopleOrder::Role, ..query() }), "2,3,1");
        assert_eq!(of(PeopleQuery { order: PeopleOrder::Joined, ..query() }), "3,2,1");
        assert_eq!(of(PeopleQuery { is_descending: true, ..query() }), "3,2,1");
    }
}
