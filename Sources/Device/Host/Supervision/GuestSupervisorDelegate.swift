internal import Model

/// Who hears what guests say, and what becomes of them.
protocol GuestSupervisorDelegate: AnyObject {
  /// Why a guest may not start, in a clause; nil: it may.
  func ban(on guest: Guest) -> String?
  /// What the guest's process gets to reach the servers that its app may reach.
  func serverAccess(of app: AppDescription) -> ServerAccess
  /// Bytes came over the guest's pipe.
  func didRead(_ bytes: UnsafeRawBufferPointer, from guest: Guest)
  /// The deadline of what the guest owes may be over.
  func deadlinePassed(_ guest: Guest)
  /// Has `done` called when the guest's script has come to its end, or to where it waits.
  func awaitScript(_ guest: Guest, done: @escaping () -> Void)
  /// A guest that was started together with others is up, and they are, too, or will never be.
  func didLaunch(_ guest: Guest)
  func didSuspend(_ guest: Guest)
  func didResume(_ guest: Guest)
  /// The guest's process is gone, and all that it has said is heard.
  func didExit(_ guest: Guest, _ cause: ExitCause)
}
