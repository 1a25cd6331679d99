internal import Predicates

/// The kind of an expression's value.
enum ValueKind: Sendable, Equatable {
  case items
  case item
  case attachments
  case attachment
  /// Type identifiers, or strings in braces.
  case texts
  case text
  case numbers
  case number

  /// The kind of the elements of a collection of this kind; nil where the kind is no collection.
  var element: ValueKind? {
    switch self {
    case .items: .item
    case .attachments: .attachment
    case .texts: .text
    case .numbers: .number
    case .item, .attachment, .text, .number: nil
    }
  }

  /// The noun for the kind in messages.
  var noun: String {
    switch self {
    case .items: "a list of extension items"
    case .item: "an extension item"
    case .attachments: "a list of attachments"
    case .attachment: "an attachment"
    case .texts: "a list of strings"
    case .text: "a string"
    case .numbers: "a list of numbers"
    case .number: "a number"
    }
  }
}

extension ValueKind {
  /// The keys that may stand after `.` after a value of this kind.
  var keys: [String] {
    switch self {
    case .item: ["attachments"]
    case .attachment: ["registeredTypeIdentifiers"]
    case .items, .attachments, .texts, .numbers, .text, .number: []
    }
  }

  /// The keys of ``keys`` in words.
  var expectedKey: String {
    switch self {
    case .item: "`attachments`, the key of an extension item"
    case .attachment: "`registeredTypeIdentifiers`, the key of an attachment"
    case .items, .attachments:
      "`@count` after \(noun), whose elements `SUBQUERY` goes through"
    case .texts, .numbers: "`@count` after \(noun)"
    case .text, .number: "no key after \(noun)"
    }
  }
}

extension Expression {
  var valueKind: ValueKind {
    switch kind {
    case .number, .count: .number
    case .text: .text
    case .list(let elements): elements.first?.valueKind == .number ? .numbers : .texts
    case .items: .items
    case .variable(let variable): variable.kind
    case .attachments: .attachments
    case .types: .texts
    case .subquery(let subquery): subquery.collection.valueKind
    }
  }
}
