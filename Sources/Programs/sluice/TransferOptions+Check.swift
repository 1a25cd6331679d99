internal import ArgumentParser
internal import Model
internal import Policy

extension TransferOptions {
  /// Checks the options; errors name the missing options, and those that mean nothing on the channel.
  ///
  /// - Throws: `ValidationError` where an option is missing, superfluous or malformed.
  func check(_ argument: ChannelArgument) throws {
    let counterpart = argument.channel.counterpart
    try require(toApp, "--to-app", on: argument, where: counterpart == .app)
    try require(url, "--url", on: argument, where: counterpart == .url)
    try require(location, "--location", on: argument, where: counterpart == .location)
    try refuse(toApp, "--to-app", on: argument, unless: counterpart == .app || counterpart == .url)
    try refuse(url, "--url", on: argument, unless: counterpart == .url)
    try refuse(location, "--location", on: argument, unless: counterpart == .location)
    try checkLocation(argument)
    if let url, URLScheme.of(url) == nil {
      throw ValidationError(
        "--url: `\(url)` is no URL; expected a scheme and `:`, as in https://contoso.com.")
    }
    if managed == .managed, account?.isEmpty ?? true {
      throw ValidationError("--managed needs --account.")
    }
    if toApp == nil, toAccount != nil || toManaged != nil {
      throw ValidationError("--to-account, --to-managed and --to-unmanaged need --to-app.")
    }
    try checkSchemes(argument)
    if toManaged == .toManaged, toAccount?.isEmpty ?? true {
      throw ValidationError("--to-managed needs --to-account.")
    }
  }

  private func checkSchemes(_ argument: ChannelArgument) throws {
    guard let first = toSchemes.first else { return }
    try refuse(first, "--to-scheme", on: argument, unless: argument.channel.counterpart == .url)
    if toApp == nil { throw ValidationError("--to-scheme needs --to-app.") }
    if let wrong = toSchemes.first(where: { !URLScheme.isValid($0) }) {
      throw ValidationError(
        "--to-scheme: `\(wrong)` is no URL scheme; expected one without colon, as in `tel`.")
    }
  }

  private func checkLocation(_ argument: ChannelArgument) throws {
    guard let location else {
      return try refuse(locationAccount, "--location-account", on: argument, unless: false)
    }
    let known =
      argument.channel == .saveTo ? StorageLocation.saveLocations : StorageLocation.openLocations
    guard known.contains(location) else {
      throw ValidationError(
        "--location: `\(location.rawValue)` is not a location of \(argument.name); these are: "
          + known.map(\.rawValue).joined(separator: ", ") + ".")
    }
    if !location.hasAccount, locationAccount != nil {
      throw ValidationError(
        "--location-account: `\(location.rawValue)` belongs to no account; leave the option out.")
    }
  }

  private func require<Value>(
    _ value: Value?, _ option: String, on argument: ChannelArgument, where isNeeded: Bool
  ) throws {
    guard isNeeded, value == nil else { return }
    throw ValidationError("--channel \(argument.name) needs \(option).")
  }

  private func refuse<Value>(
    _ value: Value?, _ option: String, on argument: ChannelArgument, unless isKnown: Bool
  ) throws {
    guard !isKnown, value != nil else { return }
    throw ValidationError("\(option) means nothing with --channel \(argument.name).")
  }
}
