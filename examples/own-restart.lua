-- An app that restarts itself for its first policy, at a time when the restart does not interrupt its user.
app.restartApplication(function() return true end)
