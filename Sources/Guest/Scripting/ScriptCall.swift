/// A call that a script can make, and for whose answer it waits. Raw values are the functions.
package enum ScriptCall: String, Sendable, CaseIterable {
  case load = "share.load"
  case complete = "share.complete"
  case cancel = "share.cancel"

  case share = "app.share"
  case openIn = "app.open"
  case drop = "app.drop"
  case importItem = "app.import"
  case save = "app.save"
  case hand = "app.hand"
  case notify = "notifications.show"
  case copy = "pasteboard.copy"
  case paste = "pasteboard.paste"
  case openURL = "url.open"
  case canOpenURL = "url.canOpen"

  case keychainAdd = "keychain.add"
  case keychainQuery = "keychain.query"
  case keychainDelete = "keychain.delete"

  case signIn = "accounts.signIn"
  case signOut = "accounts.signOut"
  case switchTo = "accounts.switchTo"
  case current = "accounts.current"
  case isManaged = "accounts.isManaged"
  case setProcess = "accounts.setProcess"
  case process = "accounts.process"
  case enroll = "accounts.enroll"
  case login = "accounts.login"
  case unenroll = "accounts.unenroll"
  case registered = "accounts.registered"
  case enrolled = "accounts.enrolled"
  case remediate = "compliance.remediate"
  case isRemediating = "compliance.isInProgress"
  case acquireToken = "tokens.acquire"

  case read = "files.read"
  case write = "files.write"
  case append = "files.append"
  case remove = "files.remove"
  case move = "files.move"
  case protect = "files.protect"
  case verify = "files.verify"
  case info = "files.info"
  case list = "files.list"
  case protectData = "data.protect"
  case unprotectData = "data.unprotect"
  case dataInfo = "data.info"

  case configuredString = "configuration.string"
  case configuredNumber = "configuration.number"
  case configuredBoolean = "configuration.boolean"
  case configuredStrings = "configuration.strings"
  case configuredNumbers = "configuration.numbers"
  case configuredBooleans = "configuration.booleans"
  case configurationConflict = "configuration.hasConflict"
  case configurationData = "configuration.fullData"

  case isSaveToAllowed = "policy.isSaveToAllowed"
  case isOpenFromAllowed = "policy.isOpenFromAllowed"
  case saveToLocations = "policy.getSaveToLocations"
  case openFromLocations = "policy.getOpenFromLocations"
  case isURLAllowed = "policy.isURLAllowed"
  case isUniversalLinkAllowed = "policy.isUniversalLinkAllowed"
  case canReceive = "policy.canReceive"
  case isDocumentPickerAllowed = "policy.isDocumentPickerAllowed"
  case isAppSharingAllowed = "policy.isAppSharingAllowed"
  case isPrintingAllowed = "policy.isPrintingAllowed"
  case isContactSyncAllowed = "policy.isContactSyncAllowed"
  case isWidgetContentSyncAllowed = "policy.isWidgetContentSyncAllowed"
  case isSpotlightIndexingAllowed = "policy.isSpotlightIndexingAllowed"
  case areSiriIntentsAllowed = "policy.areSiriIntentsAllowed"
  case areAppIntentsAllowed = "policy.areAppIntentsAllowed"
  case isScreenCaptureAllowed = "policy.isScreenCaptureAllowed"
  case isManagedBrowserRequired = "policy.isManagedBrowserRequired"
  case isFileEncryptionRequired = "policy.isFileEncryptionRequired"
  case notificationPolicy = "policy.notificationPolicy"

  case managedConfiguration = "managed.configuration"
  case legacyManagedConfiguration = "managed.legacyConfiguration"
  case managedPasswords = "managed.passwords"
  case managedCertificates = "managed.certificates"
  case managedIdentities = "managed.identities"
  case managedPassword = "managed.password"
  case managedCertificate = "managed.certificate"
  case managedIdentity = "managed.identity"
  case managedSign = "managed.sign"
  case managedReport = "managed.report"

  case pause = "device.pause"

  /// Whether the call may need an answer from another guest, which may itself wait for this one.
  var waitsForOthers: Bool {
    switch self {
    case .load, .share, .openIn, .drop, .importItem, .openURL, .pause: true
    case .complete, .cancel, .save, .hand, .notify, .copy, .paste, .canOpenURL, .keychainAdd,
      .keychainQuery, .keychainDelete, .signIn, .signOut, .switchTo, .current, .isManaged,
      .setProcess, .process, .enroll, .login, .unenroll, .registered, .enrolled, .remediate,
      .isRemediating, .acquireToken, .read, .write, .append, .remove, .move, .protect, .verify,
      .info, .list, .protectData, .unprotectData, .dataInfo, .configuredString, .configuredNumber,
      .configuredBoolean, .configuredStrings, .configuredNumbers, .configuredBooleans,
      .configurationConflict, .configurationData, .isSaveToAllowed, .isOpenFromAllowed,
      .saveToLocations, .openFromLocations, .isURLAllowed, .isUniversalLinkAllowed, .canReceive,
      .isDocumentPickerAllowed, .isAppSharingAllowed, .isPrintingAllowed, .isContactSyncAllowed,
      .isWidgetContentSyncAllowed, .isSpotlightIndexingAllowed, .areSiriIntentsAllowed,
      .areAppIntentsAllowed, .isScreenCaptureAllowed, .isManagedBrowserRequired,
      .isFileEncryptionRequired, .notificationPolicy, .managedConfiguration,
      .legacyManagedConfiguration, .managedPasswords, .managedCertificates, .managedIdentities,
      .managedPassword, .managedCertificate, .managedIdentity, .managedSign, .managedReport:
      false
    }
  }
}
