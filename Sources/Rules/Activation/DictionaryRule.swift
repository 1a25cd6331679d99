/// An activation rule in the form of a dictionary.
///
/// In version 1 every attachment must be of a kind that the rule supports, in version 2 some attachment
/// of some item. A maximum is compared with how many attachments of its kind an item has, for every
/// item; a maximum of 0 supports nothing. A rule that names no kind but limits the number of attachments
/// supports all. Nothing shared, or an item without attachments in version 1, matches no rule.
package struct DictionaryRule: Sendable, Equatable {
  /// The entries as found in the dictionary.
  package let entries: [Entry]
  /// The oddities of the entries.
  package let warnings: [Warning]
  let limits: Limits
  /// Whether a predicate can say the same: the rule offers the extension for something, and all of its keys are known.
  let isExpressible: Bool

  /// A key of the dictionary and its value.
  package struct Entry: Sendable, Equatable {
    package var key: String
    package var value: Value

    /// Creates an entry.
    package init(key: String, value: Value) {
      self.key = key
      self.value = value
    }
  }

  /// A value that a key can have in a property list.
  package enum Value: Sendable, Equatable {
    case integer(Int)
    case boolean(Bool)
    case string(String)
    /// Anything else, with the noun for it in messages: `a dictionary`, `an array`, `data`.
    case other(String)
  }

  /// An oddity of an entry, or of the rule as a whole.
  package struct Warning: Sendable, Equatable {
    /// The key of the entry; nil where the rule as a whole is meant.
    package var key: String?
    /// The message, in lower case, without full stop.
    package var message: String
    /// Whether the entry has no effect, as many entries of templates have none.
    package var isHarmless = false
  }

  /// The meaning of all entries together.
  struct Limits: Sendable, Equatable {
    /// The maximum for each supported kind, as a number of attachments an item.
    var maxima: [AttachmentKind: Int] = [:]
    /// Whether the rule names a kind, be it as not supported.
    var namesKind = false
    var mostAttachments: Int?
    var leastAttachments: Int?
    var isStrict = false
    var version = 1

    /// The supported kinds.
    private(set) var supported: AttachmentKinds = []
    /// The supported kinds with a maximum, each with that maximum; text has none.
    private(set) var counted: [Count] = []

    struct Count: Sendable, Equatable {
      var kind: AttachmentKinds
      var maximum: Int
    }

    var matching: AttachmentKinds.Matching { isStrict ? .strict : .fuzzy }

    /// Derives ``supported`` and ``counted`` from ``maxima``.
    mutating func settle() {
      for kind in AttachmentKind.allCases {
        guard let maximum = maxima[kind] else { continue }
        supported.insert(AttachmentKinds(kind))
        if maximum < Int.max {
          counted.append(Count(kind: AttachmentKinds(kind), maximum: maximum))
        }
      }
    }

    /// Whether the rule names no kind and limits the number of attachments.
    var supportsAnything: Bool {
      !namesKind && (mostAttachments != nil || leastAttachments != nil)
    }
  }

  /// Creates the rule that the entries of a dictionary state.
  ///
  /// - Parameter entries: The dictionary's entries; of several with the same key the last counts.
  package init(values entries: [Entry]) {
    self.entries = entries
    var reader = DictionaryRuleReader()
    for entry in entries { reader.read(entry) }
    reader.finish()
    limits = reader.limits
    isExpressible = !reader.hasUnknownKey && (limits.supportsAnything || !limits.maxima.isEmpty)
    warnings = reader.warnings
  }

  /// The keys that have an effect within the dictionary. None has one beside it, in `NSExtensionAttributes`.
  package static let keys =
    AttachmentKind.allCases.map(\.key) + [mostKey, leastKey, strictKey, versionKey]

  static let mostKey = "NSExtensionActivationSupportsAttachmentsWithMaxCount"
  static let leastKey = "NSExtensionActivationSupportsAttachmentsWithMinCount"
  static let strictKey = "NSExtensionActivationUsesStrictMatching"
  static let versionKey = "NSExtensionActivationDictionaryVersion"
}
