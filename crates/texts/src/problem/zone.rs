//! What another time zone of the desk means for scheduled items.

use crate::{Language, time::place};
use domain::accounts::zone_effect::ZoneEffect;

sets!(problem: ZoneEffectTexts);

/// The question, in the user's language.
#[must_use]
pub fn zone_choice(language: Language, effect: &ZoneEffect) -> String {
    ZoneEffectTexts(language).question(effect.count, &place(language, &effect.from))
}
