public import Diagnostics
public import Host

/// Input that cannot be run: a file that is not there, a policy or bundle that is wrong. What it says has
/// the form `file:line:col: error: sentence [rule]`.
public struct RunError: Error, Sendable, CustomStringConvertible {
  public let fault: Fault
  private let content: Content

  /// Who has to put it right.
  public enum Fault: Sendable {
    /// The user: what was given is wrong.
    case input
    /// Whoever made or installed Sluice.
    case own
  }

  private enum Content: Sendable {
    case diagnostic(Diagnostic)
    /// One line or several, as they are printed.
    case lines(String)
  }

  public init(_ diagnostic: Diagnostic, fault: Fault = .input) {
    content = .diagnostic(diagnostic)
    self.fault = fault
  }

  public init(
    _ place: Diagnostic.Place, _ message: String, rule: String, fault: Fault = .input
  ) {
    self.init(Diagnostic(place, message, rule: rule), fault: fault)
  }

  /// - Parameter lines: as they are to be printed.
  public init(_ lines: String, fault: Fault = .input) {
    content = .lines(lines)
    self.fault = fault
  }

  public var description: String {
    switch content {
    case .diagnostic(let diagnostic): diagnostic.description
    case .lines(let lines): lines
    }
  }

  /// The sentence, without place and rule; the lines where nobody has told them apart.
  public var reason: String {
    switch content {
    case .diagnostic(let diagnostic): diagnostic.message
    case .lines(let lines): lines
    }
  }
}

extension RunError {
  /// Why no device came up for the scenario in `file`.
  init(_ error: HostError, file: String) {
    switch error.code {
    case .program, .loop, .storage: self.init(.command, "\(error)", rule: "device", fault: .own)
    case .folder, .noDevice, .inUse, .database, .journal, .duplicateName, .entitlements,
      .enrollment:
      self.init(.file(file), "\(error)", rule: "device")
    }
  }

  /// Why a device has stopped by itself.
  init(stopped error: HostError) {
    self.init(.command, "the device has stopped: \(error)", rule: "device", fault: .own)
  }

  /// Why nothing can be done with the device in a folder.
  public init(_ error: HostError, device folder: String) {
    self.init(error, file: folder)
  }
}
