-- An app: gives to those who import from it what it was last sent, twice.
local last

app.received(function(item)
  last = item.text
end)

app.provides(function()
  return last and last .. ", " .. last
end)
