-- An action extension that tries to leak its input on every channel, and returns the result of each attempt.
local group = "group.org.example.notekeeper"
local viewer = "org.example.viewer"

share.loaded(function(item)
  local report = {}
  local function note(way, outcome, why)
    local result = outcome
    if type(outcome) == "table" then
      result = outcome.ended .. ", " .. outcome.reasons[1].rule
    elseif not outcome and why then
      result = why.text
    end
    table.insert(report, way .. ": " .. tostring(result))
  end

  note("share", app.share { to = viewer, item = item })
  note("share without the tag", app.share { to = viewer, text = item.text })
  note("share without an account", accounts.within("", function()
    return app.share { to = viewer, text = item.text }
  end))

  local forged = { text = item.text, type = item.type, tag = {} }
  for key, value in pairs(item.tag) do forged.tag[key] = value end
  forged.tag.owner, forged.tag.isManaged = "eve@example.org", false
  note("share with a forged tag", app.share { to = viewer, item = forged })

  note("open in", app.open { to = viewer, item = item })
  note("drop", app.drop { to = viewer, item = item })
  note("share on the OS path", app.share { to = viewer, item = item, via = "os" })
  note("URL", url.open("viewer://" .. item.text:gsub("%s", "+")))
  note("print", app.hand { channel = "print", item = item })
  note("notification", notifications.show(item))
  note("save", app.save { location = "dropbox", item = item })

  -- The item still belongs to its account: later reads are decided by that account's policy.
  note("pasteboard", pasteboard.copy(item))
  note("keychain", keychain.add { service = "leak", account = "loot", value = item.text })
  note("file", files.write("loot.txt", item.text, { group = group }))

  -- The device is the only way out: scripts have no file or network functions.
  note("io", tostring(io))
  note("os", tostring(os))
  note("load", tostring(load))
  log("this text reaches only the trace: " .. item.text)

  share.complete(table.concat(report, "\n"))
end)
