-- promote: move due hints of one bucket from the future sets to the publish lists, high lane first, earliest first.
--
-- KEYS[1..3] future   ZSET   hint -> due time, ms          (high, normal, low)
-- KEYS[4..6] publish  LIST   hint|moved_ms, head is next   (high, normal, low)
-- KEYS[7]    fed      STRING watermark of the feeder, ms
-- ARGV[1..2] now      ms; limit: most hints moved of one lane in one call, at most 1000
-- ARGV[3]    lanes    how many lanes are moved: 1 (high alone) or 3
-- ARGV[4]    wanted   most hints popped for a consumer who waits beside the caller; nothing is popped unless something moved
-- RETURNS {moved, next due time or -1, watermark or -1, left on the publish list of high where something moved, popped of high,
--         of normal, of low}
--
-- RPUSH before ZREM: whatever fails half-way, a hint may be repeated but is never lost.

local now, lanes, wanted, moved, next_due = ARGV[1], tonumber(ARGV[3]), tonumber(ARGV[4]), 0, -1

for lane = 1, 3 do
  local future, publish = KEYS[lane], KEYS[lane + 3]
  local hints = lane <= lanes and redis.call('ZRANGEBYSCORE', future, '-inf', now, 'LIMIT', 0, ARGV[2]) or {}
  if #hints > 0 then
    local due = {}
    for place, hint in ipairs(hints) do due[place] = hint .. '|' .. now end
    redis.call('RPUSH', publish, unpack(due))
    redis.call('ZREM', future, unpack(hints))
    moved = moved + #hints
  end
  local head = redis.call('ZRANGE', future, 0, 0, 'WITHSCORES')
  local score = tonumber(head[2])
  if score and (next_due < 0 or score < next_due) then next_due = score end
end

local popped = {{}, {}, {}}
for lane = 1, 3 do
  if lane <= lanes and moved > 0 and wanted > 0 then
    popped[lane] = redis.call('LPOP', KEYS[lane + 3], wanted) or {}
    wanted = wanted - #popped[lane]
  end
end

local left = moved > 0 and redis.call('LLEN', KEYS[4]) or 0
return {moved, next_due, tonumber(redis.call('GET', KEYS[7]) or -1), left, popped[1], popped[2], popped[3]}
