//! All texts of the user interface, one file per area. Both languages stand side by side, so a missing
//! translation does not compile. A page gets its texts with `…Texts::here()`.

pub mod lateness;
pub mod mail;
pub mod number;
pub mod problem;
pub mod reason;
pub mod refusal;
pub mod time;

use crate::shell::session::visitor;
pub use domain::account::Language;

/// Language of this page.
#[must_use]
pub fn language() -> Language {
    visitor().language()
}

/// Separator between two sentences: a space, in Chinese nothing.
#[must_use]
pub fn gap() -> &'static str {
    if language() == Language::En { " " } else { "" }
}

/// Joins two sentences. An empty text node would be rendered as a blank, so a view needs one string.
#[must_use]
pub fn sentences(first: &str, second: &str) -> String {
    format!("{first}{}{second}", gap())
}

/// Colon between a name and its value.
#[must_use]
pub fn colon() -> &'static str {
    if language() == Language::En { ": " } else { "：" }
}

/// Declares a set of texts. `key = "English", "Chinese";` is a method that returns `&'static str`;
/// `key(arg: Type) = "{arg} English", "Chinese {arg}";` is one that returns a `String`.
macro_rules! texts {
    ($(#[$doc:meta])* $name:ident { $($key:ident $(($($arg:ident: $type:ty),+))? = $en:literal, $zh:literal;)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name(pub $crate::texts::Language);

        impl $name {
            /// The texts in the language of this page.
            #[must_use]
            pub fn here() -> Self {
                Self($crate::texts::language())
            }

            $(
                #[must_use]
                #[doc = concat!("Text: ", $en)]
                pub fn $key(self $($(, $arg: $type)+)?) -> $crate::texts::texts!(@type $($($arg)+)?) {
                    match self.0 {
                        $crate::texts::Language::En => $crate::texts::texts!(@text $en $($($arg)+)?),
                        $crate::texts::Language::Zh => $crate::texts::texts!(@text $zh $($($arg)+)?),
                    }
                }
            )+
        }
    };
    (@type) => { &'static str };
    (@type $($arg:ident)+) => { String };
    (@text $text:literal) => { $text };
    (@text $text:literal $($arg:ident)+) => { format!($text, $($arg = $arg),+) };
}
pub(crate) use texts;
