/// The methods of a running device, beside steps by their own words. Each is declared in its ``row``.
package enum ControlMethod: String, Sendable, CaseIterable {
  /// One step, as a mapping or as YAML text.
  case step
  case status, apps, accounts, policies, output, journal, methods
  case tokenKeys
  /// The administrator's methods.
  case apply, report, events
  case down
}
