internal import Encodings
internal import Glibc
package import Host
package import Output
package import Scenario

/// An error in the input, such as a missing file or an invalid policy or bundle, or in the installation. The
/// description has the form `file:line:col: error: sentence [rule]`.
package struct RunError: Error, Sendable, CustomStringConvertible {
  package let origin: Origin
  private let diagnostics: [Diagnostic]

  /// The party that must correct the error.
  package enum Origin: Sendable {
    /// The user: the input is wrong.
    case input
    /// Sluice itself, or its installation.
    case own
  }

  /// Creates an error from at least one diagnostic. The diagnostics of a file are ordered by position, and
  /// repetitions are removed.
  package init(_ diagnostics: [Diagnostic], origin: Origin = .input) {
    self.diagnostics = diagnostics.byFile.flatMap(\.diagnostics)
    self.origin = origin
  }

  package init(_ diagnostic: Diagnostic, origin: Origin = .input) {
    self.init([diagnostic], origin: origin)
  }

  package init(
    _ place: Diagnostic.Location, _ message: String, rule: String, origin: Origin = .input
  ) {
    self.init(Diagnostic(place, message, rule: rule), origin: origin)
  }

  private static let mostPerFile = 20

  /// The diagnostics, one per line. For a file with more than 20 diagnostics, only 20 are listed, and a further line
  /// states the number of omitted ones.
  package var description: String {
    var lines: [String] = []
    for (file, diagnostics) in diagnostics.byFile {
      lines += diagnostics.prefix(Self.mostPerFile).map(\.description)
      guard diagnostics.count > Self.mostPerFile else { continue }
      lines.append(
        "\(file): … and \(diagnostics.count - Self.mostPerFile) more".escapingUnprintable())
    }
    return lines.joined(separator: "\n")
  }

  /// The messages, without locations and rules.
  package var reason: String { diagnostics.map(\.message).joined(separator: "; ") }
}

extension [Diagnostic] {
  /// The diagnostics without duplicates, grouped by file. In a file, they are ordered by position. The files are in the
  /// order of their first diagnostics.
  fileprivate var byFile: [(file: String, diagnostics: [Diagnostic])] {
    var groups: [(file: String, diagnostics: [Diagnostic])] = []
    var places: [String: Int] = [:]
    var known: Set<Diagnostic> = []
    for diagnostic in self where known.insert(diagnostic).inserted {
      let file = diagnostic.place.file
      if let place = places[file] {
        groups[place].diagnostics.append(diagnostic)
      } else {
        places[file] = groups.count
        groups.append((file, [diagnostic]))
      }
    }
    return groups.map { ($0.file, $0.diagnostics.sorted { $0.place.order < $1.place.order }) }
  }
}

extension Diagnostic.Location {
  /// The name of the file or folder; `sluice` if there is none.
  fileprivate var file: String {
    switch self {
    case .file(let file, _): file
    case .path, .command: description
    }
  }

  fileprivate var order: (line: Int, column: Int) {
    switch self {
    case .file(_, let position): (position.line, position.column)
    case .path, .command: (0, 0)
    }
  }
}

extension RunError {
  package init(_ errors: ScenarioErrors) { self.init(errors.diagnostics) }

  /// Creates one error with the diagnostics of all `errors`, at least one. The origin is ``Origin/own`` if one of
  /// `errors` has this origin.
  fileprivate init(_ errors: [RunError]) {
    let isOwn = errors.contains { $0.origin == .own }
    self.init(errors.flatMap(\.diagnostics), origin: isOwn ? .own : .input)
  }

  /// Applies `body` to each element. Throws one error with the diagnostics of all failures.
  package static func collecting<Element, Value>(
    _ elements: [Element], _ body: (Element) throws(RunError) -> Value
  ) throws(RunError) -> [Value] {
    var errors = RunErrorCollector()
    let values = elements.compactMap { element in
      errors.read { () throws(RunError) in try body(element) }
    }
    try errors.finish()
    return values
  }

  /// Creates the error for a device that cannot start for the scenario in `file`.
  package init(_ error: HostError, file: String) { self.init(error, at: .file(file)) }

  package init(_ error: HostError, device folder: String) { self.init(error, at: .path(folder)) }

  private init(_ error: HostError, at place: Diagnostic.Location) {
    switch error.code {
    case .program, .loop, .storage, .killed, .confinement, .limit:
      self.init(.command, "\(error)", rule: "device", origin: .own)
    case .folder, .noDevice, .inUse, .database, .journal, .duplicateName, .entitlements,
      .enrollment:
      self.init(place, "\(error)", rule: "device")
    }
  }

  package init(stopped error: HostError) {
    self.init(.command, "the device has stopped: \(error)", rule: "device", origin: .own)
  }
}

extension RunError {
  /// Creates the error for a file that cannot be written, with the system's error number `code`.
  package init(unwritable path: String, _ code: Int32) {
    self.init(
      .path(path), "cannot be written: \(String(cString: strerror(code)).lowercased())",
      rule: "file")
  }
}

/// Collects the errors of inputs that are read independently of each other.
struct RunErrorCollector {
  private var errors: [RunError] = []

  /// The collected errors, at least one, as a single error.
  var combined: RunError { RunError(errors) }

  /// Returns the result of `input`. If `input` throws an error, collects the error and returns nil.
  mutating func read<Value>(_ input: () throws(RunError) -> Value) -> Value? {
    do throws(RunError) {
      return try input()
    } catch {
      errors.append(error)
      return nil
    }
  }

  /// Throws the collected errors, if there are any.
  func finish() throws(RunError) {
    if !errors.isEmpty { throw combined }
  }
}
