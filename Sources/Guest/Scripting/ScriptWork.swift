internal import Model
internal import SluiceKit
internal import Wire

/// One call of a script: checks the arguments, asks the host, and answers.
struct ScriptWork {
  let call: ScriptCall
  let arguments: ScriptArguments
  /// The identity of the innermost `accounts.within`.
  let identity: ThreadIdentity
  let application: Application
  unowned let script: Script
  /// Takes the answer; to be called once.
  let answer: ([ScriptValue]) -> Void

  /// - Throws: ``ScriptMisuse`` where an argument is not one that the call takes; then nothing is answered.
  func perform() throws(ScriptMisuse) {
    switch call {
    case .load, .complete, .cancel: try useRequest()
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

  /// Runs `body`, which asks the host, under the identity of the script's scope.
  func scoped<Value>(_ body: () -> Value) -> Value { identity.scope(body) }

  /// Sends a request, and answers with its outcome.
  func ask(_ body: GuestMessage.Body) {
    scoped { _ = application.request(body) { answer([.outcome($0)]) } }
  }
}
