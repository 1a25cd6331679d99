internal import Diagnostics

/// Checks of `IntuneMAMSettings` and of the other keys that the SDK needs in `Info.plist`.
extension BundleLinter {
  mutating func checkSettings() {
    if bundle.isExtension {
      checkContainingApp()
      return
    }
    guard let settings = info.intuneSettings else { return }
    if info.faceIDUsage?.isEmpty ?? true {
      find(.faceID, at: [], "`NSFaceIDUsageDescription` is missing")
    }
    if list.value(at: ["IntuneMAMSettings", "MultiIdentity"]) == nil {
      find(
        .multiIdentity, at: ["IntuneMAMSettings"],
        "`MultiIdentity` is not stated: the app counts as one of a single identity")
    }
    checkSignIn(settings)
    checkScenes()
  }

  private mutating func checkContainingApp() {
    guard let settings = info.intuneSettings else {
      find(
        .containingApp, .warning, at: [],
        "the extension has no `IntuneMAMSettings`, though its app has: it is not integrated")
      return
    }
    let path: ListPath = ["IntuneMAMSettings", "ContainingAppBundleId"]
    guard let stated = settings.containingApp else {
      find(.containingApp, at: path, "`ContainingAppBundleId` is missing")
      return
    }
    guard let app else { return }
    if let identifier = app.info.identifier, identifier != stated, Self.isResolved(stated),
      Self.isResolved(identifier)
    {
      find(
        .containingApp, at: path,
        "`ContainingAppBundleId` is `\(stated)`, and the extension is in `\(identifier)`")
    }
    if let other = app.info.intuneSettings, other.isMultiIdentity != settings.isMultiIdentity {
      find(
        .multiIdentity, .warning, at: ["IntuneMAMSettings", "MultiIdentity"],
        "`MultiIdentity` is \(settings.isMultiIdentity) in the extension and "
          + "\(other.isMultiIdentity) in its app")
    }
  }

  private mutating func checkSignIn(_ settings: InfoPlist.IntuneSettings) {
    let path: ListPath = ["IntuneMAMSettings"]
    let client = settings.others.first { $0.key == "ADALClientId" }?.value ?? ""
    if client.isEmpty {
      find(.sdkSetting, at: path, "`ADALClientId` is missing")
    } else if Self.isResolved(client), !Self.isIdentifier(client) {
      find(
        .sdkSetting, at: path + ["ADALClientId"],
        "`ADALClientId` must be the application's identifier in Entra, found `\(client)`")
    }
    let redirects = ["ADALRedirectUri", "ADALRedirectScheme"]
    if !settings.others.contains(where: { redirects.contains($0.key) }) {
      find(
        .sdkSetting, at: path, "neither `ADALRedirectUri` nor `ADALRedirectScheme` is stated")
    }
    if !settings.startsWithoutPolicy, !settings.enrollsOnLaunch {
      find(
        .sdkSetting, at: path + ["MAMPolicyRequired"],
        "`MAMPolicyRequired` without `AutoEnrollOnLaunch`: the app never gets a policy to start with"
      )
    }
    checkProtectionLevel(settings)
  }

  private mutating func checkProtectionLevel(_ settings: InfoPlist.IntuneSettings) {
    let levels = [
      "NSFileProtectionComplete", "NSFileProtectionCompleteUnlessOpen",
      "NSFileProtectionCompleteUntilFirstUserAuthentication", "NSFileProtectionNone",
    ]
    guard let level = settings.others.first(where: { $0.key == "MaxFileProtectionLevel" })?.value,
      Self.isResolved(level), !levels.contains(level)
    else { return }
    find(
      .sdkSetting, at: ["IntuneMAMSettings", "MaxFileProtectionLevel"],
      "`MaxFileProtectionLevel` must be one of \(Self.quoted(levels)), found `\(level)`",
      suggestion: NearestWord.to(level, among: levels))
  }

  private mutating func checkScenes() {
    guard let manifest = list["UIApplicationSceneManifest"]?.dictionary,
      manifest["UISceneConfigurations"]?.dictionary?.entries.isEmpty ?? true
    else { return }
    find(
      .sceneConfiguration, at: ["UIApplicationSceneManifest", "UISceneConfigurations"],
      "`UISceneConfigurations` is missing or empty")
  }

  /// Whether a text is a UUID.
  private static func isIdentifier(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    return parts.map(\.count) == [8, 4, 4, 4, 12] && parts.joined().allSatisfy(\.isHexDigit)
  }
}
