internal import Declarations
internal import Foundation
package import Model
internal import Policy
internal import Secrets
internal import Wire

/// Requests of apps and extensions for what their administrator provides (Apple's ManagedApp framework).
extension ManagementAgent {
  func answer(_ request: ManagedAppRequest, _ pending: PendingRequest) {
    let guest = pending.guest
    if let aspect = request.aspect { state.hasAsked(guest.name, for: aspect) }
    let defaults = userDefaults(of: guest.app)
    let isLegacy = request == .legacyConfiguration && defaults != nil
    if !isLegacy, let rule = refusal(of: guest.app) {
      return replies.refuse(pending, request.operation, rule, subject: request.identifier)
    }
    let content = state.delivery[guest.app.composedIdentifier]
    switch request {
    case .configuration: provide(content?.configuration, request, pending)
    case .legacyConfiguration: provide(defaults, request, pending)
    case .identifiers(let kind):
      let identifiers = content?.identifiers(of: kind) ?? []
      provide(
        identifiers.map { Item(text: $0) }, request, pending,
        identifiers.isEmpty ? .managedAppNothingSet : .managedAppProvides)
    case .secret(let kind, let identifier):
      lookUp(kind, identifier, request, in: content, pending)
    case .sign(let identifier, _, _): lookUp(.identity, identifier, request, in: content, pending)
    case .decoded:
      state.feedback[guest.app.bundleID] = .valid
      provide([], request, pending, .managedAppReports)
    case .decodingFailed(let code, let message):
      state.feedback[guest.app.bundleID] = .invalid
      provide([], request, pending, .managedAppReports)
      inform(guest.app.bundleID, code: code, message)
    }
  }

  // MARK: user defaults

  /// The configuration in the app's user defaults, `com.apple.configuration.managed`, as a property list; nil: none.
  /// Declared data replace other configurations by MDM, because the device has one such dictionary per app (assumed).
  ///
  /// Source: github.com/apple/device-management, `mdm/commands/settings.yaml`, `ApplicationConfiguration`.
  private func userDefaults(of app: AppDescription) -> Secret<[UInt8]>? {
    guard app.management == .possible else { return nil }
    if let declared = state.delivery[app.composedIdentifier]?.legacyConfiguration {
      return declared
    }
    let isManaged = policies.deviceState.isMDMEnrolled && app.isMDMManaged
    let values = (isManaged ? app.managedConfiguration : [:])
      .merging(app.configuration.mapValues { .text($0) }) { $1 }
    guard !values.isEmpty else { return nil }
    let list = values.mapValues(\.propertyList)
    return (try? PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0))
      .map { Secret([UInt8]($0)) }
  }

  /// The configuration that an app gets with its welcome; empty where there is none, or more than 1 MiB.
  func welcomeConfiguration(_ guest: Guest) -> [UInt8] {
    guard guest.app.program != .readyMade else { return [] }
    let list = userDefaults(of: guest.app)?.value ?? []
    return list.count <= 1 << 20 ? list : []
  }

  /// Tells a running app that MDM has changed the configuration in its user defaults. A declared one stays as it is.
  func didConfigure(_ guest: Guest) {
    guard guest.app.management == .possible,
      state.delivery[guest.app.composedIdentifier]?.legacyConfiguration == nil
    else { return }
    tell(.legacyConfiguration, to: guest)
  }

  /// The rule by which nothing is provided for an app; nil where the app may ask.
  private func refusal(of app: AppDescription) -> Rule? {
    guard app.management == .possible else { return .managedAppManagementRefused }
    let delivery = state.delivery
    guard delivery[app.composedIdentifier] == nil else { return nil }
    if delivery.contents.keys.contains(where: { $0.bundle == app.bundleID }) {
      return .managedAppOtherSignature
    }
    return app.isMDMManaged ? nil : .managedAppNotManaged
  }

  private func provide(
    _ list: Secret<[UInt8]>?, _ request: ManagedAppRequest, _ pending: PendingRequest
  ) {
    let items = list.map { [Item(type: Self.propertyList, payload: .inline($0.value))] }
    provide(
      items ?? [], request, pending, list == nil ? .managedAppNothingSet : .managedAppProvides)
  }

  private static let propertyList = "com.apple.property-list"
  private static let certificate = "public.x509-certificate"

  private func provide(
    _ items: [Item], _ request: ManagedAppRequest, _ pending: PendingRequest, _ rule: Rule
  ) {
    replies.answer(
      pending, request.operation, Verdict([Reason(rule, .device)]), subject: request.identifier,
      end: .delivered, items: items)
  }

  /// The items that a secret's value consists of, or the reason why there are none.
  private enum Found {
    case items([Item])
    /// A failure; `detail` is for readers of the journal.
    case failure(Rule, _ error: ManagedAppError, detail: String? = nil)
  }

  private func lookUp(
    _ kind: ManagedSecret, _ identifier: String, _ request: ManagedAppRequest,
    in content: ManagedContent?, _ pending: PendingRequest
  ) {
    switch found(kind, identifier, request, content, pending.guest) {
    case .items(let items): provide(items, request, pending, .managedAppProvides)
    case .failure(let rule, let error, let detail):
      replies.answer(
        pending, request.operation, Verdict([Reason(rule, .device)]), subject: request.identifier,
        end: .failed, status: error.rawValue, detail: detail)
    }
  }

  private func found(
    _ kind: ManagedSecret, _ identifier: String, _ request: ManagedAppRequest,
    _ content: ManagedContent?, _ guest: Guest
  ) -> Found {
    let unknown = Found.failure(.managedAppNoSuchIdentifier, .invalidIdentifier)
    switch kind {
    case .password:
      guard let secret = content?.passwords.first(where: { $0.identifier == identifier }) else {
        return unknown
      }
      guard let password = secret.value.password else {
        return .failure(
          .managedAppSecretUnusable, .internalError, detail: "the asset has no `Password`")
      }
      return .items([Item(text: password.value)])
    case .certificate:
      guard let secret = content?.certificates.first(where: { $0.identifier == identifier })
      else { return unknown }
      return .items([Item(type: Self.certificate, payload: .inline(secret.value))])
    case .identity:
      guard let secret = content?.identities.first(where: { $0.identifier == identifier }) else {
        return unknown
      }
      return use(secret, request, guest)
    }
  }

  private func use(
    _ secret: ManagedContent.Named<IdentityCredential>, _ request: ManagedAppRequest,
    _ guest: Guest
  ) -> Found {
    do throws(IdentityFailure) {
      let identity = try identity(secret, of: guest.app.composedIdentifier)
      guard case .sign(_, let algorithm, let data) = request else {
        return .items(
          identity.certificates.map {
            Item(type: Self.certificate, payload: .inline($0.der))
          })
      }
      do throws(SecretError) {
        let signature = try identity.key.sign(data, algorithm)
        return .items([Item(type: "public.data", payload: .inline(signature))])
      } catch {
        throw .unusable(error)
      }
    } catch {
      switch error {
      case .unreachable:
        return .failure(.managedAppServerUnreachable, .serverError)
      case .unusable(let reason):
        return .failure(
          .managedAppSecretUnusable, .internalError, detail: reason.description)
      }
    }
  }
}

