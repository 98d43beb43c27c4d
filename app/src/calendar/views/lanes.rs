//! Items of a day beside each other where they overlap.

/// Place of an item in a day that is divided into rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lane {
    /// Its lane, from 0.
    pub number: usize,
    /// Number of lanes of the items that overlap it, directly or through others.
    pub count: usize,
}

/// Returns the lane of each item. `spans`: first row and the row after the last, in the order of the
/// first rows.
pub fn lanes(spans: &[(u32, u32)]) -> Vec<Lane> {
    let mut lanes: Vec<Lane> = Vec::with_capacity(spans.len());
    // The items since the last row at which nothing was open, and the end of each of their lanes.
    let (mut begin, mut ends): (usize, Vec<u32>) = (0, Vec::new());
    for (place, &(first, end)) in spans.iter().enumerate() {
        if ends.iter().all(|last| *last <= first) {
            close(&mut lanes, begin, ends.len());
            (begin, ends) = (place, Vec::new());
        }
        let number = ends.iter().position(|last| *last <= first).unwrap_or(ends.len());
        match ends.get_mut(number) {
            Some(last) => *last = end,
            None => ends.push(end),
        }
        lanes.push(Lane { number, count: 1 });
    }
    close(&mut lanes, begin, ends.len());
    lanes
}

/// Sets the number of lanes of the items from `begin` on.
fn close(lanes: &mut [Lane], begin: usize, count: usize) {
    for lane in lanes.iter_mut().skip(begin) {
        lane.count = count;
    }
}

#[cfg(test)]
mod tests {
    use super::lanes;

    fn of(spans: &[(u32, u32)]) -> Vec<(usize, usize)> {
        lanes(spans).iter().map(|lane| (lane.number, lane.count)).collect()
    }

    #[test]
    fn items_that_overlap_are_beside_each_other() {
        assert_eq!(of(&[(0, 4), (4, 8)]), [(0, 1), (0, 1)]);
        assert_eq!(of(&[(0, 4), (2, 6), (5, 7), (8, 9)]), [(0, 2), (1, 2), (0, 2), (0, 1)]);
        assert_eq!(of(&[(0, 8), (1, 2), (1, 3), (2, 4)]), [(0, 3), (1, 3), (2, 3), (1, 3)]);
    }

    #[test]
    fn no_two_items_of_a_lane_overlap() {
        let mut number = 7_u32;
        let mut next = |below: u32| {
            number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (number >> 16) % below
        };
        for _ in 0..2_000 {
            let count = next(30);
            let mut spans: Vec<_> = (0..count).map(|_| (next(90), next(12) + 1)).collect();
            spans.sort_unstable();
            let spans: Vec<_> = spans.into_iter().map(|(first, length)| (first, first + length)).collect();
            let lanes = lanes(&spans);
            for (place, (one, lane)) in spans.iter().zip(&lanes).enumerate() {
                assert!(lane.number < lane.count, "{spans:?}");
                for (other, other_lane) in spans.iter().zip(&lanes).skip(place + 1) {
                    let overlap = one.0 < other.1 && other.0 < one.1;
                    let is_beside = lane.number != other_lane.number && lane.count == other_lane.count;
                    assert!(!overlap || is_beside, "{spans:?}");
                }
            }
        }
    }
}
