import Model

struct CounterfactualBuilder {
  let request: TransferRequest
  let direction: Counterfactual.Direction

  private static let sendingSides: [Side] = [.owner, .sender]

  /// Returns the counterfactuals that could affect the request: first the settings that declare the
  /// channel in their rows, then the channel's other settings.
  func all() -> [Counterfactual] {
    SettingTable.deciders[request.channel, default: []].flatMap {
      values($0.setting, on: $0.sides)
    } + others()
  }

  /// Returns the counterfactuals of the channel that no row declares.
  private func others() -> [Counterfactual] {
    switch request.channel {
    case .share, .openIn, .import, .extensionResult, .dragAndDrop:
      send() + receive() + requiredAccount() + openIn()
    case .clipboard:
      clipboardLength() + clipboardLevel()
        + restriction(.requireManagedPasteboard, \.requireManagedPasteboard) + openIn()
    case .contactRead:
      restriction(.allowUnmanagedToReadManagedContacts, \.allowUnmanagedToReadManagedContacts)
        + restriction(.allowOpenFromManagedToUnmanaged, \.allowOpenFromManagedToUnmanaged)

    case .openURL, .universalLink, .appClip: url()

    case .saveTo: storageService() + send() + receive()
    case .openFrom: ingestionService() + receive() + send()

    case .documentPickerExport, .spotlight, .siriIntents, .appIntents, .safariExtension, .webView:
      send()
    case .documentPickerImport: receive()
    case .mailComposer: exemption(of: "mailto") + send()
    case .messageComposer: exemption(of: "sms") + messaging() + send()
    case .contactSync:
      restriction(.allowManagedToWriteUnmanagedContacts, \.allowManagedToWriteUnmanagedContacts)
        + restriction(.allowOpenFromManagedToUnmanaged, \.allowOpenFromManagedToUnmanaged)
    case .screenCapture:
      screenCaptureControl() + send() + restriction(.allowScreenShot, \.allowScreenShot)
    case .writingTools: send() + restriction(.allowWritingTools, \.allowWritingTools)
    case .genmoji: send() + restriction(.allowGenmoji, \.allowGenmoji)
    case .print, .notification, .widget, .backup, .keyboard, .fileEncryption: []
    }
  }

  private func url() -> [Counterfactual] {
    let byScheme =
      switch request.content.scheme {
      case "http", "https": browser() + universalLink()
      case "tel", "telprompt": dialer()
      case "sms", "imessage": messaging()
      default:  // open: any other scheme, or none
        send()
      }
    return exemption(of: request.content.scheme) + byScheme
  }

  private func openIn() -> [Counterfactual] {
    restriction(.allowOpenFromManagedToUnmanaged, \.allowOpenFromManagedToUnmanaged)
      + restriction(.allowOpenFromUnmanagedToManaged, \.allowOpenFromUnmanagedToManaged)
  }
}

// MARK: - Settings

extension CounterfactualBuilder {
  private func send() -> [Counterfactual] {
    counterfactuals(.allowedOutboundDataTransferDestinations, on: Self.sendingSides) { settings in
      let current = SendChoice(of: settings)
      let choices = SendChoice.allCases.filter { $0 == current || isDistinct($0) }
      return steps(choices, from: current) {
        $0.apply(to: &$1)
      } words: {
        $0.rawValue
      }
    }
  }

  /// Returns whether the choice differs from plain "Policy managed apps" for this request. "Filtering" differs only if
  /// the request uses system sharing. "OS sharing" differs only if, in addition, the device is enrolled.
  private func isDistinct(_ choice: SendChoice) -> Bool {
    switch choice {
    case .none, .managedApps, .allApps: true
    case .filtering: request.via == .os
    case .osSharing: request.via == .os && request.device.isMDMEnrolled
    }
  }

  private func receive() -> [Counterfactual] {
    counterfactuals(.allowedInboundDataTransferSources, on: [.receiver]) { settings in
      let current = ReceiveChoice(of: settings)
      // Incoming org data accepts the same data as All apps and only marks it.
      let choices = ReceiveChoice.allCases.filter { $0 == current || $0 != .incomingOrgData }
      return steps(choices, from: current) {
        $0.apply(to: &$1)
      } words: {
        $0.rawValue
      }
    }
  }

