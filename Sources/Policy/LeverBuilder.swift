import Transfer

/// Makes the levers of one request.
struct LeverBuilder {
  let request: TransferRequest
  let direction: Lever.Direction

  private static let sendingSides: [Side] = [.owner, .sender]

  func send() -> [Lever] {
    levers(.allowedOutboundDataTransferDestinations, on: Self.sendingSides) { settings in
      let current = SendChoice(of: settings)
      let choices = SendChoice.allCases.filter { $0 == current || isDistinct($0) }
      return scale(choices, from: current, words: \.rawValue) { $0.apply(to: &$1) }
    }
  }

  /// Whether the choice differs from plain "Policy managed apps" for this request: the system's sharing
  /// must be the way, and for OS sharing the device must be enrolled.
  private func isDistinct(_ choice: SendChoice) -> Bool {
    switch choice {
    case .none, .managedApps, .allApps: true
    case .filtering: request.via == .os
    case .osSharing: request.via == .os && request.device.isMDMEnrolled
    }
  }

  func receive() -> [Lever] {
    levers(.allowedInboundDataTransferSources, on: [.receiver]) { settings in
      let current = ReceiveChoice(of: settings)
      // Incoming org data only marks what comes in; it lets in the same as All apps.
      let choices = ReceiveChoice.allCases.filter { $0 == current || $0 != .incomingOrgData }
      return scale(choices, from: current, words: \.rawValue) { $0.apply(to: &$1) }
    }
  }

  func clipboardLevel() -> [Lever] {
    levers(.allowedOutboundClipboardSharingLevel, on: Self.sendingSides + [.receiver]) {
      let level = $0.allowedOutboundClipboardSharingLevel
      return scale(Settings.ClipboardLevel.allCases, from: level, words: \.words) {
        $1.allowedOutboundClipboardSharingLevel = $0
      }
    }
  }

  func clipboardLength() -> [Lever] {
    guard let characters = request.content.characters, characters <= 65535 else { return [] }
    return levers(.allowedOutboundClipboardSharingExceptionLength, on: Self.sendingSides) { _ in
      let length = direction == .looser ? max(characters, 1) : 0
      return [
        Edit(words: direction == .looser ? "the text's length or more" : "0") {
          $0.allowedOutboundClipboardSharingExceptionLength = length
        }
      ]
    }
  }

  func exemption() -> [Lever] {
    guard let scheme = request.content.scheme else { return [] }
    return levers(.exemptedAppProtocols, on: Self.sendingSides) { _ in
      let isAdded = direction == .looser
      return [
        Edit(relation: isAdded ? "with" : "without", words: "the URL's scheme") {
          if isAdded {
            $0.exemptedAppProtocols.insert(scheme)
          } else {
            $0.exemptedAppProtocols.remove(scheme)
          }
        }
      ]
    }
  }

  func browser() -> [Lever] {
    levers(.managedBrowser, on: Self.sendingSides) { _ in
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

  /// The restriction of the device's MDM profile; none where the device has no profile.
  func openInRestriction() -> [Lever] {
    guard request.device.isMDMEnrolled, request.via == .os else { return [] }
    let other = !request.device.allowOpenFromManagedToUnmanaged
    let alternative = Lever.Alternative(words: other ? "true" : "false") {
      $0.device.allowOpenFromManagedToUnmanaged = other
    }
    return [Lever(setting: .allowOpenFromManagedToUnmanaged, alternatives: [alternative])]
  }
}

extension LeverBuilder {
  /// A change of one policy's settings.
  private struct Edit {
    var relation = "="
    var words: String
    var cost = 1
    var apply: (inout Settings) -> Void
  }

  /// The other values of a scale, the nearest first.
  private func scale<Value: Equatable>(
    _ values: [Value], from current: Value, words: KeyPath<Value, String>,
    _ apply: @escaping (Value, inout Settings) -> Void
  ) -> [Edit] {
    guard let start = values.firstIndex(of: current) else { return [] }
    var edits: [Edit] = []
    for (index, value) in values.enumerated() where index != start {
      let cost = abs(index - start)
      edits.append(Edit(words: value[keyPath: words], cost: cost) { apply(value, &$0) })
    }
    return edits.sorted { $0.cost < $1.cost }
  }

  /// A lever for each place that states `setting` for one of `sides`. Sides that share a policy, or the
  /// line that states the setting, share a lever: whoever edits the file changes both.
  private func levers(
    _ setting: Setting, on sides: [Side], _ edits: (Settings) -> [Edit]
  ) -> [Lever] {
    var levers: [Lever] = []
    var covered: Set<Side> = []
    for side in sides where !covered.contains(side) {
      guard let policy = request.policy(of: side) else { continue }
      let sharing = sides.filter {
        request.policy(of: $0).map { policy.sharesPlace(of: setting, with: $0) } ?? false
      }
      covered.formUnion(sharing)
      let alternatives = edits(policy.settings).map { edit in
        Lever.Alternative(relation: edit.relation, words: edit.words, cost: edit.cost) {
          $0.edit(setting, of: policy, edit.apply)
        }
      }
      levers.append(
        Lever(setting: setting, policy: policy, sides: sharing, alternatives: alternatives))
    }
    return levers
  }
}
