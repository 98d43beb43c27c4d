//! Texts of the activity.

sets!(tasks: ActivityTexts);

impl ActivityTexts {
    /// What an item without a title is.
    #[must_use]
    pub fn noun(self, kind: &str) -> String {
        match kind {
            "article" => self.article(),
            "meeting" => self.meeting(),
            "room" => self.room(),
            "series" => self.series(),
            "release" => self.release(),
            "reminder" => self.reminder(),
            "channel" => self.channel(),
            "rule" => self.rule(),
            "account" => self.account(),
            "message" => self.message(),
            "settings" => self.settings(),
            "engine" => self.engine(),
            "media" => self.media(),
            "delivery" => self.delivery(),
            "tag" => self.tag(),
            "import" => self.import(),
            "word_list" => self.word_list(),
            "slots" => self.slots(),
            "node" => self.node(),
            "group" => self.group(),
            "sign_in_provider" => self.sign_in_provider(),
            other => return other.replace('_', " "),
        }
        .to_owned()
    }
}

sets!(tasks: ActivityVerbTexts);
