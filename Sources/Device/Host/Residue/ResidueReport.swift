package import Encodings

/// The result of a search for traces of an account.
package struct ResidueReport: Sendable {
  /// The findings, sorted; empty if no trace is left.
  package let findings: [ResidueFinding]
  /// Remarks on the limits of the search, such as data that it did not cover.
  package let notes: [String]
  /// The account's name as given to the search.
  package let account: String
  package let extent: Extent

  /// The amount of data that was searched.
  package struct Extent: Sendable, Equatable {
    package var files = 0
    package var bytes = 0
    package var rows = 0
  }

  package var isClean: Bool { findings.isEmpty }

  /// The report as text: a line for each finding and note, then a summary.
  package var text: String {
    var lines = findings.map { finding in
      let place = finding.offset.map { "\(finding.place), byte \($0)" } ?? finding.place
      return "\(place): \(finding.words)"
    }
    lines += notes.map { "note: \($0)" }
    let extent = "\(extent.files) files, \(extent.bytes) bytes and \(extent.rows) rows searched"
    switch findings.count {
    case 0: lines.append("clean: no data of `\(account)` is left; \(extent)")
    case 1: lines.append("1 finding about `\(account)`; \(extent)")
    case let count: lines.append("\(count) findings about `\(account)`; \(extent)")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  package func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("account", account)
      writer.member("isClean", isClean)
      writer.object("searched") { writer in
        writer.member("files", extent.files)
        writer.member("bytes", extent.bytes)
        writer.member("rows", extent.rows)
      }
      writer.objects("findings", of: findings) { writer, finding in
        writer.member("store", finding.store.rawValue)
        writer.member("place", finding.place)
        writer.member("offset", finding.offset)
        writer.member("kind", finding.kind)
        switch finding.matter {
        case .text(let text):
          writer.member("canary", text.canary)
          writer.member("shown", text.shown)
          writer.member("encoding", text.encoding)
          writer.member("count", text.count)
        case .sealed(let key): writer.member("key", key.rawValue)
        case .row, .unreadable: break
        }
        writer.member("words", finding.words)
      }
      writer.strings("notes", notes)
    }
  }
}

// MARK: - Findings

/// A trace of an account on a device.
package struct ResidueFinding: Sendable, Hashable {
  /// The part of the device in which a trace was found.
  package enum Store: String, Sendable, CaseIterable {
    case container
    case group
    /// Data that apps passed to the system, for example by printing or saving.
    case system
    case database
    case journal
    /// Anything else in the device's folder.
    case other
  }

  package enum Matter: Sendable, Hashable {
    /// A name of the account, or a canary.
    case text(Text)
    /// A database row that belongs to the account. The associated value states what the row shows, such as a sign-in.
    case row(String)
    /// A file that is encrypted for the account.
    case sealed(Key)
    /// Data that cannot be read, with the reason.
    case unreadable(String)
  }

  package struct Text: Sendable, Hashable {
    /// The number of the content canary that was found, from 1; nil if a name of the account was found.
    package var canary: Int?
    /// The name, or the first eight characters of the canary.
    package var shown: String
    /// The encoding in which the text was found, such as `base64`.
    package var encoding: String
    /// The number of occurrences in this file, name or column.
    package var count: Int

    fileprivate func words(isInName: Bool) -> String {
      let what = canary.map { "canary \($0), `\(shown)`" } ?? "`\(shown)`"
      let often = count == 1 ? "" : ", \(count) times"
      return "\(what) as \(encoding)\(isInName ? " in the name" : "")\(often)"
    }
  }

  /// Whether the key that decrypts an encrypted file still exists.
  package enum Key: String, Sendable {
    case exists
    case gone
    /// It is unknown whether the key exists, because the database cannot be read or has no account table.
    case unknown
  }

  package var store: Store
  /// The place of the trace: a path relative to the device's folder. For a database row, a colon and the table's name
  /// follow, and for a text in a row, also the column's name. Bytes that are not text are shown as `\xNN`.
  package var place: String
  /// The offset of a text's first occurrence in the file's content, in bytes; nil for all other findings.
  package var offset: Int?
  package var matter: Matter
}

extension ResidueFinding: Comparable {
  package static func < (left: Self, right: Self) -> Bool { left.key < right.key }

  private var key: (Int, String, Int, String) {
    (Store.allCases.firstIndex(of: store) ?? 0, place, offset ?? -1, words)
  }

  /// The finding as a clause in lower case, without a full stop.
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

  /// The name of the finding's kind in machine-readable reports.
  var kind: String {
    switch matter {
    case .text: "text"
    case .row: "row"
    case .sealed: "sealed"
    case .unreadable: "unreadable"
    }
  }
}
