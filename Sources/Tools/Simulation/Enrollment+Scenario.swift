internal import Enrollment
internal import GraphDocuments
internal import JSON
internal import Model
internal import Scenario

extension ConditionalAccess {
  /// Reads the conditional access policies of a scenario.
  ///
  /// - Parameter folder: the folder of the scenario's file.
  /// - Throws: ``RunError`` where a policy cannot be read.
  init(_ scenario: Scenario, folder: String) throws(RunError) {
    self.init()
    for specification in scenario.conditionalAccess {
      let accounts = specification.accounts.map { names in
        names.compactMap { scenario.account(named: $0)?.account }
      }
      assignments.append(
        Assignment(
          name: specification.name,
          policies: try Self.read(specification.document, of: scenario, in: folder),
          accounts: accounts))
    }
  }

  private static func read(
    _ document: PolicySpecification.Document, of scenario: Scenario, in folder: String
  ) throws(RunError) -> [ConditionalAccessPolicy] {
    let bytes: [UInt8]
    let file: String
    switch document {
    case .file(let path):
      file = Blueprint.resolve(path, in: folder)
      if let input = InputFolder(file) { return try read(input, called: file) }
      bytes = try InputFile.document(file)
    case .inline(let json):
      file = scenario.file
      bytes = Array(json.utf8)
    }
    do throws(ConditionalAccessError) {
      return try ConditionalAccessReader.read(bytes, file: file)
    } catch {
      throw RunError(error.diagnostic)
    }
  }
}

extension ConditionalAccess {
  /// Reads the policies of a folder of exports.
  private static func read(
    _ input: InputFolder, called path: String
  ) throws(RunError) -> [ConditionalAccessPolicy] {
    let folder = ExportFolder(name: path)
    var files: [ExportFolder.File] = []
    for name in folder.withoutAssignments(folder.documents(among: input.names)) {
      files.append(try input.read(name))
    }
    do throws(ConditionalAccessError) {
      return try ConditionalAccessReader.read(
        files, beside: input.scripts(of: folder), in: folder)
    } catch {
      throw RunError(error.diagnostic)
    }
  }

  /// The statements of the policies that have no effect, as lines in order.
  var warnings: [String] {
    var seen: Set<ConditionalAccessWarning> = []
    for assignment in assignments {
      // A user whom the scenario names need not be named by the policy.
      let isNamed = assignment.accounts != nil
      for policy in assignment.policies {
        seen.formUnion(policy.warnings.filter { !isNamed || $0.code != .noUsers })
      }
    }
    return seen.inOrder()
  }
}

extension ComplianceText.Language {
  init(_ language: DeviceSpecification.Language) {
    self =
      switch language {
      case .english: .english
      case .french: .french
      }
  }
}

extension ServiceChange {
  /// Applies the change to the service.
  ///
  /// - Parameter account: a closure that finds an account by its name in the scenario.
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
    // By the object id, which stays when the account is renamed.
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
