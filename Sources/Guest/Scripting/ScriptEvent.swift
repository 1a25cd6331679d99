/// An event that a script can have a callback for. Raw values are the functions that take the callback.
package enum ScriptEvent: String, Sendable, CaseIterable {
  case shareRequested = "share.requested"
  case shareLoaded = "share.loaded"
  case launched = "app.launched"
  case received = "app.received"
  case opened = "app.opened"
  case openedDocument = "app.openedDocument"
  case provides = "app.provides"
  case identitySwitchRequired = "app.identitySwitchRequired"
  case addAccount = "app.addAccount"
  case blockAccount = "app.blockAccount"
  case restartApplication = "app.restartApplication"
  case wipe = "app.wipe"
  case notified = "app.notified"
  case enrollmentStatus = "app.enrollmentStatus"
  case complianceStatus = "app.complianceStatus"
  case managedChanged = "managed.changed"

  var number: Int32 { Int32(Self.allCases.firstIndex(of: self) ?? 0) }
}
