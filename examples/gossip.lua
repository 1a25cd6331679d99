-- One of a fleet that shares at random with the others, `gossip-1` to `gossip-<fleet>`, at most every `pause` milliseconds, and keeps account of it:
-- `sent.txt` has a line for each share with how it ended, `received.txt` one for each item that came.
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
  -- Others go on for a while.
  if isDone then write("received.txt", received) end
end)
