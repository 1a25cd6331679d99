internal import Encodings
internal import GraphDocuments
package import Model
internal import Output
package import Policy
internal import Scenario
package import Simulation

/// Answers requests of `sluice decide`. Each request and each answer is one JSON object.
package struct Decider {
  private var documents: [PolicyDocument]
  private var policies: [[Int]: EffectivePolicy] = [:]
  private let source: RequestOrigin
  /// The indices of the documents that applied to a party in the last request.
  private var applied: Set<Int> = []
  /// The apps in which the last request states an account, but that no document targets, with their management states.
  private var untargeted: [(bundleID: String, state: ManagementState)] = []
  /// The tenant's assignments; nil if the policies' own targeting determines which policies apply.
  private var tenant: TenantAssignments?
  /// The accounts in the last request whose policies the tenant determines.
  private var subjects: [Subject] = []
  /// The device in the last request.
  private var conditions = SubjectDevice()

  /// The origin of requests, which determines whether impossible requests are accepted.
  enum RequestOrigin {
    /// Requests come from a user. An impossible request is an error.
    case user
    /// Requests come from a device. Every request that a device has decided is accepted, even if it
    /// appears impossible.
    case device
  }

  /// Creates a decider for requests from a user.
  ///
  /// - Parameter documents: The policies that may apply. Their targeting or the request determines which policies
  ///   apply.
  package init(_ documents: [PolicyDocument]) { self.init(documents, asked: .user) }

  package init(_ documents: [PolicyDocument], of tenant: TenantAssignments) {
    self.init(documents)
    self.tenant = tenant
  }

  init(_ documents: [PolicyDocument], asked source: RequestOrigin) {
    self.documents = documents
    self.source = source
  }

  /// Adds a policy. Does nothing if there is a policy with the same name.
  mutating func add(_ document: PolicyDocument) {
    guard !documents.contains(where: { $0.displayName == document.displayName }) else { return }
    documents.append(document)
  }

  /// Decides a one-line request, and returns a line of JSON with the verdict.
  ///
  /// - Parameter number: The number of the line, for messages.
  /// - Throws: ``RunError`` with the error's line and column.
  package mutating func answer(_ line: String, number: Int) throws(RunError) -> [UInt8] {
    try decision(on: line, number: number).line
  }

  package struct Decision: Sendable {
    /// The request's id as JSON; nil if the request has none.
    private let id: [UInt8]?
    package let verdict: ExplainedVerdict

    fileprivate init(_ id: [UInt8]?, _ verdict: ExplainedVerdict) {
      self.id = id
      self.verdict = verdict
    }

    package var line: [UInt8] {
      line { writer in writer.member(named: "verdict") { verdict.write(to: &$0) } }
    }

    /// Returns an answer with several possible verdicts, as a line of JSON.
    ///
    /// - Parameter alternatives: The verdicts with the conditions under which they apply, as clauses.
    package func line(of alternatives: [(conditions: [String], decision: Decision)]) -> [UInt8] {
      line { writer in
        writer.objects("alternatives", of: alternatives) { writer, alternative in
          writer.strings("if", alternative.conditions)
          writer.member(named: "verdict") { alternative.decision.verdict.write(to: &$0) }
        }
      }
    }

    private func line(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
      var writer = JSONWriter()
      writer.object { writer in
        if let id { writer.member(named: "id") { $0.raw(id) } }
        write(&writer)
      }
      writer.endLine()
      return writer.bytes
    }
  }

  /// Decides a one-line request.
  ///
  /// - Parameter number: The number of the line, for messages.
  /// - Throws: ``RunError`` with the error's line and column.
  package mutating func decision(on line: String, number: Int) throws(RunError) -> Decision {
    do throws(JSONSyntaxError) {
      let fields = try DecisionFields(JSONReader.read(line), keys: DecisionKey.self)
      return Decision(try fields.id(), try verdict(fields))
    } catch {
      let place = Position(line: number, column: error.position.column)
      throw RunError(.file("-", place), error.message, rule: "request")
    }
  }

  private mutating func verdict(
    _ fields: DecisionFields
  ) throws(JSONSyntaxError) -> ExplainedVerdict {
    if let launch = fields.value(.launch) {
      try fields.refuseAll(but: [.id, .launch, .device], beside: .launch)
      return try self.launch(launch, on: fields.value(.device))
    }
    let request = try request(fields)
    return Explainer.explain(request, evaluate(request))
  }

  private var appliedDocuments: [PolicyDocument] { applied.sorted().map { documents[$0] } }

  mutating func request(
    _ fields: DecisionFields
  ) throws(JSONSyntaxError) -> TransferRequest {
    forgetLast()
    let channel = try fields.channel(.channel) ?? .share
    let device = try restrictions(fields.value(.device))
    var request = TransferRequest(
      channel: channel, via: try fields.word(DecisionKey.via) ?? .sdk, sender: .system,
      owner: Owner(), content: try content(fields, channel), device: device)
    try fillParties(of: &request, fields)
    if let value = fields.value(.owner) {
      request.owner = try owner(value, request.sender.app, device)
    }
    request.content.opensInManagedBrowser =
      request.receiver.app.bundleID.lowercased() == ManagedBrowser.bundleID
    return request
  }

  private mutating func forgetLast() {
    applied = []
    untargeted = []
    subjects = []
  }

  /// Returns the restrictions on the device. If the request does not state whether the device is enrolled in MDM, the
  /// tenant determines it.
  private mutating func restrictions(
    _ value: JSONValue?
  ) throws(JSONSyntaxError) -> DeviceRestrictions {
    var device = try DeviceRestrictions(value)
    guard let tenant else { return device }
    let fields = try value.map { value throws(JSONSyntaxError) in
      try DecisionFields(value, keys: DeviceKey.self)
    }
    if try fields?.bool(DeviceKey.mdmEnrolled) == nil {
      device.isMDMEnrolled = tenant.isMDMEnrolled
    }
    conditions = SubjectDevice(
      isMDMEnrolled: device.isMDMEnrolled, osVersion: try fields?.string(DeviceKey.osVersion),
      model: try fields?.string(DeviceKey.model))
    return device
  }

  /// Fills in the parties that a request's channel requires, the data's owner, and the app's policy.
  private mutating func fillParties(
    of request: inout TransferRequest, _ fields: DecisionFields
  ) throws(JSONSyntaxError) {
    let device = request.device
    let needsSender = request.channel != .openFrom && request.channel != .documentPickerImport
    let needsReceiver = request.channel.counterpart == .app || !needsSender
    let isIncoming = request.channel.isIncoming
    if needsSender || fields.value(.sender) != nil {
      request.sender = try party(fields.required(.sender), device, acts: !isIncoming)
    }
    if needsReceiver || fields.value(.receiver) != nil {
      request.receiver = try party(fields.required(.receiver), device, acts: isIncoming)
    }
    if request.channel.counterpart == .location {
      if request.channel.isIncoming {
        request.sender = try locationParty(fields, in: request.receiver, device)
      } else {
        request.receiver = try locationParty(fields, in: request.sender, device)
      }
    }
    request.owner = Owner(account: request.sender.identity.account, policy: request.sender.policy)
    if let value = fields.value(.appAccount) {
      let owner = try owner(value, request.sender.app, device)
      (request.appPolicy, request.appAccount) = (owner.policy, owner.account)
    } else {
      (request.appPolicy, request.appAccount) =
        (request.sender.policy, request.sender.identity.account)
    }
  }

  /// Returns the app as a party that acts for the storage location's account.
  private mutating func locationParty(
    _ fields: DecisionFields, in party: Party, _ device: DeviceRestrictions
  ) throws(JSONSyntaxError) -> Party {
    guard let value = fields.value(.locationAccount) else {
      return Party(app: party.app, identity: .unset)
    }
    guard let account = try account(DecisionFields(value, keys: OwnerKey.self)) else {
      return Party(app: party.app, identity: .unknown)
    }
    guard party.identity.account?.isSameUser(as: account) != true else { return party }
    let owner = try owner(value, party.app, device)
    return Party(app: party.app, identity: .account(account), policy: owner.policy)
  }

  private func content(
    _ fields: DecisionFields, _ channel: Channel
  ) throws(JSONSyntaxError) -> Content {
    let text = try fields.string(DecisionKey.text)
    let characters = try fields.int(DecisionKey.characters)
    if let characters, characters < 0 {
      throw fields.mistake(DecisionKey.characters, "`characters` must be 0 or more")
    }
    let url = try fields.string(DecisionKey.url)
    if channel.counterpart == .url, url == nil { throw fields.missing(DecisionKey.url) }
    let scheme = url.flatMap(URLScheme.of)
    if let url, scheme == nil {
      throw fields.mistake(
        DecisionKey.url,
        "`\(url)` is not a URL; expected a scheme and `:`, as in `https://contoso.com`")
    }
    return Content(
      characters: characters ?? text?.unicodeScalars.count, scheme: scheme,
      isKnownManagedScheme: try fields.bool(DecisionKey.knownManagedScheme) ?? false,
      url: url, link: url.flatMap(WebLink.init), location: try location(fields, channel),
      isExternalPage: try fields.bool(DecisionKey.externalPage) ?? false)
  }

  /// Returns the storage location; nil for channels without one. In a user's request, it must be valid for the channel,
  /// and only some locations may have an account.
  private func location(
    _ fields: DecisionFields, _ channel: Channel
  ) throws(JSONSyntaxError) -> StorageLocation? {
    guard channel.counterpart == .location else { return nil }
    if source == .device {
      return try fields.string(DecisionKey.location).flatMap(StorageLocation.init)
    }
    let known =
      channel == .saveTo ? StorageLocation.saveLocations : StorageLocation.openLocations
    let name = try fields.requiredString(DecisionKey.location)
    guard let location = known.first(where: { $0.rawValue == name }) else {
      throw fields.unknown(name, DecisionKey.location, among: known.map(\.rawValue))
    }
    if !location.hasAccount, fields.value(.locationAccount) != nil {
      throw fields.mistake(
        DecisionKey.locationAccount,
        "`\(name)` belongs to no account; leave `locationAccount` out, or make it null")
    }
    return location
  }

  // MARK: Parties

  /// Returns the party that a member of the request describes.
  ///
  /// - Parameter isActing: Whether the party is the acting app. If the request states no account for the acting app,
  ///   its account is the tenant's user.
  private mutating func party(
    _ value: JSONValue, _ device: DeviceRestrictions, acts isActing: Bool
  ) throws(JSONSyntaxError) -> Party {
    try party(DecisionFields(value, keys: PartyKey.self), device, acts: isActing)
  }

  private mutating func party(
    _ fields: DecisionFields, _ device: DeviceRestrictions, acts isActing: Bool = true
  ) throws(JSONSyntaxError) -> Party {
    let isUnstated = isActing && fields.value(PartyKey.account) == nil
    let account = try self.account(fields) ?? (isUnstated ? tenant?.user : nil)
    var app = try AppState(fields)
    let identity: Identity =
      account.map { .account($0) } ?? (fields.value(PartyKey.account) == nil ? .unset : .unknown)
    guard let account else { return Party(app: app, identity: identity) }
    let policy = try policy(fields, of: account, &app, device)
    var party = Party(app: app, identity: identity, policy: policy)
    if try fields.bool(PartyKey.mixedView) ?? false { party.lockDown() }
    return party
  }

  private mutating func owner(
    _ value: JSONValue, _ app: AppState, _ device: DeviceRestrictions
  ) throws(JSONSyntaxError) -> Owner {
    let fields = try DecisionFields(value, keys: OwnerKey.self)
    guard let account = try account(fields) else { return Owner() }
    var app = app
    return Owner(account: account, policy: try policy(fields, of: account, &app, device))
  }

  /// Returns the stated account; nil if it is missing or unknown. A policy that is stated without an account is an
  /// error.
  private func account(_ fields: DecisionFields) throws(JSONSyntaxError) -> Account? {
    guard let upn = try fields.string(PartyKey.account), !upn.isEmpty else {
      let isManaged = try fields.bool(PartyKey.managed) ?? false
      guard !isManaged, try fields.string(PartyKey.policy) == nil else {
        throw fields.missing(PartyKey.account)
      }
      return nil
    }
    return Account(
      upn: upn, objectID: try fields.string(PartyKey.objectId),
      tenantID: try fields.string(PartyKey.tenant))
  }

  /// Returns the policy of a party. The member `managed` states whether a policy applies. Without
  /// it, the tenant's assignments or the policies' own targeting decide.
  private mutating func policy(
    _ fields: DecisionFields, of account: Account, _ app: inout AppState,
    _ device: DeviceRestrictions
  ) throws(JSONSyntaxError) -> EffectivePolicy? {
    let named = try fields.string(PartyKey.policy)
    let isManaged = try fields.bool(PartyKey.managed)
    if isManaged == false { return nil }
    var assigned: [Int]?
    if let tenant, named == nil {
      guard isManaged == nil else {
        throw fields.mistake(
          PartyKey.managed,
          "the tenant decides which policies apply; leave `managed` out, or name a `policy`")
      }
      assigned = assignment(of: account, in: &app, fields, by: tenant)
    }
    let state = ManagementState(
      isMDMEnrolled: device.isMDMEnrolled, hasEnrolledUPN: app.hasEnrolledUPN)
    let applying = documents.indices.filter { index in
      let document = documents[index]
      if let named { return document.displayName == named }
      if let assigned { return assigned.contains(index) }
      return isManaged == true
        || document.targets(bundleID: app.protectedBundleID, state: state).isTargeted
    }
    if let named, applying.isEmpty {
      throw fields.mistake(
        PartyKey.policy,
        "no policy is called `\(named)`"
          + (documents.isEmpty
            ? ""
            : "; the policies are "
              + documents.map { "`\($0.displayName)`" }.joined(separator: ", "))
      )
    }
    guard !applying.isEmpty else {
      // A user of a tenant may have no policy in an app for which other users have one.
      if assigned == nil || !isTargeted(app.protectedBundleID) {
        untargeted.append((app.protectedBundleID, state))
      }
      return nil
    }
    applied.formUnion(applying)
    if let known = policies[applying] { return known }
    let policy = EffectivePolicy.merging(applying.map { documents[$0] })
    policies[applying] = policy
    return policy
  }
}

