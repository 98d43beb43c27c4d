-- pop: pops due hints from publish lists: priority by priority, and within a priority content, while other
-- classes keep a tenth each of the batch.
--
-- KEYS[1..n] publish  LIST   hint|moved_ms, head is next; for each priority its classes, for each class its
--                            buckets
-- ARGV[1]    limit    maximum number of hints popped
-- ARGV[2]    buckets  number of buckets
-- ARGV[3]    round    number of this pop: in a small batch, other classes have a place in one of ten rounds
-- ARGV[4..]  classes  number of classes of each priority, 0 to 3, content first
-- RETURNS {{index of the key, {hint|moved_ms, ...}}, ...}, without empty lists; not in the order of the
--         classes, and a list may come twice

local left, buckets, round, popped = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), {}

-- Returns whether there may be more.
local function pop(first, limit)
  for index = first, first + buckets - 1 do
    if limit <= 0 then return true end
    local hints = redis.call('LPOP', KEYS[index], limit)
    if hints then
      popped[#popped + 1] = {index, hints}
      limit = limit - #hints
      left = left - #hints
    end
  end
  return limit <= 0
end

local first = 1
for argument = 4, #ARGV do
  local classes, total, more = tonumber(ARGV[argument]), left, {}
  -- The same rule as `divide` in order.rs.
  for class = 2, classes do
    local turn = (round + 1 + (class - 2) * 5) % 10
    local places = math.floor(total / 10) + (turn < total % 10 and 1 or 0)
    more[class] = pop(first + (class - 1) * buckets, places)
  end
  if classes > 0 then pop(first, left) end
  for class = 2, classes do
    if more[class] then pop(first + (class - 1) * buckets, left) end
  end
  first = first + classes * buckets
end

return popped
