internal import Model

/// The receiver of guests' messages and events.
protocol GuestSupervisorDelegate: AnyObject {
  /// The reason why a guest may not start, in a clause; nil where it may.
  func ban(on guest: Guest) -> String?
  /// The access of the guest's process to the servers that its app may reach.
  func serverAccess(of app: AppDescription) -> ServerAccess
  /// Handles bytes that came over the guest's pipe.
  func didRead(_ bytes: UnsafeRawBufferPointer, from guest: Guest)
  /// Serves all that the guest has sent until now, in slices. Calls `done` once that is served, or must be left because
  /// the guest has to wait for others.
  func serveRest(of guest: Guest, then done: @escaping () -> Void)
  /// Handles the possible end of the time for what the guest owes.
  func deadlinePassed(_ guest: Guest)
  /// Calls `done` when the guest's script has come to its end, or to where it waits.
  func awaitScript(_ guest: Guest, done: @escaping () -> Void)
  /// Handles a guest that was started together with others and is up, when the others are up, too, or never will be.
  func didLaunch(_ guest: Guest)
  func didSuspend(_ guest: Guest)
  func didResume(_ guest: Guest)
  /// Handles the end of the guest's process, when all that the guest has said is heard.
  func didExit(_ guest: Guest, _ cause: ExitCause)
}
