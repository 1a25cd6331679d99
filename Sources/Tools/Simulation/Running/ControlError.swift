internal import JSON
internal import Scenario

/// Why a request cannot be answered, as JSON-RPC 2.0 has it (section 5.1).
package struct ControlError: Error, Sendable, Equatable {
  package var code: Code
  /// One sentence, lower case, no full stop.
  package var message: String
  /// Where in the request's text the mistake is; nil where that says nothing.
  var position: Position?
  /// Which kind of mistake it is, such as `unknown-key`; nil for mistakes of the protocol.
  var rule: String?

  package enum Code: Int, Sendable {
    case parse = -32700
    case invalidRequest = -32600
    case unknownMethod = -32601
    case invalidParameters = -32602
    case `internal` = -32603
    /// Too many clients.
    case busy = -32000
    /// The device goes down before it comes to the request.
    case ending = -32001
    /// The device is not so that it could be done.
    case unable = -32002
  }

  /// What nobody reads any more.
  static let abandoned = ControlError(.ending, "the client has gone")

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// A wrong parameter by name.
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
