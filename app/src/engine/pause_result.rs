//! The result of pausing or resuming publishing.

use crate::{
    engine::server_fns::PauseEngine,
    ui::result::{ActionResult, Undo, UndoForm, announce},
};
use leptos::prelude::*;
use server_fn::ServerFn;
use texts::layout::ResultTexts;

/// Announces that publishing was paused, with its undo, or resumed.
pub fn announce_pause(action: ServerAction<PauseEngine>) {
    announce(action, |status| if status.is_paused() { paused() } else { resumed() });
}

/// Publishing was paused.
#[must_use]
pub fn paused() -> ActionResult {
    let texts = ResultTexts::here();
    ActionResult::new(texts.engine_paused()).with_undo(Undo::Form(UndoForm {
        function: PauseEngine::PATH,
        fields: vec![("is_paused", "false".to_owned())],
        label: texts.undo_pause(),
    }))
}

/// Publishing was resumed.
#[must_use]
pub fn resumed() -> ActionResult {
    ActionResult::new(ResultTexts::here().engine_resumed())
}
