import Model

/// Collects the changes of settings that could change the verdict on a request.
final class CounterfactualBuilder {
  private let request: TransferRequest
  private let direction: Counterfactual.Direction
  private let sending: SendingPolicies
  private var found: [Counterfactual] = []

  private static let sendingSides: [Side] = [.owner, .sender]
  private static let allSides: [Side] = [.owner, .sender, .receiver]

  private init(_ request: TransferRequest, _ direction: Counterfactual.Direction) {
    self.request = request
    self.direction = direction
    sending = request.sendingPolicies
  }

  /// Returns the counterfactuals that could change the verdict on the request. Settings for which ``SettingTable``
  /// declares the request's channel come first, then other settings that affect the channel.
  static func all(
    for request: TransferRequest, _ direction: Counterfactual.Direction
  ) -> [Counterfactual] {
    let builder = CounterfactualBuilder(request, direction)
    for (setting, sides) in SettingTable.deciders[request.channel, default: []] {
      builder.addValues(of: setting, on: sides)
    }
    builder.addOthers()
    return builder.found
  }

  /// Adds counterfactuals for settings that affect the channel, but are not listed for it in ``SettingTable``.
  private func addOthers() {
    switch request.channel {
    case .share, .openIn, .import, .extensionResult, .dragAndDrop:
      addSend()
      addReceive()
      addRequiredAccount()
      addOpenIn()
    case .clipboard:
      addClipboardLength()
      addValues(of: .allowedOutboundClipboardSharingLevel, on: Self.allSides)
      add(.requireManagedPasteboard, \.requireManagedPasteboard)
      addOpenIn()
    case .contactRead:
      add(.allowUnmanagedToReadManagedContacts, \.allowUnmanagedToReadManagedContacts)
      add(.allowOpenFromManagedToUnmanaged, \.allowOpenFromManagedToUnmanaged)

    case .openURL, .universalLink, .appClip: addURL()

    case .saveTo:
      addStorageService()
      addSend()
      addReceive()
    case .openFrom:
      addIngestionService()
      addReceive()
      addSend()

    case .documentPickerExport, .spotlight, .siriIntents, .appIntents, .safariExtension, .webView:
      addSend()
    case .documentPickerImport: addReceive()
    case .mailComposer:
      addExemption(of: "mailto")
      addSend()
    case .messageComposer:
      addExemption(of: "sms")
      addMessaging()
      addSend()
    case .contactSync:
      add(.allowManagedToWriteUnmanagedContacts, \.allowManagedToWriteUnmanagedContacts)
      add(.allowOpenFromManagedToUnmanaged, \.allowOpenFromManagedToUnmanaged)
    case .screenCapture:
      addScreenCaptureControl()
      addSend()
      add(.allowScreenShot, \.allowScreenShot)
    case .writingTools:
      addSend()
      add(.allowWritingTools, \.allowWritingTools)
    case .genmoji:
      addSend()
      add(.allowGenmoji, \.allowGenmoji)
    case .print, .notification, .widget, .backup, .keyboard, .fileEncryption: break
    }
  }

  private func addURL() {
    addExemption(of: request.content.scheme)
    switch request.content.scheme {
    case "http", "https":
      addBrowser()
      addUniversalLink()
    case "tel", "telprompt": addValues(of: .dialerRestrictionLevel, on: Self.sendingSides)
    case "sms", "imessage": addMessaging()
    default:  // open: any other scheme, or none
      addSend()
    }
  }

  private func addOpenIn() {
    add(.allowOpenFromManagedToUnmanaged, \.allowOpenFromManagedToUnmanaged)
    add(.allowOpenFromUnmanagedToManaged, \.allowOpenFromUnmanagedToManaged)
  }
}

// MARK: - Settings

extension CounterfactualBuilder {
  private static let sendChoices = SendChoice.allCases.map { choice in
    Choice(value: choice, words: choice.rawValue) { choice.apply(to: &$0) }
  }

  private func addSend() {
    add(.allowedOutboundDataTransferDestinations, on: Self.sendingSides) { policy in
      let current = SendChoice(of: policy.settings)
      let choices = Self.sendChoices.filter { $0.value == current || isDistinct($0.value) }
      return Self.steps(choices, from: current) ?? []
    }
  }

