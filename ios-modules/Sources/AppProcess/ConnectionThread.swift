internal import Foundation
internal import SluiceKit

/// The thread that speaks with the device.
final class ConnectionThread {
  private let inbox: EventInbox

  init(_ inbox: EventInbox) { self.inbox = inbox }

  private static let name = "device-connection"

  /// Whether the running thread is the connection's.
  static var isCurrent: Bool { Thread.current.name == name }

  /// What other threads need of the connection.
  struct Link: Sendable {
    let remote: ApplicationRemote
    let bundleIdentifier: String
  }

  /// Connects on a new thread, and waits until it has.
  func start() -> Result<Link, ConnectionError> {
    let reply = Reply<Result<Link, ConnectionError>>()
    let thread = Thread { [inbox] in Self.run(inbox, reply) }
    thread.name = Self.name
    thread.stackSize = 1 << 20
    thread.start()
    return reply.wait()
  }

  private static func run(_ inbox: EventInbox, _ reply: Reply<Result<Link, ConnectionError>>) {
    let delegate = DeviceDelegate(inbox)
    let application: Application
    do throws(ConnectionError) {
      application = try Application.connect(delegate: delegate)
    } catch {
      return reply.give(.failure(error))
    }
    delegate.application = application
    application.enrollmentManager.delegate = inbox
    application.complianceManager.delegate = inbox
    reply.give(
      .success(
        Link(
          remote: application.remote, bundleIdentifier: application.bundleIdentifier)))
    application.run()
    inbox.end()
  }
}
