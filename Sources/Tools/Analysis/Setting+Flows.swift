internal import Policy
internal import Model

extension Setting {
  /// Whether the setting decides flows, rather than who gets at the app at all.
  var decidesFlows: Bool { page == .dataProtection }
}
