-- An identity provider: signs a user in to any app without a prompt. The device authenticates by its key, and by the
-- account's password if the administrator provides one.
share.loaded(function(user)
  local names = managed.identities()
  local signature = names[1] and managed.sign(names[1], user.text)
  if not signature then return share.cancel("the device has no identity of the organisation") end
  local first = managed.passwords()[1]
  local password = first and managed.password(first)
  share.complete(user.text .. " is signed in by the device's key"
    .. (password and " and the password `" .. first .. "`" or ""))
end)
