internal import JSON
internal import Model

extension DeviceInventory {
  /// The value of `schema`: the format of ``json()``, counted up whenever a member means something else.
  private static let format = "sluice.device.1"

  /// The inventory as one JSON object, followed by a line break: `docs/schema/device.schema.json`.
  public func json() -> String {
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
