-- A VPN: answers a gateway's challenge with the identity that its administrator provides, or fails without one.
share.loaded(function(challenge)
  local name = managed.identities()[1]
  if not name then return share.cancel("no identity is provided for the tunnel") end
  local certificates, why = managed.identity(name)
  if not certificates then return share.cancel("the identity `" .. name .. "`: " .. why) end
  local signature, failure = managed.sign(name, challenge.text)
  if not signature then return share.cancel("the identity `" .. name .. "` does not sign: " .. failure) end
  -- The attestation is marked as simulated.
  local isAttested = certificates[1]:find("simulated", 1, true) ~= nil
  share.complete(table.concat({
    "signed with `" .. name .. "`",
    #certificates .. " certificates",
    isAttested and "attested" or "not attested",
  }, ", "))
end)
