//! The selected items: what is moved with the held one, and the bar that says how many they are.

use super::{
    focus::focus_item,
    mover::{Mover, warn},
    server_fns::move_several,
    several::{MAX_SELECTED, amount, moved_with},
};
use crate::calendar::moving::dragged::Held;
use crate::{
    server_fns::Refused,
    tasks::list_page::bulk::{result::of_value, result_value},
    ui::{icon::Icon, result::last_result},
};
use domain::{TaskId, bulk_change::BulkOutcome};
use leptos::{prelude::*, task::spawn_local};
use texts::calendar::moving::MovingTexts;
use texts::{language, refusal::sentence};

impl Mover {
    /// The held item, and, if it is selected, the other selected ones moved by the same amount.
    #[must_use]
    pub fn all_with(self, held: &Held) -> Vec<Held> {
        let mut all = vec![held.clone()];
        let keys = self.selected.get();
        if keys.contains(&held.key()) {
            let others = keys.iter().filter(|key| **key != held.key()).filter_map(|key| self.find(key));
            all.extend(others.take(MAX_SELECTED - 1).map(|item| moved_with(held, item)));
        }
        all
    }

    /// Moves several tasks with one undo. They are shown at their new times at once; those that the server
    /// refuses return.
    pub fn send_several(self, all: Vec<Held>) {
        self.question.set(None);
        self.held.set(None);
        self.selected.set(Vec::new());
        self.is_selecting.set(false);
        let Some(first) = all.first() else { return };
        focus_item(&first.key());
        let (days, minutes) = amount(first);
        let ids = all.iter().map(|held| TaskId(held.item.id)).collect();
        self.sent.update(|sent| sent.extend(all.iter().cloned()));
        let owner = self.owner.get_value();
        spawn_local(async move {
            let result = move_several(ids, days, minutes).await;
            if let Some(owner) = owner {
                owner.with(|| self.finish_several(&all, result));
            }
        });
    }

    fn finish_several(self, all: &[Held], result: Result<BulkOutcome, Refused>) {
        let moved = |held: &Held, outcome: &BulkOutcome| {
            outcome.refused.iter().all(|refused| refused.id.0 != held.item.id)
        };
        match result {
            Ok(outcome) => {
                self.sent.try_update(|sent| {
                    sent.retain(|held| !all.contains(held) || moved(held, &outcome));
                });
                let Some(shown) = of_value(&result_value::value(&outcome, "shift")) else { return };
                match all.first() {
                    Some(first) => last_result().show_about(first.key(), shown),
                    None => last_result().show(shown),
                }
            }
            Err(Refused(refusal)) => {
                self.sent.try_update(|sent| sent.retain(|held| !all.contains(held)));
                warn(MovingTexts::here().none_moved(sentence(language(), &refusal)));
            }
        }
    }
}

/// How many are selected, and what can be done with them.
#[component]
pub fn SelectionBar(
    /// The moves in flight.
    mover: Mover,
) -> impl IntoView {
    let texts = MovingTexts::here();
    let count = Memo::new(move |_| mover.selected.with(Vec::len));
    let is_on = move || mover.is_selecting.get() || count.get() > 0;
    let clear = move || {
        mover.selected.set(Vec::new());
        mover.is_selecting.set(false);
    };
    let pick_up = move || {
        if let Some(first) = mover.selected.with_untracked(|selected| selected.first().cloned()) {
            mover.pick_up(&first);
        }
    };
    view! {
        <div class="selection-bar needs-js" class:is-on=is_on role="group" aria-label=texts.select_several()>
            {move || match is_on() {
                false => view! {
                    <button class="button bare small" type="button" aria-label=texts.select_several() title=texts.select_several()
                        on:click=move |_| mover.is_selecting.set(true)><Icon name="check" /></button>
                }
                .into_any(),
                true => view! {
                    <span role="status">{move || match count.get() {
                        0 => texts.select_hint().to_owned(),
                        count => texts.selected(count),
                    }}</span>
                    <button class="button small main" type="button" disabled=move || count.get() == 0 on:click=move |_| pick_up()>{texts.move_selected()}</button>
                    <button class="button small" type="button" on:click=move |_| clear()>{texts.clear_selection()}</button>
                }
                .into_any(),
            }}
        </div>
    }
}
