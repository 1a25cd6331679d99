import Transfer

extension DeviceSpecification {
  enum Key: String, CaseIterable {
    case name, time, seed, mdm
  }

  enum MDMKey: String, CaseIterable {
    case enrolled, allowOpenFromManagedToUnmanaged
  }

  /// nil is a device with nothing said about it.
  init(_ value: YAMLValue?) throws(Mistake) {
    self.init()
    guard let value else { return }
    let fields = try Fields<Key>(value, "a device")
    if let value = fields[.name] {
      name = try value.text()
      guard Name.isValid(name) else {
        throw value.mistake(
          .invalidValue,
          "`\(name)` cannot name a device; use letters, digits, `-` and `_`, a letter first")
      }
    }
    if let value = fields[.time] { time = try Self.time(value) }
    if let value = fields[.seed] { seed = UInt64(try value.int(in: 0 ... .max)) }
    guard let value = fields[.mdm] else { return }
    let mdm = try Fields<MDMKey>(value, "the key `mdm`")
    isMDMEnrolled = try mdm.required(.enrolled).bool()
    if let value = mdm[.allowOpenFromManagedToUnmanaged] {
      allowOpenFromManagedToUnmanaged = try value.bool()
    }
  }

  private static func time(_ value: YAMLValue) throws(Mistake) -> Int {
    let text = try value.text()
    guard let seconds = Timestamp.seconds(text) else {
      throw value.mistake(
        .invalidValue, "`time` must read like `2026-01-01T09:00:00Z`, found `\(text)`")
    }
    return seconds
  }
}