// MARK: - Tenants

/// A tenant's policy assignments to the accounts in requests.
package struct TenantAssignments: Sendable {
  /// Whether MDM manages the device, for requests that do not state it.
  package var isMDMEnrolled: Bool
  /// The acting app's account, for requests that state none; nil for no account.
  package var user: Account?
  /// The assignments to each account. An account without an entry gets no policy.
  package var assigned: [Decider.Subject: Assigned] = [:]

  package init(isMDMEnrolled: Bool, user: Account? = nil) {
    self.isMDMEnrolled = isMDMEnrolled
    self.user = user
  }

  /// The assignments to an account in an app.
  package struct Assigned: Sendable {
    /// The indices of the assigned policies.
    package var policies: [Int]
    package var hasEnrolledUPN: Bool

    package init(policies: [Int], hasEnrolledUPN: Bool) {
      self.policies = policies
      self.hasEnrolledUPN = hasEnrolledUPN
    }
  }
}

extension Decider {
  /// A combination of account, app and device, for which a tenant determines the policies.
  package struct Subject: Sendable, Hashable {
    /// The account's object id, or its UPN.
    package var user: String
    package var upn: String
    package var app: String
    package var device: SubjectDevice
  }

  /// A device, as stated in a request.
  package struct SubjectDevice: Sendable, Hashable {
    package var isMDMEnrolled = false
    /// The version of the operating system; nil if the request does not state it.
    package var osVersion: String?
    /// The model; nil if the request does not state it.
    package var model: String?
    /// The version of the app; nil if the request does not state it.
    package var appVersion: String?
  }

