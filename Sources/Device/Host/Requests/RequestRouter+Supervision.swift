internal import Declarations
internal import Model
internal import Wire

/// The consequences of guests' coming, resting and going.
extension RequestRouter: GuestSupervisorDelegate {
  func ban(on guest: Guest) -> String? { owners.management.ban(on: guest)?.description }

  func serverAccess(of app: AppDescription) -> ServerAccess { owners.servers.access(of: app) }

  func didRead(_ bytes: UnsafeRawBufferPointer, from guest: Guest) {
    guard let connection = guest.connection else { return }
    parse(guest) { body in try connection.parser.consume(bytes, body) }
  }

  func deadlinePassed(_ guest: Guest) { owners.deliveries.checkDeadline(guest) }

  func awaitScript(_ guest: Guest, done: @escaping () -> Void) {
    // A script takes no instructions, and says so when it listens.
    owners.deliveries.perform(.nothing, on: guest) { _ in done() }
  }

  func didLaunch(_ guest: Guest) { owners.enrollment.settleEnrollment(guest) }

  func didSuspend(_ guest: Guest) {
    owners.access.leaveForeground(guest)
    owners.deliveries.abandonActs(of: guest)
  }

  func didResume(_ guest: Guest) {
    owners.configurations.sendOutdatedConfigurations(to: guest)
    owners.enrollment.catchUp(guest)
    owners.access.checkAccess(guest)
    owners.deliveries.sendOutbox(guest)
  }

  func didExit(_ guest: Guest, _ cause: ExitCause) {
    owners.deliveries.failOpenCalls(of: guest, reason: cause)
    owners.extensions.failExtensionWork(of: guest, reason: cause)
    owners.wipes.endWipes(of: guest, reason: cause)
    owners.enrollment.restarting.remove(guest.name)
    owners.flow.release(guest)
    // The guest comes back as nobody, or as its only account; verdicts until then are about that identity.
    if guest.app.kind == .app { owners.identities.actForDefaultAccount(guest) }
  }
}
