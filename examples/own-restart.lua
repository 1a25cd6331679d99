-- An app that starts anew by itself when its first policy is there, and not while its user is at work.
app.restartApplication(function() return true end)