  /// Returns the accounts in a request whose policies the tenant determines.
  ///
  /// - Parameters:
  ///   - number: The number of the line, for messages.
  ///   - user: The acting app's account, if the request states none.
  /// - Throws: ``RunError`` with the error's line and column.
  package mutating func subjects(
    of line: String, number: Int, for user: Account?
  ) throws(RunError) -> [Subject] {
    tenant?.user = user
    tenant?.assigned = [:]
    _ = try decision(on: line, number: number)
    return subjects
  }

  /// Sets the assignments and the user for further requests.
  package mutating func assign(_ assigned: [Subject: TenantAssignments.Assigned], to user: Account?)
  {
    tenant?.user = user
    tenant?.assigned = assigned
  }

  /// Returns the indices of the policies that the tenant assigns to an account, and records the account. If the request
  /// does not state whether the app has the enrolled user's UPN, sets `hasEnrolledUPN` of `app`.
  private mutating func assignment(
    of account: Account, in app: inout AppState, _ fields: DecisionFields,
    by tenant: TenantAssignments
  ) -> [Int] {
    let subject = Subject(
      user: account.objectID ?? account.upn, upn: account.upn,
      app: app.protectedBundleID.lowercased(), device: conditions)
    subjects.append(subject)
    guard let assigned = tenant.assigned[subject] else { return [] }
    if fields.value(PartyKey.enrolledUPN) == nil { app.hasEnrolledUPN = assigned.hasEnrolledUPN }
    return assigned.policies
  }

