internal import JSON
internal import Model
public import Policy

extension TransferRequest {
  /// The request as a line that `sluice decide` reads, without a line break. Members with default values are left out.
  ///
  /// The managed accounts of the request are under all policies that `sluice decide` is given.
  public var decideLine: String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("channel", channel.rawValue)
      if via != .sdk { writer.member("via", via.rawValue) }
      writeParties(to: &writer)
      if hasForeignOwner { write(owner, to: &writer, as: "owner") }
      if channel == .keyboard, let policy = appPolicy, policy !== sender.policy {
        write(Owner(account: End.anna, policy: policy), to: &writer, as: "appAccount")
      }
      writer.member("characters", content.characters)
      writer.member("url", url)
      if content.isKnownManagedScheme { writer.member("knownManagedScheme", true) }
      if content.isExternalPage { writer.member("externalPage", true) }
      writeDevice(to: &writer)
    }
    return writer.text
  }

  /// The URL of the request, else one of its scheme; nil where none is opened.
  var url: String? {
    content.url ?? content.link?.text ?? content.scheme.map(RepresentativeScenes.url)
  }

  /// Writes the parties. A storage location is no party: it is named, with the account that it belongs to.
  private func writeParties(to writer: inout JSONWriter) {
    if channel != .openFrom, !sender.app.bundleID.isEmpty {
      writer.object("sender") { sender.write(to: &$0) }
    }
    if channel != .saveTo, !receiver.app.bundleID.isEmpty {
      writer.object("receiver") { receiver.write(to: &$0) }
    }
    guard let location = content.location else { return }
    writer.member("location", location.rawValue)
    let place = channel == .saveTo ? receiver : sender
    guard let account = place.identity.account else { return }
    write(Owner(account: account, policy: place.policy), to: &writer, as: "locationAccount")
  }

  private func write(_ owner: Owner, to writer: inout JSONWriter, as name: StaticString) {
    writer.object(name) { writer in
      writer.member("account", owner.account?.upn)
      writer.member("managed", owner.isManaged)
    }
  }

  private func writeDevice(to writer: inout JSONWriter) {
    guard device != DeviceRestrictions() else { return }
    writer.object("device") { writer in
      if device.isMDMEnrolled { writer.member("mdmEnrolled", true) }
      if !device.allowOpenFromManagedToUnmanaged {
        writer.member("allowOpenFromManagedToUnmanaged", false)
      }
      if !device.allowOpenFromUnmanagedToManaged {
        writer.member("allowOpenFromUnmanagedToManaged", false)
      }
      if device.requireManagedPasteboard { writer.member("requireManagedPasteboard", true) }
      if device.allowManagedToWriteUnmanagedContacts {
        writer.member("allowManagedToWriteUnmanagedContacts", true)
      }
      if device.allowUnmanagedToReadManagedContacts {
        writer.member("allowUnmanagedToReadManagedContacts", true)
      }
    }
  }
}

extension Party {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.member("app", app.bundleID)
    writer.member("account", identity.accountID)
    if identity.account != nil { writer.member("managed", isManaged) }
    if app.isMDMManaged { writer.member("mdmManaged", true) }
    if app.hasEnrolledUPN { writer.member("enrolledUPN", true) }
    if app.linksSDK, !isManaged { writer.member("linksSDK", true) }
    writer.member("sdkVersion", app.sdkVersion?.description)
    if app.isScreenCaptureControlDisabled { writer.member("screenCaptureControl", "Disabled") }
    if app.webViews != .currentIdentity { writer.member("webViews", app.webViews.rawValue) }
    guard !app.schemes.isEmpty else { return }
    writer.array("schemes") { writer in
      for scheme in app.schemes.sorted() { writer.string(scheme) }
    }
  }
}
