/// A change that a step makes to a guest's process.
public enum LifecycleChange: String, Sendable, CaseIterable {
  /// Start the process. An error where it runs already.
  case launch
  /// Freeze the process, as the system does with an app in the background.
  case suspend
  /// Let a suspended process run on.
  case resume
  /// End the process at once, as a user does by swiping the app away.
  case kill
  /// Start the process again after it ended; where it still runs, kill it first.
  case relaunch
  /// Ask the process to finish and exit.
  case stop
}
