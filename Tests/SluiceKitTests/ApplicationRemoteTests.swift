import Foundation
import SluiceKit
import Synchronization
import TestSupport
import Testing
import Wire

private final class Quiet: ApplicationDelegate {}

/// Each test runs in a separate process, because an app's error may end the process.
@Suite(.ownThreads, .timeLimit(.minutes(15))) struct ApplicationRemoteTests {
  @Test func `a call from another thread runs on the app's thread under the caller's identity`()
    async
  {
    await #expect(processExitsWith: .success) {
      let peer = try Peer(delegate: Quiet())
      let (remote, stop) = (peer.application.remote, peer.stop)
      let appThread = UInt(pthread_self())
      Thread.detachNewThread {
        IntuneMAMSwiftContextManager.setAccountId("anna@contoso.com") {
          _ = remote.enqueue { app in
            let seen = IntuneMAMPolicyManager.getCurrentThreadAccountId() ?? "none"
            app.log("\(UInt(pthread_self()) == appThread) \(seen)")
          }
        }
        _ = remote.enqueue { app in
          app.log(IntuneMAMPolicyManager.getCurrentThreadAccountId() ?? "none")
          stop()
        }
      }
      peer.application.run()
      let said = peer.logs()
      peer.close()
      #expect(said == ["true anna@contoso.com", "none"])
    }
  }

  @Test func `the identity of a call to the app does not apply to the next call`() async {
    await #expect(processExitsWith: .success) {
      let peer = try Peer(delegate: Quiet())
      let stop = peer.stop
      IntuneMAMSwiftContextManager.setAccountId("anna") { peer.application.enqueue { _ in } }
      peer.application.enqueue { app in
        app.log(IntuneMAMPolicyManager.getCurrentThreadAccountId() ?? "none")
        stop()
      }
      IntuneMAMSwiftContextManager.setAccountId("outer") { peer.application.run() }
      let said = peer.logs()
      peer.close()
      #expect(said == ["none"])
    }
  }

  @Test func `an app runs the calls enqueued by each thread in order`() async {
    await #expect(processExitsWith: .success) {
      let peer = try Peer(delegate: Quiet())
      let (remote, stop) = (peer.application.remote, peer.stop)
      let (threads, each) = (8, 1_000)
      let last = Mutex([Int](repeating: -1, count: threads))
      let wrong = Atomic(0)
      let count = Atomic(0)
      withExtendedLifetime(peer) {
        Thread.detachNewThread {
          DispatchQueue.concurrentPerform(iterations: threads) { thread in
            for number in 0..<each {
              IntuneMAMSwiftContextManager.setAccountId("\(thread)/\(number)") {
                _ = remote.enqueue { _ in
                  let seen = IntuneMAMPolicyManager.getCurrentThreadAccountId()
                  let isNext = last.withLock { last in
                    defer { last[thread] = number }
                    return last[thread] == number - 1
                  }
                  if !isNext || seen != "\(thread)/\(number)" {
                    wrong.add(1, ordering: .relaxed)
                  }
                  if count.add(1, ordering: .relaxed).newValue == threads * each { stop() }
                }
              }
            }
          }
        }
        peer.application.run()
      }
      peer.close()
      #expect(wrong.load(ordering: .relaxed) == 0)
      #expect(count.load(ordering: .relaxed) == threads * each)
    }
  }

  @Test func `each call that the app accepts runs, even while the app is stopping`() async {
    await #expect(processExitsWith: .success) {
      let peer = try Peer(delegate: Quiet())
      let (remote, stop) = (peer.application.remote, peer.stop)
      let taken = Atomic(0)
      let called = Atomic(0)
      let hasEnded = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        while remote.enqueue({ _ in called.add(1, ordering: .relaxed) }) {
          if taken.add(1, ordering: .relaxed).newValue == 500 { stop() }
        }
        hasEnded.signal()
      }
      peer.application.run()
      let isOver = hasEnded.wait(timeout: .now() + 100)
      peer.close()
      #expect(isOver == .success)
      #expect(taken.load(ordering: .relaxed) >= 500)
      #expect(called.load(ordering: .relaxed) == taken.load(ordering: .relaxed))
    }
  }

  @Test func `a call enqueued before the app stops can still reach the host`() async {
    await #expect(processExitsWith: .success) {
      let peer = try Peer(delegate: Quiet())
      // Both messages have arrived before the app reads them. The stop message takes precedence.
      peer.stop()
      peer.application.enqueue { app in app.log("at the last moment") }
      peer.application.run()
      let said = peer.logs()
      peer.close()
      #expect(said == ["at the last moment"])
    }
  }

  @Test func `calls to an app that has exited do not run`() async {
    await #expect(processExitsWith: .success) {
      let peer = try Peer(delegate: Quiet())
      peer.stop()
      peer.application.run()
      // This is the first request. It is made only now.
      let late = peer.application.remote.enqueue { _ in Issue.record("called after the end") }
      peer.close()
      #expect(!late)
    }
  }
}

extension Peer {
  /// Returns the lines that the app has written to the trace, once its connection has ended.
  fileprivate func logs() -> [String] {
    messages().compactMap { if case .log(let line) = $0 { line } else { nil } }
  }
}
