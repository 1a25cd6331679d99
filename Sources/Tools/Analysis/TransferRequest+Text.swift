internal import Model
public import Policy

extension TransferRequest {
  /// Both ends, such as `com.contoso.mail (anna@contoso.com, managed) -> org.example.viewer (no account, unmanaged)`.
  public var endsText: String { "\(senderText) -> \(receiverText)" }

  /// The way of the data, such as `share by the system, device enrolled with IntuneMAMUPN`.
  public var detailText: String {
    var parts = [channel.row.hasTwoPaths ? "\(channel.rawValue) \(via.words)" : channel.rawValue]
    if hasForeignOwner, let account = owner.account {
      parts.append("data of \(account.upn) (\(owner.isManaged ? "managed" : "unmanaged"))")
    }
    if let characters = content.characters {
      parts.append("\(characters) character\(characters == 1 ? "" : "s")")
    } else if channel == .clipboard {
      parts.append("no text")
    }
    if channel == .webView { parts.append(pageWords) }
    parts.append(deviceWords)
    return parts.joined(separator: ", ")
  }

  /// Whether the data belongs to another account than the sender's.
  var hasForeignOwner: Bool {
    guard let account = owner.account else { return false }
    guard let acting = sender.identity.account else { return true }
    return !acting.isSame(as: account)
  }

  private var senderText: String {
    switch channel.counterpart {
    case .app, .url: sender.text
    case .location: channel.isIncoming ? placeText(sender) : sender.text
    case .system: channel.isIncoming ? channel.row.counterpartWords : sender.text
    }
  }

  private var receiverText: String {
    switch channel.counterpart {
    case .app: return receiver.text
    case .location: return channel == .saveTo ? placeText(receiver) : receiver.text
    case .system:
      return channel == .documentPickerImport ? receiver.text : channel.row.counterpartWords
    case .url:
      let target = url ?? "a URL"
      return receiver.app.bundleID.isEmpty ? target : "\(target) in \(receiver.text)"
    }
  }

  private func placeText(_ party: Party) -> String {
    let place = content.location?.rawValue ?? "no location"
    guard let account = party.identity.account else { return "\(place) (no account)" }
    return "\(place) (\(account.upn), \(party.isManaged ? "managed" : "unmanaged"))"
  }

  private var pageWords: String {
    let page = content.isExternalPage ? "external page" : "page of the account"
    return switch sender.app.webViews {
    case .currentIdentity: page
    case .currentIdentityWithoutUpload: "\(page), web views without upload"
    case .unmanaged: "\(page), web views unmanaged"
    }
  }

  private var deviceWords: String {
    let app = channel.isIncoming ? receiver.app : sender.app
    let sdk = app.sdkVersion.map { ", SDK \($0)" } ?? ""
    guard device.isMDMEnrolled else { return "device not enrolled\(sdk)" }
    let upn = app.hasEnrolledUPN ? "with IntuneMAMUPN" : "without IntuneMAMUPN"
    let restriction =
      device.allowOpenFromManagedToUnmanaged ? "" : ", no open from managed to unmanaged"
    return "device enrolled \(upn)\(restriction)\(sdk)"
  }
}

extension Party {
  /// The party in words, such as `com.contoso.mail (anna@contoso.com, managed)`.
  fileprivate var text: String {
    let account = identity.account?.upn ?? "no account"
    return "\(app.bundleID) (\(account), \(isManaged ? "managed" : "unmanaged"))"
  }
}

extension SharingPath {
  var words: String { self == .sdk ? "by the SDK" : "by the system" }
}
