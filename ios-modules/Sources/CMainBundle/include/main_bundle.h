// Nothing to call: the module settles the process's main bundle before any code of the app runs.