  private func clipboardLevel() -> [Counterfactual] {
    values(.allowedOutboundClipboardSharingLevel, on: Self.sendingSides + [.receiver])
  }

  private func clipboardLength() -> [Counterfactual] {
    guard let characters = request.content.characters, characters <= 65535 else { return [] }
    return counterfactuals(.allowedOutboundClipboardSharingExceptionLength, on: Self.sendingSides) {
      _ in
      let length = direction == .looser ? max(characters, 1) : 0
      return [
        Edit(words: direction == .looser ? "the text's length or more" : "0") {
          $0.allowedOutboundClipboardSharingExceptionLength = length
        }
      ]
    }
  }

  /// Returns the counterfactuals that add or remove an exemption of the scheme. If the scheme has its own setting, an
  /// exemption bypasses that setting, so its high cost sorts it last.
  private func exemption(of scheme: String?) -> [Counterfactual] {
    guard let scheme else { return [] }
    let cost = URLRules.schemesWithSettings.contains(scheme) ? 8 : 1
    return counterfactuals(.exemptedAppProtocols, on: Self.sendingSides) { _ in
      let isAdded = direction == .looser
      return [
        Edit(relation: isAdded ? "with" : "without", words: "the URL's scheme", cost: cost) {
          if isAdded {
            $0.exemptedAppProtocols.insert(scheme)
          } else {
            $0.exemptedAppProtocols.remove(scheme)
          }
        }
      ]
    }
  }

  private func browser() -> [Counterfactual] {
    counterfactuals(.managedBrowser, on: Self.sendingSides) { _ in
      let isManaged = direction == .stricter
      return [
        Edit(words: isManaged ? "Microsoft Edge" : "Any app") {
          $0.managedBrowser = isManaged ? .microsoftEdge : .notConfigured
          $0.managedBrowserToOpenLinksRequired = isManaged
          $0.customBrowserProtocol = ""
        }
      ]
    }
  }

  private func universalLink() -> [Counterfactual] {
    guard let link = request.content.link, request.channel != .openURL else { return [] }
    return counterfactuals(.exemptedUniversalLinks, on: Self.sendingSides) { settings in
      let isAdded = direction == .looser
      let isExempted = settings.exemptedUniversalLinks.contains { $0.matches(link) }
      guard isAdded != isExempted else { return [] }
      return [
        Edit(relation: isAdded ? "with" : "without", words: "the link") {
          if isAdded {
            let pattern = LinkPattern(link.text)
            if !$0.exemptedUniversalLinks.contains(pattern) {
              $0.exemptedUniversalLinks.append(pattern)
            }
          } else {
            $0.exemptedUniversalLinks.removeAll { $0.matches(link) }
          }
        }
      ]
    }
  }

  private func dialer() -> [Counterfactual] {
    values(.dialerRestrictionLevel, on: Self.sendingSides)
  }

  private func messaging() -> [Counterfactual] {
    values(.protectedMessagingRedirectAppType, on: Self.sendingSides)
  }

  private func storageService() -> [Counterfactual] {
    guard let service = request.content.location?.storageService else { return [] }
    return member(
      service, .allowedDataStorageLocations, \.allowedDataStorageLocations, on: Self.sendingSides)
  }

  private func ingestionService() -> [Counterfactual] {
    guard let service = request.content.location?.ingestionService else { return [] }
    return member(
      service, .allowedDataIngestionLocations, \.allowedDataIngestionLocations, on: [.receiver])
  }

  /// Returns the counterfactual about the app configuration for screen capture, which overrides "Send org data to
  /// other apps".
  private func screenCaptureControl() -> [Counterfactual] {
    let isDisabled = !request.sender.app.isScreenCaptureControlDisabled
    let alternative = Counterfactual.Alternative(
      words: isDisabled ? "Disabled" : "Enabled", cost: 2
    ) {
      $0.sender.app.isScreenCaptureControlDisabled = isDisabled
    }
    return [Counterfactual(setting: .screenCaptureControl, alternatives: [alternative])]
  }

  /// Returns the counterfactual about the app configuration that requires an account; empty unless the receiver lacks
  /// a required account.
  private func requiredAccount() -> [Counterfactual] {
    guard request.receiver.app.lacksRequiredAccount else { return [] }
    let alternative = Counterfactual.Alternative(words: "Disabled", cost: 2) {
      $0.receiver.app.lacksRequiredAccount = false
    }
    return [Counterfactual(setting: .requireAccounts, alternatives: [alternative])]
  }

