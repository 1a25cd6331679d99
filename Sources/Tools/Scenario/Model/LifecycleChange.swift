/// What a step does to a guest's process.
public enum LifecycleChange: String, Sendable, CaseIterable {
  /// Start it. An error where it runs already.
  case launch
  /// Freeze it, as the system does with an app in the background.
  case suspend
  /// Let a suspended one run on.
  case resume
  /// End it at once, as a user does who swipes the app away.
  case kill
  /// Start it again after it ended; where it still runs, kill it first.
  case relaunch
  /// Ask it to finish and exit.
  case stop
}
