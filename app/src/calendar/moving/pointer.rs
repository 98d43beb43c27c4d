//! Mouse, pen and touch: an item is dragged, a meeting is made longer, a time is dragged out for
//! something new. A touch drags after a long press, so that scrolling moves nothing.

use super::{
    mover::Mover,
    place::{Place, mark},
};
use crate::calendar::moving::dragged::{DAY, Held, STEP, clock_text, local_text};
use crate::{
    calendar::request::{NEW, link_with},
    ui::{debounce::Debounce, table::address::ListAddress},
};
use domain::calendar::CalendarItem;
use leptos::{ev, html, prelude::*, wasm_bindgen::JsCast as _};
use leptos_router::{NavigateOptions, hooks::use_navigate};
use texts::calendar::moving::MovingTexts;
use web_sys::{Element, HtmlElement, PointerEvent};

/// How long a touch lasts before it drags, in milliseconds.
const LONG_PRESS_MS: u64 = 300;
/// Pixels that a pointer moves before a mouse drags, or a touch scrolls.
const SLACK: f64 = 6.0;
/// Height at the edges of the window in which dragging scrolls, in pixels.
const EDGE: f64 = 48.0;
/// What has a meaning of its own when it is pressed.
const CONTROLS: &str = "a, button, input, select, summary, form";

/// What is under the pointer when it is pressed.
#[derive(Clone)]
enum Grab {
    /// An item.
    Item(Held),
    /// The end of a meeting.
    End(Held),
    /// An item that cannot be moved.
    Fixed(CalendarItem),
    /// A free time.
    Free(i64),
}

/// A pressed pointer.
#[derive(Clone)]
struct Press {
    pointer: i32,
    from: (f64, f64),
    is_touch: bool,
    is_dragging: bool,
    grab: Grab,
}

/// The pointer in one calendar. Cheap to copy.
#[derive(Clone, Copy)]
pub struct Dragging {
    mover: Mover,
    address: Memo<ListAddress>,
    press: StoredValue<Option<Press>>,
    /// Whether the next click belongs to the drag that just ended.
    is_click_over: StoredValue<bool>,
    long_press: Debounce,
    /// The words beside the pointer.
    ghost: NodeRef<html::Div>,
    text: RwSignal<String>,
    /// A URL to open.
    new: RwSignal<Option<String>>,
}

impl Dragging {
    /// Follows the pointer while the calendar is on the page.
    #[must_use]
    pub fn new(mover: Mover, address: Memo<ListAddress>) -> Self {
        let dragging = Self {
            mover,
            address,
            press: StoredValue::new(None),
            is_click_over: StoredValue::new(false),
            long_press: Debounce::new(),
            ghost: NodeRef::new(),
            text: RwSignal::new(String::new()),
            new: RwSignal::new(None),
        };
        let navigate = use_navigate();
        Effect::new(move |_| {
            if let Some(to) = dragging.new.get() {
                navigate(&to, NavigateOptions { scroll: false, ..NavigateOptions::default() });
            }
        });
        Effect::new(move |_| {
            let handles = [
                window_event_listener(ev::pointermove, move |event| dragging.follow(&event)),
                window_event_listener(ev::pointerup, move |event| dragging.release(&event)),
                window_event_listener(ev::pointercancel, move |_| dragging.stop()),
                window_event_listener(ev::keydown, move |event| {
                    if event.key() == "Escape" {
                        dragging.stop();
                    }
                }),
            ];
            on_cleanup(move || handles.into_iter().for_each(WindowListenerHandle::remove));
        });
        dragging
    }

    /// A pointer is pressed on the days.
    pub fn press(self, event: &PointerEvent) {
        self.is_click_over.set_value(false);
        self.stop();
        if event.button() != 0 || !event.is_primary() || self.mover.held.with_untracked(Option::is_some) {
            return;
        }
        let at = (f64::from(event.client_x()), f64::from(event.client_y()));
        let Some(grab) = target_of(event).and_then(|target| self.grab(&target, at.1)) else { return };
        let is_touch = event.pointer_type() != "mouse";
        let press = Press { pointer: event.pointer_id(), from: at, is_touch, is_dragging: false, grab };
        self.press.set_value(Some(press));
        if is_touch {
            self.long_press.schedule(LONG_PRESS_MS, move || self.begin(at));
        }
    }

