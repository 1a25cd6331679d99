import Distribution
import Foundation

// link-bench [COUNT]
//
// Compares the link between two processes of a fleet with a plain TLS connection of SwiftNIO that sends each
// message separately. Both use certificates on both sides and carry the same bytes.
//
// link-bench receive link|plain COUNT SECRETS: the receiving process, which prints its address, and later that
// all messages have arrived.

let words = CommandLine.arguments.dropFirst().map { String($0) }
if words.first == "receive", words.count == 4, let count = Int(words[2]) {
  try Contender(rawValue: words[1])?.receive(count, secrets: words[3])
} else {
  let scale = words.first.flatMap { Double($0) } ?? 1
  for (bytes, count) in [(64, 200_000), (1 << 20, 1_000)] {
    let count = max(1, Int(Double(count) * scale))
    var ratios: [Double] = []
    var rates: [(Double, Double)] = []
    // The rounds alternate, so other load on the machine affects both transports.
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
