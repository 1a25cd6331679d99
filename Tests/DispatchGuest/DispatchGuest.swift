internal import Dispatch
internal import Foundation
internal import SluiceDispatch
internal import SluiceKit
internal import Synchronization

/// An app with worker threads.
///
/// When `dispatchguest:all` is opened, the app schedules work for an account by many methods. It
/// checks the acting identity of each work item and writes it to the device's trace. It stores the
/// results in the file `answers` of its container, one per line.
final class DispatchGuest: ApplicationDelegate {
  func application(_ application: Application, open url: String, from sender: String) {
    if url == "dispatchguest:endless" { return Self.workOn() }
    let remote = application.remote
    IntuneMAMSwiftContextManager.setAccountId("anna@contoso.com") {
      let round = Round()
      round.start()
      round.group.notify(queue: IdentityDispatchQueue.global()) {
        round.look("end of all")
        remote.enqueue { app in
          round.look("back in the app")
          round.write()
          for line in round.answers { app.log(line) }
        }
      }
    }
  }

  /// Keeps more threads blocked than there are processors, until libdispatch checks them. It does
  /// so every second.
  private static func workOn() {
    for _ in 0..<100 { DispatchQueue.global().async { DispatchSemaphore(value: 0).wait() } }
  }
}

/// Work scheduled by many methods, and the identities that the work saw.
private final class Round: Sendable {
  let group = DispatchGroup()
  private let lines = Mutex<[String]>([])
  private let done = Atomic(0)

  /// Records the identity of the running code.
  func look(_ name: String) {
    let identity = IntuneMAMPolicyManager.getCurrentThreadAccountId()
    lines.withLock { $0.append("\(name): \(identity ?? "unset")") }
  }

  /// The answers in alphabetical order.
  var answers: [String] { lines.withLock { $0.sorted() } }

  func start() {
    let queue = IdentityDispatchQueue(label: "work")
    queue.async(group: group) { self.look("async") }
    queue.sync { look("sync") }
    DispatchQueue.global().async(group: group) { self.look("plain async") }
    startItem(on: queue)
    startOperation()
    startTasks()
    startBacklog()
  }

  private func startItem(on queue: IdentityDispatchQueue) {
    let item = IntuneMAMSwiftContextManager.setAccountId("creator@contoso.com") {
      IdentityDispatchWorkItem { self.look("item") }
    }
    queue.async(group: group, execute: item)
  }

  private func startOperation() {
    group.enter()
    let operation = IdentityBlockOperation {
      self.look("operation")
      self.group.leave()
    }
    IntuneMAMSwiftContextManager.setAccountId("") {
      IdentityOperationQueue().addOperation(operation)
    }
  }

  private func startTasks() {
    group.enter()
    Task {
      await Task.yield()
      look("task")
      await Task.detached { self.look("detached task") }.value
      group.leave()
    }
  }

  /// Starts more blocking work than there are processors.
  private func startBacklog() {
    let count = 100
    group.enter()
    for _ in 0..<count {
      IdentityDispatchQueue.global().async {
        usleep(20_000)
        guard self.done.add(1, ordering: .relaxed).newValue == count else { return }
        self.look("last of \(count)")
        self.group.leave()
      }
    }
  }

  func write() {
    let text = answers.joined(separator: "\n") + "\n"
    try? Data(text.utf8).write(to: URL(fileURLWithPath: "answers"))
  }
}
