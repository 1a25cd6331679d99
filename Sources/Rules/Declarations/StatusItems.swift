package import Encodings
package import Predicates

/// The status items of a device, under the names that Apple gives them.
///
/// Source: github.com/apple/device-management, `declarative/status`.
package struct StatusItems: Sendable, Hashable {
  /// The values by name, such as `device.model.family`.
  package var values: [String: StatusValue]

  package init(_ values: [String: StatusValue] = [:]) { self.values = values }

  /// The value for a name. The name can be a whole item, a part of an item that is a dictionary
  /// (`management.declarations.configurations`), or a common prefix of items (`device.model`). For a prefix, the value
  /// is a dictionary of the items with this prefix. Nil if the device has no value for the name.
  package subscript(name: String) -> StatusValue? {
    if let value = values[name] { return value }
    return part(name) ?? group(name)
  }

  private func part(_ name: String) -> StatusValue? {
    let words = name.split(separator: ".", omittingEmptySubsequences: false)
    let longest = values.keys.map { $0.utf8.count { $0 == UInt8(ascii: ".") } + 1 }.max() ?? 0
    for count in (0...min(longest, words.count - 1)).reversed() {
      guard var value = values[words[..<count].joined(separator: ".")] else { continue }
      for key in words[count...] {
        guard case .dictionary(let values) = value, let next = values[String(key)] else {
          return nil
        }
        value = next
      }
      return value
    }
    return nil
  }

  private func group(_ name: String) -> StatusValue? {
    let members = values.filter { $0.key.hasPrefix(name + ".") }
    guard !members.isEmpty else { return nil }
    var group: [String: StatusValue] = [:]
    for (key, value) in members {
      Self.insert(value, at: key.dropFirst(name.count + 1).split(separator: "."), into: &group)
    }
    return .dictionary(group)
  }

  /// Inserts a value into nested dictionaries, one per component of `path`. Reports contain items such as
  /// `device.model.family` in this form.
  static func insert(
    _ value: StatusValue, at path: [Substring], into dictionary: inout [String: StatusValue]
  ) {
    guard let first = path.first else { return }
    let rest = Array(path.dropFirst())
    guard !rest.isEmpty else {
      dictionary[String(first)] = value
      return
    }
    var inner: [String: StatusValue] = [:]
    if case .dictionary(let values) = dictionary[String(first)] { inner = values }
    insert(value, at: rest, into: &inner)
    dictionary[String(first)] = .dictionary(inner)
  }

  /// The names of all items that Apple publishes. A name that is not in this set is probably misspelled; an item in the
  /// set may still be absent from the device.
  static let published: Set<String> = [
    "account.list.caldav", "account.list.carddav", "account.list.exchange", "account.list.google",
    "account.list.ldap", "account.list.mail.incoming", "account.list.mail.outgoing",
    "account.list.subscribed-calendar", "app.managed.list", "device.identifier.serial-number",
    "device.identifier.udid", "device.model.family", "device.model.identifier",
    "device.model.marketing-name", "device.model.number", "device.operating-system.build-version",
    "device.operating-system.family", "device.operating-system.marketing-name",
    "device.operating-system.supplemental.build-version",
    "device.operating-system.supplemental.extra-version", "device.operating-system.version",
    "device.power.battery-health", "device.system.health", "diskmanagement.filevault.enabled",
    "management.client-capabilities", "management.declarations", "mdm.app",
    "mdm.enrollment-type", "mdm.is-awaiting-configuration", "mdm.is-return-to-service",
    "mdm.is-shared-ipad", "mdm.push-magic", "mdm.push-token", "passcode.is-compliant",
    "passcode.is-present", "screensharing.connection.group.unresolved-connection",
    "security.certificate.list", "security.lockdown-mode", "services.background-task",
    "softwareupdate.beta-enrollment", "softwareupdate.device-id", "softwareupdate.failure-reason",
    "softwareupdate.install-reason", "softwareupdate.install-state",
    "softwareupdate.pending-version", "test.array-value", "test.boolean-value",
    "test.dictionary-value", "test.error-value", "test.integer-value", "test.real-value",
    "test.string-value",
  ]

  /// Returns whether `name` is a published item, a part of a published item, or a prefix of a published item's name.
  static func isPublished(_ name: String) -> Bool {
    published.contains { item in
      item == name || name.hasPrefix(item + ".") || item.hasPrefix(name + ".")
    }
  }
}

// MARK: - Values

/// A value of a status item, a management property or a predicate.
package typealias StatusValue = PredicateValue

extension PredicateValue {
  /// Converts a JSON value. A number that is too large to represent becomes null. If an object contains a key twice,
  /// the last value is used.
  package init(_ json: JSONValue) {
    switch json.kind {
    case .null: self = .null
    case .bool(let flag): self = .boolean(flag)
    case .number(let spelling): self = Self.number(spelling)
    case .string(let text): self = .string(text)
    case .array(let elements): self = .array(elements.map(StatusValue.init))
    case .object(let members):
      self = .dictionary(
        Dictionary(members.map { ($0.name, StatusValue($0.value)) }) { _, last in last })
    }
  }

  private static func number(_ spelling: String) -> StatusValue {
    if let integer = Int(spelling) { return .integer(integer) }
    guard let number = Double(spelling), number.isFinite else { return .null }
    return .real(number)
  }

  /// Writes the value as JSON, with the keys of dictionaries in alphabetical order.
  package func write(to writer: inout JSONWriter) {
    switch self {
    case .null: writer.null()
    case .boolean(let flag): writer.bool(flag)
    case .integer(let number): writer.number(number)
    case .real(let number): writer.raw("\(number)".utf8)
    case .string(let text): writer.string(text)
    case .array(let elements):
      writer.array { writer in
        for element in elements { element.write(to: &writer) }
      }
    case .dictionary(let values):
      writer.object { $0.members(of: values) { $1.write(to: &$0) } }
    }
  }
}
