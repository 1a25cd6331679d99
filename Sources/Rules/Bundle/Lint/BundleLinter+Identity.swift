internal import Diagnostics

/// Checks of the bundle's identity and of its relation to its app.
extension BundleLinter {
  mutating func checkIdentity() {
    if let identifier = info.identifier {
      checkIdentifier(identifier)
    } else if bundle.source.isBuilt {
      find(.identifierMissing, at: [], "`CFBundleIdentifier` is missing")
    } else if list["CFBundleIdentifier"] == nil {
      find(
        .identifierMissing, .note, at: [],
        "`CFBundleIdentifier` is not stated; Xcode adds it (`GENERATE_INFOPLIST_FILE`), as `sluice` does "
          + "with `--set PRODUCT_BUNDLE_IDENTIFIER=…`")
    }
    if bundle.isExtension, app == nil, bundle.source.isBuilt {
      find(.orphan, at: ["NSExtension"], "the extension is in no app, so nothing installs it")
    }
  }

  private mutating func checkIdentifier(_ identifier: String) {
    guard Self.isResolved(identifier) else { return }
    let odd = identifier.unicodeScalars.first { scalar in
      !(scalar.isASCII && scalar.properties.isAlphabetic) && !("0"..."9").contains(scalar)
        && scalar != "-" && scalar != "."
    }
    if let odd {
      find(
        .identifierCharacters, at: ["CFBundleIdentifier"],
        "the identifier `\(identifier)` has `\(odd)` in it")
    }
    guard let parent = app?.info.identifier, Self.isResolved(parent) else { return }
    if !identifier.hasPrefix("\(parent).") {
      find(
        .identifierPrefix, at: ["CFBundleIdentifier"],
        "the identifier `\(identifier)` does not begin with its app's, `\(parent).`")
    }
  }

  mutating func checkExtension() {
    guard bundle.isExtension, let stated = info.appExtension else { return }
    let path: ListPath = ["NSExtension"]
    switch (stated.principalClass, stated.storyboard) {
    case (_?, _?):
      find(
        .principal, at: path + ["NSExtensionMainStoryboard"],
        "`NSExtensionPrincipalClass` and `NSExtensionMainStoryboard` are both stated")
    case (nil, nil):
      find(
        .principal, at: path,
        "neither `NSExtensionPrincipalClass` nor `NSExtensionMainStoryboard` is stated")
    case (_?, nil), (nil, _?): break
    }
    if bundle.kind == .keyboard, !stated.requestsOpenAccess {
      find(
        .fullAccess, at: path + ["NSExtensionAttributes"],
        "`RequestsOpenAccess` is not stated true: the keyboard runs without full access")
    }
    checkMinimumOS()
  }

  private mutating func checkMinimumOS() {
    guard let own = info.minimumOS, let parent = app?.info.minimumOS,
      Self.version(parent).lexicographicallyPrecedes(Self.version(own))
    else { return }
    find(
      .minimumOS, at: ["MinimumOSVersion"],
      "the extension needs iOS \(own), its app only iOS \(parent)")
  }

  private static func version(_ text: String) -> [Int] {
    var numbers = text.split(separator: ".").map { Int($0) ?? 0 }
    while numbers.last == 0 { numbers.removeLast() }
    return numbers
  }
}