  /// Returns whether a policy targets the app in any state of the device.
  private func isTargeted(_ bundleID: String) -> Bool {
    documents.contains { document in
      ManagementState.allCases.contains {
        document.targets(bundleID: bundleID, state: $0).isTargeted
      }
    }
  }
}

extension AppState {
  fileprivate init(_ fields: DecisionFields) throws(JSONSyntaxError) {
    self.init(
      bundleID: try fields.requiredString(PartyKey.app),
      containingApp: try fields.string(PartyKey.containingApp),
      isMultiIdentity: try fields.bool(PartyKey.multiIdentity) ?? false,
      isMDMManaged: try fields.bool(PartyKey.mdmManaged) ?? false,
      hasEnrolledUPN: try fields.bool(PartyKey.enrolledUPN) ?? false,
      linksSDK: try fields.bool(PartyKey.linksSDK) ?? false)
    sdkVersion = try fields.version(PartyKey.sdkVersion)
    lacksRequiredAccount = try fields.bool(PartyKey.lacksRequiredAccount) ?? false
    if let control = try fields.string(PartyKey.screenCaptureControl) {
      isScreenCaptureControlDisabled = control.lowercased() == "disabled"
    }
    alwaysRestrictsSaving = try fields.bool(PartyKey.alwaysRestrictsSaving) ?? false
    webViews = try fields.word(PartyKey.webViews) ?? .currentIdentity
    schemes = try fields.schemes(PartyKey.schemes)
  }
}

