-- A keyboard without full access: it suggests text, and tries to leak what was typed.
local function ended(outcome)
  return outcome.ended .. ", " .. outcome.reasons[1].rule
end

share.loaded(function(typed)
  local report = {
    "pasteboard: " .. ended(pasteboard.copy(typed.text)),
    "share: " .. ended(app.share { to = "org.example.viewer", text = typed.text }),
    "URL: " .. ended(url.open("exampleviewer:" .. #typed.text)),
  }
  local written, why = files.write("typed.txt", typed.text, { group = "group.org.example.notekeeper" })
  table.insert(report, "app group: " .. (written and "written" or why.text))
  share.complete(table.concat(report, "\n"))
end)
