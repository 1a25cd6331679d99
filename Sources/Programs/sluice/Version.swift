internal import CRevision

/// The version of this Sluice.
enum Version {
  static let current = "0.1.0"

  /// The version with the commit that it was built from, where the build was told.
  static var text: String {
    guard let revision = sluice_revision() else { return "sluice \(current)" }
    return "sluice \(current) (\(String(cString: revision)))"
  }
}
