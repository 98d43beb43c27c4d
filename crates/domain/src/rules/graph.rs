//! The graph of rules: a rule that emits a signal leads from the signal that opens its waits to the one that
//! it emits. A cycle would start itself again and again.

use super::rule::{Action, RuleSettings};
use std::collections::HashSet;

/// A rule that emits a signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Edge<'r> {
    from: &'r str,
    to: &'r str,
    subject: Subject<'r>,
    name: &'r str,
}

/// The subjects that a rule is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Subject<'r> {
    BeginsWith(&'r str),
    Is(&'r str),
}

impl<'r> Subject<'r> {
    fn of(rule: &'r RuleSettings) -> Self {
        match rule.subject.as_deref().map(|subject| (subject, subject.strip_suffix('*'))) {
            None => Self::BeginsWith(""),
            Some((_, Some(prefix))) => Self::BeginsWith(prefix),
            Some((exact, None)) => Self::Is(exact),
        }
    }

    /// Returns the subjects that both are about; `None`: there are none.
    fn and(self, other: Self) -> Option<Self> {
        let (Self::BeginsWith(one) | Self::Is(one), Self::BeginsWith(two) | Self::Is(two)) = (self, other);
        match (self, other) {
            (Self::BeginsWith(_), _) if two.starts_with(one) => Some(other),
            (_, Self::BeginsWith(_)) if one.starts_with(two) => Some(self),
            (Self::Is(_), Self::Is(_)) if one == two => Some(self),
            _ => None,
        }
    }
}

/// A cycle in the graph of rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleCycle {
    /// The signals, from the one that opens the waits of the saved rule to itself.
    pub signals: Vec<String>,
    /// Names of the rules between them.
    pub rules: Vec<String>,
}

fn edge(rule: &RuleSettings) -> Option<Edge<'_>> {
    match &rule.action {
        Action::Signal { name } => {
            Some(Edge { from: &rule.after, to: name, subject: Subject::of(rule), name: rule.name.trim() })
        }
        Action::Message { .. } | Action::Reminder { .. } => None,
    }
}

/// Whether two settings of a rule are the same edge of the graph.
#[must_use]
pub fn is_same_edge(one: &RuleSettings, other: &RuleSettings) -> bool {
    let parts = |rule| edge(rule).map(|Edge { from, to, subject, .. }| (from, to, subject));
    parts(one) == parts(other)
}

/// Returns a shortest cycle that the rule would close with `others`; `None`: it closes none.
#[must_use]
pub fn find_cycle(rule: &RuleSettings, others: &[RuleSettings]) -> Option<RuleCycle> {
    let start = edge(rule)?;
    let edges: Vec<Edge<'_>> = others.iter().filter_map(edge).collect();
    // Paths by length, so that the first one that comes back is a shortest one.
    let mut paths = vec![(start.subject, vec![start])];
    let mut seen = HashSet::from([(start.to, start.subject)]);
    while !paths.is_empty() {
        let mut longer = Vec::new();
        for (subject, path) in &paths {
            let Some(last) = path.last() else { continue };
            if last.to == start.from {
                return Some(cycle(path));
            }
            for next in edges.iter().filter(|next| next.from == last.to) {
                let Some(common) = subject.and(next.subject) else { continue };
                if seen.insert((next.to, common)) {
                    longer.push((common, path.iter().copied().chain([*next]).collect()));
                }
            }
        }
        paths = longer;
    }
    None
}

fn cycle(path: &[Edge<'_>]) -> RuleCycle {
    let signals = path.iter().map(|edge| edge.from).chain(path.last().map(|edge| edge.to));
    RuleCycle {
        signals: signals.map(str::to_owned).collect(),
        rules: path.iter().map(|edge| edge.name.to_owned()).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::{DEFAULT_GRACE, Repeat, WaitTime};

    fn rule(from: &str, to: &str, subject: Option<&str>) -> RuleSettings {
        RuleSettings {
            name: format!("{from}-{to}"),
            after: from.to_owned(),
            unless: Vec::new(),
            wait: WaitTime::After("PT0S".to_owned()),
            subject: subject.map(str::to_owned),
            repeat: Repeat::Another,
            grace: DEFAULT_GRACE.to_owned(),
            zone: None,
            zone_field: None,
            quiet_hours: None,
            cap: None,
            action: Action::Signal { name: to.to_owned() },
        }
    }

    fn path(new: &RuleSettings, others: &[RuleSettings]) -> Option<String> {
        find_cycle(new, others).map(|cycle| cycle.signals.join(" "))
    }

    #[test]
    fn the_shortest_cycle_is_found_with_its_signals_and_rules() {
        let others = [rule("b", "c", None), rule("c", "d", None), rule("d", "a", None), rule("c", "a", None)];
        assert_eq!(path(&rule("a", "b", None), &others).as_deref(), Some("a b c a"));
        let cycle = find_cycle(&rule("a", "b", None), &others).unwrap();
        assert_eq!(cycle.rules, ["a-b", "b-c", "c-a"]);
        assert_eq!(path(&rule("a", "z", None), &others), None);
        assert_eq!(path(&rule("x", "b", None), &others), None, "other rules form no cycle with it");
        assert_eq!(path(&rule("a", "a", None), &[]).as_deref(), Some("a a"));
    }

    #[test]
    fn rules_about_different_subjects_form_no_cycle() {
        let back = |subject| [rule("b", "a", subject)];
        for (one, other, is_cycle) in [
            (Some("u*"), Some("v*"), false),
            (Some("u*"), Some("u1"), true),
            (Some("u1"), Some("u*"), true),
            (Some("u1"), Some("u2"), false),
            (Some("u1"), Some("u1"), true),
            (Some("u1*"), Some("u*"), true),
            (None, Some("v*"), true),
            (Some("*"), None, true),
        ] {
            assert_eq!(
                find_cycle(&rule("a", "b", one), &back(other)).is_some(),
                is_cycle,
                "{one:?} {other:?}"
            );
        }
        // A cycle of three whose parts have subjects in common, but not all of them.
        let others = [rule("b", "c", None), rule("c", "a", Some("v*"))];
        assert_eq!(path(&rule("a", "b", Some("u*")), &others), None);
    }

    #[test]
    fn a_thousand_rules_are_searched_at_once() {
        let name = |number: usize| format!("s{number}");
        let others: Vec<RuleSettings> =
            (1..1_000).map(|n| rule(&name(n), &name((n + 1) % 1_000), None)).collect();
        let cycle = find_cycle(&rule("s0", "s1", None), &others).unwrap();
        assert_eq!((cycle.signals.len(), cycle.rules.len()), (1_001, 1_000));
        let wide: Vec<RuleSettings> =
            (0..1_000).map(|n| rule(&name(n / 100), &name(n / 100 + 1), None)).collect();
        assert_eq!(find_cycle(&rule("s10", "s11", None), &wide), None);
    }

    #[test]
    fn an_edge_is_its_signals_and_subject() {
        let one = rule("a", "b", Some("u*"));
        let renamed = RuleSettings { name: "Other".to_owned(), ..one.clone() };
        assert!(is_same_edge(&one, &renamed));
        assert!(
            !is_same_edge(&one, &rule("a", "b", None)) && !is_same_edge(&one, &rule("a", "c", Some("u*")))
        );
    }
}
