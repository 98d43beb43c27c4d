-- take: pop due hints from publish lists, in the order of the keys.
--
-- KEYS[1..n] publish  LIST   hint|moved_ms, head is next
-- ARGV[1]    limit    most hints popped in one call
-- RETURNS {{place of the key, {hint|moved_ms, ...}}, ...}, only keys that gave something

local left, taken = tonumber(ARGV[1]), {}

for place, key in ipairs(KEYS) do
  if left <= 0 then break end
  local hints = redis.call('LPOP', key, left)
  if hints then
    taken[#taken + 1] = {place, hints}
    left = left - #hints
  end
end

return taken
