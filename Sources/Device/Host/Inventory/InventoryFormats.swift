internal import Encodings
internal import JSON
internal import Model

// MARK: - Text

extension DeviceInventory {
  /// The inventory as text: a section for each kind of data, in columns. Control characters in guests' names
  /// are escaped.
  package var text: String {
    let sections: [(String, [String])] = [
      (name?.printable ?? "a device without a name", overview), ("Apps", apps.flatMap(\.lines)),
      ("Accounts", accountLines), ("Files", folders.flatMap(\.lines)),
      ("Keychain", keychain.flatMap(\.lines)), ("PINs", pinLines),
      (
        "Pending moves",
        pendingMoves.map { "\($0.from.printable) -> \($0.to.printable)" }
      ),
    ]
    return sections.map { title, lines in
      ([title] + (lines.isEmpty ? ["none"] : lines).map { "  " + $0 }).joined(separator: "\n")
    }.joined(separator: "\n\n") + "\n"
  }

  private var overview: [String] {
    let files = folders.flatMap(\.files)
    return Columns.lines([
      ["state", state.words], ["clock", clock.map(Timestamp.text) ?? "has not moved"],
      ["journal", "\(Columns.count(journal.eventCount, "event")), \(Columns.bytes(journal.size))"],
      ["database", Columns.bytes(databaseSize)],
      [
        "files",
        "\(Columns.count(files.count, "file")), \(Columns.bytes(files.reduce(0) { $0 + $1.size }))",
      ],
    ])
  }

  private var accountLines: [String] {
    Columns.lines(
      accounts.map { known in
        [
          known.account.upn.printable, known.account.objectID?.printable ?? "no object id",
          known.hasKey ? "has a key" : "has no key",
        ]
      })
  }

  private var pinLines: [String] {
    Columns.lines(
      pins.map { pin in
        [
          pin.team.printable, pin.isSet ? "set" : "not set",
          Columns.count(pin.failedAttempts, "failed attempt"),
          pin.isResetRequired ? "must be set anew" : "",
        ]
      })
  }
}

extension DeviceInventory.State {
  fileprivate var words: String {
    switch self {
    case .down: "down"
    case .inUse: "in use"
    case .halfErased: "half erased"
    }
  }
}

extension DeviceInventory.App {
  fileprivate var lines: [String] {
    let title = [name, bundleID ?? "unknown bundle", team ?? ""].map(\.printable)
    return [title.filter { !$0.isEmpty }.joined(separator: "  ")]
      + Columns.lines(signIns.map(\.row), indent: 2)
  }
}

extension DeviceInventory.SignIn {
  fileprivate var row: [String] {
    [
      account.upn.printable, isEnrolled ? "enrolled" : "not enrolled",
      policies.isEmpty ? "no policy" : policies.map(\.printable).joined(separator: "; "),
    ]
  }
}

extension DeviceInventory.Folder {
  fileprivate var lines: [String] {
    let rows = files.map { file in
      [
        file.path.printable, Columns.bytes(file.size), file.owner?.upn.printable ?? "nobody's",
        file.content.rawValue,
      ]
    }
    return [path.printable] + Columns.lines(rows, indent: 2) + problems.map { "  " + $0.printable }
  }
}

extension DeviceInventory.KeychainGroup {
  fileprivate var lines: [String] {
    let rows = items.map { item in
      [
        item.service.printable, item.account.printable, Columns.bytes(item.size),
        item.owner?.upn.printable ?? "nobody's",
      ]
    }
    return [name.printable] + Columns.lines(rows, indent: 2)
  }
}

private enum Columns {
  /// Pads the cells of each column to the width of the widest.
  static func lines(_ rows: [[String]], indent: Int = 0) -> [String] {
    var widths: [Int] = []
    for row in rows {
      for (column, text) in row.enumerated() {
        if column == widths.count { widths.append(0) }
        widths[column] = max(widths[column], text.count)
      }
    }
    let margin = String(repeating: " ", count: indent)
    return rows.map { row in
      let padded = zip(row, widths).map { text, width in
        text + String(repeating: " ", count: width - text.count)
      }
      let line = padded.joined(separator: "  ")
      return margin
        + line[..<(line.lastIndex { $0 != " " }.map(line.index(after:)) ?? line.startIndex)]
    }
  }

  static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }

  static func bytes(_ number: Int) -> String { count(number, "byte") }
}

extension String {
  /// The text with unprintable characters escaped as `\u{…}`.
  fileprivate var printable: String { escapingUnprintable() }
}

// MARK: - JSON

extension DeviceInventory {
  /// The value of `schema`: the format of ``json()``, incremented whenever the meaning of a member changes.
  private static let format = "sluice.device.1"

  /// Returns the inventory as one JSON object followed by a line break: `docs/schema/device.schema.json`.
  package func json() -> String {
    JSONWriter.objectLine { writer in
      writer.member("schema", Self.format)
      writer.member("name", name)
      writer.member("state", state.rawValue)
      writer.member("clock", clock.map(Timestamp.text))
      writer.object("journal") { writer in
        writer.member("events", journal.eventCount)
        writer.member("bytes", journal.size)
      }
      writer.object("database") { $0.member("bytes", databaseSize) }
      writer.array("apps") { writer in apps.forEach { $0.write(to: &writer) } }
      writer.array("accounts") { writer in accounts.forEach { $0.write(to: &writer) } }
      writer.array("folders") { writer in folders.forEach { $0.write(to: &writer) } }
      writer.array("keychain") { writer in keychain.forEach { $0.write(to: &writer) } }
      writer.array("pins") { writer in pins.forEach { $0.write(to: &writer) } }
      writer.array("pendingMoves") { writer in pendingMoves.forEach { $0.write(to: &writer) } }
    }
  }
}

extension Account {
  fileprivate func writeMembers(to writer: inout JSONWriter) {
    writer.member("upn", upn)
    writer.member("objectId", objectID)
    writer.member("tenant", tenantID)
  }
}

extension DeviceInventory.App {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("name", name)
      writer.member("bundle", bundleID)
      writer.member("team", team)
      writer.array("signedIn") { writer in signIns.forEach { $0.write(to: &writer) } }
    }
  }
}

extension DeviceInventory.SignIn {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      account.writeMembers(to: &writer)
      writer.member("enrolled", isEnrolled)
      writer.array("policies") { writer in policies.forEach { writer.string($0) } }
    }
  }
}

extension DeviceInventory.KnownAccount {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      account.writeMembers(to: &writer)
      writer.member("hasKey", hasKey)
    }
  }
}

extension DeviceInventory.Folder {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("path", path)
      writer.array("files") { writer in files.forEach { $0.write(to: &writer) } }
      writer.array("problems") { writer in problems.forEach { writer.string($0) } }
    }
  }
}

extension DeviceInventory.File {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("path", path)
      writer.member("bytes", size)
      writer.member("owner", owner?.upn)
      writer.member("content", content.rawValue)
    }
  }
}

extension DeviceInventory.KeychainGroup {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("group", name)
      writer.array("items") { writer in items.forEach { $0.write(to: &writer) } }
    }
  }
}

extension DeviceInventory.KeychainItem {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("service", service)
      writer.member("account", account)
      writer.member("owner", owner?.upn)
      writer.member("bytes", size)
    }
  }
}

extension DeviceInventory.PINState {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("team", team)
      writer.member("set", isSet)
      writer.member("failedAttempts", failedAttempts)
      writer.member("resetRequired", isResetRequired)
    }
  }
}

extension DeviceInventory.Move {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("from", from)
      writer.member("to", to)
    }
  }
}
