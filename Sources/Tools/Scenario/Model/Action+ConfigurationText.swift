import Transfer

extension Action.ConfigurationAssignment {
  var text: String {
    configurations.isEmpty
      ? "\(account) has no app configuration any more"
      : "\(account) gets \(configurations.joined(separator: ", ")) as app configuration"
  }
}

extension Action.ConfigurationLookup {
  /// `string, any`.
  var words: String { "\(type.rawValue), \(query.rawValue)" }
}
