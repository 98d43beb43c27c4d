//! Texts of meetings that repeat: the fields of the form, and the series.

use domain::series::OccurrenceMark;

sets!(meetings: RepeatTexts, SeriesTexts);

impl RepeatTexts {
    /// Option of the select.
    #[must_use]
    pub fn every_word(self, word: &str) -> &'static str {
        match word {
            "daily" => self.daily(),
            "weekly" => self.weekly(),
            "monthly" => self.monthly(),
            "yearly" => self.yearly(),
            _ => self.never(),
        }
    }

    /// Unit of the interval.
    #[must_use]
    pub fn unit(self, word: &str) -> &'static str {
        match word {
            "weekly" => self.weeks(),
            "monthly" => self.months(),
            "yearly" => self.years(),
            _ => self.days(),
        }
    }

    /// Day of a monthly or yearly meeting.
    #[must_use]
    pub fn on_day(self, word: &str) -> &'static str {
        match word {
            "weekday" => self.on_weekday(),
            "last_weekday" => self.on_last_weekday(),
            "last_day" => self.on_last_day(),
            _ => self.on_day_of_month(),
        }
    }

    /// What is special about a time.
    #[must_use]
    pub fn mark(self, mark: OccurrenceMark) -> &'static str {
        match mark {
            OccurrenceMark::MovedByGap => self.moved_by_gap(),
            OccurrenceMark::Earlier => self.first_of_two(),
            OccurrenceMark::Later => self.second_of_two(),
        }
    }
}
