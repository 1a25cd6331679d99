internal import JSON
package import Model
package import Policy

extension ExplainedVerdict {
  /// The verdict on `request` for people: a headline, the rules in order, the deciding one marked with `>`, and the
  /// changes that would lead to another answer. Ends with a line break.
  package func text(on request: TransferRequest) -> String {
    var lines = [
      "\(outcome.rawValue.uppercased()): \(request.endsText)", "  \(request.detailText)",
    ]
    lines.append("")
    let decided = reasons.firstIndex { $0.rule == deciding }
    for (index, reason) in reasons.enumerated() {
      lines += reason.lines(number: index + 1, isDeciding: index == decided)
    }
    lines.append("")
    lines += changeLines
    return lines.joinedLines
  }

  private var changeLines: [String] {
    let goal =
      switch outcome {
      case .allowed: "block it"
      case .encrypted: "deliver it readable"
      case .blocked: "allow it"
      }
    guard !changes.isEmpty else { return ["To \(goal): no setting would."] }
    let end = " would \(goal)"
    return ["To \(goal):"]
      + changes.map { "  - \($0.hasSuffix(end) ? String($0.dropLast(end.count)) : $0)" }
  }
}

extension Explanation {
  /// The reason as lines: a head such as `> 1. sendNone (sender) decides (assumed)`, the setting, and the sentence.
  fileprivate func lines(number: Int, isDeciding: Bool) -> [String] {
    let mark = isDeciding ? ">" : " "
    let decides = isDeciding ? " decides" : ""
    let assumed = isAssumed ? " (assumed)" : ""
    var lines = ["\(mark) \(number). \(rule.rawValue) (\(side.rawValue))\(decides)\(assumed)"]
    lines += citation.map { ["     \($0)"] } ?? []
    return lines + ["     \(text)"]
  }

  /// The setting with its value, such as `Send org data to other apps = None (a.json:3)`; nil where the rule reads no
  /// setting.
  var citation: String? {
    guard let label else { return nil }
    let place = source.map { " (\($0))" } ?? ""
    return value.map { "\(label) = \($0)\(place)" } ?? "\(label)\(place)"
  }
}

// MARK: - Requests

extension TransferRequest {
  /// Both ends, such as `com.contoso.mail (anna@contoso.com, managed) -> org.example.viewer (no account, unmanaged)`.
  package var endsText: String { "\(senderText) -> \(receiverText)" }

  /// The way of the data, such as `share by the system, device enrolled with IntuneMAMUPN`.
  package var detailText: String {
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
  private var hasForeignOwner: Bool {
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

// MARK: - Lines for `sluice decide`

extension TransferRequest {
  /// The request as a line that `sluice decide` reads, without a line break, with what its rules read.
  ///
  /// The managed accounts of the request are under all policies that `sluice decide` is given.
  package var decideLine: String {
    var request = self
    request.sender.leaveOutWhatIsNotRead()
    request.receiver.leaveOutWhatIsNotRead()
    request.content.url = url
    var writer = JSONWriter()
    writer.object { request.writeFacts(to: &$0, policies: .managed) }
    return writer.text
  }

  /// The URL of the request, else one of its scheme; nil where none is opened.
  private var url: String? {
    content.url ?? content.link?.text ?? content.scheme.map(RepresentativeScenes.url)
  }
}

extension Party {
  fileprivate mutating func leaveOutWhatIsNotRead() {
    app.isMultiIdentity = false
    if isManaged { app.linksSDK = false }
  }
}
