-- A notification service: shows the first line alone. What it may show at all, the policy has decided before.
share.loaded(function(notification)
  local first = notification.text:match("[^\n]*")
  share.complete(first == notification.text and first or first .. " …")
end)
