//! Which modules that several parts need are in one file.

use std::{cmp::Reverse, collections::BTreeSet};

/// Maximum number of files. With more, a page would wait for fewer bytes that it does not need, in more
/// requests.
const MAX_FILES: usize = 9;

/// Modules in one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// The parts that load the file: all that need one of its modules.
    pub parts: BTreeSet<String>,
    /// The names of the modules.
    pub modules: Vec<String>,
    /// The sum of their sizes in bytes.
    pub size: usize,
}

/// Joins groups until there are few enough, each time the two that cost the parts the fewest bytes that
/// they do not need.
pub fn join(groups: Vec<Group>) -> Vec<Group> {
    let names: Vec<String> =
        groups.iter().flat_map(|group| group.parts.clone()).collect::<BTreeSet<_>>().into_iter().collect();
    // As bits: there are some hundred modules, and each pair is compared.
    let bits = |group: &Group| -> u64 {
        names
            .iter()
            .enumerate()
            .filter(|(_, name)| group.parts.contains(*name))
            .map(|(bit, _)| 1 << bit)
            .sum()
    };
    let mut groups: Vec<(u64, Group)> = groups.into_iter().map(|group| (bits(&group), group)).collect();
    while groups.len() > MAX_FILES {
        let pairs = (1..groups.len()).flat_map(|one| (0..one).map(move |other| (one, other)));
        let Some((one, other)) = pairs.min_by_key(|(one, other)| cost(&groups[*one], &groups[*other])) else {
            break;
        };
        let (parts, removed) = groups.swap_remove(one);
        let (all, group) = &mut groups[other];
        *all |= parts;
        group.parts.extend(removed.parts);
        group.modules.extend(removed.modules);
        group.size += removed.size;
    }
    let mut groups: Vec<Group> = groups.into_iter().map(|(_, group)| group).collect();
    groups.sort_by_key(|group| (Reverse(group.parts.len()), group.modules[0].clone()));
    groups
}

/// The bytes that parts would load without needing them.
fn cost((one, first): &(u64, Group), (other, second): &(u64, Group)) -> usize {
    let added = |before: u64| ((one | other).count_ones() - before.count_ones()) as usize;
    added(*one) * first.size + added(*other) * second.size
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(parts: &[&str], module: &str, size: usize) -> Group {
        let parts = parts.iter().map(|part| (*part).to_owned()).collect();
        Group { parts, modules: vec![module.to_owned()], size }
    }

    #[test]
    fn few_groups_stay_as_they_are() {
        let groups = vec![group(&["a", "b"], "one", 10), group(&["a", "b", "c"], "two", 20)];
        let joined = join(groups.clone());
        assert_eq!(joined, [groups[1].clone(), groups[0].clone()]);
    }

    #[test]
    fn those_that_cost_least_are_joined() {
        let mut groups: Vec<Group> =
            (1..MAX_FILES).map(|n| format!("part {n}")).map(|p| group(&["a", &p], &p, 1_000)).collect();
        groups.push(group(&["x", "y"], "large", 5_000));
        groups.push(group(&["x", "y", "z"], "small", 10));
        let joined = join(groups);
        assert_eq!(joined.len(), MAX_FILES);
        let same = joined.iter().find(|group| group.modules.len() > 1).unwrap();
        // Joining two of the others would make two parts load 1,000 bytes more; joining these costs z 5,000.
        assert_eq!((same.size, same.parts.len()), (2_000, 3));
    }
}
