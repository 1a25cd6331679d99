-- An action extension: returns the number of words in a text, and the text without repeated words.
share.loaded(function(item)
  if item.isEncrypted or not item.text then
    return share.cancel("only text is supported")
  end
  local count, seen, kept = 0, {}, {}
  for word in item.text:gmatch("%S+") do
    count = count + 1
    if not seen[word:lower()] then table.insert(kept, word) end
    seen[word:lower()] = true
  end
  share.complete({ count .. " words", table.concat(kept, " ") })
end)
