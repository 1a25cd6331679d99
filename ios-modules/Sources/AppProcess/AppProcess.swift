internal import Foundation
public import SluiceKit
internal import Synchronization

/// This process as an app of the simulated iPhone, for modules named after Apple's and Microsoft's frameworks.
///
/// The connection to the device has its own thread, which never runs app code. Every other thread,
/// including the main thread and the threads of callbacks, may therefore block until the device
/// answers.
public final class AppProcess: Sendable {
  /// This process. The first access connects to the device. Without a device, the process exits with an error
  /// message.
  public static let current = AppProcess()

  /// The interface through which other threads reach the connection's thread.
  let remote: ApplicationRemote
  let inbox: EventInbox
  /// The threads that are waiting for an answer.
  private let replies: OpenReplies
  public let signInPrompts = SignInPrompts()
  /// The bundle id, as determined by the device.
  public let bundleIdentifier: String
  /// Whether the device launched the app to open an item or URL.
  public let opensContent: Bool

  private init() {
    let inbox = EventInbox()
    let replies = OpenReplies()
    self.replies = replies
    let connection = ConnectionThread(inbox, replies)
    switch connection.start() {
    case .success(let link):
      HomeFolder.settle()
      ManagedDefaults.set(link.managedConfiguration)
      StandardOutput.writeByLines()
      self.inbox = inbox
      remote = link.remote
      bundleIdentifier = link.bundleIdentifier
      opensContent = link.opensContent
    case .failure(let error):
      FileHandle.standardError.write(
        Data(
          """
          this app has no device: \(error)
          Start it with a scenario in which an app has this program as its `executable`: sluice run FILE

          """.utf8))
      exit(69)
    }
  }

  public var isExtension: Bool { extensionMark.load(ordering: .relaxed) }

  public func becomeExtension() { extensionMark.store(true, ordering: .relaxed) }

  private let extensionMark = Atomic(false)

  // MARK: Requests to the device

  /// Sends a request to the device, and waits for the answer. May be called on any thread except the connection's. If
  /// the device no longer exists, the method does not return.
  ///
  /// - Parameter question: Called on the connection's thread with the caller's thread identity. It must call `answer`
  ///   on that thread exactly once.
  public func ask<Answer: Sendable>(
    _ question: @escaping @Sendable (Application, _ answer: @escaping (Answer) -> Void) -> Void
  ) -> Answer {
    precondition(
      ConnectionThread.application == nil, "the connection's thread cannot wait for itself")
    let reply = Reply<Answer>()
    guard let close = replies.open({ reply.giveUp() }) else { OpenReplies.end() }
    defer { close() }
    remote.enqueue { app in question(app) { reply.give($0) } }
    guard let answer = reply.wait() else { OpenReplies.end() }
    return answer
  }

  /// Reads state that the device has already sent to this process, without a request. Any thread
  /// may call this method.
  public func read<Value: Sendable>(
    _ value: @escaping @Sendable (Application) -> Value
  ) -> Value {
    // The deinitializer of an app's object may run on the connection's thread and read state again.
    if let app = ConnectionThread.application { return value(app) }
    return ask { app, answer in answer(value(app)) }
  }

  /// Runs `body` on the connection's thread with the caller's thread identity, without waiting.
  public func tell(_ body: @escaping @Sendable (Application) -> Void) {
    remote.enqueue(body)
  }

  /// Writes a line to the device's trace.
  public func log(_ text: String) { tell { $0.log(text) } }

  /// Writes a line to the device's trace. Does nothing if this process has already written the same
  /// line.
  public func logOnce(_ text: String) {
    if logged.withLock({ $0.insert(text).inserted }) { log(text) }
  }

  private let logged = Mutex<Set<String>>([])

  // MARK: Current activity

  /// The account for which the app is opening a URL; nil if the account is unknown or no URL is being opened.
  public var currentActivity: String? { activity.withLock { $0 } }

  /// Runs `body` with ``currentActivity`` set to the account. In `body`, the app opens an item or URL for this account.
  public func withActivity(of accountId: String?, _ body: () -> Void) {
    activity.withLock { $0 = accountId }
    body()
    activity.withLock { $0 = nil }
  }

  private let activity = Mutex<String?>(nil)
  /// The files in this app's container that contain received items.
  public let receivedFiles = ReceivedFiles()

  // MARK: Messages from the device

  /// Sets the object that receives the device's messages to the Intune App SDK. It is held weakly.
  public func setReceiver(_ receiver: any SDKReceiver) { inbox.set(receiver) }

  /// Sets the object that receives the device's messages to the app or extension. It is held weakly.
  public func setReceiver(_ receiver: any SystemReceiver) { inbox.set(receiver) }

  /// Delivers the launch content, followed by ``UserAct/launch``. Other messages are held back
  /// until the app has launched.
  public func takeLaunchContent() { tell { [inbox] _ in inbox.openLaunchContent() } }

  /// Delivers the messages that were held back during the launch. From then on, each message is
  /// delivered as it arrives.
  public func didFinishLaunching() { tell { [inbox] _ in inbox.open() } }

  /// Runs the main run loop until the device ends the app.
  public func runMainLoop() -> Never {
    // A run loop without a source exits immediately.
    let timer = Timer(timeInterval: .greatestFiniteMagnitude, repeats: true) { _ in }
    RunLoop.main.add(timer, forMode: .default)
    while true { RunLoop.main.run() }
  }

  static func endWithDevice() -> Never { _exit(0) }
}
