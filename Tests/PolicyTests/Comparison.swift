import Model
import Testing

@testable import Policy

/// Compares the engine with the naive evaluator. Counts the answers, and keeps the first mismatches
/// in simplified form.
struct Comparison {
  static let limit = 5

  private(set) var cases = 0
  private(set) var mismatches: [String] = []
  /// The number of requests by channel and outcome.
  private var counts: [Channel: [Outcome: Int]] = [:]

  var isFull: Bool { mismatches.count >= Self.limit }

  /// Compares the answers to a request. `origin` identifies the request's source, such as a seed
  /// and an index.
  mutating func check(_ request: TransferRequest, origin: @autoclosure () -> String = "") {
    cases += 1
    let outcome = evaluate(request).outcome
    counts[request.channel, default: [:]][outcome, default: 0] += 1
    guard outcome != NaiveEvaluator.outcome(of: request) else { return }
    let smallest = request.simplified { Self.mismatch($0) != nil }
    mismatches.append(
      "\(origin())\(Self.mismatch(smallest) ?? "")\n\(smallest.summary)")
  }

  /// Describes the difference between the two answers.
  private static func mismatch(_ request: TransferRequest) -> String? {
    let verdict = evaluate(request)
    let expected = NaiveEvaluator.outcome(of: request)
    guard verdict.outcome != expected else { return nil }
    let reasons = verdict.reasons.map { "\($0.side) \($0.rule)" }.joined(separator: ", ")
    return "engine \(verdict.outcome) (\(reasons)), naive \(expected)"
  }

  /// Returns the outcomes of the engine on a channel.
  func outcomes(on channel: Channel) -> Set<Outcome> { Set(counts[channel, default: [:]].keys) }

  /// Expects that all requests agreed. Each channel must have given each of `outcomes`, or all its
  /// possible outcomes.
  func expectAgreement(on count: Int, channels: [Channel], outcomes: Set<Outcome>? = nil) {
    recordIssues(mismatches)
    guard !isFull else { return }
    #expect(cases == count)
    #expect(Set(counts.keys) == Set(channels))
    for channel in channels {
      #expect(self.outcomes(on: channel) == outcomes ?? channel.possibleOutcomes, "\(channel)")
    }
  }
}

/// Records one issue for each text. Each text is therefore printed in full once.
func recordIssues(_ texts: [String]) {
  for text in texts { Issue.record("\(text)") }
}

extension Channel {
  /// The possible outcomes of the channel.
  var possibleOutcomes: Set<Outcome> {
    switch self {
    case .share, .openIn, .import, .extensionResult, .dragAndDrop:
      [.blocked, .encrypted, .allowed]
    case .fileEncryption: [.encrypted, .allowed]
    case .clipboard, .contactRead, .openURL, .universalLink, .appClip, .saveTo, .openFrom,
      .documentPickerExport, .documentPickerImport:
      [.blocked, .allowed]
    case .mailComposer, .messageComposer, .print, .notification, .contactSync, .widget,
      .spotlight, .siriIntents, .appIntents, .backup, .screenCapture, .writingTools, .genmoji,
      .keyboard, .webView, .safariExtension:
      [.blocked, .allowed]
    }
  }
}

extension TransferRequest {
  /// Every policy in the request, without duplicates.
  var policies: [EffectivePolicy] {
    var policies: [EffectivePolicy] = []
    for policy in [sender.policy, owner.policy, receiver.policy, appPolicy] {
      guard let policy, !policies.contains(where: { $0 === policy }) else { continue }
      policies.append(policy)
    }
    return policies
  }

  /// Returns the request with `replacement` in place of `policy`.
  func replacing(_ policy: EffectivePolicy, by replacement: EffectivePolicy) -> TransferRequest {
    mappingPolicies { $0 === policy ? replacement : $0 }
  }

  /// Returns the request with edited settings in every policy.
  func editingSettings(_ edit: (inout Settings) -> Void) -> TransferRequest {
    var changed = self
    for policy in policies {
      var settings = policy.settings
      edit(&settings)
      changed = changed.replacing(policy, by: EffectivePolicy(settings: settings))
    }
    return changed
  }

  func mappingPolicies(_ change: (EffectivePolicy) -> EffectivePolicy?) -> TransferRequest {
    var changed = self
    changed.sender.policy = sender.policy.flatMap(change)
    changed.owner.policy = owner.policy.flatMap(change)
    changed.receiver.policy = receiver.policy.flatMap(change)
    changed.appPolicy = appPolicy.flatMap(change)
    return changed
  }

  /// Returns the request with every account changed.
  func mappingAccounts(_ change: (Account) -> Account) -> TransferRequest {
    func changed(_ identity: Identity) -> Identity {
      identity.account.map { .account(change($0)) } ?? identity
    }
    var request = self
    request.sender.identity = changed(sender.identity)
    request.owner.account = owner.account.map(change)
    request.receiver.identity = changed(receiver.identity)
    return request
  }