extension DeviceRestrictions {
  init(_ value: JSONValue?) throws(JSONSyntaxError) {
    self.init()
    guard let value else { return }
    let device = try DecisionFields(value, keys: DeviceKey.self)
    isMDMEnrolled = try device.bool(DeviceKey.mdmEnrolled) ?? false
    isFileEncryptionRequired = try device.bool(DeviceKey.isFileEncryptionRequired) ?? false
    for key in DeviceKey.allCases {
      guard let restriction = DeviceDefinition.Restriction(rawValue: key.rawValue),
        let value = try device.bool(key)
      else { continue }
      restrict(restriction, to: value)
    }
  }
}

// MARK: Explanations

extension Decider {
  /// Decides a one-line request. Returns the request with its explained verdict.
  ///
  /// - Parameter number: The number of the line, for messages.
  /// - Throws: ``RunError`` with the error's line and column, or with the message of ``mistakenApp(onlyNear:)``. With a
  ///   tenant, an untargeted app is an error only if its name resembles a targeted app's name.
  package mutating func explain(
    _ line: String, number: Int
  ) throws(RunError) -> (request: TransferRequest, verdict: ExplainedVerdict) {
    let request: TransferRequest
    do throws(JSONSyntaxError) {
      let fields = try DecisionFields(JSONReader.read(line), keys: DecisionKey.self)
      request = try self.request(fields)
    } catch {
      let place = Position(line: number, column: error.position.column)
      throw RunError(.file("-", place), error.message, rule: "request")
    }
    // A user of a tenant may have no policy, so only a misspelled app is an error.
    if let message = mistakenApp(onlyNear: tenant != nil) {
      throw RunError(.file("-", Position(line: number, column: 1)), message, rule: Self.appRule)
    }
    return (request, Explainer.explain(request, evaluate(request)))
  }

  /// The rule name of an error with the message of ``mistakenApp(onlyNear:)``.
  package static let appRule = "app"

  /// A notice about the assignment conditions of the last answer's policies that were not evaluated; nil if there are
  /// none, or if a tenant determines the policies.
  package var notice: String? {
    tenant == nil ? appliedDocuments.membershipNotice(.everybody) : nil
  }

  /// Warnings about the last request: a probably misspelled app, and assignment conditions that were not evaluated.
  package var warnings: [String] {
    let app = mistakenApp(onlyNear: true).map {
      Diagnostic(.command, $0, rule: Self.appRule, severity: .warning).description
    }
    let notice = notice.map {
      Diagnostic(.command, $0, rule: "assignments", severity: .note).description
    }
    return [app, notice].compactMap(\.self)
  }

