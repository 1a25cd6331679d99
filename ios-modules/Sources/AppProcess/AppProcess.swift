internal import Foundation
public import SluiceKit
internal import Synchronization

/// This process as an app of the simulated iPhone, for modules with the names of Apple's and Microsoft's.
///
/// The connection to the device has a thread of its own, on which no code of the app ever runs. Any other thread may
/// therefore wait for an answer of the device: the main thread, and any callback.
public final class AppProcess: Sendable {
  /// This process. The first use connects it to the device; without a device the process ends, and says so.
  public static let current = AppProcess()

  /// The app as other threads see it.
  let remote: ApplicationRemote
  let inbox: EventInbox
  /// The threads that wait.
  private let replies: OpenReplies
  /// The sign-ins that the app shows.
  public let signInPrompts = SignInPrompts()
  /// The bundle id, as the device has established it.
  public let bundleIdentifier: String
  /// Whether the device has launched the app to open something, and not only to be there.
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
          Start it by a scenario whose app has this program as its `executable`: sluice run FILE

          """.utf8))
      exit(69)
    }
  }

  // MARK: to the device

  /// Puts a question to the device, and waits for the answer. On any thread.
  ///
  /// - Parameter question: called on the connection's thread under the thread identity of the caller; it must call
  ///   `answer` there, once.
  public func ask<Answer: Sendable>(
    _ question: @escaping @Sendable (Application, _ answer: @escaping (Answer) -> Void) -> Void
  ) -> Answer {
    precondition(
      ConnectionThread.application == nil, "the connection's thread would wait for itself")
    let reply = Reply<Answer>()
    guard let close = replies.open({ reply.giveUp() }) else { OpenReplies.end() }
    defer { close() }
    remote.enqueue { app in question(app) { reply.give($0) } }
    guard let answer = reply.wait() else { OpenReplies.end() }
    return answer
  }

  /// Reads what the device has pushed to this process. On any thread; the device is not asked.
  public func read<Value: Sendable>(
    _ value: @escaping @Sendable (Application) -> Value
  ) -> Value {
    // What the app's code leaves behind may be released there, and look at something once more.
    if let app = ConnectionThread.application { return value(app) }
    return ask { app, answer in answer(value(app)) }
  }

  /// Has the connection's thread call `body` under the thread identity of the caller. Never waits.
  public func tell(_ body: @escaping @Sendable (Application) -> Void) {
    remote.enqueue(body)
  }

  /// Writes a line to the device's trace.
  public func log(_ text: String) { tell { $0.log(text) } }

  /// Writes a line to the device's trace, but only the first with this text.
  public func logOnce(_ text: String) {
    if logged.withLock({ $0.insert(text).inserted }) { log(text) }
  }

  private let logged = Mutex<Set<String>>([])

  // MARK: the present activity

  /// The account for which a URL was opened, while the app opens it; nil where none is known, and at any other time.
  public var currentActivity: String? { activity.withLock { $0 } }

  /// Runs `body` while the app opens something for an account.
  public func withActivity(of accountId: String?, _ body: () -> Void) {
    activity.withLock { $0 = accountId }
    body()
    activity.withLock { $0 = nil }
  }

  private let activity = Mutex<String?>(nil)
  /// The files of this app's container that came from others, with what came.
  public let receivedFiles = ReceivedFiles()

  // MARK: from the device

  /// Sets the receiver of what the device says to the Intune App SDK.
  public func setReceiver(_ receiver: any SDKReceiver) { inbox.set(receiver) }

  /// Sets the receiver of what the device says to the app as such, and hands it everything that has come so far.
  public func setReceiver(_ receiver: any SystemReceiver) { inbox.set(receiver) }

  /// Hands over what the app was launched to open, and then ``UserAct/launch``: all else, and what comes afterwards, is
  /// kept back until the app has launched.
  public func takeLaunchContent() { tell { [inbox] _ in inbox.openLaunchContent() } }

  /// Hands over what has come while the app was launching, and from now on everything as it comes.
  public func didFinishLaunching() { tell { [inbox] _ in inbox.open() } }

  /// Serves the main thread until the device ends the app.
  public func runMainLoop() -> Never {
    // Without a source the loop would end at once.
    let timer = Timer(timeInterval: .greatestFiniteMagnitude, repeats: true) { _ in }
    RunLoop.main.add(timer, forMode: .default)
    while true { RunLoop.main.run() }
  }

  static func endWithDevice() -> Never { _exit(0) }
}
