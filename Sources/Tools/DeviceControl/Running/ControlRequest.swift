internal import Encodings
internal import Output
internal import Scenario

/// A request in JSON-RPC 2.0 (section 4).
struct ControlRequest {
  /// The id as JSON text; nil for a notification, which gets no answer.
  let id: [UInt8]?
  let method: String
  /// The parameters as an object or an array; nil if there are none.
  let parameters: JSONValue?

  enum Message {
    case one(Result<ControlRequest, Refusal>)
    case batch([Result<ControlRequest, Refusal>])
  }

  /// The error about an invalid request, with the request's id if it has one.
  struct Refusal: Error {
    var error: ControlError
    var id: [UInt8]?

    init(_ error: ControlError, id: [UInt8]? = nil) {
      self.error = error
      self.id = id
    }
  }

  /// The maximum number of requests in one message.
  private static let longestBatch = 256

  static func read(_ line: [UInt8]) -> Message {
    let value: JSONValue
    do throws(JSONSyntaxError) {
      value = try JSONReader.read(utf8: line)
    } catch {
      return .one(.failure(Refusal(ControlError(error))))
    }
    guard let elements = value.array else { return .one(read(value)) }
    guard (1...longestBatch).contains(elements.count) else {
      let error = ControlError(
        .invalidRequest, "a batch must have 1 to \(longestBatch) requests, found \(elements.count)")
      return .one(.failure(Refusal(error)))
    }
    return .batch(elements.map(read))
  }

  private static func read(_ value: JSONValue) -> Result<ControlRequest, Refusal> {
    Result { () throws(Refusal) in try ControlRequest(value) }
  }

  private init(_ value: JSONValue) throws(Refusal) {
    guard value.members != nil else {
      throw Refusal(
        ControlError(.invalidRequest, "a request must be an object, found \(value.kindName)"))
    }
    let id = try Self.id(value["id"])
    guard value["jsonrpc"]?.string == "2.0" else {
      throw Refusal(ControlError(.invalidRequest, "`jsonrpc` must be `2.0`"), id: id)
    }
    guard let method = value["method"]?.string else {
      throw Refusal(ControlError(.invalidRequest, "`method` must be a string"), id: id)
    }
    let parameters = value["params"]
    guard parameters.map({ $0.members != nil || $0.array != nil }) ?? true else {
      throw Refusal(
        ControlError(.invalidRequest, "`params` must be an object or an array"), id: id)
    }
    self.id = id
    self.method = method
    self.parameters = parameters
  }

  private static func id(_ value: JSONValue?) throws(Refusal) -> [UInt8]? {
    guard let value else { return nil }
    var writer = JSONWriter()
    switch value.kind {
    case .string(let text): writer.string(text)
    case .number(let spelling): writer.raw(spelling.utf8)
    case .null: writer.null()
    case .bool, .array, .object:
      throw Refusal(
        ControlError(
          .invalidRequest, "`id` must be a string, a number or null, found \(value.kindName)"))
    }
    return writer.bytes
  }
}

// MARK: - Answers

/// Formats the texts of answers, without the line end.
enum ControlAnswer {
  static func result(_ id: [UInt8], _ body: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("jsonrpc", "2.0")
      writer.object("result", body)
      writer.member("id", json: id)
    }
    return writer.bytes
  }

  /// Returns an answer that reports an error.
  ///
  /// - Parameter id: The id of the request; nil if unknown.
  static func error(_ error: ControlError, id: [UInt8]? = nil) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("jsonrpc", "2.0")
      error.write(to: &writer)
      writer.member("id", json: id ?? Array("null".utf8))
    }
    return writer.bytes
  }
}

// MARK: - Parameters

extension ControlRequest {
  var isUnknown: ControlError {
    let known = ControlMethod.allCases.map(\.rawValue) + StepReader.words
    let hint = known.first { $0.lowercased() == method.lowercased() }
    return ControlError(
      .unknownMethod,
      "no method is called `\(method)`" + Suggestion.text(hint))
  }

  func checkNoParameters() throws(ControlError) {
    guard parameters?.members?.isEmpty ?? parameters?.array?.isEmpty ?? true else {
      throw ControlError(.invalidParameters, "`\(method)` takes no parameters")
    }
  }

  func members() throws(ControlError) -> [JSONValue.Member] {
    guard let parameters else { return [] }
    guard let members = parameters.members else {
      throw ControlError(
        .invalidParameters,
        "`params` of `\(method)` must be an object, because its parameters have names")
    }
    return members
  }

