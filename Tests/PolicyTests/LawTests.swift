import Model
import Policy
import PolicySupport
import TestSupport
import Testing

/// Tests invariants of every request on every channel, under all settings.
@Suite("Laws of the policy engine")
struct LawTests {
  // MARK: Layers and sides

  @Test func `without a managed account, app protection allows every possible transfer`() {
    expectLaw(seed: 11, requests: 20_000) { request, _ in
      // The caller is at fault for an invalid location, or for an account that the location cannot
      // have.
      guard !request.hasInvalidLocation else { return nil }
      var unmanaged = request.mappingPolicies { _ in nil }
      unmanaged.device.isMDMEnrolled = false
      let outcome = evaluate(unmanaged).outcome
      return outcome == .allowed ? nil : "without policies \(outcome)"
    }
  }

  /// This is a premise of `sluice leaks`: data that can reach an app by an import can reach it by a
  /// share.
  @Test func `share, import, open-in, drop and extension result requests have the same outcome`() {
    expectLaw(seed: 10, requests: 10_000, on: [.share]) { request, _ in
      let verdict = evaluate(request)
      for channel in [Channel.import, .openIn, .dragAndDrop, .extensionResult] {
        var other = request
        other.channel = channel
        let outcome = evaluate(other).outcome
        if outcome != verdict.outcome { return "\(verdict.outcome), \(channel) \(outcome)" }
      }
      return nil
    }
  }

  /// The answer of one side is the request's answer if the other side permits everything. The
  /// clipboard's exception remains, because it belongs to the sending side but waives both
  /// (assumed).
  @Test
  func `an outcome is never more permissive than the verdict of either side`() {
    expectLaw(seed: 12, requests: 20_000) { request, _ in
      let outcome = evaluate(request).outcome
      let sides = [
        ("the sending side", request.withReceivingSideOpen),
        ("the receiving side", request.withSendingSideOpen),
      ]
      for (name, alone) in sides where outcome > evaluate(alone).outcome {
        return "\(outcome), but \(name) alone says \(evaluate(alone).outcome)"
      }
      return nil
    }
  }

  @Test func `an outcome is never more permissive than app protection or MDM allows`() {
    expectLaw(seed: 13, requests: 20_000) { request, _ in
      let outcome = evaluate(request).outcome
      let device = evaluate(request.mappingPolicies { _ in nil }).outcome
      if outcome > device { return "\(outcome), but the device alone says \(device)" }
      var free = request
      free.device = DeviceRestrictions(isMDMEnrolled: request.device.isMDMEnrolled)
      let policies = evaluate(free).outcome
      return outcome > policies ? "\(outcome), but policies alone say \(policies)" : nil
    }
  }

  @Test func `the owner's policy never makes an outcome more permissive`() {
    expectLaw(seed: 14, requests: 20_000) { request, _ in
      // For incoming data, the receiver evaluates whether the owner is managed.
      guard request.channel.counterpart == .system || request.channel.counterpart == .url else {
        return nil
      }
      var ownerless = request
      ownerless.owner = Owner()
      let (outcome, alone) = (evaluate(request).outcome, evaluate(ownerless).outcome)
      return outcome > alone ? "\(outcome), but \(alone) without an owner" : nil
    }
  }

  // MARK: Settings

  @Test func `a stricter setting never makes more data readable to a receiver`() {
    // Channels with many settings are drawn more often. Each setting therefore decides at least
    // once.
    let channels =
      Channel.allCases + [Channel](repeating: .saveTo, count: 40)
      + [Channel](repeating: .openFrom, count: 40) + [Channel](repeating: .openURL, count: 10)
      + [Channel](repeating: .share, count: 10)
    let steps = Dictionary(
      uniqueKeysWithValues: Channel.allCases.map { ($0, Tightening.steps(on: $0)) })
    var effective: Set<String> = []
    expectLaw(seed: 15, requests: 40_000, on: channels) { request, _ in
      let before = evaluate(request).outcome
      for policy in request.policies {
        for tightening in steps[request.channel, default: []] {
          var settings = policy.settings
          tightening.apply(&settings)
          guard settings != policy.settings else { continue }
          let tightened = request.replacing(policy, by: EffectivePolicy(settings: settings))
          let after = evaluate(tightened).outcome
          if after != before { effective.insert(tightening.name) }
          guard !tightening.isMonotone(from: before, to: after, via: request.via) else { continue }
          return "\(before), but \(after) with \(tightening.name)"
        }
      }
      return nil
    }
    #expect(Set(steps.values.joined().map(\.name)) == effective)
  }

  @Test func `toggling protectInboundDataFromUnknownSources never changes an outcome`() {
    expectLaw(seed: 16, requests: 10_000) { request, _ in
      let toggled = request.editingSettings { $0.protectInboundDataFromUnknownSources.toggle() }
      return difference(request, toggled, "incoming org data toggled")
    }
  }

  @Test func `settings that a channel does not read never change the channel's outcomes`() {
    expectLaw(seed: 17, requests: 10_000) { request, source in
      let other = source.policy().settings
      let read = request.channel.readSettings
      let redrawn = request.editingSettings { settings in
        var mixed = other
        for setting in read { mixed.copy(setting, from: settings) }
        settings = mixed
      }
      return difference(request, redrawn, "the other channels' settings redrawn")
    }
  }

