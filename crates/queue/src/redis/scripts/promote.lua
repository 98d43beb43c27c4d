-- promote: moves due hints of one bucket from the future sets to the publish lists, in the order of the
-- ranks (priority, then class), earliest first.
-- KEYS[1..9]   future   ZSET   hint -> due time, ms          (high content, people, machines, normal ...)
-- KEYS[10..18] publish  LIST   hint|moved_ms, head is next   (the same)
-- KEYS[19]     fed      STRING watermark of the feeder, ms
-- ARGV[1]      now      ms
-- ARGV[2]      limit    maximum number of hints moved per rank, at most 1000
-- ARGV[3]      ranks    nine digits: 1 for each rank to move
-- ARGV[4]      wanted   maximum number of hints popped for this process, if any were moved
-- RETURNS {moved, next due time or -1, watermark or -1, length of the publish lists of high priority, length of
--          the other ones of content (both 0 if nothing was moved), {popped hints of each rank}}
-- RPUSH before ZREM: if the script fails between them, a hint is repeated but never lost.

local now, wanted, moved, next_due = tonumber(ARGV[1]), tonumber(ARGV[4]), 0, -1
local publish = {unpack(KEYS, 10, 18)}

local function head(future)
  return tonumber(redis.call('ZRANGE', future, 0, 0, 'WITHSCORES')[2])
end

local function length(rank)
  return redis.call('LLEN', publish[rank])
end

local function is_moved(rank)
  return string.sub(ARGV[3], rank, rank) == '1'
end

for rank = 1, 9 do
  local future = KEYS[rank]
  local score = head(future)
  if score and score <= now and is_moved(rank) then
    local hints = redis.call('ZRANGEBYSCORE', future, '-inf', ARGV[1], 'LIMIT', 0, ARGV[2])
    local due = {}
    for index, hint in ipairs(hints) do due[index] = hint .. '|' .. ARGV[1] end
    redis.call('RPUSH', publish[rank], unpack(due))
    redis.call('ZREM', future, unpack(hints))
    moved = moved + #hints
    score = head(future)
  end
  if score and (next_due < 0 or score < next_due) then next_due = score end
end

local popped, high, content = {}, 0, 0
for rank = 1, 9 do
  popped[rank] = {}
  if is_moved(rank) and moved > 0 and wanted > 0 then
    popped[rank] = redis.call('LPOP', publish[rank], wanted) or {}
    wanted = wanted - #popped[rank]
  end
end
if moved > 0 then
  high = length(1) + length(2) + length(3)
  content = length(4) + length(7)
end

return {moved, next_due, tonumber(redis.call('GET', KEYS[19]) or -1), high, content, popped}
