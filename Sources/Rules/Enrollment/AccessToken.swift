package import Encodings
package import Model

/// An app's request for an access token, with the properties of the app and the device that affect the decision.
package struct TokenRequest: Sendable {
  package var account: Account
  /// An application id or a URI, with or without a scope such as `/.default`.
  package var resource: String
  /// The client capabilities that the app declares, as the app spells them.
  package var capabilities: [String]
  /// Whether a policy protects the account in the app.
  package var isProtected: Bool
  package var device: DirectoryDevice
  package var isAccountDisabled: Bool
  package var isOnline: Bool

  package init(
    account: Account, resource: String, capabilities: [String] = [], isProtected: Bool = false,
    device: DirectoryDevice = DirectoryDevice(), isAccountDisabled: Bool = false,
    isOnline: Bool = true
  ) {
    self.account = account
    self.resource = resource
    self.capabilities = capabilities
    self.isProtected = isProtected
    self.device = device
    self.isAccountDisabled = isAccountDisabled
    self.isOnline = isOnline
  }

  /// Whether the app declares the capability `protapp` in the claim `xms_cc`, in any casing.
  ///
  /// Source: Intune App SDK for iOS, stage 6, MSAL.
  fileprivate var declaresProtection: Bool {
    capabilities.contains { $0.lowercased() == Self.protectionCapability }
  }

  private static let protectionCapability = "protapp"

  /// The account's `homeAccountId`, `<OID>.<tenant>`. The error that asks the app to protect the account contains this
  /// identifier. The UPN replaces an unknown object id, and the UPN's domain an unknown tenant id.
  package var homeAccount: String {
    let domain = account.upn.split(separator: "@").last.map(String.init) ?? ""
    return "\(account.objectID ?? account.upn).\(account.tenantID ?? domain)"
  }
}

// MARK: - Decision

/// The decision on a request for an access token, with the rules and policies that contributed to it.
package struct TokenDecision: Sendable {
  /// A rule that contributed to the decision, with the policy that it concerns.
  package struct Ground: Sendable {
    package var rule: Rule
    /// The policy; nil if the rule concerns none.
    package var policy: ConditionalAccessPolicy?
    /// The names of the policy's conditions to which the rule refers.
    package var conditions: [String] = []
  }

  /// The rules that contributed to the decision, with their policies. Each gives one reason of ``verdict``.
  package let grounds: [Ground]
  package let verdict: Verdict

  fileprivate init(_ grounds: [Ground]) {
    self.grounds = grounds
    verdict = Verdict(grounds.map { Reason($0.rule, .device) })
  }

  /// The status code of MSAL's error that the app receives; 0 if it receives a token.
  ///
  /// Source: MSAL for iOS, `MSALError.h`.
  package var status: Int {
    if case .protectionRequired = verdict.deciding.rule { return Self.protectionRequiredStatus }
    return verdict.outcome == .allowed ? 0 : Self.internalStatus
  }

  /// `MSALErrorServerProtectionPoliciesRequired`.
  private static let protectionRequiredStatus = -50004
  /// `MSALErrorInternal`.
  private static let internalStatus = -50000
}

extension ConditionalAccess {
  package func decide(_ request: TokenRequest) -> TokenDecision {
    guard request.isOnline else { return TokenDecision(.tokenServiceUnreachable) }
    guard !request.isAccountDisabled else { return TokenDecision(.tokenAccountDisabled) }
    let judgements = judgements(
      on: SignIn(request.account, resource: request.resource, device: request.device))
    let enforced = judgements.filter { $0.policy.state == .enabled && $0.judgement.counts }
      .map { TokenDecision.Ground(rule: $0.policy.rule(on: request), policy: $0.policy) }
    // If a policy may cover the resource, the token is not unconditional.
    let open = judgements.filter { $0.policy.state == .enabled && $0.judgement == .unknownResource }
      .map {
        TokenDecision.Ground(
          rule: .conditionTakenAsNotMet, policy: $0.policy, conditions: ["includeApplications"])
      }
    var decisive = enforced + open
    if decisive.isEmpty { decisive = [TokenDecision.Ground(rule: .tokenUnconditional)] }
    return TokenDecision(decisive + judgements.compactMap(TokenDecision.Ground.init))
  }
}

extension TokenDecision {
  fileprivate init(_ rule: Rule) { self.init([Ground(rule: rule)]) }
}

extension TokenDecision.Ground {
  /// Creates the ground of a policy that is report-only or depends on assumed conditions. Nil for other policies, and
  /// for policies that do not apply.
  fileprivate init?(
    _ policy: ConditionalAccessPolicy, _ judgement: ConditionalAccessPolicy.Judgement
  ) {
    if policy.state == .reportOnly {
      guard judgement.counts else { return nil }
      self.init(rule: .conditionalAccessReports, policy: policy)
      return
    }
    // A disabled policy does not apply.
    switch judgement {
    case .applies(let names):
      guard !names.isEmpty else { return nil }
      self.init(rule: .conditionTakenAsMet, policy: policy, conditions: names)
    case .unknown(let membership):
      self.init(
        rule: membership.isNamed ? .conditionTakenAsMet : .conditionTakenAsNotMet,
        policy: policy,
        conditions: membership.conditions + (membership.isNamed ? membership.takenAsMet : []))
    // The decision already contains unknown resources. A policy that does not apply adds no ground.
    case .unknownResource, .spared: return nil
    }
  }
}