  /// Returns whether the choice may affect this request differently from plain "Policy managed apps". For "Filtering",
  /// the request must use system sharing. For "OS sharing", the device must also be enrolled.
  private func isDistinct(_ choice: SendChoice) -> Bool {
    switch choice {
    case .none, .managedApps, .allApps: true
    case .filtering: request.via == .os
    case .osSharing: request.via == .os && request.device.isMDMEnrolled
    }
  }

  private static let receiveChoices = ReceiveChoice.allCases.map { choice in
    Choice(value: choice, words: choice.rawValue) { choice.apply(to: &$0) }
  }

  private func addReceive() {
    add(.allowedInboundDataTransferSources, on: [.receiver]) { policy in
      let current = ReceiveChoice(of: policy.settings)
      // Incoming org data accepts the same data as All apps and only marks it.
      let choices = Self.receiveChoices.filter {
        $0.value == current || $0.value != .incomingOrgData
      }
      return Self.steps(choices, from: current) ?? []
    }
  }

  private func addClipboardLength() {
    guard let characters = request.content.characters, characters <= 65535 else { return }
    let isLooser = direction == .looser
    let length = isLooser ? max(characters, 1) : 0
    add(.allowedOutboundClipboardSharingExceptionLength, on: Self.sendingSides) { _ in
      let words = isLooser ? "at least the text's length" : "0"
      return [
        Counterfactual.Alternative(
          words: words,
          change: .policy { $0.allowedOutboundClipboardSharingExceptionLength = length })
      ]
    }
  }

  /// Adds the counterfactual that exempts the URL scheme, or removes its exemption. If the scheme has its own setting,
  /// an exemption bypasses that setting; the counterfactual then has a high cost and comes last.
  private func addExemption(of scheme: String?) {
    guard let scheme else { return }
    let cost = URLRules.schemesWithSettings.contains(scheme) ? 8 : 1
    let isAdded = direction == .looser
    add(.exemptedAppProtocols, on: Self.sendingSides) { _ in
      [
        Counterfactual.Alternative(
          relation: isAdded ? "with" : "without", words: "the URL's scheme", cost: cost,
          change: .policy {
            if isAdded {
              $0.exemptedAppProtocols.insert(scheme)
            } else {
              $0.exemptedAppProtocols.remove(scheme)
            }
          })
      ]
    }
  }

  private func addBrowser() {
    let isManaged = direction == .stricter
    add(.managedBrowser, on: Self.sendingSides) { _ in
      [
        Counterfactual.Alternative(
          words: isManaged ? "Microsoft Edge" : "Any app",
          change: .policy {
            $0.managedBrowser = isManaged ? .microsoftEdge : .notConfigured
            $0.managedBrowserToOpenLinksRequired = isManaged
            $0.customBrowserProtocol = ""
          })
      ]
    }
  }

  private func addUniversalLink() {
    guard let link = request.content.link, request.channel != .openURL else { return }
    let isAdded = direction == .looser
    add(.exemptedUniversalLinks, on: Self.sendingSides) { policy in
      let isExempted = policy.settings.exemptedUniversalLinks.contains { $0.matches(link) }
      guard isAdded != isExempted else { return [] }
      return [
        Counterfactual.Alternative(
          relation: isAdded ? "with" : "without", words: "the link",
          change: .policy {
            if isAdded {
              let pattern = LinkPattern(link.text)
              if !$0.exemptedUniversalLinks.contains(pattern) {
                $0.exemptedUniversalLinks.append(pattern)
              }
            } else {
              $0.exemptedUniversalLinks.removeAll { $0.matches(link) }
            }
          })
      ]
    }
  }

  private func addMessaging() {
    addValues(of: .protectedMessagingRedirectAppType, on: Self.sendingSides)
  }

  private func addStorageService() {
    guard let service = request.content.location?.storageService else { return }
    addMember(
      service, .allowedDataStorageLocations, \.allowedDataStorageLocations, on: Self.sendingSides)
  }

  private func addIngestionService() {
    guard let service = request.content.location?.ingestionService else { return }
    addMember(
      service, .allowedDataIngestionLocations, \.allowedDataIngestionLocations, on: [.receiver])
  }

  /// Adds the counterfactual for the app configuration that controls screen capture. That configuration overrides "Send
  /// org data to other apps".
  private func addScreenCaptureControl() {
    let isDisabled = !request.sender.app.isScreenCaptureControlDisabled
    let alternative = Counterfactual.Alternative(
      words: isDisabled ? "Disabled" : "Enabled", cost: 2,
      change: .request { $0.sender.app.isScreenCaptureControlDisabled = isDisabled })
    found.append(Counterfactual(setting: .screenCaptureControl, alternatives: [alternative]))
  }

