internal import Encodings
package import Model
package import Policy

extension ExplainedVerdict {
  /// Returns the verdict on `request` as text with a final line break.
  ///
  /// The text has a headline, the rules in order with `>` before the deciding rule, and the changes that would lead to
  /// another answer.
  package func text(on request: TransferRequest) -> String {
    var lines = [
      "\(outcome.rawValue.uppercased()): \(request.endsText)", "  \(request.detailText)",
    ]
    lines.append("")
    for (index, reason) in reasons.enumerated() {
      lines += reason.lines(number: index + 1, isDeciding: index == decidingIndex)
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
  /// Returns the reason as lines: a title such as `> 1. sendNone (sender) decides (documented)`, the setting,
  /// and the explanation.
  fileprivate func lines(number: Int, isDeciding: Bool) -> [String] {
    let mark = isDeciding ? ">" : " "
    let decides = isDeciding ? " decides" : ""
    let remark = remark(isDeciding: isDeciding)
    var lines = ["\(mark) \(number). \(rule.rawValue) (\(side.rawValue))\(decides)\(remark)"]
    lines += citation.map { ["     \($0)"] } ?? []
    return lines + ["     \(text)"]
  }

  /// The setting with its value and location, such as `Send org data to other apps = None (a.json:3)`; nil if the rule
  /// reads no setting.
  package var citation: String? { citation(in: nil) }

  /// Returns the setting with its value and location, for a report that names `file` elsewhere. A location in `file` is
  /// shortened to `line 3`. If `file` does not set the setting, the location is omitted.
  func citation(in file: String?) -> String? {
    guard let label else { return nil }
    let places = sources.compactMap { source -> String? in
      guard let file else { return source }
      if source == "absent in \(file)" { return nil }
      let prefix = "\(file):"
      return source.hasPrefix(prefix) ? "line \(source.dropFirst(prefix.count))" : source
    }
    let place = places.isEmpty ? "" : " (\(places.joined(separator: ", ")))"
    return value.map { "\(label) = \($0)\(place)" } ?? "\(label)\(place)"
  }
}

// MARK: - Requests

extension TransferRequest {
  /// The sender and receiver, such as
  /// `com.contoso.mail (anna@contoso.com, managed) -> org.example.viewer (no account, unmanaged)`.
  package var endsText: String { "\(senderText) -> \(receiverText)" }

  /// The channel with further details, such as `share by the system, device enrolled with IntuneMAMUPN`.
  package var detailText: String {
    var parts = [channel.row.hasTwoPaths ? "\(channel.rawValue) \(via.words)" : channel.rawValue]
    if hasForeignOwner, let account = owner.account {
      parts.append("data of \(account.upn) (\(owner.isManaged ? "managed" : "unmanaged"))")
    }
    if let characters = content.characters {
      parts.append(characters.counting("character"))
    } else if channel == .clipboard {
      parts.append("no text")
    }
    if channel == .webView { parts.append(pageWords) }
    parts.append(deviceWords)
    return parts.joined(separator: ", ")
  }

  /// Whether the data belongs to an account other than the sender's acting account.
  private var hasForeignOwner: Bool {
    guard let account = owner.account else { return false }
    guard let acting = sender.identity.account else { return true }
    return !acting.isSameUser(as: account)
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
  /// The party as text, such as `com.contoso.mail (anna@contoso.com, managed)`.
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
  /// The request as a line for `sluice decide`, without a line break. Omits facts that none of the request's rules
  /// reads.
  ///
  /// `sluice decide` applies all given policies to the request's managed accounts.
  package var decideLine: String {
    var request = self
    request.sender.leaveOutWhatIsNotRead()
    request.receiver.leaveOutWhatIsNotRead()
    request.content.url = url
    return JSONWriter.objectText { request.writeFacts(to: &$0, policies: .managed) }
  }

  /// The opened URL, or a sample URL with its scheme; nil if no URL is opened.
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
