internal import Activation

/// One to four files as people share them.
enum FileSelection: Sendable {
  /// All of them in one item.
  case together(Int)
  /// Each in an item of its own.
  case apart(Int)

  static let all = [FileSelection.together(1)] + several.flatMap { $0 }

  /// Two to four files, first together, then apart.
  static let several: [[FileSelection]] = [
    [.together(2), .together(3), .together(4)], [.apart(2), .apart(3), .apart(4)],
  ]

  /// - Parameter types: The types of each file.
  func items(of types: [String]) -> [SharedItem] {
    let file = SharedAttachment(registeredTypeIdentifiers: types)
    switch self {
    case .together(let count):
      return [SharedItem(attachments: Array(repeating: file, count: count))]
    case .apart(let count):
      return Array(repeating: SharedItem(attachments: [file]), count: count)
    }
  }

  /// The noun for the selection in messages.
  var noun: String {
    switch self {
    case .together(1), .apart(1): "one file"
    case .together(let count): "\(Self.word(for: count)) files"
    case .apart(let count): "\(Self.word(for: count)) items of a file each"
    }
  }

  private static func word(for count: Int) -> String {
    switch count {
    case 2: "two"
    case 3: "three"
    case 4: "four"
    default:  // open: any other count
      "\(count)"
    }
  }
}