  /// Returns the counterfactual that toggles a restriction of the device's MDM profile; empty if the
  /// device is not enrolled.
  private func restriction(
    _ setting: Setting, _ path: WritableKeyPath<DeviceRestrictions, Bool>
  ) -> [Counterfactual] {
    guard request.device.isMDMEnrolled else { return [] }
    let other = !request.device[keyPath: path]
    let alternative = Counterfactual.Alternative(words: other ? "true" : "false") {
      $0.device[keyPath: path] = other
    }
    return [Counterfactual(setting: setting, alternatives: [alternative])]
  }
}

// MARK: - Value kinds

extension CounterfactualBuilder {
  /// A change of one policy's settings.
  private struct Edit {
    var relation = "="
    var words: String
    var cost = 1
    var apply: (inout Settings) -> Void
  }

  /// Returns the other values of a scale, nearest first.
  private func steps<Value: Equatable>(
    _ values: [Value], from current: Value, _ apply: @escaping (Value, inout Settings) -> Void,
    words: (Value) -> String
  ) -> [Edit] {
    guard let start = values.firstIndex(of: current) else { return [] }
    var edits: [Edit] = []
    for (index, value) in values.enumerated() where index != start {
      edits.append(Edit(words: words(value), cost: abs(index - start)) { apply(value, &$0) })
    }
    return edits.sorted { $0.cost < $1.cost }
  }

  /// Returns a counterfactual for each policy of `sides`. Sides that share a policy, or the location of the setting,
  /// share a counterfactual, because a single edit changes both.
  private func counterfactuals(
    _ setting: Setting, on sides: [Side], _ edits: (Settings) -> [Edit]
  ) -> [Counterfactual] {
    var counterfactuals: [Counterfactual] = []
    var covered: Set<Side> = []
    for side in sides where !covered.contains(side) {
      // No setting changes the policy of a view with several accounts.
      guard let policy = request.policy(of: side), policy !== EffectivePolicy.lockDown else {
        continue
      }
      let sharing = sides.filter {
        request.policy(of: $0).map { policy.sharesPlace(of: setting, with: $0) } ?? false
      }
      covered.formUnion(sharing)
      let alternatives = edits(policy.settings).map { edit in
        Counterfactual.Alternative(
          relation: edit.relation, words: edit.words, cost: edit.cost, edit: edit.apply
        ) { $0.edit(setting, of: policy, edit.apply) }
      }
      counterfactuals.append(
        Counterfactual(
          setting: setting, policy: policy, decidingSides: sides, sides: sharing,
          alternatives: alternatives))
    }
    return counterfactuals
  }

  /// A value of a flag or choice that can be proposed.
  private struct Proposal: Sendable {
    var words: String
    var value: GraphValue?
    var apply: SettingDomain.Change
  }

  /// The values of each flag and choice, from the most permissive to the strictest. Null is never proposed.
  private static let proposals = Dictionary(
    uniqueKeysWithValues: Setting.allCases.map { setting in
      let proposals = (setting.domain?.values ?? []).map { change in
        let settings = Settings(change)
        return Proposal(
          words: settings.words(for: setting) ?? setting.rawValue,
          value: settings.graphValue(of: setting), apply: change)
      }
      return (setting, proposals.filter { $0.value != .null })
    })

  /// Returns the other values of a flag or choice, nearest first. If the current value is null, the loosest or
  /// strictest value is proposed, depending on the direction.
  private func values(_ setting: Setting, on sides: [Side]) -> [Counterfactual] {
    let proposals = Self.proposals[setting, default: []]
    return counterfactuals(setting, on: sides) { settings in
      let current = settings.graphValue(of: setting)
      guard let start = proposals.firstIndex(where: { $0.value == current }) else {
        let end = direction == .looser ? proposals.first : proposals.last
        return end.map { [Edit(words: $0.words, apply: $0.apply)] } ?? []
      }
      return steps(Array(proposals.indices), from: start) {
        proposals[$0].apply(&$1)
      } words: {
        proposals[$0].words
      }
    }
  }

