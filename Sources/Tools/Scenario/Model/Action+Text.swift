internal import Encodings
import Transfer

extension Action {
  /// The action in one line, as reports show it.
  public var text: String {
    switch self {
    case .lifecycle(let lifecycle): "\(lifecycle.change.rawValue) \(list(lifecycle.guests))"
    case .signIn(let change): "\(change.guest) signs in \(change.account)"
    case .signOut(let change): "\(change.guest) signs out \(change.account)"
    case .switchIdentity(let change): change.text
    case .share(let share): share.text
    case .shareSheet(let sheet): sheet.text
    case .import(let `import`): "\(`import`.into) imports from \(`import`.from)\(`import`.via.text)"
    case .use(let use): use.text
    case .copy(let copy): "\(copy.guest) copies \(copy.item.label)"
    case .paste(let paste): "\(paste.guest) pastes"
    case .openURL(let open): "\(open.from) opens `\(short(open.url))`"
    case .keychain(let keychain): keychain.text
    case .unlock(let unlock): unlock.text
    case .file(let file): file.text
    case .wipe(let change): "the administrator wipes \(change.account) from \(change.guest)"
    case .configure(let change): "\(change.guest) gets another configuration"
    case .assign(let assignment): assignment.text
    case .assignConfiguration(let assignment): assignment.text
    case .configuration(let lookup):
      "\(lookup.guest) looks up `\(lookup.key)` for \(lookup.account) (\(lookup.words))"
    case .rename(let renaming): "\(renaming.account) is renamed to `\(renaming.upn)`"
    case .restart: "the device goes down and comes up again"
    case .delegate(let call): "the SDK asks \(call.guest) to \(call.kind.rawValue) \(call.account)"
    case .enroll(let enrollment): enrollment.text
    case .unenroll(let unenrollment): unenrollment.text
    case .remediate(let remediation): remediation.text
    case .acquireToken(let token): token.text
    case .checkIn(let change): "\(change.guest) checks in for \(change.account)"
    case .enrollmentState(let change): "\(change.account) in \(change.guest)"
    case .service(let change): "the service becomes \(change.text)"
    case .conditionalAccess(let targeting): targeting.text
    case .declarations(let path?): "the administrator applies the declarations of `\(short(path))`"
    case .declarations(nil): "the administrator withdraws all declarations"
    case .managedApp(let question): question.text
    case .extensionCall(let call): call.text
    case .administratorEvents: "the administrator reads the event log"
    case .served(let server): "the server \(server) is asked"
    case .residue(let residue): "nothing is left of \(residue.account)"
    case .device(let change): "the device becomes \(change.text)"
    case .account(let status): status.text
    case .wait(let wait): wait.text
    case .advance(let seconds): "the clock advances by \(ISODuration.text(seconds))"
    case .concurrently(let steps): "at once: \(steps.map(\.text).joined(separator: "; "))"
    }
  }
}

extension Action.Share {
  fileprivate var text: String {
    let what =
      switch channel {
      case .openIn: "opens \(content.label) in"
      case .dragAndDrop: "drops \(content.label) in"
      default: "shares \(content.label) with"
      }
    return "\(from) \(what) \(to)\(via.text)"
  }
}

extension Action.Share.Content {
  fileprivate var label: String {
    switch self {
    case .item(let item): item.label
    case .offer(let items):
      items.flatMap(\.attachments).map { attachment in
        let types = attachment.registeredTypeIdentifiers.joined(separator: " or ")
        return attachment.suggestedName.map { "`\($0)` (\(types))" } ?? types
      }.joined(separator: ", ")
    }
  }
}

extension Action.Use {
  fileprivate var text: String {
    let place = location.map { "\($0.rawValue) of \(account.text)" } ?? ""
    let what = item.map { "\($0.label) " } ?? ""
    return switch channel {
    case .saveTo: "\(guest) saves \(what)to \(place)"
    case .openFrom: "\(guest) opens \(what)from \(place)"
    case .contactRead: "\(guest) reads contacts of \(source ?? "")"
    default:
      "\(guest) uses \(channel.rawValue)\(item.map { " with \($0.label)" } ?? "")"
        + (extensionID.map { " in \($0)" } ?? "")
    }
  }
}

extension Action.IdentitySwitch {
  fileprivate var text: String {
    let who = ([identity.text] + others).joined(separator: " and ")
    let place = isOfProcess ? " in its process" : window.isEmpty ? "" : " in window `\(window)`"
    return "\(guest) switches to \(who)\(place)"
  }
}

extension Action.File {
  fileprivate var text: String {
    let file = "`\(short(path))`" + (group.map { " of \($0)" } ?? "")
    return switch operation {
    case .write: "\(guest) writes \(file)"
    case .append: "\(guest) appends to \(file)"
    case .read: "\(guest) reads \(file)"
    case .info: "\(guest) asks whose \(file) is"
    case .protect(let owner): "\(guest) protects \(file) for \(owner.text)"
    case .move(let target): "\(guest) renames \(file) to `\(short(target))`"
    case .remove: "\(guest) removes \(file)"
    case .protectData(_, let owner): "\(guest) protects data for \(owner.text) in \(file)"
    case .unprotectData: "\(guest) unprotects the data in \(file)"
    }
  }
}

extension Action.Assignment {
  fileprivate var text: String {
    policies.isEmpty
      ? "\(account) loses its policies"
      : "\(account) gets the policy \(policies.joined(separator: " and "))"
  }
}

extension Action.Unlock {
  fileprivate var text: String {
    if isCancelled { return "the user gives up on \(guest)" }
    var offers: [String] = []
    if pin != nil { offers.append(setsPIN ? "a new PIN" : "a PIN") }
    if hasBiometrics { offers.append("biometrics") }
    if hasCredentials { offers.append("credentials") }
    let what = offers.isEmpty ? "nothing" : offers.joined(separator: " and ")
    return "the user offers \(guest) \(what)"
  }
}

extension Action.AccountStatus {
  fileprivate var text: String {
    var parts: [String] = []
    if let isDisabled { parts.append(isDisabled ? "disabled" : "enabled") }
    if let isClockedOut { parts.append(isClockedOut ? "clocked out" : "clocked in") }
    return "\(account) is \(parts.joined(separator: ", "))"
  }
}

extension Action.Keychain {
  fileprivate var text: String {
    let verb =
      switch operation {
      case .add: "adds"
      case .query: "looks up"
      case .delete: "deletes"
      }
    let place = group.map { " in \($0)" } ?? ""
    return "\(guest) \(verb) keychain item `\(short(service))`/`\(short(account))`\(place)"
  }
}

extension SharingPath {
  var text: String { self == .os ? " via the system" : "" }
}

extension Item {
  fileprivate var label: String {
    if let name { return "`\(short(name))`" }
    return text.map { "`\(short($0))`" } ?? "\(payload.count) bytes"
  }
}

/// At most 40 characters of `text`, in one line.
func short(_ text: String) -> String {
  oneLine(String(text.prefix(40))) + (text.count > 40 ? "…" : "")
}

/// Up to three names, and how many more there are.
private func list(_ names: [String]) -> String {
  let head = names.prefix(3).joined(separator: ", ")
  return names.count > 3 ? "\(head) and \(names.count - 3) more" : head
}
