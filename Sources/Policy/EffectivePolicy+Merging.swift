import Transfer

extension EffectivePolicy {
  /// The policy that holds where all of `documents` are targeted: of each setting the most restrictive
  /// value, whatever the order of the documents (assumed).
  ///
  /// A setting's origin is the document that won. Where a document wins that does not state the setting,
  /// its default holds, and there is no origin.
  public static func merging(_ documents: [PolicyDocument]) -> EffectivePolicy {
    var merge = Merge(documents: documents)
    merge.run()
    return EffectivePolicy(settings: merge.settings, origins: merge.origins)
  }
}

private struct Merge {
  let documents: [PolicyDocument]
  var settings = Settings()
  var origins: [Setting: EffectivePolicy.Origin] = [:]

  mutating func run() {
    guard !documents.isEmpty else { return }
    take(.allowedOutboundDataTransferDestinations, \.allowedOutboundDataTransferDestinations)
    take(.allowedInboundDataTransferSources, \.allowedInboundDataTransferSources)
    take(.allowedOutboundClipboardSharingLevel, \.allowedOutboundClipboardSharingLevel)
    take(.managedBrowser, \.managedBrowser)
    take(
      .disableProtectionOfManagedOutboundOpenInData, \.disableProtectionOfManagedOutboundOpenInData,
      strictest: false)
    take(.filterOpenInToOnlyManagedApps, \.filterOpenInToOnlyManagedApps, strictest: true)
    take(
      .protectInboundDataFromUnknownSources, \.protectInboundDataFromUnknownSources, strictest: true
    )
    take(.managedBrowserToOpenLinksRequired, \.managedBrowserToOpenLinksRequired, strictest: true)
    let length = \Settings.allowedOutboundClipboardSharingExceptionLength
    settings[keyPath: length] = documents.map { $0.settings[keyPath: length] }.min() ?? 0
    cite(.allowedOutboundClipboardSharingExceptionLength, length)
    intersectExemptions()
    agreeOnBrowser()
  }

  /// An exemption holds where every policy grants it.
  private mutating func intersectExemptions() {
    let sets = documents.map(\.settings.exemptedAppProtocols)
    settings.exemptedAppProtocols = sets.dropFirst().reduce(sets[0]) { $0.intersection($1) }
    cite(.exemptedAppProtocols, \.exemptedAppProtocols)
    if origins[.exemptedAppProtocols] == nil, !settings.exemptedAppProtocols.isEmpty {
      origins[.exemptedAppProtocols] = firstOrigin(of: .exemptedAppProtocols, in: documents)
    }
  }

  /// A custom browser is a way out that every policy must grant.
  private mutating func agreeOnBrowser() {
    let browsers = Set(documents.map(\.settings.customBrowserProtocol))
    settings.customBrowserProtocol = browsers.count == 1 ? browsers.first ?? "" : ""
    cite(.customBrowserProtocol, \.customBrowserProtocol)
  }

  /// Values whose cases are listed from the most permissive to the strictest.
  private mutating func take<Value: CaseIterable & Equatable>(
    _ setting: Setting, _ path: WritableKeyPath<Settings, Value>
  ) {
    let stated = documents.map { $0.settings[keyPath: path] }
    for value in Value.allCases where stated.contains(value) { settings[keyPath: path] = value }
    cite(setting, path)
  }

  private mutating func take(
    _ setting: Setting, _ path: WritableKeyPath<Settings, Bool>, strictest: Bool
  ) {
    let isStrictest = documents.contains { $0.settings[keyPath: path] == strictest }
    settings[keyPath: path] = isStrictest ? strictest : !strictest
    cite(setting, path)
  }

  /// The first, in the order of files and lines, of the places that state the winning value.
  private mutating func cite<Value: Equatable>(
    _ setting: Setting, _ path: KeyPath<Settings, Value>
  ) {
    let winners = documents.filter { $0.settings[keyPath: path] == settings[keyPath: path] }
    origins[setting] = firstOrigin(of: setting, in: winners)
  }

  private func firstOrigin(
    of setting: Setting, in documents: [PolicyDocument]
  ) -> EffectivePolicy.Origin? {
    documents.compactMap { $0.origins[setting] }
      .min { ($0.file, $0.line, $0.policy) < ($1.file, $1.line, $1.policy) }
  }
}
