internal import Glibc
package import Host
package import Output

/// An error in the input, such as a missing file or an invalid policy or bundle, or in the installation. The
/// description has the form `file:line:col: error: sentence [rule]`.
package struct RunError: Error, Sendable, CustomStringConvertible {
  package let fault: Fault
  private let diagnostics: [Diagnostic]

  /// The party that has to correct the fault.
  package enum Fault: Sendable {
    /// The user: the input is wrong.
    case input
    /// Sluice itself, or its installation.
    case own
  }

  /// Creates an error from at least one diagnostic.
  package init(_ diagnostics: [Diagnostic], fault: Fault = .input) {
    self.diagnostics = diagnostics
    self.fault = fault
  }

  package init(_ diagnostic: Diagnostic, fault: Fault = .input) {
    self.init([diagnostic], fault: fault)
  }

  /// Creates an error from a message about a place.
  package init(
    _ place: Diagnostic.Place, _ message: String, rule: String, fault: Fault = .input
  ) {
    self.init(Diagnostic(place, message, rule: rule), fault: fault)
  }

  /// The diagnostics, one per line.
  package var description: String { diagnostics.map(\.description).joined(separator: "\n") }

  /// The messages, without places and rules.
  package var reason: String { diagnostics.map(\.message).joined(separator: "; ") }
}

extension RunError {
  /// Applies `body` to each element.
  ///
  /// - Throws: One error with the diagnostics of all failures.
  package static func collecting<Element, Value>(
    _ elements: [Element], _ body: (Element) throws(RunError) -> Value
  ) throws(RunError) -> [Value] {
    var values: [Value] = []
    var errors: [RunError] = []
    for element in elements {
      do throws(RunError) { values.append(try body(element)) } catch { errors.append(error) }
    }
    guard errors.isEmpty else {
      let isOwn = errors.contains { $0.fault == .own }
      throw RunError(errors.flatMap(\.diagnostics), fault: isOwn ? .own : .input)
    }
    return values
  }

  /// Creates the error for a device that cannot start for the scenario in `file`.
  init(_ error: HostError, file: String) {
    switch error.code {
    case .program, .loop, .storage, .killed, .confinement, .limit:
      self.init(.command, "\(error)", rule: "device", fault: .own)
    case .folder, .noDevice, .inUse, .database, .journal, .duplicateName, .entitlements,
      .enrollment:
      self.init(.file(file), "\(error)", rule: "device")
    }
  }

  /// Creates the error for a device that has stopped by itself.
  init(stopped error: HostError) {
    self.init(.command, "the device has stopped: \(error)", rule: "device", fault: .own)
  }

  /// Creates the error for an unusable device in a folder.
  package init(_ error: HostError, device folder: String) {
    self.init(error, file: folder)
  }
}

extension RunError {
  /// Creates the error for a file that cannot be written.
  ///
  /// - Parameter code: The system's error number.
  package init(unwritable path: String, _ code: Int32) {
    self.init(
      .path(path), "cannot be written: \(String(cString: strerror(code)).lowercased())",
      rule: "file")
  }
}
