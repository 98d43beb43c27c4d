//! Percent-encoded text: names in headers, slugs and paths in addresses.

/// Decodes `%41` and the like. What is not encoded stays.
#[must_use]
pub fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let encoded = after.get(..2).filter(|_| *first == b'%').and_then(|digits| {
            std::str::from_utf8(digits)
                .ok()
                .and_then(|digits| u8::from_str_radix(digits, 16).ok().filter(|_| !digits.starts_with("+")))
        });
        bytes.push(encoded.unwrap_or(*first));
        rest = match encoded {
            Some(_) => after.get(2..).unwrap_or_default(),
            None => after,
        };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::decoded;

    #[test]
    fn what_is_not_encoded_stays() {
        for (sent, name) in
            [("%E8%8C%B6%20a.png", "茶 a.png"), ("100%.png", "100%.png"), ("%zz%4", "%zz%4"), ("%+1", "%+1")]
        {
            assert_eq!(decoded(sent), name);
        }
    }
}
