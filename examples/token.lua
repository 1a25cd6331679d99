-- An app that requests a token for the account of each opened URL `fetch:ACCOUNT`. If conditional access
-- requires app protection first, the app becomes compliant. Apps that import from it get the result.
-- `app.complianceStatus` is called even if the app was restarted in the meantime; the SDK knows the account's
-- current state.
local resource = "https://graph.microsoft.com"
local result = "no result"

local function fetch(account)
  local token, status, home = tokens.acquire(account, resource, { "ProtApp" })
  if token then
    return "a token of " .. select(2, token:gsub("%.", "")) + 1 .. " parts"
  end
  return "status " .. status, home
end

app.opened(function(url)
  local home
  result, home = fetch(url:match("^fetch:(.+)$"))
  if home then
    local objectId = home:match("^[^.]+")
    compliance.remediate(objectId, false)
  end
end)

app.complianceStatus(function(account, status, title, message)
  if status ~= "compliant" then
    result = title .. ": " .. message
  end
end)

app.enrollmentStatus(function(request, account, code, name)
  log(request .. " of " .. account .. ": " .. code .. " " .. name)
end)

app.provides(function()
  local account = accounts.enrolled()[1]
  return account and fetch(account) or result
end)
