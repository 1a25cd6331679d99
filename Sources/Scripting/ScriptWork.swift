internal import SluiceKit
internal import Transfer
internal import Wire

/// One call of a script: checks what was handed over, asks the host, and answers.
struct ScriptWork {
  let call: ScriptCall
  let arguments: ScriptArguments
  /// Of the innermost `accounts.within`.
  let identity: ThreadIdentity
  let application: Application
  unowned let script: Script
  /// To be called once.
  let answer: ([ScriptValue]) -> Void

  /// - Throws: where the script has handed over what the call does not take; then nothing is answered.
  func perform() throws(ScriptMisuse) {
    switch call {
    case .load: try load()
    case .complete, .cancel: try endRequest()
    case .share, .openIn, .drop, .importItem, .save, .hand, .notify, .copy, .paste, .openURL,
      .canOpenURL:
      try transfer()
    case .keychainAdd, .keychainQuery, .keychainDelete: try useKeychain()
    case .signIn, .signOut, .switchTo, .current, .isManaged, .setProcess, .process:
      try useAccounts()
    case .enroll, .login, .unenroll, .registered, .enrolled: try useEnrollment()
    case .remediate, .isRemediating, .acquireToken: try useConditionalAccess()
    case .read, .write, .append, .remove, .move, .protect, .verify, .info, .list: try useFiles()
    case .protectData, .unprotectData, .dataInfo: try useData()
    case .configuredString, .configuredNumber, .configuredBoolean, .configuredStrings,
      .configuredNumbers, .configuredBooleans, .configurationConflict, .configurationData:
      try readConfiguration()
    case .managedConfiguration, .legacyManagedConfiguration, .managedPasswords,
      .managedCertificates, .managedIdentities, .managedPassword, .managedCertificate,
      .managedIdentity, .managedSign, .managedReport:
      try useManagedApp()
    case .pause:
      let milliseconds = try arguments.integer(0)
      guard (0...3_600_000).contains(milliseconds) else {
        throw ScriptMisuse("`device.pause` takes 0 to 3600000 milliseconds")
      }
      application.after(milliseconds: UInt64(milliseconds)) { answer([]) }
    default: try askPolicy()
    }
  }

  /// Runs what asks the host under the identity of the script's scope.
  func scoped<Value>(_ body: () -> Value) -> Value { identity.scope(body) }

  /// Sends a request, and answers with its outcome.
  func ask(_ body: GuestMessage.Body) {
    scoped { _ = application.request(body) { answer([.outcome($0)]) } }
  }
}

extension ScriptWork {
  /// Answers with the item, or with nothing and why.
  private func load() throws(ScriptMisuse) {
    let type = try arguments.text(0)
    let place = arguments[1] == .nothing ? 1 : try arguments.integer(1)
    guard let request = script.request, request.attachments.indices.contains(place - 1) else {
      return answer([.nothing, .text("attachment \(place) is not there")])
    }
    request.attachments[place - 1].loadItem(forTypeIdentifier: type) { result in
      switch result {
      case .success(let item): answer([.received(item)])
      case .failure(let error): answer([.nothing, .text(error.description)])
      }
    }
  }

  private func endRequest() throws(ScriptMisuse) {
    if call == .cancel {
      let why = try arguments.text(orNothing: 0) ?? "cancelled"
      if let request = takeRequest() {
        request.cancelRequest(withError: why)
      } else {
        application.request(.cancelExtension(why: why)) { _ in }
      }
      return answer([])
    }
    let items = try returnedItems()
    if let request = takeRequest() {
      request.completeRequest(returningItems: items)
    } else {
      // Whoever completes twice does so; what that comes to, the host says.
      application.request(.completeExtension(items)) { _ in }
    }
    answer([])
  }

  private func takeRequest() -> ExtensionContext? {
    defer { script.request = nil }
    return script.request
  }

  /// Nothing, one item, or a list of them.
  private func returnedItems() throws(ScriptMisuse) -> [Item] {
    switch arguments[0] {
    case .nothing: return []
    case .table(let list, let fields) where fields.isEmpty:
      var items: [Item] = []
      for value in list {
        guard let item = Item(value) else { throw arguments.misuse(0, "items") }
        items.append(item)
      }
      return items
    default: return [try item(0)]
    }
  }

  /// The argument as an item.
  func item(_ index: Int) throws(ScriptMisuse) -> Item {
    guard let item = Item(arguments[index]) else { throw arguments.misuse(index, "string or item") }
    return item
  }
}
