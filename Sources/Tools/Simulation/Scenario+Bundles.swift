internal import Bundle
internal import Diagnostics
internal import JSON
internal import Scenario

extension Scenario {
  /// The scenario, completed with the identifiers and teams that it leaves to the bundles of its apps.
  ///
  /// - Throws: ``RunError`` where a bundle states another identifier or team, or no identifier that can be used.
  func completed(in folder: String) throws(RunError) -> Scenario {
    var scenario = self
    for index in apps.indices { try scenario.apps[index].complete(in: folder, of: file) }
    return scenario
  }
}

extension AppSpecification {
  fileprivate mutating func complete(in folder: String, of file: String) throws(RunError) {
    guard let path else { return }
    let stated: AppBundle
    do throws(BundleError) {
      stated = try AppBundle(
        at: Blueprint.resolve(path, in: folder), settings: BuildSettings(buildVariables))
    } catch {
      // Where the bundle need not supply anything, installing the app reports the error.
      if !bundle.isEmpty { return }
      throw RunError(error.diagnostic)
    }
    let identifier = stated.info.identifier
    let isKnown = identifier?.contains("$(") == false && identifier?.contains("${") == false
    try take(
      StatedValue(
        key: "bundle", value: isKnown ? identifier : nil,
        place: stated.source.list.place(of: "CFBundleIdentifier")),
      lacking: identifier.map { "`CFBundleIdentifier` is `\($0)`, a variable without a value," }
        ?? "there is no `CFBundleIdentifier`", in: file)
    guard let rights = stated.source.entitlements, let signed = stated.entitlements.team,
      Name.isTeam(signed)
    else { return }
    let key = "com.apple.developer.team-identifier"
    let place = rights.place(of: rights[key] == nil ? "application-identifier" : key)
    try agree(StatedValue(key: "team", value: signed, place: place), with: team, in: file)
    team = team ?? signed
  }

  private mutating func take(
    _ stated: StatedValue, lacking reason: String, in file: String
  ) throws(RunError) {
    if !bundle.isEmpty { return try agree(stated, with: bundle, in: file) }
    guard let value = stated.value else {
      throw mistake(
        "\(reason) in \(stated.place); state the `bundle` of `\(name)`", "missing-key", in: file)
    }
    guard Name.isBundleID(value) else {
      throw mistake(
        "\(stated.place) states `\(value)`, which is no bundle id; state the `bundle` of `\(name)`",
        "invalid-value", in: file)
    }
    bundle = value
  }

  private func agree(
    _ stated: StatedValue, with own: String?, in file: String
  ) throws(RunError) {
    guard let own, let value = stated.value, own.lowercased() != value.lowercased() else { return }
    throw mistake(
      "the `\(stated.key)` of `\(name)` is `\(own)` here and `\(value)` in \(stated.place); leave "
        + "it out here, or make them the same", "conflicting-keys", in: file)
  }

  private func mistake(_ message: String, _ code: String, in file: String) -> RunError {
    RunError(.file(file, position), message, rule: code)
  }
}

/// The value in a bundle that stands in the place of a key of scenarios.
private struct StatedValue {
  var key: String
  /// The value; nil: none that can be used.
  var value: String?
  /// The position of the value, for messages.
  var place: String
}

extension PropertyList {
  /// The position of a key, such as `Foo.app/Info.plist:9:2`.
  fileprivate func place(of key: String) -> String {
    position(of: [.key(key)]).map { "\(file):\($0.line):\($0.column)" } ?? file
  }
}
