-- An app that needs a token for the account of every `fetch:ACCOUNT` that is opened in it. Where conditional access asks
-- for protection first, it becomes compliant. To those who import it gives what came of it: `app.complianceStatus`
-- comes also where the app was started anew meanwhile, and what an account has then, the SDK knows.
local resource = "https://graph.microsoft.com"
local result = "nothing yet"

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