  /// If the app configuration requires an account that is not signed in to the receiving app, adds the counterfactual
  /// that disables this requirement.
  private func addRequiredAccount() {
    guard request.receiver.app.lacksRequiredAccount else { return }
    let alternative = Counterfactual.Alternative(
      words: "Disabled", cost: 2,
      change: .request { $0.receiver.app.lacksRequiredAccount = false })
    found.append(Counterfactual(setting: .requireAccounts, alternatives: [alternative]))
  }

  /// If the device is enrolled, adds the counterfactual that reverses a restriction in its MDM profile.
  private func add(
    _ setting: Setting, _ path: WritableKeyPath<DeviceRestrictions, Bool>
  ) {
    guard request.device.isMDMEnrolled else { return }
    let other = !request.device[keyPath: path]
    let alternative = Counterfactual.Alternative(
      words: other ? "true" : "false", change: .request { $0.device[keyPath: path] = other })
    found.append(Counterfactual(setting: setting, alternatives: [alternative]))
  }
}

// MARK: - Value kinds

extension CounterfactualBuilder {
  /// One value of a setting whose values are ordered by strictness.
  private struct Choice<Value: Equatable & Sendable>: Sendable {
    var value: Value
    var words: String
    var apply: SettingDomain.Change

    func alternative(cost: Int) -> Counterfactual.Alternative {
      Counterfactual.Alternative(words: words, cost: cost, change: .policy(apply))
    }
  }

  /// Returns the alternatives to the current value, nearest first. Nil if `choices` does not contain the current value.
  ///
  /// - Parameter choices: The values of a setting, ordered by strictness.
  private static func steps<Value>(
    _ choices: [Choice<Value>], from current: Value
  ) -> [Counterfactual.Alternative]? {
    guard let start = choices.firstIndex(where: { $0.value == current }) else { return nil }
    var alternatives: [Counterfactual.Alternative] = []
    alternatives.reserveCapacity(choices.count - 1)
    for cost in 1...choices.count {
      for index in [start - cost, start + cost] where choices.indices.contains(index) {
        alternatives.append(choices[index].alternative(cost: cost))
      }
    }
    return alternatives
  }

  /// Adds a counterfactual for the policy of each side. Sides that share the policy, or the location of the setting,
  /// get one counterfactual, because a single edit changes all of them.
  ///
  /// - Parameter alternatives: Returns the alternatives to the value in a policy.
  private func add(
    _ setting: Setting, on sides: [Side],
    _ alternatives: (EffectivePolicy) -> [Counterfactual.Alternative]
  ) {
    let start = found.count
    for side in sides where !found[start...].contains(where: { $0.sides.contains(side) }) {
      // No setting changes the policy of a view with several accounts.
      guard let policy = self.policy(of: side), policy !== EffectivePolicy.lockDown else {
        continue
      }
      let sharing = sides.filter {
        self.policy(of: $0).map { policy.sharesPlace(of: setting, with: $0) } ?? false
      }
      found.append(
        Counterfactual(
          setting: setting, policy: policy, decidingSides: sides, sides: sharing,
          alternatives: alternatives(policy)))
    }
  }

  private func policy(of side: Side) -> EffectivePolicy? {
    switch side {
    case .owner: sending.owner
    case .sender: sending.sender
    case .receiver, .app, .device: request.policy(of: side)
    }
  }

  /// For each setting that is a flag or choice, its values from the most permissive to the strictest, without null,
  /// which is never proposed. Empty for other settings.
  private static let choices = Setting.allCases.map { setting in
    let choices = (setting.domain?.values ?? []).map { change in
      let settings = Settings(change)
      return Choice(
        value: settings.graphValue(of: setting),
        words: settings.words(for: setting) ?? setting.rawValue, apply: change)
    }
    return choices.filter { $0.value != .null }
  }

  /// Adds counterfactuals for a setting that is a flag or choice. Their alternatives are its other values, nearest
  /// first. If the current value is null, the only alternative is the most permissive or the strictest value, depending
  /// on the direction.
  private func addValues(of setting: Setting, on sides: [Side]) {
    let choices = Self.choices[setting.index]
    add(setting, on: sides) { policy in
      if let steps = Self.steps(choices, from: policy.settings.graphValue(of: setting)) {
        return steps
      }
      let end = direction == .looser ? choices.first : choices.last
      return end.map { [$0.alternative(cost: 1)] } ?? []
    }
  }

