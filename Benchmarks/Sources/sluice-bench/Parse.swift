internal import ArgumentParser
internal import Foundation
import GraphDocuments
internal import Policy

/// Measures the parsing of a policy file, with the position of every value.
struct Parse: ParsableCommand {
  @Argument(help: "A file exported by Graph. The default is 250 KiB of policies for 100 apps each.")
  var file: String?
  @Option(help: "Number of measurements; the result is the median.") var times = 50

  func run() throws {
    let path = try file ?? drawn()
    defer { if file == nil { try? FileManager.default.removeItem(atPath: path) } }
    var documents: [PolicyDocument] = []
    var bytes = 0
    let elapsed = try (0..<times).map { _ in
      try seconds {
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        bytes = data.count
        documents = try PolicyReader.read(Array(data), file: path)
      }
    }
    let apps = documents.map(\.targeting.bundleIDs.count).max() ?? 0
    let origins = documents.reduce(0) { $0 + $1.origins.count }
    printResult(
      "parse",
      [
        "ms": elapsed.percentile(0.5) * 1000, "max_ms": elapsed.percentile(1) * 1000,
        "bytes": bytes, "policies": documents.count, "apps": apps, "positions": origins,
      ])
  }

  private func drawn() throws -> String {
    var export = PolicyExport(seed: 1, apps: (1...100).map { "com.contoso.app-\($0)" })
    let path = NSTemporaryDirectory() + "sluice-bench-\(UUID().uuidString).json"
    try export.list(bytes: 250 * 1024).write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }
}