  // MARK: Merging

  @Test func `merging does not depend on the order of policies`() {
    var source = RequestSource(seed: 18)
    for _ in 0..<30 * thoroughness {
      let documents = (0..<3).map { document(source.policy(), number: $0) }
      let merged = EffectivePolicy.merging(documents)
      let orders = [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0], [0, 0, 1, 2, 1]]
      let others = orders.map { order in EffectivePolicy.merging(order.map { documents[$0] }) }
      expectLaw(&source, requests: 100) { request, _ in
        let first = request.mappingPolicies { _ in merged }
        for other in others {
          let second = request.mappingPolicies { _ in other }
          if let text = difference(first, second, "another order") { return text }
        }
        return nil
      }
    }
  }

  /// On the OS path, a transfer that one policy blocks may be encrypted, as in ``Tightening``. If the policies name two
  /// browsers, the merge uses the managed browser, although one of the policies names another browser (assumed).
  @Test func `a request that merged policies allow is allowed by each policy`() {
    var source = RequestSource(seed: 19)
    for _ in 0..<200 * thoroughness {
      let policies = [source.policy(), source.policy()]
      let merged = EffectivePolicy.merging(
        policies.enumerated().map { document($0.element, number: $0.offset) })
      expectLaw(&source, requests: 200) { request, _ in
        let verdict = evaluate(request.mappingPolicies { _ in merged })
        let together = verdict.outcome
        guard together == .allowed || request.via != .os else { return nil }
        for policy in policies {
          let alone = evaluate(request.mappingPolicies { _ in policy })
          let isOfTwoBrowsers =
            verdict.reasons.contains { $0.rule == .managedBrowserUsed }
            && alone.reasons.contains { $0.rule == .customBrowserRequired }
          guard together > alone.outcome, !isOfTwoBrowsers else { continue }
          return "\(together) together, but \(alone.outcome) alone"
        }
        return nil
      }
    }
  }

  // MARK: Identities

  @Test func `letter case of names, object ids and tenants changes no verdict`() {
    expectLaw(seed: 20, requests: 20_000) { request, _ in
      for (name, spell) in [("upper", upper), ("lower", lower)] {
        let respelled = request.mappingAccounts(spell)
        if let text = difference(request, respelled, "\(name) case") { return text }
        for role in [\TransferRequest.sender.identity, \.receiver.identity] {
          var alone = request
          alone[keyPath: role] = respelled[keyPath: role]
          if let text = difference(request, alone, "\(name) case in one role") { return text }
        }
        var alone = request
        alone.owner.account = respelled.owner.account
        if let text = difference(request, alone, "\(name) case of the owner") { return text }
      }
      return nil
    }
  }

  @Test func `renaming an account with a known object id changes no verdict`() {
    expectLaw(seed: 21, requests: 20_000) { request, _ in
      let accounts = [
        request.sender.identity.account, request.owner.account, request.receiver.identity.account,
      ].compactMap { $0 }
      guard accounts.allSatisfy({ $0.objectID != nil && $0.tenantID != nil }) else { return nil }
      let renamed = request.mappingAccounts {
        Account(upn: "somebody@example.com", objectID: $0.objectID, tenantID: $0.tenantID)
      }
      return difference(request, renamed, "everybody renamed")
    }
  }

  @Test func `account and tenant equality are symmetric`() {
    for one in RequestSource.accounts {
      for other in RequestSource.accounts {
        #expect(one.isSameUser(as: other) == other.isSameUser(as: one))
        #expect(one.isSameTenant(as: other) == other.isSameTenant(as: one))
      }
    }
  }

  // MARK: Verdicts

  @Test
  func `a verdict has a reason, and its outcome is the strictest effect of its reasons`() {
    expectLaw(seed: 22, requests: 50_000) { request, _ in
      let verdict = evaluate(request)
      guard let strictest = verdict.reasons.map(\.rule.effect).min() else { return "no reason" }
      guard strictest == verdict.outcome else {
        return "\(verdict.outcome), but the strictest reason says \(strictest)"
      }
      guard verdict.deciding.rule.effect == strictest else { return "the wrong reason decides" }
      return nil
    }
  }

  @Test func `equal transfer requests have equal verdicts`() {
    expectLaw(seed: 23, requests: 20_000) { request, _ in
      let copy = request
      return evaluate(request) == evaluate(copy) ? nil : "two verdicts differ"
    }
  }

  @Test func `impossible transfer requests still have a verdict`() {
    expectLaw(seed: 24, requests: 50_000) { request, source in
      var odd = request
      odd.channel = source.pick(Channel.allCases)
      if source.flag() { odd.content = source.request().content }
      if source.flag() { odd.content.location = source.pick(StorageLocation.allCases) }
      if source.flag(outOf: 4) { odd.sender = source.request().receiver }
      if source.flag(outOf: 4) { odd.receiver = .system }
      if source.flag(outOf: 4) { odd.sender.policy = source.policy() }
      if source.flag(outOf: 4) { odd.receiver.policy = source.policy() }
      if source.flag(outOf: 8) { odd.owner = Owner(account: nil, policy: source.policy()) }
      let verdict = evaluate(odd)
      return verdict.reasons.isEmpty ? "no reason" : nil
    }
  }

  @Test(arguments: Channel.allCases)
  func `transfer requests with empty or huge values still have a verdict`(channel: Channel) {
    let huge = String(repeating: "A*", count: 50_000)
    let nobody = Party(app: AppState(bundleID: ""), identity: .unset)
    let account = Account(upn: huge, objectID: huge, tenantID: huge)
    var settings = Settings()
    settings.allowedOutboundDataTransferDestinations = .managedApps
    settings.allowedInboundDataTransferSources = .managedApps
    settings.managedBrowser = .microsoftEdge
    settings.exemptedAppProtocols = [huge]
    settings.exemptedUniversalLinks = [LinkPattern("*" + huge.prefix(2_000)), LinkPattern("")]
    settings.allowedOutboundClipboardSharingExceptionLength = .max
    let policy = EffectivePolicy(settings: settings)
    let somebody = Party(app: AppState(bundleID: huge), identity: .account(account), policy: policy)
    let link = WebLink("https://" + huge)
    for (sender, receiver) in [
      (nobody, nobody), (nobody, somebody), (somebody, nobody), (somebody, somebody),
    ] {
      for characters in [nil, .min, -1, 0, .max] {
        for scheme in [nil, "", huge, "https"] {
          let request = TransferRequest(
            channel: channel, sender: sender, owner: Owner(account: account, policy: policy),
            receiver: receiver, appPolicy: policy,
            content: Content(characters: characters, scheme: scheme, link: link))
          #expect(!evaluate(request).reasons.isEmpty)
        }
      }
    }
  }

  // MARK: Helpers

  private func difference(
    _ request: TransferRequest, _ changed: TransferRequest, _ name: String
  ) -> String? {
    let (before, after) = (evaluate(request).outcome, evaluate(changed).outcome)
    return before == after ? nil : "\(before), but \(after) with \(name)"
  }

  private func upper(_ account: Account) -> Account {
    Account(
      upn: account.upn.uppercased(), objectID: account.objectID?.uppercased(),
      tenantID: account.tenantID?.uppercased())
  }

  private func lower(_ account: Account) -> Account {
    Account(
      upn: account.upn.lowercased(), objectID: account.objectID?.lowercased(),
      tenantID: account.tenantID?.lowercased())
  }

  private func document(_ policy: EffectivePolicy, number: Int) -> PolicyDocument {
    PolicyDocument(
      displayName: "\(number)", file: "\(number).json", settings: policy.settings, origins: [:])
  }

  /// Applies `law`, which returns the violation, to random requests. Stops at the fifth failure.
  private func expectLaw(
    seed: UInt64, requests: Int, on channels: [Channel] = Channel.allCases,
    _ law: (TransferRequest, inout RequestSource) -> String?
  ) {
    var source = RequestSource(seed: seed)
    expectLaw(&source, requests: requests * thoroughness, on: channels, law)
  }

  private func expectLaw(
    _ source: inout RequestSource, requests: Int, on channels: [Channel] = Channel.allCases,
    _ law: (TransferRequest, inout RequestSource) -> String?
  ) {
    var failures: [String] = []
    for index in 0..<requests where failures.count < Comparison.limit {
      let request = source.request(on: channels)
      if let failure = law(request, &source) {
        failures.append("seed \(source.seed), request \(index): \(failure)\n\(request.summary)")
      }
    }
    recordIssues(failures)
  }
}

