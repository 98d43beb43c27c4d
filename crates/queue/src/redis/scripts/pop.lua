-- pop: pops due hints from publish lists, in the order of the keys.
--
-- KEYS[1..n] publish  LIST   hint|moved_ms, head is next
-- ARGV[1]    limit    maximum number of hints popped
-- RETURNS {{index of the key, {hint|moved_ms, ...}}, ...}, without empty lists

local left, popped = tonumber(ARGV[1]), {}

for index, key in ipairs(KEYS) do
  if left <= 0 then break end
  local hints = redis.call('LPOP', key, left)
  if hints then
    popped[#popped + 1] = {index, hints}
    left = left - #hints
  end
end

return popped
