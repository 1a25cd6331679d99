-- An app that proves its licence. Apps that import from it, standing in for its server, get a request signed
-- with the licence key of the administrator's organisation. The app never sees the key itself.
local renewals = 0

managed.changed(function(what)
  if what == "identities" then renewals = renewals + 1 end
end)

app.provides(function()
  local request = "GET /v1/scans"
  local certificates = managed.identity("licence")
  local signature = certificates and managed.sign("licence", request)
  if not signature then return request .. ", without a licence" end
  return request .. ", signed, " .. #certificates .. " certificates, renewed " .. renewals .. " times"
end)
