import Model

extension Settings.ThreatLevel {
  /// Whether the setting lets a device at `level` through.
  func accepts(_ level: DevicePosture.ThreatLevel) -> Bool {
    switch self {
    case .notConfigured, .high: true
    case .medium: level != .high
    case .low: level == .secured || level == .low
    case .secured: level == .secured
    }
  }
}
