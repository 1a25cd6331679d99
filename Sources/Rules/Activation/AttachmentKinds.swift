internal import UniformTypes

/// A kind of attachment that a dictionary rule counts.
enum AttachmentKind: String, Sendable, CaseIterable {
  case image = "Image"
  case movie = "Movie"
  case webURL = "WebURL"
  case webPage = "WebPage"
  case text = "Text"
  /// A file. An attachment counts as a file only if it is of no other kind in the rule.
  case file = "File"

  var key: String {
    self == .text
      ? "NSExtensionActivationSupportsText"
      : "NSExtensionActivationSupports\(rawValue)WithMaxCount"
  }

  var noun: String {
    switch self {
    case .image: "images"
    case .movie: "movies"
    case .webURL: "web URLs"
    case .webPage: "web pages"
    case .text: "text"
    case .file: "files"
    }
  }

  /// The types that determine whether an attachment is of the kind. The attachment must have a type that matches
  /// `sufficient`. Otherwise, it must have a type that matches `accepted` and no type that matches `refused`. A type
  /// matches if it conforms to a listed type; with strict matching, if it equals a listed type.
  struct Types: Sendable {
    var sufficient: [String] = []
    var accepted: [String] = []
    var refused: [String] = []
  }

  var types: Types {
    switch self {
    case .image: Types(accepted: ["public.image"])
    case .movie: Types(accepted: ["public.movie"])
    case .webURL: Types(accepted: ["public.url"], refused: ["public.file-url"])
    case .webPage:
      Types(accepted: [
        "com.apple.active-webpage", "com.apple.property-list", "com.apple.webarchive",
      ])
    case .text: Types(accepted: ["public.text"])
    case .file:
      Types(
        sufficient: ["public.file-url"], accepted: ["public.data", "public.directory"],
        refused: ["public.url"])
    }
  }

  fileprivate var bit: UInt16 {
    switch self {
    case .image: 1
    case .movie: 2
    case .webURL: 4
    case .webPage: 8
    case .text: 16
    case .file: 32
    }
  }
}

struct AttachmentKinds: OptionSet, Sendable {
  let rawValue: UInt16

  /// A type with the kinds that it determines, grouped by the type's role.
  private struct Test: Sendable {
    var node: TypeNode
    var sufficient: AttachmentKinds
    var accepted: AttachmentKinds
    var refused: AttachmentKinds
  }

  init(rawValue: UInt16) { self.rawValue = rawValue }

  init(_ kind: AttachmentKind) { rawValue = kind.bit }

  /// Computes the kinds of an attachment, given as its range of types in `items`.
  init(of attachment: Range<Int>, _ items: ResolvedItems, matching: Matching) {
    var sufficient: AttachmentKinds = []
    var accepted: AttachmentKinds = []
    var refused: AttachmentKinds = []
    for type in attachment {
      guard let node = items.types[type].node else { continue }
      for test in Self.tests
      where matching == .strict
        ? node == test.node : items.library.conforms(node, to: test.node)
      {
        sufficient.formUnion(test.sufficient)
        accepted.formUnion(test.accepted)
        refused.formUnion(test.refused)
      }
    }
    self = sufficient.union(accepted.subtracting(refused))
  }

  func contains(_ kind: AttachmentKind) -> Bool { contains(AttachmentKinds(kind)) }

  /// The comparison of types: by conformance (fuzzy) or by equality (strict).
  enum Matching: Sendable {
    case fuzzy
    case strict
  }

  private static let tests: [Test] = {
    var tests: [String: Test] = [:]
    func add(
      _ names: [String], _ kind: AttachmentKind, to set: WritableKeyPath<Test, AttachmentKinds>
    ) {
      for name in names {
        guard let node = TypeReference(name).systemNode else { continue }
        let empty = Test(node: node, sufficient: [], accepted: [], refused: [])
        tests[name, default: empty][keyPath: set].insert(AttachmentKinds(kind))
      }
    }
    for kind in AttachmentKind.allCases {
      add(kind.types.sufficient, kind, to: \.sufficient)
      add(kind.types.accepted, kind, to: \.accepted)
      add(kind.types.refused, kind, to: \.refused)
    }
    return Array(tests.values)
  }()
}
