internal import Bundle

extension Criterion {
  /// Whether a bundle with an error of this rule cannot be said to meet the criterion.
  ///
  /// - Parameter plugIn: the extension that the error is in; nil: the app itself.
  func isHarmed(by rule: BundleRule, in plugIn: AppBundle?) -> Bool {
    switch rule {
    // No iPhone installs such a bundle.
    case .unreadable, .identifierMissing, .identifierCharacters, .identifierPrefix,
      .extensionMissing, .keychainPrefix:
      true
    // Without the group the SDK has neither accounts nor policy.
    case .keychainGroup where plugIn == nil: stage != .managedApp
    // "Open in" opens the app by its scheme, and leaves the document in a group that both know.
    case .schemeMissing, .schemeCharacters, .appGroupUnlisted: isMetByOpenIn
    case .containingApp, .principal, .ruleMissing, .ruleInvalid, .openInCount, .openInTypes,
      .appGroup, .appGroupNotGranted, .keychainGroup:
      switch plugIn {
      case nil: isMetByOpenIn || need == .wayIn
      case let action? where action.isOpenInAction: isMetByOpenIn
      case let plugIn?: need == .wayIn && plugIn.kind.isOfferedByRule
      }
    case .notLaunched, .unknownPoint, .wrongType, .keyWhiteSpace, .unknownKey, .unresolvedVariable,
      .entitlementsFile, .listRoot, .repeatedKey, .oddData, .preprocessor, .orphan, .minimumOS,
      .fullAccess, .ruleMisplaced, .ruleValue, .ruleUnconditional, .ruleUnnamed, .ruleUnprefixed,
      .openInMissing, .openInPoint, .openInOther, .schemeTwin, .schemeOriginal, .queriedTwin,
      .queriedMissing, .queriedLimit, .keychainOrder, .faceID, .multiIdentity, .unknownSetting,
      .sdkSetting, .sceneConfiguration, .contentTypesMissing, .undeclaredType:
      false
    }
  }

  /// Whether a document has to arrive by "Open in".
  private var isMetByOpenIn: Bool { ["COPY-1", "RECEIVE-2"].contains(id) }
}
