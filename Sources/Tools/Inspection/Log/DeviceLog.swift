public import Policy

/// The effective policy as the Intune App SDK writes it into a device's diagnostic log.
public enum DeviceLog {
  /// Indented JSON as in a device's log, one name on a line, in alphabetical order; ends with a line break.
  ///
  /// Names that the SDK logs only where a value is delivered are missing without one.
  public static func text(of settings: Settings) -> String {
    let lines = LogField.all.compactMap { field in
      field.value(settings).map { "    \"\(field.name)\" : \(field.spelling(of: $0))" }
    }
    return "{\n  \"IntuneMAMPolicies\" : {\n" + lines.joined(separator: ",\n") + "\n  }\n}\n"
  }
}
