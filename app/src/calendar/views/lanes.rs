//! Items of a day beside each other where they overlap. Pure.

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

/// Items that have no lane of their own: there is room for their number only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Overflow {
    /// Their places among the spans.
    pub places: Vec<usize>,
    /// Their first row, and the row after their last one.
    pub span: (u32, u32),
}

/// Items of a day in a limited number of lanes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LaneLayout {
    /// Lane of each item; `None`: it belongs to an overflow.
    pub lanes: Vec<Option<Lane>>,
    /// The items without a lane, where they overlap each other. They share the last lane.
    pub overflows: Vec<Overflow>,
}

/// Returns the lanes of items of which at most `max_lanes` are beside each other. `spans`: see [`lanes`].
pub fn lanes_within(spans: &[(u32, u32)], max_lanes: usize) -> LaneLayout {
    let last = max_lanes.max(1) - 1;
    let mut lanes: Vec<Option<Lane>> = lanes(spans).into_iter().map(Some).collect();
    let mut overflows: Vec<Overflow> = Vec::new();
    for (place, (lane, &(first, end))) in lanes.iter_mut().zip(spans).enumerate() {
        let Some(lane) = lane.as_mut().filter(|lane| lane.count > last + 1) else { continue };
        lane.count = last + 1;
        if lane.number < last {
            continue;
        }
        lane.number = last;
        match overflows.last_mut().filter(|overflow| first < overflow.span.1) {
            Some(overflow) => {
                overflow.places.push(place);
                overflow.span.1 = overflow.span.1.max(end);
            }
            None => overflows.push(Overflow { places: vec![place], span: (first, end) }),
        }
    }
    // An item alone takes no more room than its number would.
    overflows.retain(|overflow| overflow.places.len() > 1);
    for place in overflows.iter().flat_map(|overflow| &overflow.places) {
        if let Some(lane) = lanes.get_mut(*place) {
            *lane = None;
        }
    }
    LaneLayout { lanes, overflows }
}

#[cfg(test)]
mod tests {
    use super::{Overflow, lanes, lanes_within};

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
    fn items_beyond_the_lanes_are_counted_in_the_last_one() {
        let layout = lanes_within(&[(0, 2); 7], 4);
        let shown: Vec<_> = layout.lanes.iter().flatten().map(|lane| (lane.number, lane.count)).collect();
        assert_eq!(shown, [(0, 4), (1, 4), (2, 4)]);
        assert_eq!(layout.overflows, [Overflow { places: vec![3, 4, 5, 6], span: (0, 2) }]);
        // As many as there are lanes: nothing is left out.
        assert!(lanes_within(&[(0, 2); 4], 4).overflows.is_empty());
        // A column of the week: the first one, and the number of the others.
        let layout = lanes_within(&[(0, 2); 3], 2);
        let shown: Vec<_> = layout.lanes.iter().flatten().map(|lane| (lane.number, lane.count)).collect();
        assert_eq!(shown, [(0, 2)]);
        assert_eq!(layout.overflows, [Overflow { places: vec![1, 2], span: (0, 2) }]);
        // Two bursts, hours apart, while something lasts all the time.
        let mut spans = vec![(0, 40)];
        spans.extend([(4, 6); 3]);
        spans.extend([(20, 22), (20, 22), (20, 24)]);
        let layout = lanes_within(&spans, 3);
        let expected =
            [Overflow { places: vec![2, 3], span: (4, 6) }, Overflow { places: vec![5, 6], span: (20, 24) }];
        assert_eq!(layout.overflows, expected);
        // One item would be counted: it is shown.
        let layout = lanes_within(&[(0, 9), (0, 9), (0, 9), (0, 4), (5, 9), (5, 9)], 4);
        assert_eq!(layout.lanes[3].map(|lane| (lane.number, lane.count)), Some((3, 4)));
        assert_eq!(layout.overflows, [Overflow { places: vec![4, 5], span: (5, 9) }]);
    }

    /// Spans in the order of their first rows.
    fn random_spans(next: &mut impl FnMut(u32) -> u32) -> Vec<(u32, u32)> {
        let count = next(30);
        let mut spans: Vec<_> = (0..count).map(|_| (next(90), next(12) + 1)).collect();
        spans.sort_unstable();
        spans.into_iter().map(|(first, length)| (first, first + length)).collect()
    }

    fn random_numbers() -> impl FnMut(u32) -> u32 {
        let mut number = 7_u32;
        move |below: u32| {
            number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (number >> 16) % below
        }
    }

    #[test]
    fn each_item_is_shown_or_counted_once_and_nothing_overlaps() {
        let mut next = random_numbers();
        for _ in 0..2_000 {
            let spans = random_spans(&mut next);
            let layout = lanes_within(&spans, 4);
            let counted: usize = layout.overflows.iter().map(|overflow| overflow.places.len()).sum();
            assert_eq!(layout.lanes.iter().flatten().count() + counted, spans.len(), "{spans:?}");
            let items = layout.lanes.iter().zip(&spans);
            let items = items.filter_map(|(lane, span)| lane.map(|lane| (lane.number, *span)));
            let all: Vec<_> = items.chain(layout.overflows.iter().map(|one| (3, one.span))).collect();
            for (place, (lane, span)) in all.iter().enumerate() {
                assert!(*lane < 4, "{spans:?}");
                for (other_lane, other) in all.iter().skip(place + 1) {
                    let overlap = span.0 < other.1 && other.0 < span.1;
                    assert!(lane != other_lane || !overlap, "{spans:?}");
                }
            }
        }
    }

    #[test]
    fn no_two_items_of_a_lane_overlap() {
        let mut next = random_numbers();
        for _ in 0..2_000 {
            let spans = random_spans(&mut next);
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
