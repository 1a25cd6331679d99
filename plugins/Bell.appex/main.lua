-- A notification service: shows only the first line. The policy has already decided how much it may show.
share.loaded(function(notification)
  local first = notification.text:match("[^\n]*")
  share.complete(first == notification.text and first or first .. " …")
end)
