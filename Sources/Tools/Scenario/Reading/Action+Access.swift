import Transfer

extension ConditionChange {
  init(
    osVersion: YAMLValue?, model: YAMLValue?, jailbroken: YAMLValue?, threatLevel: YAMLValue?,
    pin: YAMLValue?, biometrics: YAMLValue?, online: YAMLValue?
  ) throws(Mistake) {
    self.init()
    if let osVersion { self.osVersion = try AppSpecification.version(osVersion) }
    self.model = try model?.text()
    isJailbroken = try jailbroken?.bool()
    self.threatLevel = try threatLevel?.word()
    hasPIN = try pin?.bool()
    self.biometrics = try biometrics?.word()
    isOnline = try online?.bool()
  }

  enum Key: String, CaseIterable {
    case osVersion, model, jailbroken, threatLevel, pin, biometrics, online
  }

  init(_ value: YAMLValue) throws(Mistake) {
    let fields = try Fields<Key>(value, "a change of the device")
    try self.init(
      osVersion: fields[.osVersion], model: fields[.model], jailbroken: fields[.jailbroken],
      threatLevel: fields[.threatLevel], pin: fields[.pin], biometrics: fields[.biometrics],
      online: fields[.online])
    guard !isEmpty else { throw value.mistake(.missingKey, "nothing changes on the device") }
  }
}

extension Action.AccountStatus {
  enum Key: String, CaseIterable {
    case account, disabled, clockedOut
  }

  init(_ value: YAMLValue, _ names: Names) throws(Mistake) {
    let fields = try Fields<Key>(value, "the status of an account")
    self.init(
      account: try names.account(fields.required(.account)),
      isDisabled: try fields[.disabled]?.bool(), isClockedOut: try fields[.clockedOut]?.bool())
    guard isDisabled != nil || isClockedOut != nil else {
      throw value.mistake(.missingKey, "`accountStatus` needs `disabled` or `clockedOut`")
    }
  }
}

extension Action.Unlock {
  enum Key: String, CaseIterable {
    case app, pin, newPIN, biometrics, credentials, cancel
  }

  init(_ value: YAMLValue, _ names: Names) throws(Mistake) {
    let fields = try Fields<Key>(value, "an unlocking")
    try fields.refuse(.newPIN, beside: .pin)
    try fields.refuse(.biometrics, beside: .pin)
    let newPIN = try fields[.newPIN]?.text()
    self.init(
      guest: try names.guest(fields.required(.app)), pin: try fields[.pin]?.text() ?? newPIN,
      hasBiometrics: try fields[.biometrics]?.bool() ?? false,
      hasCredentials: try fields[.credentials]?.bool() ?? false, setsPIN: newPIN != nil,
      isCancelled: try fields[.cancel]?.bool() ?? false)
  }
}
