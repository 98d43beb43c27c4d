//! A card of the Attention page.

use domain::{
    attention::{AttentionCard, AttentionCause},
    delivery::Answer,
};

/// Returns an empty card.
pub(super) fn card(id: String, cause: AttentionCause) -> AttentionCard {
    AttentionCard {
        id,
        cause,
        reason: String::new(),
        channel: None,
        is_deleted: false,
        answer: Answer::default(),
        since: None,
        next_at: None,
        total: 0,
        changeable: 0,
        failed: 0,
        retried: 0,
        tasks: Vec::new(),
        deliveries: Vec::new(),
        meetings: Vec::new(),
    }
}
