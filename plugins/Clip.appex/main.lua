-- A share extension: appends the shared item to a file in the app group of its app.
share.loaded(function(item)
  if item.isEncrypted or not item.text then
    return share.cancel("only text is supported")
  end
  local added, why = files.append("clips.txt", item.text .. "\n", { group = "group.org.example.notekeeper" })
  if not added then return share.cancel(why.text) end
  share.complete()
end)
