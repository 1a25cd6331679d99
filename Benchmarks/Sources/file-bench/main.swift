// This benchmark compares an encrypted file with libcrypto and a plain file, on one core:
//
//   taskset -c 0 file-bench [FOLDER [MEBIBYTES [ROUNDS]]]
//
// Prints one line with the median of each value over all rounds. This program belongs to the main package, not
// to Benchmarks, because protected files have no public API.
let words = CommandLine.arguments
let bench = try FileBench(
  folder: words.count > 1 ? words[1] : "/tmp",
  mebibytes: words.count > 2 ? Int(words[2]) ?? 256 : 256, reads: 100_000)
defer { bench.remove() }
let rounds = try (0..<(words.count > 3 ? Int(words[3]) ?? 5 : 5)).map { _ in try bench.round() }

func median(_ value: (FileBench.Round) -> Double) -> Double {
  let thousandths = (rounds.map(value).sorted()[rounds.count / 2] * 1000).rounded()
  return thousandths / 1000
}

print(
  "RESULT files gcm_mib_s=\(median { $0.gcm }) write_mib_s=\(median { $0.write })",
  "overwrite_mib_s=\(median { $0.overwrite }) read_mib_s=\(median { $0.read })",
  "plain_read_us=\(median { $0.plainRead }) random_read_us=\(median { $0.randomRead })",
  "write_ratio=\(median { $0.write / $0.gcm })",
  "overwrite_ratio=\(median { $0.overwrite / $0.gcm })",
  "read_ratio=\(median { $0.read / $0.gcm })",
  "random_ratio=\(median { $0.plainRead / $0.randomRead })")
