internal import Glibc
package import Host
package import Output

/// Input that cannot be run: a file that is not there, or a policy or bundle that is wrong. The description has the
/// form `file:line:col: error: sentence [rule]`.
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

  /// Creates an error of at least one diagnostic.
  package init(_ diagnostics: [Diagnostic], fault: Fault = .input) {
    self.diagnostics = diagnostics
    self.fault = fault
  }

  /// Creates an error of one diagnostic.
  package init(_ diagnostic: Diagnostic, fault: Fault = .input) {
    self.init([diagnostic], fault: fault)
  }

  /// Creates an error of a sentence about a place.
  package init(
    _ place: Diagnostic.Place, _ message: String, rule: String, fault: Fault = .input
  ) {
    self.init(Diagnostic(place, message, rule: rule), fault: fault)
  }

  /// The diagnostics, one a line.
  package var description: String { diagnostics.map(\.description).joined(separator: "\n") }

  /// The sentences, without places and rules.
  package var reason: String { diagnostics.map(\.message).joined(separator: "; ") }
}

extension RunError {
  /// What `body` makes of each element.
  ///
  /// - Throws: what is wrong with any of them, in one error.
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

  /// The reason why no device came up for the scenario in `file`.
  init(_ error: HostError, file: String) {
    switch error.code {
    case .program, .loop, .storage, .killed, .confinement, .limit:
      self.init(.command, "\(error)", rule: "device", fault: .own)
    case .folder, .noDevice, .inUse, .database, .journal, .duplicateName, .entitlements,
      .enrollment:
      self.init(.file(file), "\(error)", rule: "device")
    }
  }

  /// The reason why a device has stopped by itself.
  init(stopped error: HostError) {
    self.init(.command, "the device has stopped: \(error)", rule: "device", fault: .own)
  }

  /// The reason why nothing can be done with the device in a folder.
  package init(_ error: HostError, device folder: String) {
    self.init(error, file: folder)
  }
}

extension RunError {
  /// The error of a file that the system does not let be written, with the system's number of the reason.
  package init(unwritable path: String, _ code: Int32) {
    self.init(
      .path(path), "cannot be written: \(String(cString: strerror(code)).lowercased())",
      rule: "file")
  }
}
