internal import Bundle
internal import Diagnostics
internal import Model
internal import Policy
internal import Scenario

extension DeviceRestrictions {
  /// The restrictions that a scenario states; they take precedence over those of the profile that the scenario names.
  ///
  /// - Parameter warnings: a list that gets the statements of the profile that are probably not meant.
  /// - Throws: ``RunError`` where the profile cannot be read.
  init(
    _ device: DeviceSpecification, folder: String, warnings: inout [String]
  ) throws(RunError) {
    self.init(isMDMEnrolled: device.isMDMEnrolled)
    if let path = device.profile {
      try apply(Blueprint.resolve(path, in: folder), &warnings, isSupervised: device.isSupervised)
    }
    for (restriction, value) in device.restrictions { restrict(restriction, to: value) }
    if let value = device.forcesAirDropUnmanaged { forceAirDropUnmanaged = value }
    isFileEncryptionRequired = device.isFileEncryptionRequired
    if let value = device.allowsActivityContinuation { allowActivityContinuation = value }
  }

  private mutating func apply(
    _ path: String, _ warnings: inout [String], isSupervised: Bool
  ) throws(RunError) {
    let bytes = try InputFile.document(path)
    let profile: ConfigurationProfile
    do throws(BundleError) {
      profile = try ConfigurationProfile(bytes, file: path)
    } catch {
      throw RunError(error.diagnostic)
    }
    warnings += profile.warnings
    let stated = profile.restrictions
    if !isSupervised { warnings += Self.notes(onSupervised: stated, in: path) }
    let values: [(DeviceSpecification.Restriction, Bool?)] = [
      (.allowOpenFromManagedToUnmanaged, stated.allowOpenFromManagedToUnmanaged),
      (.allowOpenFromUnmanagedToManaged, stated.allowOpenFromUnmanagedToManaged),
      (.requireManagedPasteboard, stated.requireManagedPasteboard),
      (.allowManagedToWriteUnmanagedContacts, stated.allowManagedToWriteUnmanagedContacts),
      (.allowUnmanagedToReadManagedContacts, stated.allowUnmanagedToReadManagedContacts),
      (.allowScreenShot, stated.allowScreenShot), (.allowWritingTools, stated.allowWritingTools),
      (.allowGenmoji, stated.allowGenmoji),
    ]
    for case (let restriction, let value?) in values { restrict(restriction, to: value) }
    if let value = stated.forceAirDropUnmanaged { forceAirDropUnmanaged = value }
    if let value = stated.allowActivityContinuation { allowActivityContinuation = value }
  }

  /// The notes on restrictions that a device obeys only where it is supervised.
  private static func notes(onSupervised stated: Restrictions, in path: String) -> [String] {
    let values = [
      ("allowWritingTools", stated.allowWritingTools), ("allowGenmoji", stated.allowGenmoji),
    ]
    return values.filter { $0.1 == false }.map { name, _ in
      Diagnostic(
        .path(path),
        "`\(name)` needs a supervised device; here it holds, though the device is not `supervised: true`",
        rule: "bundle", severity: .note
      ).description
    }
  }

  /// Sets a restriction of an MDM profile.
  mutating func restrict(_ restriction: DeviceSpecification.Restriction, to value: Bool) {
    switch restriction {
    case .allowOpenFromManagedToUnmanaged: allowOpenFromManagedToUnmanaged = value
    case .allowOpenFromUnmanagedToManaged: allowOpenFromUnmanagedToManaged = value
    case .requireManagedPasteboard: requireManagedPasteboard = value
    case .allowManagedToWriteUnmanagedContacts: allowManagedToWriteUnmanagedContacts = value
    case .allowUnmanagedToReadManagedContacts: allowUnmanagedToReadManagedContacts = value
    case .allowScreenShot: allowScreenShot = value
    case .allowWritingTools: allowWritingTools = value
    case .allowGenmoji: allowGenmoji = value
    }
  }
}
