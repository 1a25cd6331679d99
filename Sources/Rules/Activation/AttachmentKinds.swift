internal import UniformTypes

/// A kind of attachment for which a dictionary rule has a key.
enum AttachmentKind: String, Sendable, CaseIterable {
  case image = "Image"
  case movie = "Movie"
  case webURL = "WebURL"
  case webPage = "WebPage"
  case text = "Text"
  /// A file. If a rule supports another kind that matches an attachment, the attachment does not count as a file.
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

  /// The types by which an attachment belongs to a kind.
  ///
  /// An attachment belongs to the kind if one of its types matches `sufficient`, or if one matches `accepted` and none
  /// matches `refused`. A type matches a list if it conforms to a listed type or, with strict matching, equals a listed
  /// type.
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

  /// A type, and the kinds that list it as `sufficient`, `accepted` or `refused`.
  private struct Test: Sendable {
    var node: TypeNode
    var sufficient: AttachmentKinds
    var accepted: AttachmentKinds
    var refused: AttachmentKinds
  }

  init(rawValue: UInt16) { self.rawValue = rawValue }

  init(_ kind: AttachmentKind) { rawValue = kind.bit }

  /// Determines the kinds of an attachment. `attachment` is the range of its types in `items`.
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

  /// The condition under which an attachment's type matches a listed type: conformance (fuzzy) or equality (strict).
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
