internal import Foundation
internal import SluiceKit

/// The thread that communicates with the device.
final class ConnectionThread {
  private let inbox: EventInbox
  private let replies: OpenReplies

  init(_ inbox: EventInbox, _ replies: OpenReplies) {
    self.inbox = inbox
    self.replies = replies
  }

  /// The app, if the current thread is the connection's thread; otherwise nil.
  static var application: Application? {
    pthread_getspecific(key).map { Unmanaged<Application>.fromOpaque($0).takeUnretainedValue() }
  }

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  /// The data of an established connection that other threads use.
  struct Link: Sendable {
    let remote: ApplicationRemote
    let bundleIdentifier: String
    let opensContent: Bool
    let managedConfiguration: [UInt8]
  }

  /// Connects to the device on a new thread, and waits for the result.
  func start() -> Result<Link, ConnectionError> {
    let reply = Reply<Result<Link, ConnectionError>>()
    let thread = Thread { [inbox, replies] in Self.run(inbox, replies, reply) }
    thread.stackSize = 1 << 20
    thread.start()
    return reply.wait() ?? .failure(.lost("the connection's thread did not start"))
  }

  private static func run(
    _ inbox: EventInbox, _ replies: OpenReplies, _ reply: Reply<Result<Link, ConnectionError>>
  ) {
    let delegate = DeviceDelegate(inbox)
    let application: Application
    do throws(ConnectionError) {
      application = try Application.connect(delegate: delegate)
    } catch {
      return reply.give(.failure(error))
    }
    delegate.application = application
    pthread_setspecific(key, Unmanaged.passUnretained(application).toOpaque())
    application.enrollmentManager.delegate = inbox
    application.complianceManager.delegate = inbox
    ManagedDefaults.follow(application.managedApp, inbox)
    reply.give(
      .success(
        Link(
          remote: application.remote, bundleIdentifier: application.bundleIdentifier,
          opensContent: application.opensContent,
          managedConfiguration: application.managedConfiguration)))
    application.run()
    inbox.end()
    replies.giveUp()
  }
}
