-- wrk: ask for one path with each key of a file in turn; tell what came of it in one line. A second argument is
-- the encoding to ask for, a third the media type.
local threads = 0

function setup(thread)
  thread:set("number", threads)
  threads = threads + 1
end

function init(args)
  requests = {}
  for key in io.lines(args[1]) do
    requests[#requests + 1] = wrk.format("GET", nil, { Authorization = "Bearer " .. key, ["Accept-Encoding"] = args[2] ~= "" and args[2] or nil, Accept = args[3] })
  end
  -- The threads go round the same keys half a round apart.
  position = number * math.floor(#requests / 2)
end

function request()
  position = position % #requests + 1
  return requests[position]
end

function done(summary, latency)
  local failed = summary.errors
  print(string.format("measured %d %d %f %f %d", summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99),
    failed.connect + failed.read + failed.write + failed.status + failed.timeout))
end
