-- For wrk: what to ask, and the figures as one line of JSON.
--   wrk ... -s bench/requests.lua URL -- PATH   one path again and again; answers above 399 are counted by wrk itself
--   wrk ... -s bench/requests.lua URL -- mixed  a gallery's traffic, every answer's status counted
-- setup() and done() run once, the rest in every thread of wrk, each with variables of its own.
local threads = {}

function setup(thread)
  table.insert(threads, thread)
  thread:set("number", #threads)
end

-- Out of ten: five stills (half of them seen before), a neighbour, a sheet, a loop, the reference's sheet, a fact.
local function mixed()
  local kind, fresh, known = math.random(10), math.random(0, 2 ^ 31 - 1), math.random(100)
  if kind <= 2 then return "/v1/images/" .. fresh .. ".webp" end
  if kind <= 4 then return "/v1/images/" .. known .. ".png" end
  if kind == 5 then return "/v1/between/" .. known .. "/" .. known + 1 .. "/500.jpg" end
  if kind == 6 then return "/v1/near/" .. known .. "/3.png" end
  if kind == 7 then return "/v1/grid.png?seeds=" .. known .. "-" .. known + 8 end
  if kind == 8 then return "/v1/morph.gif?seeds=" .. known .. "," .. known + 1 .. "&frames=4" end
  if kind == 9 then return "/gan_imgs" end
  return known % 2 == 0 and "/v1/model" or "/v1/images/random.png"
end

function init(arguments)
  statuses = {}
  if arguments[1] == "mixed" then
    math.randomseed(number)
    request = function() return wrk.format("GET", mixed()) end
    response = function(status) statuses[status] = (statuses[status] or 0) + 1 end
  else
    local whole = wrk.format("GET", arguments[1])
    request = function() return whole end
  end
end

function done(summary, latency)
  local counts = {}
  for _, thread in ipairs(threads) do
    for status, count in pairs(thread:get("statuses")) do counts[status] = (counts[status] or 0) + count end
  end
  local pairs_of_json = {}
  for status, count in pairs(counts) do table.insert(pairs_of_json, string.format('"%d": %d', status, count)) end
  local errors = summary.errors
  io.write(string.format(
    '{"requests": %d, "seconds": %.3f, "p50_ms": %.3f, "p99_ms": %.3f, "refused": %d, "broken": %d, "statuses": {%s}}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    errors.status, errors.connect + errors.read + errors.write + errors.timeout, table.concat(pairs_of_json, ", ")))
end
