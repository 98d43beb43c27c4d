//! Texts of the layout around every page, and of shared buttons.

pub mod palette;
pub mod site;
pub mod status;

sets!(layout: LayoutTexts, ResultTexts, ErrorPageTexts);
