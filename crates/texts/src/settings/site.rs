//! Texts of `/settings/site`.

use domain::accounts::site_look::SiteLayout;

sets!(settings: SiteSettingsTexts);

impl SiteSettingsTexts {
    /// Name and hint of a layout.
    pub fn layout_of(self, layout: SiteLayout) -> (&'static str, &'static str) {
        match layout {
            SiteLayout::Journal => (self.journal(), self.journal_hint()),
            SiteLayout::Notes => (self.notes(), self.notes_hint()),
            SiteLayout::Magazine => (self.magazine(), self.magazine_hint()),
        }
    }
}
