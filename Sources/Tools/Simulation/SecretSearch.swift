internal import Foundation
internal import JSON

/// A search for what is not to leave the machine: private keys, and JSON that speaks of a password. It takes a file piece
/// by piece, so that one of many GiB needs no memory.
struct SecretSearch {
  /// Whether a secret was found so far.
  private(set) var hasFound: Bool
  /// The end of what was looked at, in which a mark may have begun.
  private var end: [UInt8] = []
  /// A JSON document so far; nil for other files.
  private var document: Data?

  /// The most bytes of a JSON document that is read; a larger one is taken for a secret.
  private static let limit = 16 << 20

  /// A search in a file that has these paths.
  init(in paths: [String]) {
    let names = paths.map { $0.lowercased() }
    let endings = [".p12", ".pfx", ".p8", ".key"]
    hasFound = names.contains { name in endings.contains(where: name.hasSuffix) }
    document = names.contains { $0.hasSuffix(".json") } ? Data() : nil
  }

  /// Takes the next piece of the file.
  mutating func look(at piece: Data) {
    guard !hasFound else { return }
    let bytes = Data(end) + piece
    hasFound = Self.marks.contains { bytes.range(of: $0) != nil }
    end = Array(bytes.suffix(Self.longest - 1))
    guard let length = document?.count else { return }
    guard length + piece.count <= Self.limit else { return hasFound = true }
    document?.append(piece)
  }

  /// Whether the file, all of which was taken, seems to hold a secret.
  mutating func finish() -> Bool {
    if let document, !hasFound { hasFound = Self.speaksOfPassword(document) }
    return hasFound
  }

  /// The end of a private key's first line, in UTF-8 and in either UTF-16.
  private static let marks: [Data] = {
    let mark = Array("PRIVATE KEY-----".utf8)
    return [Data(mark), Data(mark.map { [$0] }.joined(separator: [0]))]
  }()
  private static let longest = marks.map(\.count).max() ?? 0

  private static func speaksOfPassword(_ document: Data) -> Bool {
    let isWide = [[0xFF, 0xFE], [0xFE, 0xFF]].contains(Array(document.prefix(2)))
    let text =
      isWide
      ? String(data: document, encoding: .utf16) ?? "" : String(decoding: document, as: UTF8.self)
    guard let value = try? JSONReader.read(text) else { return isPassword(text) }
    return speaksOfPassword(value)
  }

  private static func speaksOfPassword(_ value: JSONValue) -> Bool {
    switch value.kind {
    case .string(let text): isPassword(text)
    case .array(let elements): elements.contains(where: speaksOfPassword)
    case .object(let members):
      members.contains { isPassword($0.name) || speaksOfPassword($0.value) }
    case .null, .bool, .number: false
    }
  }

  private static func isPassword(_ text: String) -> Bool {
    text.lowercased().contains("password")
  }
}
