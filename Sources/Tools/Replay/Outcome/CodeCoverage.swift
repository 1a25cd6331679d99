package import Encodings
package import Model

/// The calls of the Intune App SDK that an app's code handles, and the calls that the SDK made in a run.
///
/// A row is a method or notification of the SDK, or a status that it passes.
package struct CodeCoverage: Sendable, Equatable {
  /// The bundle ids of the apps that run the code.
  private let apps: Set<String>
  /// For each row, the locations in the code that handle it.
  private let places: [String: [Place]]
  /// The number of calls of each row.
  private var counts: [String: Int] = [:]

  private struct Place: Sendable, Equatable {
    let file: String
    let line: Int

    var text: String { "\(file):\(line)" }
  }

  /// Creates the coverage before a run, with no calls counted.
  ///
  /// - Parameter handled: The locations that handle calls, as `sluice-code handled` prints them.
  package init(of apps: some Sequence<String>, handling handled: JSONValue?) {
    self.apps = Set(apps)
    var places: [String: [Place]] = [:]
    for value in handled?.array ?? [] {
      guard let row = value["declaration"]?.string, let file = value["file"]?.string,
        let line = value["line"]?.int
      else { continue }
      let place = Place(file: file, line: line)
      if places[row]?.contains(place) != true { places[row, default: []].append(place) }
    }
    self.places = places
  }

  // MARK: Facts

  /// Reads the output of ``writeMembers(to:)``.
  package init(_ value: JSONValue) {
    self.init(
      of: value["apps"]?.array?.compactMap(\.string) ?? [], handling: value["handled"])
  }

  /// Writes the apps and the locations that handle calls, without the counts of a run.
  package func writeMembers(to writer: inout JSONWriter) {
    writer.strings("apps", apps.sorted())
    writer.array("handled") { writer in
      for (row, places) in places.sorted(by: { $0.key < $1.key }) {
        for place in places {
          writer.object { writer in
            writer.member("declaration", row)
            writer.member("file", place.file)
            writer.member("line", place.line)
          }
        }
      }
    }
  }

  // MARK: Counting

  /// Counts the calls in the journal of one case.
  package mutating func add(_ events: some Sequence<JournalEvent>) {
    var reader = SDKCallReader()
    for recorded in events.flatMap({ reader.calls(by: $0.kind) }) where apps.contains(recorded.app)
    {
      counts[recorded.call.declaration, default: 0] += 1
      if let status = recorded.call.status { counts[status, default: 0] += 1 }
    }
  }

  // MARK: Results

  /// The rows that the code handles or the SDK has called: methods, notifications, and statuses.
  private var rows: [String] {
    (SDKCall.declarations + Self.statuses).filter { places[$0] != nil || counts[$0] != nil }
  }

  private static let statuses =
    EnrollmentStatus.allCases.map(\.name) + ComplianceStatus.allCases.map(\.name)

  /// The coverage as text: one line for each row, with the locations that handle it; then the calls that are neither
  /// handled nor made.
  package var text: String {
    let handled = rows.filter { places[$0] != nil }
    let made = handled.count { counts[$0] != nil }
    var lines = ["Calls of the SDK that the code handles: \(made) of \(handled.count) were made"]
    lines += TextColumns.lines(
      rows.map { row in
        [row, word(for: row), places[row]?.map(\.text).joined(separator: ", ") ?? "not handled"]
      }, indent: 2)
    let others = SDKCall.declarations.filter { !rows.contains($0) }
    if !others.isEmpty {
      lines.append("Neither handled nor made: \(others.joined(separator: ", "))")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func word(for row: String) -> String {
    counts[row].map { "made \($0)" } ?? "never"
  }

  /// Writes the member `calls`, an array of `{"name", "count", "handled": [{"file", "line"}]}`.
  package func write(to writer: inout JSONWriter) {
    let rows = rows
    writer.objects("calls", of: rows + SDKCall.declarations.filter { !rows.contains($0) }) {
      writer, row in
      writer.member("name", row)
      writer.member("count", counts[row] ?? 0)
      writer.objects("handled", of: places[row] ?? []) { writer, place in
        writer.member("file", place.file)
        writer.member("line", place.line)
      }
    }
  }
}
