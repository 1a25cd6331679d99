import AppProcess
import Dispatch
import Foundation
import IntuneMAMSwift
import SluiceKit

// This benchmark compares the round trip of a synchronous SDK query with that of the same
// asynchronous query in SluiceKit. Results are ratios within one run, because machines differ. All
// measurements fit into one scenario step, which waits at most a second for a program. `make -C
// Benchmarks questions` runs the benchmark.

@main
enum QuestionBench {
  static let rounds = 400

  static func main() {
    DispatchQueue.global().async {
      // The first tenth is the warm-up for both.
      _ = (synchronous(rounds / 10), asynchronous(rounds / 10))
      var ratios: [Double] = []
      for _ in 0..<5 {
        let own = asynchronous(rounds)
        ratios.append(synchronous(rounds) / own)
      }
      let median = ratios.sorted()[2]
      print("synchronous question against SluiceKit's: \(String(format: "%.2f", median))")
      exit(0)
    }
    AppProcess.current.didFinishLaunching()
    AppProcess.current.runMainLoop()
  }

  /// Returns the time for `count` sequential queries, in seconds.
  static func synchronous(_ count: Int) -> Double {
    guard let policy = IntuneMAMPolicyManager.instance().policy() else { return 0 }
    return seconds {
      for _ in 0..<count { _ = policy.isSaveToAllowed(for: .localDrive, withAccountId: nil) }
    }
  }

  /// Returns the time for the same queries, made asynchronously on the connection's own thread, in
  /// seconds.
  static func asynchronous(_ count: Int) -> Double {
    seconds {
      let _: Bool = AppProcess.current.ask { app, answer in ask(count, app) { answer(true) } }
    }
  }

  private static func ask(
    _ count: Int, _ app: Application, _ done: @escaping () -> Void
  ) {
    guard count > 0 else { return done() }
    app.policy.isSaveToAllowed(for: .localDrive, accountId: nil) { _ in ask(count - 1, app, done) }
  }

  private static func seconds(_ body: () -> Void) -> Double {
    let start = ContinuousClock.now
    body()
    return (ContinuousClock.now - start) / .seconds(1)
  }
}