  private func addMember<Value: Sendable>(
    _ value: Value, _ setting: Setting, _ path: WritableKeyPath<Settings, Set<Value>>,
    on sides: [Side]
  ) {
    let isAdded = direction == .looser
    add(setting, on: sides) { _ in
      [
        Counterfactual.Alternative(
          relation: isAdded ? "with" : "without", words: "the location",
          change: .policy {
            if isAdded {
              $0[keyPath: path].insert(value)
            } else {
              $0[keyPath: path].remove(value)
            }
          })
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

/// The policies that apply to a request. If one policy applies to several sides, these refer to the same instance, so
/// the policy gives one reason.
struct RequestPolicies {
  fileprivate var owner: EffectivePolicy?
  fileprivate var sender: EffectivePolicy?
  fileprivate var receiver: EffectivePolicy?
  fileprivate var app: EffectivePolicy?

  /// Whether any of these policies was merged from several policies.
  var areMerged: Bool {
    owner?.isMerged == true || sender?.isMerged == true || receiver?.isMerged == true
      || app?.isMerged == true
  }

  /// Applies an edit to `policy`, and to each other policy of the request that the same edit may change. If such a
  /// policy was merged from several policies, edits the merged settings. In contrast, ``PlacedEdit`` edits the policies
  /// that were merged.
  mutating func edit(
    _ setting: Setting, of policy: EffectivePolicy, _ edit: (inout Settings) -> Void
  ) {
    replace { policy.overlaps($0, at: setting) ? $0.edited(edit) : $0 }
  }

  fileprivate mutating func replace(_ change: (EffectivePolicy) -> EffectivePolicy) {
    let old = self
    owner = old.owner.map(change)
    sender = old.sender === old.owner ? owner : old.sender.map(change)
    receiver =
      if old.receiver === old.owner {
        owner
      } else if old.receiver === old.sender {
        sender
      } else {
        old.receiver.map(change)
      }
    app =
      if old.app === old.owner {
        owner
      } else if old.app === old.sender {
        sender
      } else if old.app === old.receiver {
        receiver
      } else {
        old.app.map(change)
      }
  }
}

extension TransferRequest {
  var policies: RequestPolicies {
    get {
      RequestPolicies(
        owner: owner.policy, sender: sender.policy, receiver: receiver.policy, app: appPolicy)
    }
    set {
      owner.policy = newValue.owner
      sender.policy = newValue.sender
      receiver.policy = newValue.receiver
      appPolicy = newValue.app
    }
  }
}

// MARK: - Places

/// An edit of a setting, with the locations in policy files where it must be made. If a side's policy was merged from
/// several policies, often only some of these must be edited.
struct PlacedEdit {
  let setting: Setting
  let places: [EffectivePolicy.Place]
  /// The sides of the request whose policy the edit changes.
  let sides: [Side]
  let apply: (inout Settings) -> Void
  /// The policies to edit. Other policies of the request also change if they contain one of the ``places``, and the
  /// file of that location is known.
  private let policies: [EffectivePolicy]

  /// Creates the edit for an alternative. Nil if the alternative changes none of the merged policies, or concerns a
  /// setting outside policies.
  init?(_ pull: Counterfactuals.Pull, of request: TransferRequest) {
    guard let edit = pull.alternative.edit else { return nil }
    let counterfactual = pull.counterfactual
    setting = counterfactual.setting
    apply = edit
    policies = counterfactual.sides.compactMap { request.policy(of: $0) }
    places = policies.flatMap { $0.places(toChange: counterfactual.setting, edit) }
    guard !places.isEmpty else { return nil }
    guard request.policies.areMerged else {
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

  /// Returns whether the two edits change the same setting in the same location of a file.
  func sharesPlace(with other: PlacedEdit) -> Bool {
    setting == other.setting
      && places.contains { $0.file != nil && other.places.contains($0) }
  }

  /// Applies the edits to the request. Each edit changes every policy of the request that contains one of its
  /// locations.
  static func apply(_ edits: [PlacedEdit], to request: inout TransferRequest) {
    request.policies.replace { policy in
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
