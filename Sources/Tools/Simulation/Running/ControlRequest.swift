internal import JSON

/// A request of JSON-RPC 2.0 (section 4).
struct ControlRequest {
  /// The id as JSON text; nil for a notification, which is not answered.
  let id: [UInt8]?
  let method: String
  /// The parameters, an object or an array; nil: none.
  let parameters: JSONValue?

  /// The contents of one message.
  enum Message {
    case one(Result<ControlRequest, Refusal>)
    case batch([Result<ControlRequest, Refusal>])
  }

  /// The refusal of an invalid request, and the request's id where it has one.
  struct Refusal: Error {
    var error: ControlError
    var id: [UInt8]?

    init(_ error: ControlError, id: [UInt8]? = nil) {
      self.error = error
      self.id = id
    }
  }

  /// The number of requests in one message at most.
  static let longestBatch = 256

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
        .invalidRequest, "a batch holds 1 to \(longestBatch) requests, found \(elements.count)")
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

/// The texts of answers, without the end of the line.
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

  /// The answer with an error.
  ///
  /// - Parameter id: the id of the request; nil: not known.
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