  private func member<Value: Sendable>(
    _ value: Value, _ setting: Setting, _ path: WritableKeyPath<Settings, Set<Value>>,
    on sides: [Side]
  ) -> [Counterfactual] {
    let isAdded = direction == .looser
    return counterfactuals(setting, on: sides) { _ in
      [
        Edit(relation: isAdded ? "with" : "without", words: "the location") {
          if isAdded {
            $0[keyPath: path].insert(value)
          } else {
            $0[keyPath: path].remove(value)
          }
        }
      ]
    }
  }
}

extension Settings {
  /// Creates the default settings with one change.
  fileprivate init(_ change: SettingDomain.Change) {
    self.init()
    change(&self)
  }
}

extension TransferRequest {
  /// Applies an edit of `policy` to it and to each other policy of the request that the edit may affect. A merged
  /// policy's settings are edited without merging again; ``PlacedEdit`` edits the policies that were merged.
  fileprivate mutating func edit(
    _ setting: Setting, of policy: EffectivePolicy, _ edit: (inout Settings) -> Void
  ) {
    replacePolicies { other in
      guard policy.overlaps(other, at: setting) else { return other }
      var settings = other.settings
      edit(&settings)
      return EffectivePolicy(settings: settings, origins: other.origins)
    }
  }

  /// Whether the policy of a side or of the app results from several policies.
  var hasMergedPolicy: Bool {
    [owner.policy, sender.policy, receiver.policy, appPolicy].contains { $0?.isMerged ?? false }
  }

  /// Replaces the policies. Sides with a shared policy keep sharing one instance, which yields one reason.
  fileprivate mutating func replacePolicies(_ change: (EffectivePolicy) -> EffectivePolicy) {
    var changed: [(old: EffectivePolicy, new: EffectivePolicy)] = []
    func replace(_ policy: inout EffectivePolicy?) {
      guard let old = policy else { return }
      if let new = changed.first(where: { $0.old === old })?.new {
        policy = new
      } else {
        let new = change(old)
        changed.append((old, new))
        policy = new
      }
    }
    replace(&owner.policy)
    replace(&sender.policy)
    replace(&receiver.policy)
    replace(&appPolicy)
  }
}

// MARK: - Places

/// An edit of a setting, with the locations that must change. These may lie in only some of a side's merged policies.
struct PlacedEdit {
  let setting: Setting
  let places: [EffectivePolicy.Place]
  /// The sides on which the edit has an effect.
  let sides: [Side]
  let apply: (inout Settings) -> Void
  /// The policies that contain the locations. The edit also changes any other policy with one of these locations,
  /// if the location is in a known file.
  private let policies: [EffectivePolicy]

  /// Returns nil if the alternative changes none of the merged policies, or something other than a policy.
  init?(
    _ counterfactual: Counterfactual, _ alternative: Counterfactual.Alternative,
    of request: TransferRequest
  ) {
    guard let edit = alternative.edit else { return nil }
    setting = counterfactual.setting
    apply = edit
    policies = counterfactual.sides.compactMap { request.policy(of: $0) }
    places = policies.flatMap { $0.places(toChange: counterfactual.setting, edit) }
    guard !places.isEmpty else { return nil }
    guard request.hasMergedPolicy else {
      sides = counterfactual.sides
      return
    }
    let (setting, policies, places) = (setting, policies, places)
    sides = counterfactual.decidingSides.filter { side in
      guard let policy = request.policy(of: side) else { return false }
      return counterfactual.sides.contains(side)
        || Self.isEdited(policy, setting, policies, places)
    }
  }

  /// Returns whether both edits change the same setting in the same location of a known file.
  func sharesPlace(with other: PlacedEdit) -> Bool {
    setting == other.setting
      && places.contains { $0.file != nil && other.places.contains($0) }
  }

  /// Applies several edits, each to every policy of the request that it changes.
  static func apply(_ edits: [PlacedEdit], to request: inout TransferRequest) {
    request.replacePolicies { policy in
      edits.filter { isEdited(policy, $0.setting, $0.policies, $0.places) }
        .reduce(policy) { $0.changing($1.setting, at: $1.places, $1.apply) }
    }
  }

  private static func isEdited(
    _ policy: EffectivePolicy, _ setting: Setting, _ policies: [EffectivePolicy],
    _ places: [EffectivePolicy.Place]
  ) -> Bool {
    policies.contains { $0 === policy }
      || policy.places(of: setting).contains { $0.file != nil && places.contains($0) }
  }
}
