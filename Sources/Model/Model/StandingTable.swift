extension Standing {
  /// The standings that do not follow from the rules' rows: rule, level and number of observations.
  ///
  /// Generated from `evidence` by `SLUICE_RECORD=1 make test FILTER=EvidenceTableTests`.
  static let table = """
    unmanagedSender documented 1
    sendManagedAppsToUnmanaged documented 2
    unenrolledSDKReceiver reported 2
    clipboardSameIdentity documented 1
    clipboardPasteInToUnmanaged documented 1
    saveServiceNotSelected contested 0
    openFromSelectedService documented 1
    openServiceNotSelected contested 0
    openServiceNotOffered maintainer 0
    exemptedScheme documented 1
    managedScheme documented 1
    managedBrowserRequired contested 2
    dialerAnyApp contested 0
    dialerSpecificApp contested 0
    contactSyncAllowed documented 1
    widgetSyncAllowed contested 0
    widgetSyncBlocked contested 0
    screenCaptureControlDisabled contested 0
    screenCaptureNotControlled documented 1
    fileEncryptionByDevice contested 0
    singleManagedAccount contested 0
    notMultiIdentity documented 0
    protectionRequired documented 1
    keychainGroupNotEntitled documented 1
    pinWaived documented 1
    pinAsked documented 1
    pinOutdated reported 1
    """
}