  /// Returns the method's single parameter: an object with all named parameters, or the only positional parameter. If
  /// there are no parameters, returns an empty object.
  func onlyParameter() throws(ControlError) -> JSONValue {
    guard let parameters else {
      return JSONValue(.object([]), at: Position(line: 1, column: 1))
    }
    guard let elements = parameters.array else { return parameters }
    guard elements.count == 1, let only = elements.first else {
      throw ControlError(
        .invalidParameters, "`\(method)` takes one parameter by position, found \(elements.count)")
    }
    return only
  }
}

// MARK: - Errors

/// The reason why a request cannot be answered, with the fields of JSON-RPC 2.0 (section 5.1).
package struct ControlError: Error, Sendable, Equatable {
  package var code: Code
  /// The error as one sentence, in lower case without a full stop.
  package var message: String
  /// The position of the error in the request's text; nil if there is none.
  var position: Position?
  /// The kind of error, such as `unknown-key`; nil for protocol errors.
  var rule: String?
  /// Further errors in the requested step, in order of position.
  private var others: [ScenarioError] = []

  /// The error codes of JSON-RPC 2.0, and the device's own codes.
  package enum Code: Int, Sendable {
    case parse = -32700
    case invalidRequest = -32600
    case unknownMethod = -32601
    case invalidParameters = -32602
    case `internal` = -32603
    /// Too many clients are connected.
    case busy = -32000
    /// The device shuts down before it can handle the request.
    case ending = -32001
    /// The state of the device does not allow the request.
    case unable = -32002
  }

  static let abandoned = ControlError(.ending, "the client has disconnected")

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  init(_ message: String, at member: JSONValue.Member) {
    self.init(.invalidParameters, message)
    position = member.position
  }

  init(_ error: JSONSyntaxError) {
    self.init(.parse, error.message)
    position = error.position
  }

  /// Creates the error about an invalid step. The first error provides the message.
  init(_ errors: ScenarioErrors) {
    let first = errors.errors[0]
    self.init(.invalidParameters, first.message)
    position = first.position
    rule = first.code.rawValue
    others = Array(errors.errors.dropFirst())
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
          if !others.isEmpty {
            writer.objects("others", of: others) { writer, other in
              writer.member("message", other.message)
              writer.member("line", other.position.line)
              writer.member("column", other.position.column)
              writer.member("rule", other.code.rawValue)
            }
          }
        }
      }
    }
  }
}

// MARK: - Jobs

/// A client of a running device, such as a connection to its control socket.
protocol ControlRequester: AnyObject {
  /// Whether the client can no longer read an answer.
  var isGone: Bool { get }
  var isClosed: Bool { get }
  /// The client's position in the journal; nil if the client does not follow the journal.
  var follower: JournalFollower? { get set }
  func didAnswer()
}

/// A client's request, until it is answered.
final class ControlJob {
  let request: ControlRequest
  private weak var client: (any ControlRequester)?
  private var done: (([UInt8]?) -> Void)?

  init(
    _ request: ControlRequest, of client: any ControlRequester, _ done: @escaping ([UInt8]?) -> Void
  ) {
    self.request = request
    self.client = client
    self.done = done
  }

  /// The client that made the request; nil if its connection has closed.
  var requester: (any ControlRequester)? { client.flatMap { $0.isClosed ? nil : $0 } }

  /// Whether the request need not be performed, because its client has disconnected and cannot read the answer. False
  /// for a notification: it gets no answer, so it is always performed.
  var isAbandoned: Bool { request.id != nil && client?.isGone ?? true }

  /// Answers the request. Does nothing if it has already been answered.
  func answer(_ text: ([UInt8]) -> [UInt8]) {
    guard let done else { return }
    self.done = nil
    done(request.id.map(text))
    client?.didAnswer()
  }

  func refuse(_ error: ControlError) {
    answer { ControlAnswer.error(error, id: $0) }
  }
}

/// Collects the answers to the requests in one batch, and sends them together.
final class ControlBatch {
  private var answers: [[UInt8]?]
  private var remaining: Int
  private let done: ([UInt8]?) -> Void

  init(count: Int, _ done: @escaping ([UInt8]?) -> Void) {
    answers = Array(repeating: nil, count: count)
    remaining = count
    self.done = done
  }

  func complete(_ index: Int, _ answer: [UInt8]?) {
    answers[index] = answer
    remaining -= 1
    guard remaining == 0 else { return }
    let known = answers.compactMap(\.self)
    // A batch of notifications gets no answer, not even an empty list (JSON-RPC 2.0, section 6).
    done(
      known.isEmpty ? nil : Array("[".utf8) + known.joined(separator: ",".utf8) + Array("]".utf8))
  }
}
