internal import Bundle
internal import Encodings
internal import Enrollment
internal import GraphDocuments
internal import Model
internal import Output
internal import Policy
package import Scenario

extension DeviceRestrictions {
  /// Creates the restrictions that the scenario states for a device. The stated restrictions take precedence over those
  /// in the device's configuration profile.
  ///
  /// - Parameters:
  ///   - file: The scenario's file.
  ///   - warnings: Receives warnings about probable mistakes in the profile, and notes about restrictions without
  ///     effect.
  /// - Throws: ``RunError`` if the profile cannot be read.
  init(
    _ device: DeviceDefinition, file: String, folder: String, warnings: inout [String]
  ) throws(RunError) {
    self.init(isMDMEnrolled: device.isMDMEnrolled)
    isSupervised = device.isSupervised
    if let path = device.profile {
      try apply(ScenarioFiles.resolve(path, in: folder), &warnings)
    }
    for (restriction, value) in device.restrictions { restrict(restriction, to: value) }
    if !isSupervised { warnings += liftSupervisedRestrictions(of: file) }
    if let value = device.forcesAirDropUnmanaged { forceAirDropUnmanaged = value }
    isFileEncryptionRequired = device.isFileEncryptionRequired
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
    let values: [(DeviceDefinition.Restriction, Bool?)] = [
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

  /// Lifts the restrictions that have an effect only on supervised devices.
  ///
  /// Source: github.com/apple/device-management, `com.apple.applicationaccess.yaml`: `supervised`.
  ///
  /// - Parameter file: The scenario's file.
  /// - Returns: A note about each lifted restriction.
  private mutating func liftSupervisedRestrictions(of file: String) -> [String] {
    let restrictions: [(name: String, path: WritableKeyPath<DeviceRestrictions, Bool>)] = [
      ("allowWritingTools", \.allowWritingTools), ("allowGenmoji", \.allowGenmoji),
    ]
    var notes: [String] = []
    for (name, path) in restrictions where !self[keyPath: path] {
      self[keyPath: path] = true
      notes.append(
        Diagnostic(
          .path(file),
          "`\(name)` has no effect, because it needs a supervised device (`mdm: { supervised: true }`)",
          rule: "bundle", severity: .note
        ).description)
    }
    return notes
  }

  package mutating func restrict(_ restriction: DeviceDefinition.Restriction, to value: Bool) {
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

// MARK: - Conditional access

extension ConditionalAccess {
  init(_ scenario: Scenario, folder: String) throws(RunError) {
    self.init()
    assignments = try RunError.collecting(scenario.conditionalAccess) {
      definition throws(RunError) in
      Assignment(
        name: definition.name,
        policies: try Self.read(definition.document, of: scenario, in: folder),
        audience: definition.accounts.map { names in
          .accounts(names.compactMap { scenario.account(named: $0)?.account })
        } ?? .conditions)
    }
  }

  private static func read(
    _ document: PolicyDefinition.Document, of scenario: Scenario, in folder: String
  ) throws(RunError) -> [ConditionalAccessPolicy] {
    let bytes: [UInt8]
    let file: String
    switch document {
    case .file(let path):
      file = ScenarioFiles.resolve(path, in: folder)
      if let input = InputFolder(file) { return try read(input, called: file) }
      bytes = try InputFile.document(file)
    case .inline(let json):
      file = scenario.file
      bytes = Array(json.utf8)
    }
    do throws(ConditionalAccessErrors) {
      return try ConditionalAccessReader.read(bytes, file: file)
    } catch {
      throw RunError(error.diagnostics)
    }
  }
}

extension ConditionalAccess {
  private static func read(
    _ input: InputFolder, called path: String
  ) throws(RunError) -> [ConditionalAccessPolicy] {
    let folder = ExportFolder(name: path)
    var files: [ExportFolder.File] = []
    for name in folder.withoutAssignments(folder.documents(among: input.names)) {
      files.append(try input.read(name))
    }
    do {
      return try ConditionalAccessReader.read(
        files, beside: input.scripts(of: folder), in: folder)
    } catch {
      throw RunError(error.diagnostics)
    }
  }

  /// Warnings about statements of the conditional access policies that have no effect, one line each, in order.
  var warnings: [String] {
    var seen: Set<ConditionalAccessWarning> = []
    for assignment in assignments {
      // If the scenario names the user, the policy need not.
      let isNamed =
        switch assignment.audience {
        case .accounts: true
        case .conditions, .members: false
        }
      for policy in assignment.policies {
        seen.formUnion(policy.warnings.filter { !isNamed || $0.code != .noUsers })
      }
    }
    return seen.inOrder()
  }
}

// MARK: Enrollment service

extension ComplianceText.Language {
  init(_ language: DeviceDefinition.Language) {
    self =
      switch language {
      case .english: .english
      case .french: .french
      }
  }
}

extension ServiceChange {
  /// Applies the change to the service. The function `account` returns the account with the given name in the scenario.
  func apply(to service: inout EnrollmentService, account: (String) -> Account?) {
    if let isReachable { service.isReachable = isReachable }
    if let delay { service.delay = delay }
    switch capacity {
    case nil: break
    case .unlimited?: service.requestsPerMinute = nil
    case .requests(let count)?: service.requestsPerMinute = count
    }
    if let restartsApps { service.restartsApps = restartsApps }
    if let pushesPolicies { service.pushesPolicies = pushesPolicies }
    Self.apply(mdmUser, to: &service.mdmUser, account)
    Self.apply(emmAccount, to: &service.emmAccount, account)
    Self.apply(deviceAccount, to: &service.deviceAccount, account)
    for (name, user) in users {
      if let account = account(name) { user.apply(to: &service[account]) }
    }
  }

  private static func apply(
    _ change: IdentityReference?, to value: inout String?, _ account: (String) -> Account?
  ) {
    switch change {
    case nil: break
    // Use the object ID, which does not change when the account is renamed.
    case .account(let name)?: value = account(name).map { $0.objectID ?? $0.upn }
    case .unset?, .unknown?: value = nil
    }
  }
}

extension ServiceChange.User {
  fileprivate func apply(to user: inout EnrollmentService.User) {
    if let isLicensed { user.isLicensed = isLicensed }
    if let needsCredentials { user.needsCredentials = needsCredentials }
    if let cancelsLogin { user.cancelsLogin = cancelsLogin }
    if let isWiped { user.isWiped = isWiped }
    switch answer {
    case nil: break
    case .regular?: user.status = nil
    case .failure(let status)?: user.status = status
    }
  }
}
