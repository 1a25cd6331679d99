internal import Model
internal import Policy

extension Setting {
  /// Whether the setting decides flows, rather than access to the app.
  var decidesFlows: Bool { page == .dataProtection }
}
