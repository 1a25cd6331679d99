internal import UniformTypes

/// A set of kinds of attachments.
struct AttachmentKinds: OptionSet, Sendable {
  let rawValue: UInt16

  /// The kinds that ask for one of the system's types, by the role that the type has in each.
  private struct Test: Sendable {
    var node: TypeNode
    var sufficient: AttachmentKinds
    var accepted: AttachmentKinds
    var refused: AttachmentKinds
  }

  init(rawValue: UInt16) { self.rawValue = rawValue }

  init(_ kind: AttachmentKind) { rawValue = 1 << UInt16(kind.place) }

  /// The kinds of the attachment that has these types.
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

  /// The way in which types are compared.
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

extension AttachmentKind {
  /// The kind's position among all kinds.
  fileprivate var place: Int {
    switch self {
    case .image: 0
    case .movie: 1
    case .webURL: 2
    case .webPage: 3
    case .text: 4
    case .file: 5
    }
  }
}