extension ConditionalAccessPolicy {
  /// Whether the policy may refuse a token to the users that it covers. Controls that the user must satisfy, such as
  /// multifactor authentication, never cause a refusal, because the simulated user satisfies them.
  package var mayRefuseTokens: Bool {
    guard state == .enabled else { return false }
    let isUserControl = { (control: GrantControl) in control == .mfa || control == .passwordChange }
    let enforced = controls.filter(\.isEnforced)
    guard !controls.contains(.block) else { return true }
    return switch self.operator {
    case .or: !enforced.isEmpty && !enforced.contains(where: isUserControl)
    case .and: !enforced.allSatisfy(isUserControl)
    }
  }

  fileprivate func rule(on request: TokenRequest) -> Rule {
    guard !controls.contains(.block) else { return .conditionalAccessBlocks }
    let rules = controls.filter(\.isEnforced).map { rule(of: $0, on: request) }
    let met = rules.filter { $0.effect == .allowed }
    switch self.operator {
    case .or:
      if let rule = met.first { return rule }
      // The app receives the control that it can satisfy itself.
      return rules.first { $0 == .protectionRequired } ?? rules.first ?? .grantControlsMet
    case .and:
      return rules.first { $0.effect == .blocked && $0 != .protectionRequired }
        ?? rules.first { $0.effect == .blocked } ?? met.first { $0 == .protectionApplied }
        ?? .grantControlsMet
    }
  }

  private func rule(of control: GrantControl, on request: TokenRequest) -> Rule {
    switch control {
    case .compliantApplication:
      guard request.declaresProtection else { return .protectionNotDeclared }
      return request.isProtected ? .protectionApplied : .protectionRequired
    // The simulated user can satisfy every user control.
    case .mfa, .passwordChange: return .grantControlsMet
    case .compliantDevice:
      return request.device.isCompliant ? .grantControlsMet : .grantControlMissing
    case .domainJoinedDevice, .approvedApplication, .block: return .grantControlMissing
    }
  }
}

// MARK: - Token

/// The content of an access token: a JSON Web Token (RFC 7519) with the claims of Microsoft Entra's tokens.
///
/// Source: Microsoft Learn, "Access token claims reference".
package struct AccessToken: Sendable {
  package var account: Account
  /// The audience: an application id or a URI.
  package var resource: String
  /// The bundle id of the app that receives the token.
  package var client: String
  /// The client's capabilities, in the app's spelling.
  package var capabilities: [String]
  /// The time of issue by the device's clock, in seconds since 1970-01-01T00:00:00Z.
  package var issuedAt: Int

  package init(
    account: Account, resource: String, client: String, capabilities: [String], issuedAt: Int
  ) {
    self.account = account
    self.resource = resource
    self.client = client
    self.capabilities = capabilities
    self.issuedAt = issuedAt
  }

  /// The lifetime in seconds.
  private static let lifetime = 3600

  /// The token's issuer. Validators of real tokens reject it.
  private static let issuer = "https://login.sluice.invalid/"

  /// Returns the token as text with an ES256 signature. Its header identifies the key by `keyID`. `sign` must return a
  /// signature of 64 bytes (RFC 7518, 3.4).
  package func signed(keyID: String, _ sign: ([UInt8]) -> [UInt8]) -> String {
    var header = JSONWriter()
    header.object { writer in
      writer.member("typ", "JWT")
      writer.member("alg", "ES256")
      writer.member("kid", keyID)
    }
    let input = "\(Base64.textForURL(header.text.utf8)).\(Base64.textForURL(claims.utf8))"
    return "\(input).\(Base64.textForURL(sign(Array(input.utf8))))"
  }

  private var claims: String {
    return JSONWriter.objectText { writer in
      writer.member("iss", Self.issuer + (account.tenantID ?? "consumers"))
      writer.member("aud", resource)
      writer.member("sub", account.objectID ?? account.upn)
      writer.member("oid", account.objectID)
      writer.member("tid", account.tenantID)
      writer.member("upn", account.upn)
      writer.member("appid", client)
      writer.member("iat", issuedAt)
      writer.member("nbf", issuedAt)
      writer.member("exp", issuedAt + Self.lifetime)
      guard !capabilities.isEmpty else { return }
      writer.array("xms_cc") { for capability in capabilities { $0.string(capability) } }
    }
  }
}

/// The public key of the token service as a JSON Web Key Set (RFC 7517).
package struct TokenKeySet: Sendable {
  package var keyID: String
  /// An uncompressed P-256 point: the byte 4, then 32 bytes each of x and y.
  package var publicKey: [UInt8]

  /// - Precondition: `publicKey` has 65 bytes.
  package init(keyID: String, publicKey: [UInt8]) {
    precondition(publicKey.count == 65, "a point of P-256 must have 65 bytes")
    self.keyID = keyID
    self.publicKey = publicKey
  }

  package var json: String {
    return JSONWriter.objectText { write(to: &$0) }
  }

  /// Writes the member `keys`.
  package func write(to writer: inout JSONWriter) {
    writer.array("keys") { writer in
      writer.object { writer in
        writer.member("kty", "EC")
        writer.member("crv", "P-256")
        writer.member("use", "sig")
        writer.member("alg", "ES256")
        writer.member("kid", keyID)
        writer.member("x", Base64.textForURL(publicKey[1...32]))
        writer.member("y", Base64.textForURL(publicKey[33...64]))
      }
    }
  }
}
