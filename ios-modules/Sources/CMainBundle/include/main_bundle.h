// The module declares no functions: it sets the process's main bundle before any app code runs.