    fn grab(self, target: &Element, y: f64) -> Option<Grab> {
        if let Some(item) = target.closest("[data-item]").ok().flatten() {
            if target.closest(".move-item").ok().flatten().is_some() {
                return None;
            }
            let item = self.mover.find(&item.get_attribute("data-item")?)?;
            let is_end = target.closest(".resize-item").ok().flatten().is_some();
            return Some(match (item.may_move, is_end) {
                (false, _) => Grab::Fixed(item),
                (true, true) => Grab::End(Held::of(item)),
                (true, false) => Grab::Item(Held::of(item)),
            });
        }
        let is_control = target.closest(CONTROLS).ok().flatten().is_some();
        let row = target.closest("[data-hour]:not(.is-past)").ok().flatten();
        match Place::of(&row.filter(|_| !is_control)?, y)? {
            Place::Time(local, _) => Some(Grab::Free(local)),
            Place::Day(_) => None,
        }
    }

    fn follow(self, event: &PointerEvent) {
        let Some(press) = self.press.get_value().filter(|press| press.pointer == event.pointer_id()) else {
            return;
        };
        let at = (f64::from(event.client_x()), f64::from(event.client_y()));
        if !press.is_dragging {
            let is_still = (at.0 - press.from.0).hypot(at.1 - press.from.1) < SLACK;
            match (is_still, press.is_touch) {
                (true, _) => return,
                // The page scrolls.
                (false, true) => return self.stop(),
                (false, false) => self.begin(at),
            }
        }
        self.show(at);
        scroll_at_edge(at.1);
    }

    /// The pointer drags from now on.
    fn begin(self, at: (f64, f64)) {
        let Some(mut press) = self.press.get_value() else { return };
        if let Grab::Fixed(item) = &press.grab {
            self.mover.explain(item);
            self.is_click_over.set_value(true);
            return self.stop();
        }
        press.is_dragging = true;
        self.press.set_value(Some(press));
        self.mover.is_dragging.set(true);
        self.show(at);
    }

    /// What the release at this point would do.
    fn outcome(self, at: (f64, f64)) -> Option<Outcome> {
        let press = self.press.get_value().filter(|press| press.is_dragging)?;
        let (_, place) = Place::at(at.0, at.1)?;
        Some(match (press.grab, place) {
            (Grab::Item(held), place) => Outcome::Move(Box::new(self.mover.at_place(&place, &held))),
            (Grab::End(held), place) => Outcome::Move(Box::new(place.resized(&held))),
            (Grab::Free(from), Place::Time(to, _)) => {
                let midnight = (from.div_euclid(DAY) + 1) * DAY;
                Outcome::New(from.min(to), (from.max(to) + STEP).min(midnight - 60))
            }
            (Grab::Free(_) | Grab::Fixed(_), _) => return None,
        })
    }

    fn show(self, at: (f64, f64)) {
        let texts = MovingTexts::here();
        let text = match self.outcome(at) {
            Some(Outcome::Move(held)) => self.mover.words(&held),
            Some(Outcome::New(from, to)) => texts.from_to(clock_text(from), clock_text(to)),
            None => texts.left().to_owned(),
        };
        self.text.set(text);
        mark(Place::at(at.0, at.1).as_ref().map(|(element, _)| element));
        if let Some(ghost) = self.ghost.get_untracked() {
            let style = HtmlElement::style(&ghost);
            _ = style.set_property("transform", &format!("translate({}px, {}px)", at.0 + 12.0, at.1 + 16.0));
        }
    }

    fn release(self, event: &PointerEvent) {
        let at = (f64::from(event.client_x()), f64::from(event.client_y()));
        let is_own = |press: &Press| press.pointer == event.pointer_id();
        let is_dragging = self
            .press
            .with_value(|press| press.as_ref().is_some_and(|press| is_own(press) && press.is_dragging));
        let outcome = self.outcome(at).filter(|_| is_dragging);
        self.is_click_over.update_value(|over| *over |= is_dragging);
        self.stop();
        match outcome {
            Some(Outcome::Move(held)) if held.is_changed() => self.mover.send(*held),
            Some(Outcome::New(from, to)) => self.create(&format!("{}/{}", local_text(from), clock_text(to))),
            _ => {}
        }
    }

