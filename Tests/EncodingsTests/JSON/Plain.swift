import Encodings

/// A JSON value without positions, for comparisons.
indirect enum Plain: Sendable, Equatable {
  case null
  case bool(Bool)
  case number(String)
  case string(String)
  case array([Plain])
  case object([Member])

  struct Member: Sendable, Equatable {
    var name: String
    var value: Plain
  }

  init(_ value: JSONValue) {
    switch value.kind {
    case .null: self = .null
    case .bool(let flag): self = .bool(flag)
    case .number(let spelling): self = .number(spelling)
    case .string(let text): self = .string(text)
    case .array(let elements): self = .array(elements.map { Plain($0) })
    case .object(let members):
      self = .object(members.map { Member(name: $0.name, value: Plain($0.value)) })
    }
  }

  /// Writes the value with `writer`.
  func write(to writer: inout JSONWriter) {
    switch self {
    case .null: writer.null()
    case .bool(let flag): writer.bool(flag)
    case .number(let spelling): writer.raw(spelling.utf8)
    case .string(let text): writer.string(text)
    case .array(let elements):
      writer.array { writer in for element in elements { element.write(to: &writer) } }
    case .object(let members):
      writer.object { writer in
        for member in members {
          writer.member(named: member.name) { member.value.write(to: &$0) }
        }
      }
    }
  }

  static func members(_ members: KeyValuePairs<String, Plain>) -> Plain {
    .object(members.map { Member(name: $0.key, value: $0.value) })
  }
}
