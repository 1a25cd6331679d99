internal import Diagnostics
internal import JSON
internal import Picture
internal import Simulation

/// Ways out of the organisation, as `sluice leaks --format json` has printed them.
struct FoundLeaks {
  private let path: String
  private let json: String
  /// The places `file:line` of the settings that let data through.
  private var places: [String] = []
  /// Whether there is no way.
  private(set) var isEmpty = true

  /// Reads what was printed.
  ///
  /// - Parameter path: its file; `-` is standard input.
  /// - Throws: ``RunError`` where it cannot be read, or is something else.
  init(at path: String) throws(RunError) {
    try self.init(
      path == "-" ? try InputFile.standardInput() : try InputFile.documentText(path), of: path)
  }

  /// Reads what was printed.
  ///
  /// - Parameter path: what messages call it.
  /// - Throws: ``RunError`` where it is something else.
  init(_ json: String, of path: String) throws(RunError) {
    self.path = path
    self.json = json
    let report: JSONValue
    do {
      report = try JSONReader.read(json)
    } catch {
      throw RunError(
        .file(path, error.position),
        "\(error.message); expected what `sluice leaks --format json` prints",
        rule: "json")
    }
    try check(report)
    isEmpty = report["leaks"]?.array?.isEmpty ?? true
    collectPlaces(in: report)
  }

  /// Adds the ways to a picture.
  func add(to picture: inout Picture) { picture.add(leaks: json, citing: places) }

  // MARK: checks

  private func check(_ report: JSONValue) throws(RunError) {
    guard let leaks = report["leaks"]?.array, report["search"]?.members != nil else {
      throw wrong(report, "no `leaks` and `search`")
    }
    for leak in leaks {
      guard leak["owner"]?.string != nil, leak["sink"]?.string != nil,
        let hops = leak["hops"]?.array, !hops.isEmpty
      else { throw wrong(leak, "a way without `owner`, `sink` or `hops`") }
      for hop in hops where hop["app"]?.string == nil || hop["action"]?.string == nil {
        throw wrong(hop, "a hop without `app` or `action`")
      }
    }
  }

  private func wrong(_ value: JSONValue, _ found: String) -> RunError {
    RunError(
      .file(path, value.position),
      "found \(found); expected what `sluice leaks --format json` prints", rule: "leaks")
  }

  private mutating func collectPlaces(in value: JSONValue) {
    for element in value.array ?? [] { collectPlaces(in: element) }
    for member in value.members ?? [] {
      if member.name == "source", let place = member.value.string { places.append(place) }
      collectPlaces(in: member.value)
    }
  }
}