    /// Opens the choice of something new at a time.
    fn create(self, when: &str) {
        self.new.set(Some(self.address.with_untracked(|address| link_with(address, NEW, when))));
    }

    fn stop(self) {
        self.long_press.cancel();
        if self.press.try_update_value(Option::take).flatten().is_some_and(|press| press.is_dragging) {
            mark(None);
            self.mover.is_dragging.set(false);
        }
    }

    /// Whether the browser must not scroll, open a menu or drag a link by itself.
    #[must_use]
    pub fn is_active(self) -> bool {
        self.press.with_value(|press| press.as_ref().is_some_and(|press| press.is_dragging))
    }

    /// Whether a touch may become a drag: then the browser opens no menu.
    #[must_use]
    pub fn is_touched(self) -> bool {
        self.press.with_value(|press| press.as_ref().is_some_and(|press| press.is_touch))
    }

    /// A click on the days: it places the held item, picks one up, or begins something new.
    pub fn click(self, event: &ev::MouseEvent) {
        if self.is_click_over.get_value() {
            self.is_click_over.set_value(false);
            return event.prevent_default();
        }
        if self.selects(event) {
            return event.prevent_default();
        }
        let has_modifier = event.ctrl_key() || event.meta_key() || event.shift_key() || event.alt_key();
        let Some(target) = target_of(event).filter(|_| !has_modifier && !event.default_prevented()) else {
            return;
        };
        if target.closest(".move-item").ok().flatten().is_some() {
            let item = target.closest("[data-item]").ok().flatten();
            if let Some(key) = item.and_then(|item| item.get_attribute("data-item")) {
                event.prevent_default();
                self.mover.pick_up(&key);
            }
            return;
        }
        let place = Place::of(&target, f64::from(event.client_y()));
        if let (Some(held), Some(place)) = (self.mover.held.get_untracked(), place.as_ref()) {
            event.prevent_default();
            return self.mover.send(self.mover.at_place(place, &held));
        }
        if target.closest(CONTROLS).ok().flatten().is_some()
            || target.closest("[data-item], th").ok().flatten().is_some()
        {
            return;
        }
        match place {
            Some(Place::Time(local, _)) if target.closest(".is-past").ok().flatten().is_none() => {
                self.create(&local_text(local));
            }
            Some(Place::Day(_)) => press_new(&target),
            _ => {}
        }
    }

    /// Selects the clicked item with Shift, or while items are selected.
    fn selects(self, event: &ev::MouseEvent) -> bool {
        let is_asked = event.shift_key() || self.mover.is_selecting.get_untracked();
        if !is_asked || event.ctrl_key() || event.meta_key() || event.alt_key() {
            return false;
        }
        let target = target_of(event).filter(|target| !target.matches(".move-item").unwrap_or_default());
        let item = target.and_then(|target| target.closest("[data-item]").ok().flatten());
        match item.and_then(|item| item.get_attribute("data-item")) {
            Some(key) => self.mover.select(&key),
            None => return false,
        }
        true
    }

    /// The words beside the pointer.
    pub fn ghost(self) -> impl IntoView {
        let text = self.text;
        let is_dragging = self.mover.is_dragging;
        move || {
            is_dragging.get().then(|| view! { <div class="calendar-ghost" node_ref=self.ghost aria-hidden="true">{move || text.get()}</div> })
        }
    }
}

/// What a release does.
enum Outcome {
    Move(Box<Held>),
    New(i64, i64),
}

fn target_of(event: &ev::MouseEvent) -> Option<Element> {
    event.target()?.dyn_into().ok()
}

/// Presses the link of a day for something new.
fn press_new(target: &Element) {
    let day = target.closest("[data-date]").ok().flatten();
    let link = day.and_then(|day| day.query_selector(".new-item").ok().flatten());
    if let Some(link) = link.and_then(|link| link.dyn_into::<HtmlElement>().ok()) {
        link.click();
    }
}

fn scroll_at_edge(y: f64) {
    let height = window().inner_height().ok().and_then(|height| height.as_f64()).unwrap_or(f64::MAX);
    let by = if y < EDGE {
        -12.0
    } else if y > height - EDGE {
        12.0
    } else {
        return;
    };
    window().scroll_by_with_x_and_y(0.0, by);
}
