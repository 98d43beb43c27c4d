//! What stands between words and sentences.

use crate::Language;

/// Separator between two sentences: a space, in Chinese nothing.
#[must_use]
pub fn gap(language: Language) -> &'static str {
    match language {
        Language::En | Language::De => " ",
        Language::Zh => "",
    }
}

/// Separator of the parts of a sentence.
#[must_use]
pub fn comma(language: Language) -> &'static str {
    match language {
        Language::En | Language::De => ", ",
        Language::Zh => "，",
    }
}

/// Separator of the items of a list.
#[must_use]
pub fn list_comma(language: Language) -> &'static str {
    match language {
        Language::En | Language::De => ", ",
        Language::Zh => "、",
    }
}

/// Separator of items that contain commas.
#[must_use]
pub fn semicolon(language: Language) -> &'static str {
    match language {
        Language::En | Language::De => "; ",
        Language::Zh => "；",
    }
}

/// Colon between a name and its value.
#[must_use]
pub fn colon(language: Language) -> &'static str {
    match language {
        Language::En | Language::De => ": ",
        Language::Zh => "：",
    }
}

/// End of a sentence.
#[must_use]
pub fn full_stop(language: Language) -> &'static str {
    match language {
        Language::En | Language::De => ".",
        Language::Zh => "。",
    }
}
