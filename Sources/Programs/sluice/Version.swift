/// What this Sluice is called among others.
enum Version {
  static let current = "0.1.0"
}
