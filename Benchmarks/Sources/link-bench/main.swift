import Distribution
import Foundation

// link-bench [COUNT]
//
// Items from a process of a fleet to another, over their links, against the same bytes over one plain TLS connection of NIO, each
// message sent by itself; both between two processes, with certificates on both sides.
//
// link-bench receive link|plain COUNT SECRETS: the receiving process, which says where it listens, and when all has come.

let words = CommandLine.arguments.dropFirst().map { String($0) }
if words.first == "receive", words.count == 4, let count = Int(words[2]) {
  try Contender(rawValue: words[1])?.receive(count, secrets: words[3])
} else {
  let scale = words.first.flatMap { Double($0) } ?? 1
  for (bytes, count) in [(64, 200_000), (1 << 20, 1_000)] {
    let count = max(1, Int(Double(count) * scale))
    var ratios: [Double] = []
    var rates: [(Double, Double)] = []
    // The two take turns, so that whatever else the machine does touches both.
    for _ in 0..<5 {
      let link = try Contender.link.rate(count, of: bytes)
      let plain = try Contender.plain.rate(count, of: bytes)
      ratios.append(link / plain)
      rates.append((link, plain))
    }
    let order = ratios.indices.sorted { ratios[$0] < ratios[$1] }
    let middle = order[order.count / 2]
    print(
      "\(bytes) B: \(Int(rates[middle].0)) items/s by links, \(Int(rates[middle].1)) messages/s by plain TLS, ratio "
        + String(format: "%.2f", ratios[middle]))
  }
}
