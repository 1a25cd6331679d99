internal import Bundle
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
      try apply(Blueprint.resolve(path, in: folder), &warnings)
    }
    for (setting, value) in device.restrictions { restrict(setting, to: value) }
    if let value = device.forcesAirDropUnmanaged { forceAirDropUnmanaged = value }
    if let value = device.allowsActivityContinuation { allowActivityContinuation = value }
  }

  private mutating func apply(_ path: String, _ warnings: inout [String]) throws(RunError) {
    let bytes = try InputFile.document(path)
    let profile: ConfigurationProfile
    do throws(BundleError) {
      profile = try ConfigurationProfile(bytes, file: path)
    } catch {
      throw RunError(error.diagnostic)
    }
    warnings += profile.warnings
    let stated = profile.restrictions
    let values: [(Setting, Bool?)] = [
      (.allowOpenFromManagedToUnmanaged, stated.allowOpenFromManagedToUnmanaged),
      (.allowOpenFromUnmanagedToManaged, stated.allowOpenFromUnmanagedToManaged),
      (.requireManagedPasteboard, stated.requireManagedPasteboard),
      (.allowManagedToWriteUnmanagedContacts, stated.allowManagedToWriteUnmanagedContacts),
      (.allowUnmanagedToReadManagedContacts, stated.allowUnmanagedToReadManagedContacts),
    ]
    for case (let setting, let value?) in values { restrict(setting, to: value) }
    if let value = stated.forceAirDropUnmanaged { forceAirDropUnmanaged = value }
    if let value = stated.allowActivityContinuation { allowActivityContinuation = value }
  }

  /// Sets a restriction of an MDM profile; any other setting changes nothing.
  mutating func restrict(_ setting: Setting, to value: Bool) {
    switch setting {
    case .allowOpenFromManagedToUnmanaged: allowOpenFromManagedToUnmanaged = value
    case .allowOpenFromUnmanagedToManaged: allowOpenFromUnmanagedToManaged = value
    case .requireManagedPasteboard: requireManagedPasteboard = value
    case .allowManagedToWriteUnmanagedContacts: allowManagedToWriteUnmanagedContacts = value
    case .allowUnmanagedToReadManagedContacts: allowUnmanagedToReadManagedContacts = value
    default: break
    }
  }
}
