/// Something of an account that is still on a device.
package struct ResidueFinding: Sendable, Hashable {
  /// The part of the device that it is in.
  package enum Store: String, Sendable, CaseIterable {
    case container
    case group
    /// What apps printed and saved.
    case system
    case database
    case journal
    /// Files that no device makes.
    case other
  }

  package enum Matter: Sendable, Hashable {
    /// A text that must not be there.
    case text(Text)
    /// A row of the database that belongs to the account, in a few words.
    case row(String)
    /// A file that is encrypted for the account.
    case sealed(Key)
    /// What is there cannot be told; why.
    case unreadable(String)
  }

  package struct Text: Sendable, Hashable {
    /// Number of the content canary, from 1; nil for a name of the account.
    package var canary: Int?
    /// The name, or what the canary begins with.
    package var shown: String
    /// How it is written, such as `base64`.
    package var encoding: String
    /// How often it is in this place.
    package var count: Int
  }

  /// Whether a sealed file could still be read.
  package enum Key: String, Sendable {
    case exists
    case gone
    /// The database does not say.
    case unknown
  }

  package var store: Store
  /// From the device's folder; a table and column after a colon. Bytes that are no text show as `\xNN`.
  package var place: String
  /// Byte in the file where it is first; nil where it is in the file's name or in a row.
  package var offset: Int?
  package var matter: Matter
}

extension ResidueFinding: Comparable {
  package static func < (left: Self, right: Self) -> Bool { left.key < right.key }

  private var key: (Int, String, Int, String) {
    (Store.allCases.firstIndex(of: store) ?? 0, place, offset ?? -1, words)
  }

  /// What is there, lower case, no full stop.
  package var words: String {
    switch matter {
    case .text(let text): text.words(isInName: offset == nil && store != .database)
    case .row(let words): words
    case .sealed(.exists): "encrypted for the account, whose key still exists"
    case .sealed(.gone): "encrypted for the account, whose key is gone"
    case .sealed(.unknown): "encrypted for the account; whether its key still exists is unknown"
    case .unreadable(let why): why
    }
  }

  /// One word for machines.
  var kind: String {
    switch matter {
    case .text: "text"
    case .row: "row"
    case .sealed: "sealed"
    case .unreadable: "unreadable"
    }
  }
}

extension ResidueFinding.Text {
  fileprivate func words(isInName: Bool) -> String {
    let what = canary.map { "canary \($0), `\(shown)`" } ?? "`\(shown)`"
    let often = count == 1 ? "" : ", \(count) times"
    return "\(what) as \(encoding)\(isInName ? " in the name" : "")\(often)"
  }
}
