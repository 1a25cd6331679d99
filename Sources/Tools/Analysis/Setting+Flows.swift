internal import Policy
internal import Model

extension Setting {
  /// Whether the setting decides flows, rather than access to the app.
  var decidesFlows: Bool { page == .dataProtection }
}
