/// What clients can ask for beside steps by their own words. All that is said of each is in its ``row``.
package enum ControlMethod: String, Sendable, CaseIterable {
  /// One step, as a mapping or as YAML text.
  case step
  case status, apps, accounts, journal, methods
  case tokenKeys
  /// The administrator's.
  case apply, report, events
  case down
}
