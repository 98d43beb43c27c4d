// The differences of two texts as changes of a document: whole lines, between the first and the last difference.

/** Above this number of lines, or of differences, the part between is one change. */
const MOST_LINES = 4_000, MOST_DIFFERENCES = 200;

/** Returns the changes that make `after` of `before`, the text of the document. */
export function changesBetween(document, before, after) {
  if (before === after) return [];
  let start = 0;
  const shorter = Math.min(before.length, after.length);
  while (start < shorter && before.charCodeAt(start) == after.charCodeAt(start)) start++;
  let end = 0;
  while (end < shorter - start && before.charCodeAt(before.length - 1 - end) == after.charCodeAt(after.length - 1 - end)) end++;
  const whole = () => [{ from: start, to: before.length - end, insert: after.slice(start, after.length - end) }];
  const from = document.lineAt(start).from, to = document.lineAt(before.length - end).to;
  const old = lines(before.slice(from, to)), fresh = lines(after.slice(from, to + after.length - before.length));
  if (old.length < 3 || fresh.length < 3 || old.length + fresh.length > MOST_LINES) return whole();
  const same = sameLines(old, fresh);
  return same ? between(old, fresh, same, from) : whole();
}

/** The lines of a text, each with its end. */
const lines = (text) => text.split(/(?<=\n)/);

/** Pairs of the numbers of equal lines, by the algorithm of Myers; `undefined`: too many differences. */
function sameLines(old, fresh) {
  const reached = new Map([[1, 0]]), steps = [];
  for (let differences = 0; differences <= MOST_DIFFERENCES; differences++) {
    steps.push(new Map(reached));
    for (let k = -differences; k <= differences; k += 2) {
      const isAdded = k == -differences || (k != differences && reached.get(k - 1) < reached.get(k + 1));
      let x = isAdded ? reached.get(k + 1) : reached.get(k - 1) + 1;
      while (x < old.length && x - k < fresh.length && old[x] === fresh[x - k]) x++;
      reached.set(k, x);
      if (x >= old.length && x - k >= fresh.length) return backwards(steps, old.length, fresh.length);
    }
  }
}

function backwards(steps, x, y) {
  const same = [];
  for (let differences = steps.length - 1; differences >= 0; differences--) {
    const reached = steps[differences], k = x - y;
    const isAdded = k == -differences || (k != differences && reached.get(k - 1) < reached.get(k + 1));
    const from = isAdded ? k + 1 : k - 1, fromX = differences ? reached.get(from) : 0, fromY = differences ? fromX - from : 0;
    const least = differences ? (isAdded ? fromX : fromX + 1) : 0;
    while (x > least && y > 0 && x > fromX && y > fromY) same.push([--x, --y]);
    x = fromX;
    y = fromY;
  }
  return same.reverse();
}

function between(old, fresh, same, from) {
  const changes = [];
  let x = 0, y = 0, at = from;
  for (const [nextX, nextY] of [...same, [old.length, fresh.length]]) {
    const removed = old.slice(x, nextX).join("").length, insert = fresh.slice(y, nextY).join("");
    if (removed || insert) changes.push({ from: at, to: at + removed, insert });
    at += removed + (old[nextX]?.length ?? 0);
    [x, y] = [nextX + 1, nextY + 1];
  }
  return changes;
}