extension ManagementAgent {
  /// Whether `signature` is from an identity's key, for callers that watch a device from outside.
  package func verifies(
    _ signature: [UInt8], of data: [UInt8], byIdentity identifier: String, of name: String
  ) -> Bool {
    guard let app = registry[name]?.app.composedIdentifier,
      let secret = state.delivery[app]?.identities.first(where: {
        $0.identifier == identifier
      }), let certificate = try? identity(secret, of: app).certificates.first
    else { return false }
    return certificate.verifies(signature, of: data)
  }

  /// The algorithm with SHA-256 of the key of an app's identity, as ``verifies(_:of:byIdentity:of:)`` expects it.
  ///
  /// - Returns: nil where the app has no such identity, or the administrator's file does not open.
  package func signatureAlgorithm(
    ofIdentity identifier: String, of name: String
  ) -> SignatureAlgorithm? {
    guard let app = registry[name]?.app.composedIdentifier,
      let secret = state.delivery[app]?.identities.first(where: {
        $0.identifier == identifier
      })
    else { return nil }
    switch secret.value {
    case .pkcs12:
      guard let opened = try? identity(secret, of: app) else { return nil }
      return opened.key.isRSA
        ? .rsaSignatureMessagePKCS1v15SHA256 : .ecdsaSignatureMessageX962SHA256
    case .scep: return .rsaSignatureMessagePKCS1v15SHA256
    case .acme(let enrollment):
      if case .rsa = enrollment.key { return .rsaSignatureMessagePKCS1v15SHA256 }
      return .ecdsaSignatureMessageX962SHA256
    }
  }
}

extension ManagedContent {
  fileprivate func identifiers(of kind: ManagedSecret) -> [String] {
    switch kind {
    case .password: passwords.map(\.identifier)
    case .certificate: certificates.map(\.identifier)
    case .identity: identities.map(\.identifier)
    }
  }
}

extension ManagedAppRequest {
  var operation: Model.Operation {
    switch self {
    case .configuration: .managedConfiguration
    case .legacyConfiguration: .legacyManagedConfiguration
    case .identifiers: .managedIdentifiers
    case .secret(.password, _): .managedPassword
    case .secret(.certificate, _): .managedCertificate
    case .secret(.identity, _): .managedIdentity
    case .sign: .managedSignature
    case .decoded, .decodingFailed: .managedReport
    }
  }

  /// The identifier that the request names; nil where it names none.
  fileprivate var identifier: String? {
    switch self {
    case .secret(_, let identifier), .sign(let identifier, _, _): identifier
    case .identifiers(let kind): ManagedAspect(kind).name
    case .configuration, .legacyConfiguration, .decoded, .decodingFailed: nil
    }
  }
}

extension ConfigurationValue {
  fileprivate var propertyList: Any {
    switch self {
    case .text(let text): text
    case .integer(let number): number
    case .real(let number): number
    case .boolean(let flag): flag
    case .list(let values): values.map(\.propertyList)
    case .dictionary(let values): values.mapValues(\.propertyList)
    }
  }
}
