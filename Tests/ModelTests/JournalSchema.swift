import Encodings
@testable import Model

/// The JSON Schema of events, generated from their declarations.
enum JournalSchema {
  /// Writes the alternatives for a line.
  static func writeAlternatives(to writer: inout JSONWriter) {
    writer.array { writer in
      for name in JournalEventName.allCases {
        writer.object { $0.member("$ref", "#/$defs/\(name.rawValue)") }
      }
    }
  }

  /// Writes the events, followed by the objects in them.
  static func writeDefinitions(to writer: inout JSONWriter) {
    writer.object { writer in
      var objects: [JournalObjectRow] = []
      for name in JournalEventName.allCases {
        let row = name.row
        gather(row.members, into: &objects)
        writer.member(named: name.rawValue) { writer in
          writer.object { writer in
            let text = [row.summary, row.note].compactMap(\.self).joined(separator: "; ")
            writer.member("description", sentence(text))
            write(row.members, ofEvent: name, to: &writer)
          }
        }
      }
      for object in objects {
        writer.member(named: object.name) { writer in
          writer.object { writer in
            writer.member("description", sentence(object.summary))
            writer.member("type", "object")
            writer.member("additionalProperties", false)
            write(object.members, to: &writer)
          }
        }
      }
    }
  }

  private static func gather(_ members: [JournalMember], into objects: inout [JournalObjectRow]) {
    for member in members {
      guard let object = member.shape.object, !objects.contains(where: { $0.name == object.name })
      else { continue }
      objects.append(object)
      gather(object.members, into: &objects)
    }
  }

  private static func write(
    _ members: [JournalMember], ofEvent name: JournalEventName? = nil, to writer: inout JSONWriter
  ) {
    writer.array("required") { writer in
      if name != nil { writer.string("event") }
      for member in members where !member.isOptional { writer.string(member.name) }
    }
    writer.object("properties") { writer in
      if let name { writer.object("event") { $0.member("const", name.rawValue) } }
      for member in members {
        writer.member(named: member.name) { writer in
          writer.object { writer in
            writer.member("description", description(of: member))
            write(member.shape, of: member, to: &writer)
          }
        }
      }
    }
  }

  /// Returns the member's meaning. For an operation, it also has the actions of operations that are
  /// not channels.
  private static func description(of member: JournalMember) -> String {
    let text = sentence(member.meaning.summary)
    guard member.name == "operation" else { return text }
    let actions = Operation.allCases.compactMap { operation in
      operation.row.summary.map { "`\(operation.rawValue)`: \($0)" }
    }
    return """
      \(text): a channel's name if data moves, except `paste` (channel `clipboard`) and \
      `completeExtension` (`extensionResult`). Of these two and the others: \
      \(actions.joined(separator: "; "))
      """
  }

  private static func write(
    _ shape: JournalMember.Shape, of member: JournalMember, to writer: inout JSONWriter
  ) {
    switch shape {
    case .text:
      if let words = member.meaning.words { return write(words, to: &writer) }
      writer.member("type", "string")
    case .word(let words): write(words, to: &writer)
    case .number:
      writer.member("type", "integer")
      writer.member("minimum", member.meaning.minimum)
      writer.member("maximum", member.meaning.maximum)
    case .flag:
      // An optional flag is present only if it is true.
      if member.isOptional { return writer.member("const", true) }
      writer.member("type", "boolean")
    case .list(let element):
      writer.member("type", "array")
      writer.member("minItems", member.meaning.minimum)
      writer.object("items") { write(element, of: member, to: &$0) }
    case .object(let object): writer.member("$ref", "#/$defs/\(object.name)")
    case .anyObject: writer.member("type", "object")
    }
  }

  private static func write(_ words: [String], to writer: inout JSONWriter) {
    writer.array("enum") { for word in words { $0.string(word) } }
  }

  private static func sentence(_ clause: String) -> String {
    clause.prefix(1).uppercased() + clause.dropFirst()
  }
}

extension JournalMember.Shape {
  /// The member's object type, or the object type of its list elements.
  fileprivate var object: JournalObjectRow? {
    switch self {
    case .object(let object): object
    case .list(let element): element.object
    case .text, .number, .flag, .word, .anyObject: nil
    }
  }
}
