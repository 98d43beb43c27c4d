//! Texts of the help pages and of the help panel.

sets!(help: HelpTexts, HelpTopicTexts, HelpWordTexts, HelpKeyTexts);