extension TransferRequest {
  /// Whether the location does not belong to the channel, or has an account that it cannot have.
  fileprivate var hasInvalidLocation: Bool {
    guard channel.counterpart == .location else { return false }
    let locations =
      channel.isIncoming ? StorageLocation.openLocations : StorageLocation.saveLocations
    guard let location = content.location, locations.contains(location) else { return true }
    let holder = channel.isIncoming ? sender.identity : receiver.identity
    return !location.hasAccount && holder.account != nil
  }

  /// The request with the same parties, and a receiver's policy that permits everything.
  fileprivate var withReceivingSideOpen: TransferRequest {
    var open = self
    open.receiver.policy = receiver.policy.map(Self.opened)
    return open
  }

  /// The request with the same parties, and policies of the sending side that permit everything.
  fileprivate var withSendingSideOpen: TransferRequest {
    var open = self
    open.sender.policy = sender.policy.map(Self.opened)
    open.owner.policy = owner.policy.map(Self.opened)
    open.appPolicy = appPolicy.map(Self.opened)
    return open
  }

  private static func opened(_ policy: EffectivePolicy) -> EffectivePolicy {
    var settings = Settings()
    for setting in Setting.ofTransfers where !setting.decidedChannels.isEmpty {
      setting.domain?.values.first?(&settings)
    }
    settings.allowedOutboundClipboardSharingExceptionLength =
      policy.settings.allowedOutboundClipboardSharingExceptionLength
    return EffectivePolicy(settings: settings)
  }
}
