-- An app with a configuration; apps that import from it get the values that it found.
local days

local function look(account)
  days = configuration.number("DaysToSync", { account = account, query = "min" })
end

app.launched(function() look("anna@contoso.com") end)

app.notified(function(name, account)
  if name == "appConfigDidChange" then look(account) end
end)

app.provides(function()
  return days and "days: " .. days or "not configured"
end)
