internal import Encodings
internal import Model

// MARK: - Text

extension DeviceInventory {
  /// The inventory as text, with a section for each kind of data. Unprintable characters are escaped as `\u{…}`.
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
    return TextColumns.lines([
      ["state", state.words], ["clock", clock.map(Timestamp.text) ?? "has not moved"],
      ["journal", "\(journal.eventCount.counting("event")), \(journal.size.counting("byte"))"],
      ["database", databaseSize.counting("byte")],
      [
        "files",
        "\(files.count.counting("file")), \(files.reduce(0) { $0 + $1.size }.counting("byte"))",
      ],
    ])
  }

  private var accountLines: [String] {
    TextColumns.lines(
      accounts.map { known in
        [
          known.account.upn.printable, known.account.objectID?.printable ?? "no object id",
          known.hasKey ? "has a key" : "has no key",
        ]
      })
  }

  private var pinLines: [String] {
    TextColumns.lines(
      pins.map { pin in
        [
          pin.team.printable, pin.account.upn.printable, pin.isSet ? "set" : "not set",
          pin.failedAttempts.counting("failed attempt"),
          pin.isResetRequired ? "must be set again" : "",
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
      + TextColumns.lines(signIns.map(\.row), indent: 2)
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
        file.path.printable, file.size.counting("byte"), file.owner?.upn.printable ?? "no owner",
        file.content.rawValue,
      ]
    }
    return [path.printable] + TextColumns.lines(rows, indent: 2)
      + problems.map { "  " + $0.printable }
  }
}

extension DeviceInventory.KeychainGroup {
  fileprivate var lines: [String] {
    let rows = items.map { item in
      [
        item.service.printable, item.account.printable, item.size.counting("byte"),
        item.owner?.upn.printable ?? "no owner",
      ]
    }
    return [name.printable] + TextColumns.lines(rows, indent: 2)
  }
}

extension String {
  fileprivate var printable: String { escapingUnprintable() }
}

// MARK: - JSON

extension DeviceInventory {
  /// The value of the member `schema` in ``json()``. The number at its end is incremented whenever a member changes its
  /// meaning.
  private static let format = "sluice.device.1"

  /// Returns the inventory as one JSON object followed by a line break. The schema is `docs/schema/device.schema.json`.
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
      writer.objects("apps", of: apps) { writer, app in
        writer.member("name", app.name)
        writer.member("bundle", app.bundleID)
        writer.member("team", app.team)
        writer.objects("signedIn", of: app.signIns) { writer, signIn in
          signIn.account.writeMembers(to: &writer)
          writer.member("enrolled", signIn.isEnrolled)
          writer.strings("policies", signIn.policies)
        }
      }
      writer.objects("accounts", of: accounts) { writer, known in
        known.account.writeMembers(to: &writer)
        writer.member("hasKey", known.hasKey)
      }
      writer.objects("folders", of: folders) { writer, folder in
        writer.member("path", folder.path)
        writer.objects("files", of: folder.files) { writer, file in
          writer.member("path", file.path)
          writer.member("bytes", file.size)
          writer.member("owner", file.owner?.upn)
          writer.member("content", file.content.rawValue)
        }
        writer.strings("problems", folder.problems)
      }
      writer.objects("keychain", of: keychain) { writer, group in
        writer.member("group", group.name)
        writer.objects("items", of: group.items) { writer, item in
          writer.member("service", item.service)
          writer.member("account", item.account)
          writer.member("owner", item.owner?.upn)
          writer.member("bytes", item.size)
        }
      }
      writer.objects("pins", of: pins) { writer, pin in
        writer.member("team", pin.team)
        writer.member("account", pin.account.upn)
        writer.member("set", pin.isSet)
        writer.member("failedAttempts", pin.failedAttempts)
        writer.member("resetRequired", pin.isResetRequired)
      }
      writer.objects("pendingMoves", of: pendingMoves) { writer, move in
        writer.member("from", move.from)
        writer.member("to", move.to)
      }
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
