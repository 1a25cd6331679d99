-- An extension that says whether its administrator provides a configuration for it.
share.loaded(function()
  local names = managed.identities()
  share.complete((managed.configuration() and "a configuration" or "nothing") .. ", " .. #names .. " identities")
end)
