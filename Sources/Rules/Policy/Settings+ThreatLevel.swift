import Model

extension Settings.ThreatLevel {
  /// Whether a device at `level` is let through.
  func accepts(_ level: DevicePosture.ThreatLevel) -> Bool {
    switch self {
    case .notConfigured, .high: true
    case .medium: level != .high
    case .low: level == .secured || level == .low
    case .secured: level == .secured
    }
  }
}
