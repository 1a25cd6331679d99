-- One app of a fleet, `gossip-1` to `gossip-<fleet>`, whose apps share with one another at random, at most
-- every `pause` milliseconds. `sent.txt` has a line for each share and its outcome, `received.txt` a line for
-- each received item.
local fleet, shares, pause = 1000, 50, 400

local received, isDone = {}, false

local function write(name, lines)
  files.write(name, table.concat(lines, "\n"))
end

app.launched(function()
  local sent = {}
  for number = 1, shares do
    device.pause(random(0, pause))
    local to = "gossip-" .. random(fleet)
    local text = device.guest .. " " .. number .. " " .. to
    sent[number] = text .. " " .. app.share { to = to, text = text }.ended
  end
  isDone = true
  write("received.txt", received)
  write("sent.txt", sent)
end)

app.received(function(item)
  received[#received + 1] = item.text
  -- Other apps may still be sending.
  if isDone then write("received.txt", received) end
end)
