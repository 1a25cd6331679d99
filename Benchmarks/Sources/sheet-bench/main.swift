// Measures share sheets for 500 installed bundles:
//
//   sheet-bench [BUNDLES [ROUNDS]]
//
// Prints one line: `ms` is the median and `max_ms` the maximum over all rounds, and `text_ms` the time to print
// the last sheet as a table. This program belongs to the main package, not to Benchmarks, because share sheets
// have no public API.
internal import Analysis
internal import Glibc

let words = CommandLine.arguments
let count = words.count > 1 ? Int(words[1]) ?? 500 : 500
let rounds = words.count > 2 ? Int(words[2]) ?? 200 : 200
let crowd = try Crowd(bundles: count)
let clock = ContinuousClock()

func milliseconds(_ body: () -> Void) -> Double {
  let elapsed = clock.measure(body).components
  return Double(elapsed.seconds) * 1e3 + Double(elapsed.attoseconds) / 1e15
}

var shown = 0
var last = crowd.sheet(0)
let times = (0..<rounds).map { round in
  milliseconds {
    last = crowd.sheet(round)
    shown += last.destinations.count { $0.visibility != .hidden }
  }
}.sorted()
var characters = 0
let rendering = milliseconds { characters = last.text().utf8.count }

func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }

print(
  "RESULT share-sheet ms=\(rounded(times[times.count / 2])) max_ms=\(rounded(times[times.count - 1]))",
  "text_ms=\(rounded(rendering)) bundles=\(count) destinations=\(last.destinations.count)",
  "shown=\(shown / max(1, rounds)) characters=\(characters)")
