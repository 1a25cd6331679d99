/// An activation rule in the form of a dictionary.
///
/// In version 1 every attachment must be of a kind that the rule supports, in version 2 some attachment
/// of some item. A maximum is compared with how many attachments of its kind an item has, for every
/// item; a maximum of 0 supports nothing. A rule that names no kind but limits the number of attachments
/// supports all. Nothing shared, or an item without attachments in version 1, matches no rule.
package struct DictionaryRule: Sendable, Equatable {
  /// As found.
  package let entries: [Entry]
  /// What is odd about the entries.
  package let warnings: [Warning]
  let limits: Limits
  /// Whether it says what a predicate can say: it offers the extension for something, and has no key that is none.
  let isExpressible: Bool

  /// A key of the dictionary and its value.
  package struct Entry: Sendable, Equatable {
    package var key: String
    package var value: Value

    package init(key: String, value: Value) {
      self.key = key
      self.value = value
    }
  }

  /// What a property list can have as the value of a key.
  package enum Value: Sendable, Equatable {
    case integer(Int)
    case boolean(Bool)
    case string(String)
    /// Anything else, with what a message calls it: `a dictionary`, `an array`, `data`.
    case other(String)
  }

  package struct Warning: Sendable, Equatable {
    /// nil where the rule as a whole is meant.
    package var key: String?
    /// Lower case, no full stop.
    package var message: String
    /// Whether the entry may as well go: templates have such.
    package var isHarmless = false
  }

  /// What the entries amount to.
  struct Limits: Sendable, Equatable {
    /// Of each kind that is supported how many an item may have.
    var maxima: [AttachmentKind: Int] = [:]
    /// A kind is named, be it as not supported.
    var namesKind = false
    var mostAttachments: Int?
    var leastAttachments: Int?
    var isStrict = false
    var version = 1

    /// What is supported, and how many of it are at most; of text any number.
    private(set) var supported: AttachmentKinds = []
    private(set) var counted: [Count] = []

    struct Count: Sendable, Equatable {
      var kind: AttachmentKinds
      var maximum: Int
    }

    var matching: AttachmentKinds.Matching { isStrict ? .strict : .fuzzy }

    /// Takes over what ``maxima`` has.
    mutating func settle() {
      for kind in AttachmentKind.allCases {
        guard let maximum = maxima[kind] else { continue }
        supported.insert(AttachmentKinds(kind))
        if maximum < Int.max {
          counted.append(Count(kind: AttachmentKinds(kind), maximum: maximum))
        }
      }
    }

    /// No kind is named, and the number of attachments is limited.
    var supportsAnything: Bool {
      !namesKind && (mostAttachments != nil || leastAttachments != nil)
    }
  }

  /// - Parameter entries: of several with one key the last counts.
  package init(values entries: [Entry]) {
    self.entries = entries
    var reader = DictionaryRuleReader()
    for entry in entries { reader.read(entry) }
    reader.finish()
    limits = reader.limits
    isExpressible = !reader.hasUnknownKey && (limits.supportsAnything || !limits.maxima.isEmpty)
    warnings = reader.warnings
  }

  /// The keys that have an effect within the dictionary. Beside it, in `NSExtensionAttributes`, none has.
  package static let keys =
    AttachmentKind.allCases.map(\.key) + [mostKey, leastKey, strictKey, versionKey]

  static let mostKey = "NSExtensionActivationSupportsAttachmentsWithMaxCount"
  static let leastKey = "NSExtensionActivationSupportsAttachmentsWithMinCount"
  static let strictKey = "NSExtensionActivationUsesStrictMatching"
  static let versionKey = "NSExtensionActivationDictionaryVersion"
}
