-- An action extension that misbehaves on request: share `crash`, `loop`, `hoard`, `hang`, `late` or `twice`
-- with it.
local ways = {}

-- An uncaught error ends the process.
function ways.crash() error("this extension crashes") end

function ways.loop() while true do end end

function ways.hoard()
  local hoard = {}
  while true do table.insert(hoard, ("x"):rep(1 << 20)) end
end

-- Neither completes nor cancels the request.
function ways.hang() end

function ways.late()
  device.pause(60000)
  share.complete()
end

function ways.twice()
  share.complete("the first")
  share.complete("the second")
end

share.loaded(function(item)
  local way = ways[item.text]
  if not way then return share.cancel("unknown failure: " .. tostring(item.text)) end
  way()
end)
