-- A share extension that tries to enroll an account, which only apps may do, and returns the error.
share.loaded(function()
  local outcome = accounts.enroll("anna@contoso.com")
  share.complete(outcome.status .. " " .. outcome.ended)
end)
