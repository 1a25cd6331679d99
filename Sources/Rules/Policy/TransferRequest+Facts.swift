public import JSON
internal import Model

extension TransferRequest {
  /// How a written request says which policy an account is under.
  public enum PolicyNaming {
    /// By `managed`: the account is under all policies that the reader has.
    case managed
    /// By `policy`, the name that the reader knows the policy by.
    case named((EffectivePolicy) -> String)
  }

  /// Writes the members of the request, as `sluice decide` reads them, into the open object. Members that have their
  /// defaults are left out.
  public func writeFacts(to writer: inout JSONWriter, policies naming: PolicyNaming) {
    writer.member("channel", channel.rawValue)
    if via != .sdk { writer.member("via", via.rawValue) }
    writeParties(to: &writer, naming)
    if !isOwnedBySender { write(owner, to: &writer, as: "owner", naming) }
    if channel == .keyboard, appPolicy !== sender.policy {
      let holder = appPolicy.map { _ in appAccount ?? Account(upn: "account") }
      write(Owner(account: holder, policy: appPolicy), to: &writer, as: "appAccount", naming)
    }
    content.write(to: &writer)
    if device != DeviceRestrictions() {
      writer.object("device") { device.writeMembers(to: &$0) }
    }
  }

  private var isOwnedBySender: Bool {
    // What comes from a location is its account's.
    if channel == .openFrom { return true }
    guard owner.policy === sender.policy else { return false }
    guard let account = owner.account, let acting = sender.identity.account else {
      return owner.account == nil && sender.identity.account == nil
    }
    // Accounts with the same UPN may have different numbers; the receiver distinguishes them by number.
    return account.isSame(as: acting) && account.objectID == acting.objectID
      && account.tenantID == acting.tenantID
  }

  /// Writes the parties. A storage location is no party: it is named, with the account that it belongs to.
  private func writeParties(to writer: inout JSONWriter, _ naming: PolicyNaming) {
    let isRequired = channel.counterpart == .app
    if channel != .openFrom, isRequired || !sender.app.bundleID.isEmpty {
      writer.object("sender") { sender.write(to: &$0, naming) }
    }
    if channel != .saveTo, isRequired || !receiver.app.bundleID.isEmpty {
      writer.object("receiver") { receiver.write(to: &$0, naming) }
    }
    guard let location = content.location else { return }
    writer.member("location", location.rawValue)
    let place = channel == .saveTo ? receiver : sender
    guard place.identity.accountID != nil else { return }
    write(
      Owner(account: place.identity.account, policy: place.policy), to: &writer,
      as: "locationAccount", naming)
  }

  private func write(
    _ owner: Owner, to writer: inout JSONWriter, as name: StaticString, _ naming: PolicyNaming
  ) {
    writer.object(name) { writer in
      writer.member("account", owner.account?.upn ?? "")
      owner.account?.writeNumbers(to: &writer)
      if owner.account != nil { naming.write(owner.policy, to: &writer) }
    }
  }
}

extension TransferRequest.PolicyNaming {
  fileprivate func write(_ policy: EffectivePolicy?, to writer: inout JSONWriter) {
    guard case .named(let name) = self, let policy else {
      return writer.member("managed", policy != nil)
    }
    writer.member("policy", name(policy))
  }
}

extension Party {
  fileprivate func write(
    to writer: inout JSONWriter, _ naming: TransferRequest.PolicyNaming
  ) {
    writer.member("app", app.bundleID)
    writer.member("containingApp", app.containingApp)
    writer.member("account", identity.accountID)
    if let account = identity.account {
      account.writeNumbers(to: &writer)
      naming.write(policy, to: &writer)
    }
    app.writeMembers(to: &writer)
  }
}

extension Account {
  fileprivate func writeNumbers(to writer: inout JSONWriter) {
    writer.member("objectId", objectID)
    writer.member("tenant", tenantID)
  }
}

extension AppState {
  fileprivate func writeMembers(to writer: inout JSONWriter) {
    if isMultiIdentity { writer.member("multiIdentity", true) }
    if isMDMManaged { writer.member("mdmManaged", true) }
    if hasEnrolledUPN { writer.member("enrolledUPN", true) }
    if linksSDK { writer.member("linksSDK", true) }
    writer.member("sdkVersion", sdkVersion?.description)
    if isScreenCaptureControlDisabled { writer.member("screenCaptureControl", "Disabled") }
    if webViews != .currentIdentity { writer.member("webViews", webViews.rawValue) }
    // What is no scheme, no URL has.
    let valid = schemes.filter(URLScheme.isValid)
    guard !valid.isEmpty else { return }
    writer.strings("schemes", valid.sorted())
  }
}

extension Content {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.member("characters", characters)
    writer.member("url", url ?? link?.text)
    if isKnownManagedScheme { writer.member("knownManagedScheme", true) }
    if isExternalPage { writer.member("externalPage", true) }
  }
}

extension DeviceRestrictions {
  fileprivate func writeMembers(to writer: inout JSONWriter) {
    if isMDMEnrolled { writer.member("mdmEnrolled", true) }
    if !allowOpenFromManagedToUnmanaged {
      writer.member("allowOpenFromManagedToUnmanaged", false)
    }
    if !allowOpenFromUnmanagedToManaged {
      writer.member("allowOpenFromUnmanagedToManaged", false)
    }
    if requireManagedPasteboard { writer.member("requireManagedPasteboard", true) }
    if allowManagedToWriteUnmanagedContacts {
      writer.member("allowManagedToWriteUnmanagedContacts", true)
    }
    if allowUnmanagedToReadManagedContacts {
      writer.member("allowUnmanagedToReadManagedContacts", true)
    }
    if !allowScreenShot { writer.member("allowScreenShot", false) }
    if !allowWritingTools { writer.member("allowWritingTools", false) }
    if !allowGenmoji { writer.member("allowGenmoji", false) }
    if isFileEncryptionRequired { writer.member("isFileEncryptionRequired", true) }
  }
}
