-- promote: moves due hints of one bucket from the future sets to the publish lists,
-- high priority first, earliest first.
-- KEYS[1..3] future     ZSET   hint -> due time, ms          (high, normal, low)
-- KEYS[4..6] publish    LIST   hint|moved_ms, head is next   (high, normal, low)
-- KEYS[7]    fed        STRING watermark of the feeder, ms
-- ARGV[1]    now        ms
-- ARGV[2]    limit      maximum number of hints moved per priority, at most 1000
-- ARGV[3]    priorities number of priorities to move: 1 (only high) or 3
-- ARGV[4]    wanted     maximum number of hints popped for this process, if any were moved
-- RETURNS {moved, next due time or -1, watermark or -1, length of the high-priority publish list
--          (0 if nothing was moved), popped high, popped normal, popped low}
-- RPUSH before ZREM: if the script fails between them, a hint is repeated but never lost.

local now, priorities, wanted, moved, next_due = ARGV[1], tonumber(ARGV[3]), tonumber(ARGV[4]), 0, -1

for priority = 1, 3 do
  local future, publish = KEYS[priority], KEYS[priority + 3]
  local hints = priority <= priorities and redis.call('ZRANGEBYSCORE', future, '-inf', now, 'LIMIT', 0, ARGV[2]) or {}
  if #hints > 0 then
    local due = {}
    for index, hint in ipairs(hints) do due[index] = hint .. '|' .. now end
    redis.call('RPUSH', publish, unpack(due))
    redis.call('ZREM', future, unpack(hints))
    moved = moved + #hints
  end
  local head = redis.call('ZRANGE', future, 0, 0, 'WITHSCORES')
  local score = tonumber(head[2])
  if score and (next_due < 0 or score < next_due) then next_due = score end
end

local popped = {{}, {}, {}}
for priority = 1, 3 do
  if priority <= priorities and moved > 0 and wanted > 0 then
    popped[priority] = redis.call('LPOP', KEYS[priority + 3], wanted) or {}
    wanted = wanted - #popped[priority]
  end
end

local left = moved > 0 and redis.call('LLEN', KEYS[4]) or 0
return {moved, next_due, tonumber(redis.call('GET', KEYS[7]) or -1), left, popped[1], popped[2], popped[3]}
