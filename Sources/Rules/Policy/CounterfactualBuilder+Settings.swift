import Model

/// The counterfactuals of single settings.
extension CounterfactualBuilder {
  func clipboardLevel() -> [Counterfactual] {
    scale(
      .allowedOutboundClipboardSharingLevel, \.allowedOutboundClipboardSharingLevel,
      on: Self.sendingSides + [.receiver])
  }

  func clipboardLength() -> [Counterfactual] {
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

  /// The exemption of a scheme, or its end. An exemption of a scheme that has a setting of its own gets past that
  /// setting, and so is the last to be suggested.
  func exemption(of scheme: String?) -> [Counterfactual] {
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

  func browser() -> [Counterfactual] {
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

  func universalLink() -> [Counterfactual] {
    guard let link = request.content.link, request.channel != .openURL else { return [] }
    return counterfactuals(.exemptedUniversalLinks, on: Self.sendingSides) { settings in
      let isAdded = direction == .looser
      let isExempted = settings.exemptedUniversalLinks.contains { $0.matches(link) }
      guard isAdded != isExempted else { return [] }
      return [
        Edit(relation: isAdded ? "with" : "without", words: "the link") {
          if isAdded {
            $0.exemptedUniversalLinks.append(LinkPattern(link.text))
          } else {
            $0.exemptedUniversalLinks.removeAll { $0.matches(link) }
          }
        }
      ]
    }
  }

  func dialer() -> [Counterfactual] {
    scale(.dialerRestrictionLevel, \.dialerRestrictionLevel, on: Self.sendingSides)
  }

  func messaging() -> [Counterfactual] {
    scale(
      .protectedMessagingRedirectAppType, \.protectedMessagingRedirectAppType,
      on: Self.sendingSides)
  }

  func storageService() -> [Counterfactual] {
    guard let service = request.content.location?.storageService else { return [] }
    return member(
      service, .allowedDataStorageLocations, \.allowedDataStorageLocations, on: Self.sendingSides)
  }

  func ingestionService() -> [Counterfactual] {
    guard let service = request.content.location?.ingestionService else { return [] }
    return member(
      service, .allowedDataIngestionLocations, \.allowedDataIngestionLocations, on: [.receiver])
  }

  /// The app configuration that controls screen capture, which wins over Send.
  func screenCaptureControl() -> [Counterfactual] {
    let isDisabled = !request.sender.app.isScreenCaptureControlDisabled
    let alternative = Counterfactual.Alternative(
      words: isDisabled ? "Disabled" : "Enabled", cost: 2
    ) {
      $0.sender.app.isScreenCaptureControlDisabled = isDisabled
    }
    return [Counterfactual(setting: .screenCaptureControl, alternatives: [alternative])]
  }

  /// A restriction of the device's MDM profile; none where the device has no profile.
  func restriction(
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

extension CounterfactualBuilder {
  /// The other values of an enumeration whose cases are listed in order.
  func scale<Value: CaseIterable & RawRepresentable<String> & Equatable>(
    _ setting: Setting, _ path: WritableKeyPath<Settings, Value>, on sides: [Side]
  ) -> [Counterfactual] {
    counterfactuals(setting, on: sides) { settings in
      steps(Array(Value.allCases), from: settings[keyPath: path]) { value, settings in
        settings[keyPath: path] = value
      } words: {
        words(setting, $0, path)
      }
    }
  }

  /// The other value of a switch.
  func toggle(
    _ setting: Setting, _ path: WritableKeyPath<Settings, Bool>, on sides: [Side]
  ) -> [Counterfactual] {
    counterfactuals(setting, on: sides) { settings in
      let other = !settings[keyPath: path]
      return [Edit(words: words(setting, other, path)) { $0[keyPath: path] = other }]
    }
  }

  /// The other state of a setting that may be left open, which is then up to Send.
  func state(
    _ setting: Setting,
    _ path: WritableKeyPath<Settings, Settings.ConfigurationState?>
  ) -> [Counterfactual] {
    counterfactuals(setting, on: Self.sendingSides) { _ in
      let state: Settings.ConfigurationState = direction == .looser ? .notBlocked : .blocked
      return [Edit(words: words(setting, state, path)) { $0[keyPath: path] = state }]
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

  /// The value in the admin centre's words.
  private func words<Value>(
    _ setting: Setting, _ value: Value, _ path: WritableKeyPath<Settings, Value>
  ) -> String {
    var settings = Settings()
    settings[keyPath: path] = value
    return settings.words(for: setting) ?? "\(value)"
  }
}
