//! The window of a zone's rules.

use super::*;
use crate::base::when::WINDOW_MS;

#[test]
fn a_window_has_the_rules_of_its_zone() {
    for name in
        ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Casablanca", "Asia/Shanghai"]
    {
        let rules = zone(name);
        let window = ZoneWindow::new(name, &rules, now());
        let mut local = rules.local_at(now()).unwrap();
        let end = rules.local_at(now().plus(WINDOW_MS - 86_400_000)).unwrap();
        while local < end {
            assert_eq!(window.meaning(local), rules.meaning(local), "{name} {local}");
            local = local.checked_add(jiff::SignedDuration::from_mins(30)).unwrap();
        }
        assert!(window.changes.len() <= 6, "{window:?}");
    }
}
