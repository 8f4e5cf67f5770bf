-- wrk: ask for one path with each key of a file in turn; tell what came of it in one line. A second argument is
-- the encoding to ask for, a third the media type, a fourth a file of paths to ask for in turn; "" stands for none.
local threads = 0

function setup(thread)
  thread:set("number", threads)
  threads = threads + 1
end

function lines_of(name)
  local lines = {}
  for line in io.lines(name) do
    lines[#lines + 1] = line
  end
  return lines
end

function init(args)
  local keys, paths = lines_of(args[1]), args[4] and lines_of(args[4]) or {}
  local function given(place)
    return args[place] ~= "" and args[place] or nil
  end
  requests = {}
  for place = 1, math.max(#keys, #paths) do
    requests[place] = wrk.format("GET", paths[(place - 1) % math.max(#paths, 1) + 1], {
      Authorization = "Bearer " .. keys[(place - 1) % #keys + 1],
      ["Accept-Encoding"] = given(2),
      Accept = given(3),
    })
  end
  -- The threads go round the same requests half a round apart, and begin with other paths in every run.
  math.randomseed(os.time())
  position = (#paths > 0 and math.random(#requests) or 0) + number * math.floor(#requests / 2)
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
