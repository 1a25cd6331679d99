extension Duration {
  /// The duration in seconds, with two decimals.
  package var inSeconds: String {
    let hundredths = Int((self / .milliseconds(10)).rounded())
    let rest = hundredths % 100
    return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
  }

  package var milliseconds: Int { Int((self / .milliseconds(1)).rounded()) }
}