  /// Returns the request without the parts that are not necessary for `isFailing`.
  func simplified(while isFailing: (TransferRequest) -> Bool) -> TransferRequest {
    var smallest = self
    var isShrinking = true
    while isShrinking {
      isShrinking = false
      for edited in smallest.simpler where edited.summary.utf8.count < smallest.summary.utf8.count {
        guard isFailing(edited) else { continue }
        smallest = edited
        isShrinking = true
        break
      }
    }
    return smallest
  }

  /// The requests with one part removed or set to its default.
  private var simpler: [TransferRequest] {
    var requests = Self.edits.map { edit in
      var request = self
      edit(&request)
      return request
    }
    for policy in policies {
      requests.append(mappingPolicies { $0 === policy ? nil : $0 })
      for setting in Setting.ofTransfers {
        var settings = policy.settings
        settings.copy(setting, from: Settings())
        requests.append(replacing(policy, by: EffectivePolicy(settings: settings)))
      }
    }
    return requests
  }

  private static let edits: [@Sendable (inout TransferRequest) -> Void] =
    [
      { $0.owner = Owner() },
      { $0.sender = .system },
      { $0.receiver = .system },
      { $0.appPolicy = nil },
      { $0.via = .sdk },
      { $0.device = DeviceRestrictions() },
      { $0.device.allowOpenFromManagedToUnmanaged = true },
      { $0.device.allowOpenFromUnmanagedToManaged = true },
      { $0.device.requireManagedPasteboard = false },
      { $0.device.allowManagedToWriteUnmanagedContacts = false },
      { $0.device.allowUnmanagedToReadManagedContacts = false },
      { $0.device.allowScreenShot = true },
      { $0.device.allowWritingTools = true },
      { $0.device.allowGenmoji = true },
      { $0.content = Content() },
      { $0.content.characters = nil },
      { $0.content.scheme = nil },
      { $0.content.isKnownManagedScheme = false },
      { $0.content.opensInManagedBrowser = false },
      { $0.content.link = nil },
      { $0.content.isExternalPage = false },
    ] + appEdits.flatMap(both)

  private static func both(
    _ edit: @escaping @Sendable (inout AppState) -> Void
  ) -> [@Sendable (inout TransferRequest) -> Void] {
    [{ edit(&$0.sender.app) }, { edit(&$0.receiver.app) }]
  }

  private static let appEdits: [@Sendable (inout AppState) -> Void] = [
    { $0 = AppState(bundleID: $0.bundleID) },
    { $0.isMDMManaged = false },
    { $0.isMultiIdentity = false },
    { $0.hasEnrolledUPN = false },
    { $0.linksSDK = false },
    { $0.sdkVersion = nil },
    { $0.isScreenCaptureControlDisabled = false },
    { $0.lacksRequiredAccount = false },
    { $0.webViews = .currentIdentity },
  ]

  /// All parts that differ from the default, one per line.
  var summary: String {
    let owner = owner.account.map(describe) ?? "nobody"
    return """
        \(channel) via \(via)
        sender   \(describe(sender))
        owner    \(owner), \(describe(self.owner.policy))
        receiver \(describe(receiver))
        app      \(describe(appPolicy))
        content  \(describe(content))
        device   \(differences(device, from: DeviceRestrictions()))
      """
  }
}

private func describe(_ party: Party) -> String {
  let app = differences(party.app, from: AppState(bundleID: party.app.bundleID))
  return """
    \(party.app.bundleID.prefix(80)) (\(app)): \(describe(party.identity)), \
    \(describe(party.policy))
    """
}

private func describe(_ identity: Identity) -> String {
  switch identity {
  case .unset: "unset"
  case .unknown: "unknown"
  case .account(let account): describe(account)
  }
}

private func describe(_ account: Account) -> String {
  """
  \(account.upn.prefix(80)) [oid \((account.objectID ?? "-").prefix(80)), \
  tenant \((account.tenantID ?? "-").prefix(80))]
  """
}

private func describe(_ policy: EffectivePolicy?) -> String {
  guard let policy else { return "unmanaged" }
  return "policy: " + differences(policy.settings, from: Settings())
}

private func describe(_ content: Content) -> String {
  var content = content
  let link = content.link.map { "link \($0.text.prefix(80)), " }
  content.link = nil
  return (link ?? "") + differences(content, from: Content())
}

/// Returns the members of `value` that differ from those of `standard`.
private func differences<Value>(_ value: Value, from standard: Value) -> String {
  let pairs = zip(Mirror(reflecting: value).children, Mirror(reflecting: standard).children)
  let texts = pairs.compactMap { mine, theirs -> String? in
    let text = String(describing: mine.value)
    guard text != String(describing: theirs.value) else { return nil }
    return "\(mine.label ?? ""): \(text.prefix(120))"
  }
  return texts.isEmpty ? "as by default" : texts.joined(separator: ", ")
}