  /// Returns a message about an app in which the last request states an account, but that no policy targets; nil if
  /// there is no such app. If a policy applies to another party of the request, ignores apps whose names resemble no
  /// targeted app's name.
  ///
  /// - Parameter onlyNear: Whether to ignore such apps in any case.
  package func mistakenApp(onlyNear: Bool = false) -> String? {
    let targeted = documents.map(\.targeting)
    for (bundleID, state) in untargeted {
      let meant = Targeting.app(nearestTo: bundleID, among: targeted)
      // A policy may name the app, and target other states of the device.
      let isNamed = meant?.lowercased() == bundleID.lowercased()
      guard meant != nil || !onlyNear && appliedDocuments.isEmpty, !documents.isEmpty else {
        continue
      }
      let why = documents.map { document in
        let result = document.targets(bundleID: bundleID, state: state)
        return
          "`\(document.displayName)` is \(result == .otherApp ? document.targeting.text : result.text)"
      }
      return "none of the given policies targets `\(bundleID)`"
        + (isNamed ? " in this state of the device" : Suggestion.text(meant))
        + (meant == nil || isNamed ? "; " : " ")
        + ListFormat.first(5, of: why)
    }
    return nil
  }
}

// MARK: - Conditional launch

/// Conditional launch, which decides whether an account's policy currently lets an app open the account.
extension Decider {
  /// Returns the verdict on the launch in a request's `launch`, on the device in the request's `device`.
  private mutating func launch(
    _ value: JSONValue, on device: JSONValue?
  ) throws(JSONSyntaxError) -> ExplainedVerdict {
    let fields = try DecisionFields(value, keys: LaunchKey.self)
    forgetLast()
    let state = try restrictions(device)
    self.conditions.appVersion = try fields.string(LaunchKey.appVersion)
    let party = try self.party(fields, state)
    var conditions = try DevicePosture(device)
    conditions.isMDMEnrolled = state.isMDMEnrolled
    // The time of the request is fixed. Earlier events precede it by the stated durations.
    let now = 10 * 365 * 86_400
    let offline = try fields.duration(LaunchKey.offlineFor)
    conditions.isOnline = offline == nil
    let request = LaunchRequest(
      policy: party.policy, device: conditions, app: party.app,
      appVersion: try fields.version(LaunchKey.appVersion),
      account: AccountConditions(
        isDisabled: try fields.bool(LaunchKey.disabled) ?? false,
        isClockedOut: try fields.bool(LaunchKey.clockedOut) ?? false,
        lastCheckIn: now - (offline ?? 0)),
      access: try AccessState(fields, now: now), offer: try AccessOffer(fields), now: now)
    return Explainer.explain(request, evaluateLaunch(request))
  }
}

extension AccessState {
  fileprivate init(_ fields: DecisionFields, now: Int) throws(JSONSyntaxError) {
    self.init()
    if let pin = try fields.string(LaunchKey.currentPIN) {
      current = CurrentPIN(PIN(pin), setAt: now - (try fields.duration(LaunchKey.pinAge) ?? 0))
    }
    if let failed = try fields.int(LaunchKey.failedAttempts) {
      guard failed >= 0 else {
        throw fields.mistake(LaunchKey.failedAttempts, "`failedAttempts` must be 0 or more")
      }
      failedAttempts = failed
    }
    if let idle = try fields.duration(LaunchKey.idleFor) {
      lastUnlock = now - idle
      lastSignIn = now - idle
    }
  }
}

extension AccessOffer {
  fileprivate init(_ fields: DecisionFields) throws(JSONSyntaxError) {
    self.init()
    guard let value = fields.value(LaunchKey.offers) else { return }
    let offers = try DecisionFields(value, keys: OfferKey.self)
    if let pin = try offers.string(OfferKey.pin) {
      unlock = .pin(PIN(pin))
    } else if try offers.bool(OfferKey.biometrics) ?? false {
      unlock = .biometrics
    }
    hasSignedIn = try offers.bool(OfferKey.credentials) ?? false
  }
}

extension DevicePosture {
  /// Reads the posture from a request's `device`. The default is an `iPhone17,1` with iOS 26.0 and a PIN, not
  /// jailbroken and without a threat level.
  fileprivate init(_ value: JSONValue?) throws(JSONSyntaxError) {
    self.init(osVersion: Version(26, 0), model: "iPhone17,1", hasPIN: true)
    guard let value else { return }
    let device = try DecisionFields(value, keys: DeviceKey.self)
    osVersion = try device.version(DeviceKey.osVersion) ?? osVersion
    model = try device.string(DeviceKey.model) ?? model
    isJailbroken = try device.bool(DeviceKey.jailbroken) ?? false
    threatLevel = try device.word(DeviceKey.threatLevel)
    hasPIN = try device.bool(DeviceKey.pin) ?? hasPIN
    biometrics = try device.word(DeviceKey.biometrics) ?? .none
  }
}
