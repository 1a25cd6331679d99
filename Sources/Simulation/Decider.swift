internal import JSON
public import Policy
internal import Transfer

/// Answers requests of `sluice decide`: one JSON object in, one out.
public struct Decider {
  private let documents: [PolicyDocument]
  private var policies: [[Int]: EffectivePolicy] = [:]

  /// - Parameter documents: the policies that may apply; which do is decided by their targeting, or by the
  ///   request.
  public init(_ documents: [PolicyDocument]) { self.documents = documents }

  /// The verdict on the request of one line, as a line.
  ///
  /// - Parameter number: the line's, for messages.
  /// - Throws: ``RunError`` that names line and column of what is wrong.
  public mutating func answer(_ line: String, number: Int) throws(RunError) -> [UInt8] {
    let id: [UInt8]?
    let request: TransferRequest
    do throws(JSONSyntaxError) {
      let fields = try DecisionFields(JSONReader.read(line), keys: DecisionKey.self)
      id = try fields.id()
      request = try self.request(fields)
    } catch {
      throw RunError(
        "-:\(number):\(error.position.column): error: \(error.message) [request]")
    }
    let verdict = Explainer.explain(request, evaluate(request))
    var writer = JSONWriter()
    writer.object { writer in
      if let id {
        writer.member(named: "id") { $0.raw(id) }
      }
      writer.member(named: "verdict") { verdict.write(to: &$0) }
    }
    writer.endLine()
    return writer.bytes
  }

  private mutating func request(
    _ fields: DecisionFields
  ) throws(JSONSyntaxError) -> TransferRequest {
    let state = try deviceState(fields)
    let sender = try party(fields.required(.sender), state)
    let receiver = try fields.value(.receiver).map { value throws(JSONSyntaxError) in
      try party(value, state)
    }
    let owner = try fields.value(.owner).map { value throws(JSONSyntaxError) in
      try self.owner(value, sender, state)
    }
    let text = try fields.string(DecisionKey.text)
    let url = try fields.string(DecisionKey.url)
    let channel: Channel = try fields.word(.channel) ?? .share
    if channel == .openURL, url == nil { throw fields.missing(DecisionKey.url) }
    if channel != .openURL, receiver == nil { throw fields.missing(DecisionKey.receiver) }
    return TransferRequest(
      channel: channel, via: try fields.word(.via) ?? .sdk, sender: sender,
      owner: owner ?? Owner(account: sender.identity.account, policy: sender.policy),
      receiver: receiver ?? Party(app: AppState(bundleID: ""), identity: .unset),
      content: Content(
        characters: try fields.int(DecisionKey.characters) ?? text?.unicodeScalars.count,
        scheme: url.flatMap(Self.scheme),
        isKnownManagedScheme: try fields.bool(DecisionKey.knownManagedScheme) ?? false,
        opensInManagedBrowser: receiver?.app.bundleID == "com.microsoft.msedge"),
      device: state)
  }

  private func deviceState(_ fields: DecisionFields) throws(JSONSyntaxError) -> DeviceState {
    guard let value = fields.value(.device) else { return DeviceState() }
    let device = try DecisionFields(value, keys: DeviceKey.self)
    return DeviceState(
      isMDMEnrolled: try device.bool(DeviceKey.mdmEnrolled) ?? false,
      allowOpenFromManagedToUnmanaged:
        try device.bool(DeviceKey.allowOpenFromManagedToUnmanaged) ?? true)
  }

  // MARK: parties

  private mutating func party(
    _ value: JSONValue, _ device: DeviceState
  ) throws(JSONSyntaxError) -> Party {
    let fields = try DecisionFields(value, keys: PartyKey.self)
    let account = try self.account(fields)
    let app = AppState(
      bundleID: try fields.requiredString(PartyKey.app),
      isMultiIdentity: try fields.bool(PartyKey.multiIdentity) ?? false,
      isMDMManaged: try fields.bool(PartyKey.mdmManaged) ?? false,
      hasEnrolledUPN: try fields.bool(PartyKey.enrolledUPN) ?? false)
    let identity: Identity =
      account.map { .account($0) } ?? (fields.value(PartyKey.account) == nil ? .unset : .unknown)
    return Party(
      app: app, identity: identity,
      policy: account == nil ? try nobody(fields) : try policy(fields, app, device))
  }

  private mutating func owner(
    _ value: JSONValue, _ sender: Party, _ device: DeviceState
  ) throws(JSONSyntaxError) -> Owner {
    let fields = try DecisionFields(value, keys: OwnerKey.self)
    guard let account = try account(fields) else { return Owner() }
    return Owner(account: account, policy: try policy(fields, sender.app, device))
  }

  private func account(_ fields: DecisionFields) throws(JSONSyntaxError) -> Account? {
    guard let upn = try fields.string(PartyKey.account), !upn.isEmpty else { return nil }
    return Account(
      upn: upn, objectID: try fields.string(PartyKey.objectId),
      tenantID: try fields.string(PartyKey.tenant))
  }

  /// Only an account can be under a policy.
  private func nobody(_ fields: DecisionFields) throws(JSONSyntaxError) -> EffectivePolicy? {
    let isManaged = try fields.bool(PartyKey.managed) ?? false
    guard !isManaged, try fields.string(PartyKey.policy) == nil else {
      throw fields.missing(PartyKey.account)
    }
    return nil
  }

  /// `managed` says whether a policy applies; without it the policies' own targeting does.
  private mutating func policy(
    _ fields: DecisionFields, _ app: AppState, _ device: DeviceState
  ) throws(JSONSyntaxError) -> EffectivePolicy? {
    let named = try fields.string(PartyKey.policy)
    let isManaged = try fields.bool(PartyKey.managed)
    if isManaged == false { return nil }
    let state = ManagementState(
      isMDMEnrolled: device.isMDMEnrolled, hasEnrolledUPN: app.hasEnrolledUPN)
    let applying = documents.indices.filter { index in
      let document = documents[index]
      if let named { return document.displayName == named }
      return isManaged == true || document.targets(bundleID: app.bundleID, state: state).isTargeted
    }
    if let named, applying.isEmpty {
      throw fields.mistake(
        PartyKey.policy,
        "there is no policy `\(named)`; there are "
          + documents.map { "`\($0.displayName)`" }.joined(separator: ", "))
    }
    guard !applying.isEmpty else { return nil }
    if let known = policies[applying] { return known }
    let policy = EffectivePolicy.merging(applying.map { documents[$0] })
    policies[applying] = policy
    return policy
  }

  private static func scheme(of url: String) -> String? {
    url.firstIndex(of: ":").map { url[..<$0].lowercased() }
  }
}
