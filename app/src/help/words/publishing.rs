//! Words of writing, scheduling and reviews.

use super::words;

words! {
    "draft": draft, draft_meaning, draft_example;
    "scheduled": scheduled, scheduled_meaning, scheduled_example;
    "revision": revision, revision_meaning, revision_example;
    "posting-slot": posting_slot, posting_slot_meaning, posting_slot_example;
    "release": release, release_meaning, release_example;
    "reading": reading, reading_meaning, reading_example;
    "zone": zone, zone_meaning, zone_example;
    "tag": tag, tag_meaning, tag_example;
    "slug": slug, slug_meaning, slug_example;
    "translation": translation, translation_meaning, translation_example;
    "alternative-text": alternative_text, alternative_text_meaning, alternative_text_example;
    "trash": trash, trash_meaning, trash_example;
    "undo": undo, undo_meaning, undo_example;
    "saved-view": saved_view, saved_view_meaning, saved_view_example;
    "presence": presence, presence_meaning, presence_example;
    "review": review, review_meaning, review_example;
    "approval": approval, approval_meaning, approval_example;
    "workflow": workflow, workflow_meaning, workflow_example;
    "word-list": word_list, word_list_meaning, word_list_example;
    "held": held, held_meaning, held_example;
}
