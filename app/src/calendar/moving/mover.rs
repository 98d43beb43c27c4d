//! Moves in flight: picked up, sent, refused or asked about.

use super::{
    drafts::{find_draft, in_free_slot, slot_taken_by},
    focus::focus_item,
    place::Place,
    server_fns::{NewPlace, Placed, place_item},
    several::can_select,
};
use crate::calendar::moving::{
    dragged::{Held, is_draft, key_of_item},
    optimistic::{conflicts, with_moved},
};
use crate::{
    calendar::{request::DRAFT_PREFIX, server_fns::CalendarBoard},
    meetings::result::result_of_meeting,
    server_fns::Refused,
    session::visitor,
    tasks::result::result_of_change,
    ui::result::{ActionResult, last_result},
};
use domain::{
    DomainError,
    calendar::{CalendarItem, CalendarStatus},
};
use leptos::{prelude::*, task::spawn_local};
use texts::calendar::moving::MovingTexts;
use texts::{language, refusal::sentence};

/// Maximum number of moves that are shown before the server's next response.
const MAX_SENT: usize = 20;

/// What is asked before an item is moved.
#[derive(Debug, Clone, PartialEq)]
pub enum Question {
    /// Which time is meant.
    Time(DomainError),
    /// Whether a draft takes the slot of this publication.
    Slot(Box<CalendarItem>),
}

/// The moves in flight of a calendar. Cheap to copy.
#[derive(Clone, Copy)]
pub struct Mover {
    /// The item that keys and presses move.
    pub held: RwSignal<Option<Held>>,
    /// Whether a pointer is dragging: the page then stays as it is.
    pub is_dragging: RwSignal<bool>,
    /// What is asked about the held item.
    pub question: RwSignal<Option<Question>>,
    /// The names of the items that are moved together, see [`key_of_item`].
    pub selected: RwSignal<Vec<String>>,
    /// Whether a click selects.
    pub is_selecting: RwSignal<bool>,
    /// That an item was left where it was, for screen readers. Results speak for themselves.
    pub spoken: RwSignal<String>,
    pub(super) sent: RwSignal<Vec<Held>>,
    pub(super) board: Signal<CalendarBoard>,
    pub(super) owner: StoredValue<Option<Owner>>,
}

impl Mover {
    /// Nothing is in flight.
    #[must_use]
    pub fn new(board: Signal<CalendarBoard>) -> Self {
        let sent: RwSignal<Vec<Held>> = RwSignal::new(Vec::new());
        // A draft that has left the tray is shown by the server from now on.
        Effect::new(move |_| {
            board.with(|board| {
                let is_waiting = |one: &Held| !is_draft(&one.item) || find_draft(board, &one.key()).is_some();
                if sent.with_untracked(|sent| !sent.iter().all(is_waiting)) {
                    sent.update(|sent| sent.retain(is_waiting));
                }
            });
        });
        Self {
            held: RwSignal::new(None),
            is_dragging: RwSignal::new(false),
            question: RwSignal::new(None),
            selected: RwSignal::new(Vec::new()),
            is_selecting: RwSignal::new(false),
            spoken: RwSignal::new(String::new()),
            sent,
            board,
            owner: StoredValue::new(Owner::current()),
        }
    }

    /// The board with every item in flight at its new time. While a pointer drags, changes
    /// by others wait.
    #[must_use]
    pub fn shown(self) -> Signal<CalendarBoard> {
        let shown = Memo::new(move |last: Option<&CalendarBoard>| {
            if let (true, Some(last)) = (self.is_dragging.get(), last) {
                return last.clone();
            }
            let (board, held) = (self.board.get(), self.held.get());
            let mut sent = self.sent.get();
            if let Some(held) = &held {
                sent.extend(self.all_with(held).into_iter().skip(1));
            }
            with_moved(board, &sent, held.as_ref())
        });
        shown.into()
    }

    /// The item with this name, see [`key_of_item`], where it is shown.
    #[must_use]
    pub fn find(self, key: &str) -> Option<CalendarItem> {
        self.board.with_untracked(|board| {
            if key.starts_with(DRAFT_PREFIX) {
                return find_draft(board, key);
            }
            let board = self.sent.with_untracked(|sent| with_moved(board.clone(), sent, None));
            let mut items = board.page.days.iter().flat_map(|day| &day.items);
            items.find(|item| key_of_item(item) == key).cloned()
        })
    }

    /// `Tue 9 Jun, 10:00 Berlin, 2 conflicts`.
    #[must_use]
    pub fn words(self, held: &Held) -> String {
        self.board.with_untracked(|board| {
            let when = held.words(language(), &board.page.zone, &board.page.today);
            MovingTexts::here().with_conflicts(when, conflicts(board, held))
        })
    }

    /// The held item at a place of the page.
    #[must_use]
    pub fn at_place(self, place: &Place, held: &Held) -> Held {
        let slot = match place {
            Place::Day(date) => self.board.with_untracked(|board| in_free_slot(board, held, date)),
            Place::Time(..) => None,
        };
        slot.unwrap_or_else(|| place.moved(held))
    }

