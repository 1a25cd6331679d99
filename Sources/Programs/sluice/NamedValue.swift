internal import ArgumentParser

/// A value with its name, as `NAME=VALUE`.
struct NamedValue: ExpressibleByArgument {
  let name: String
  let value: String

  init?(argument: String) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty else { return nil }
    (name, value) = (String(parts[0]), String(parts[1]))
  }
}
