/// The version of this Sluice.
enum Version {
  static let current = "0.1.0"
}
