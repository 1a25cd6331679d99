internal import JSON
internal import Scenario

/// The reason why a request cannot be answered, in the form of JSON-RPC 2.0 (section 5.1).
package struct ControlError: Error, Sendable, Equatable {
  package var code: Code
  /// One sentence, in lower case and without full stop.
  package var message: String
  /// The position of the mistake in the request's text; nil where there is none to state.
  var position: Position?
  /// The kind of mistake, such as `unknown-key`; nil for mistakes of the protocol.
  var rule: String?

  /// The code of an error in JSON-RPC 2.0, or one of the device's own.
  package enum Code: Int, Sendable {
    case parse = -32700
    case invalidRequest = -32600
    case unknownMethod = -32601
    case invalidParameters = -32602
    case `internal` = -32603
    /// Too many clients are connected.
    case busy = -32000
    /// The device goes down before it comes to the request.
    case ending = -32001
    /// The state of the device does not allow the request.
    case unable = -32002
  }

  /// The error of requests whose client reads no answers any more.
  static let abandoned = ControlError(.ending, "the client has gone")

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// Creates the error of a wrong parameter by name.
  init(_ message: String, at member: JSONValue.Member) {
    self.init(.invalidParameters, message)
    position = member.position
  }

  init(_ error: JSONSyntaxError) {
    self.init(.parse, error.message)
    position = error.position
  }

  init(_ error: ScenarioError) {
    self.init(.invalidParameters, error.message)
    position = error.position
    rule = error.code.rawValue
  }

  func write(to writer: inout JSONWriter) {
    writer.object("error") { writer in
      writer.member("code", code.rawValue)
      writer.member("message", message)
      if position != nil || rule != nil {
        writer.object("data") { writer in
          writer.member("line", position?.line)
          writer.member("column", position?.column)
          writer.member("rule", rule)
        }
      }
    }
  }
}
