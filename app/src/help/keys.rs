//! All keys, in groups. The help panel, the help pages and the tests read this one list.

use super::phrase::{Phrase, phrase};

/// A key or several, and what they do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key {
    /// Alternatives, separated by a comma and a space; the keys of one by a space: `Ctrl K`, `J, K`.
    pub keys: &'static str,
    /// What they do.
    pub what: Phrase,
}

impl Key {
    /// The alternatives, each with its keys.
    pub fn alternatives(self) -> impl Iterator<Item = std::str::Split<'static, char>> {
        self.keys.split(", ").map(|keys| keys.split(' '))
    }
}

/// Where keys work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyGroup {
    /// On all pages.
    Everywhere,
    /// In lists with rows.
    List,
    /// In the calendar.
    Calendar,
    /// While an item of the calendar is being moved.
    Moving,
    /// On the pages of rooms.
    Rooms,
    /// In the text of an article.
    Editor,
    /// On the page of a review.
    Review,
}

impl KeyGroup {
    /// All groups, in the order of the help page.
    pub const ALL: [Self; 7] =
        [Self::Everywhere, Self::List, Self::Calendar, Self::Moving, Self::Rooms, Self::Editor, Self::Review];

    /// Where the keys work, in words.
    #[must_use]
    pub fn title(self) -> Phrase {
        match self {
            Self::Everywhere => phrase!(HelpKeyTexts group_everywhere),
            Self::List => phrase!(HelpKeyTexts group_list),
            Self::Calendar => phrase!(HelpKeyTexts group_calendar),
            Self::Moving => phrase!(HelpKeyTexts group_moving),
            Self::Rooms => phrase!(HelpKeyTexts group_rooms),
            Self::Editor => phrase!(HelpKeyTexts group_editor),
            Self::Review => phrase!(HelpKeyTexts group_review),
        }
    }

    /// The keys.
    #[must_use]
    pub fn keys(self) -> &'static [Key] {
        match self {
            Self::Everywhere => EVERYWHERE,
            Self::List => LIST,
            Self::Calendar => CALENDAR,
            Self::Moving => MOVING,
            Self::Rooms => ROOMS,
            Self::Editor => EDITOR,
            Self::Review => REVIEW,
        }
    }
}

/// Declares lists of keys.
macro_rules! keys {
    ($($name:ident { $($keys:literal = $what:ident;)+ })+) => {
        $(const $name: &[Key] = &[$(Key { keys: $keys, what: phrase!(HelpKeyTexts $what) }),+];)+
    };
}

keys! {
    EVERYWHERE {
        "Ctrl K" = everywhere_ctrl_k;
        "N" = everywhere_n;
        "/" = everywhere_slash;
        "?" = everywhere_question_mark;
        "Z" = everywhere_z;
        "G D" = everywhere_g_d;
        "G A" = everywhere_g_a;
        "G C" = everywhere_g_c;
        "G M" = everywhere_g_m;
        "G R" = everywhere_g_r;
        "G T" = everywhere_g_t;
        "G N" = everywhere_g_n;
        "G S" = everywhere_g_s;
        "Esc" = everywhere_esc;
    }
    LIST {
        "J, K" = list_j_k;
        "↓, ↑" = list_down_up;
        "E" = list_e;
        "M" = list_m;
        "X" = list_x;
        "P" = list_p;
    }
    CALENDAR {
        "←, →" = calendar_left_right;
        "H, L" = calendar_h_l;
        "J, K" = calendar_j_k;
        "↓, ↑" = calendar_down_up;
        "T" = calendar_t;
        "1, 2, 3, 4" = calendar_1_2_3_4;
        "N" = calendar_n;
        "M" = calendar_m;
        "Space" = calendar_space;
        "Esc" = calendar_esc;
    }
    MOVING {
        "←, →" = moving_left_right;
        "↑, ↓" = moving_up_down;
        "PgUp, PgDn" = moving_pgup_pgdn;
        "Shift ↑, Shift ↓" = moving_shift_up_shift_down;
        "Enter" = moving_enter;
        "Esc" = moving_esc;
    }
    ROOMS {
        "←, →" = rooms_left_right;
    }
    EDITOR {
        "Ctrl B" = editor_ctrl_b;
        "Ctrl I" = editor_ctrl_i;
        "Ctrl K" = editor_ctrl_k;
        "Ctrl S" = editor_ctrl_s;
        "Ctrl F" = editor_ctrl_f;
        "Ctrl ." = editor_ctrl_dot;
        "Tab, Shift Tab" = editor_tab_shift_tab;
        "Esc Tab" = editor_esc_tab;
    }
    REVIEW {
        "A" = review_a;
        "S" = review_s;
    }
}
