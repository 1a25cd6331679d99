-- An app that returns the last item it received, repeated twice, to apps that import from it.
local last

app.received(function(item)
  last = item.text
end)

app.provides(function()
  return last and last .. ", " .. last
end)
