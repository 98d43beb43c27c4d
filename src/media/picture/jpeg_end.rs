//! Whether a JPEG is complete. The decoder fills what is missing with grey instead of reporting it.

const START_OF_SCAN: u8 = 0xda;
const END_OF_IMAGE: u8 = 0xd9;

/// Whether the markers lead to the end of the image.
pub fn is_complete(bytes: &[u8]) -> bool {
    // After the marker that begins the image.
    let mut at = 2;
    loop {
        let Some(marker) = next_marker(bytes, &mut at) else { return false };
        match marker {
            END_OF_IMAGE => return true,
            // Markers without a segment: restarts inside of a scan, and a second beginning.
            0x01 | 0xd0..=0xd8 => {}
            _ => {
                let Some([high, low]) = bytes.get(at..at + 2) else { return false };
                at += usize::from(u16::from_be_bytes([*high, *low])).max(2);
                if marker == START_OF_SCAN {
                    at = end_of_scan(bytes, at);
                }
            }
        }
    }
}

/// Returns the next marker and moves past it.
fn next_marker(bytes: &[u8], at: &mut usize) -> Option<u8> {
    while *bytes.get(*at)? != 0xff {
        *at += 1;
    }
    while *bytes.get(*at)? == 0xff {
        *at += 1;
    }
    let marker = *bytes.get(*at)?;
    *at += 1;
    Some(marker)
}

/// Returns where the coded data of a scan ends: before a marker that is no restart.
fn end_of_scan(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    while let Some(pair) = bytes.get(at..at + 2) {
        if pair[0] == 0xff && !matches!(pair[1], 0x00 | 0xd0..=0xd7 | 0xff) {
            return at;
        }
        at += 1;
    }
    bytes.len()
}
