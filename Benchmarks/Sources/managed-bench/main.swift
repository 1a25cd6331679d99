// Measures signatures by a guest with a key on the device:
//
//   managed-bench [SIGNATURES]
//
// Prints one line with medians in microseconds: `us` from the request to the guest's answer, `bare_us` for the
// shortest request that a device decides, and `signature_us` for the signature in this process. `ratio` is
// (`us` - `bare_us`) / `signature_us`. The measurements alternate. This program belongs to the main package,
// not to Benchmarks, because declarations have no public API. Run it in Benchmarks, beside `bin/`.
internal import Glibc

let words = CommandLine.arguments
let count = words.count > 1 ? Int(words[1]) ?? 5_000 : 5_000
let data = [UInt8](repeating: 0x5a, count: 64)
let signer = try Signer()
let clock = ContinuousClock()

func microseconds(_ body: () throws -> Void) rethrows -> Double {
  let elapsed = try clock.measure(body).components
  return Double(elapsed.seconds) * 1e6 + Double(elapsed.attoseconds) / 1e12
}

var (remote, bare, local): ([Double], [Double], [Double]) = ([], [], [])
for _ in 0..<count {
  bare.append(microseconds { signer.askBare() })
  var signature: [UInt8] = []
  remote.append(microseconds { signature = signer.signRemotely(data) })
  guard signer.verifies(signature, of: data) else { fatalError("the device did not sign") }
  local.append(try microseconds { _ = try signer.signHere(data) })
}
signer.close()

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }

let (all, trip, signature) = (median(remote), median(bare), median(local))
print(
  "RESULT signing us=\(rounded(all)) bare_us=\(rounded(trip)) signature_us=\(rounded(signature))",
  "ratio=\(rounded((all - trip) / signature)) n=\(count)")