    /// Selects an item, or no longer; says why it cannot be selected.
    pub fn select(self, key: &str) {
        let Some(item) = self.find(key) else { return };
        if let Err(why) = can_select(&item) {
            return match why {
                Some(why) => warn(why),
                None => self.explain(&item),
            };
        }
        self.selected.update(|selected| match selected.iter().position(|one| one == key) {
            Some(place) => drop(selected.remove(place)),
            None => selected.push(key.to_owned()),
        });
    }

    /// Begins to move an item by keys or presses, or says why it cannot be moved.
    pub fn pick_up(self, key: &str) {
        let Some(item) = self.find(key) else { return };
        if item.may_move {
            self.question.set(None);
            self.held.set(Some(Held::of(item)));
        } else {
            self.explain(&item);
        }
    }

    /// Says why an item cannot be moved.
    pub fn explain(self, item: &CalendarItem) {
        warn(reason(item));
    }

    /// Holds the item at another time.
    pub fn hold(self, change: impl FnOnce(&Held) -> Held) {
        self.question.set(None);
        self.held.update(|held| *held = held.as_ref().map(change));
    }

    /// Leaves the item where it was.
    pub fn leave(self) {
        self.question.set(None);
        if let Some(held) = self.held.try_update(Option::take).flatten() {
            self.spoken.set(MovingTexts::here().left().to_owned());
            focus_item(&held.key());
        }
    }

    /// Moves the item, and those that are selected with it. A draft that would share a slot is asked
    /// about.
    pub fn send(self, held: Held) {
        if !held.is_changed() {
            self.held.set(Some(held));
            return self.leave();
        }
        if let Some(taken) = self.board.with_untracked(|board| slot_taken_by(board, &held)) {
            self.held.set(Some(held));
            return self.question.set(Some(Question::Slot(Box::new(taken))));
        }
        match self.all_with(&held) {
            all if all.len() > 1 => self.send_several(all),
            _ => self.send_one(held),
        }
    }

    /// Moves one item. It is shown at its new time at once; if the server refuses, it returns.
    pub fn send_one(self, held: Held) {
        self.question.set(None);
        self.held.set(None);
        focus_item(&held.key());
        self.sent.update(|sent| {
            let surplus = (sent.len() + 1).saturating_sub(MAX_SENT);
            sent.drain(..surplus);
            sent.push(held.clone());
        });
        let place = NewPlace {
            item: held.key(),
            seen: held.item.version.0,
            local: if held.keeps_start() && held.length > 0 {
                String::new()
            } else {
                crate::calendar::moving::dragged::local_text(held.local)
            },
            zone: self.board.with_untracked(|board| board.page.zone.clone()),
            which: held.which.clone(),
            length: held.length,
        };
        let owner = self.owner.get_value();
        spawn_local(async move {
            let result = place_item(place).await;
            if let Some(owner) = owner {
                owner.with(|| self.finish(held, result));
            }
        });
    }

    fn finish(self, held: Held, result: Result<Placed, Refused>) {
        let refusal = match result {
            Ok(placed) => {
                if is_draft(&held.item) {
                    // It is a task from now on, and a draft again if that is undone.
                    self.sent.try_update(|sent| sent.retain(|one| *one != held));
                }
                let (key, result) = match placed {
                    Placed::Task(row) => (row.id.to_string(), result_of_change(*row)),
                    Placed::Meeting(changed) => (held.key(), result_of_meeting(*changed)),
                };
                return last_result().show_about(key, result);
            }
            Err(Refused(refusal)) => refusal,
        };
        self.sent.try_update(|sent| sent.retain(|one| *one != held));
        if matches!(refusal, DomainError::DoubledTime { .. } | DomainError::SkippedTime { .. }) {
            self.held.try_set(Some(held));
            self.question.try_set(Some(Question::Time(refusal)));
            return;
        }
        let why = sentence(language(), &refusal);
        warn(MovingTexts::here().not_moved(held.item.title, why));
    }
}

/// Says why nothing was moved.
pub fn warn(why: String) {
    last_result().show(ActionResult { is_warning: true, ..ActionResult::new(why) });
}

/// Why the user cannot move an item.
fn reason(item: &CalendarItem) -> String {
    let (texts, title) = (MovingTexts::here(), item.title.clone());
    let visitor = visitor();
    let is_own = visitor.account.as_ref().is_some_and(|account| account.id == item.owner_id);
    match item.status {
        CalendarStatus::Done | CalendarStatus::Cancelled => texts.is_over(title),
        CalendarStatus::Running => texts.is_running(title),
        _ if !is_own && !visitor.is_admin() => texts.of_other(title, item.owner.clone()),
        CalendarStatus::Attention => texts.is_held(title),
        CalendarStatus::Upcoming => texts.follows(title),
    }
}
