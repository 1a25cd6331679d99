/// The keys of `IntuneMAMSettings`.
///
/// Source: Intune App SDK for iOS developer guide, "Configure settings for the Intune App SDK".
enum IntuneSettingKey {
  enum Form: Sendable {
    case string, boolean, number, strings

    var noun: String {
      switch self {
      case .string: "a string"
      case .boolean: "true or false"
      case .number: "a number"
      case .strings: "an array of strings"
      }
    }
  }

  static let forms: [String: Form] = [
    "ADALAuthority": .string, "ADALCacheKeychainGroupOverride": .string, "ADALClientId": .string,
    "ADALLogOverrideDisabled": .boolean, "ADALRedirectScheme": .string,
    "ADALRedirectUri": .string, "AccentColor": .string, "AppGroupIdentifiers": .strings,
    "AutoEnrollOnLaunch": .boolean, "BackgroundColor": .string, "ContainingAppBundleId": .string,
    "DebugSettingsEnabled": .boolean, "DocumentBrowserFileCachePath": .string,
    "FinishLaunchingAtStartup": .boolean, "ForegroundColor": .string,
    "MAMPolicyRequired": .boolean, "MAMPolicyWarnAbsent": .boolean,
    "MAMTelemetryDisabled": .boolean, "MAMTelemetryUsePPE": .boolean, "MainNibFile": .string,
    "MainNibFile~ipad": .string, "MainStoryboardFile": .string, "MainStoryboardFile~ipad": .string,
    "MaxFileProtectionLevel": .string, "MultiIdentity": .boolean,
    "MultiIdentityCancelDisabled": .boolean, "OpenInActionExtension": .boolean,
    "SafariViewControllerBlockedOverride": .boolean, "SecondaryBackgroundColor": .string,
    "SecondaryForegroundColor": .string, "SplashDuration": .number, "SplashIconFile": .string,
    "SplashIconFile~ipad": .string, "SupportsDarkMode": .boolean,
    "TreatAllWebViewsAsUnmanaged": .boolean, "ValuesToScrubFromLogging": .strings,
    "VerboseLoggingEnabled": .boolean, "WebViewHandledURLSchemes": .strings,
  ]
}

extension InfoPlist {
  /// The dictionary `IntuneMAMSettings`.
  public struct IntuneSettings: Sendable, Equatable {
    /// `MultiIdentity`.
    public var isMultiIdentity: Bool
    /// `ContainingAppBundleId`; nil where it is not stated.
    public var containingApp: String?
    /// `AppGroupIdentifiers`.
    package var appGroups: [String]
    /// `OpenInActionExtension`.
    package var isOpenInAction: Bool
    /// `ADALCacheKeychainGroupOverride`; nil where it is not stated.
    package var cacheKeychainGroup: String?
    /// `WebViewHandledURLSchemes`, lower case.
    package var webViewSchemes: [String]
    /// `ValuesToScrubFromLogging`.
    package var scrubbedValues: [String]
    /// Whether the app starts without a policy: `MAMPolicyRequired` is not stated true.
    package var startsWithoutPolicy: Bool
    /// `AutoEnrollOnLaunch`.
    package var enrollsOnLaunch: Bool
    /// `MAMPolicyWarnAbsent`.
    package var warnsWithoutPolicy = false
    /// `MAMTelemetryDisabled`.
    package var isTelemetryDisabled = false
    /// The other documented settings that are stated, as text.
    package var others: [Stated]

    /// A setting as text.
    package struct Stated: Sendable, Equatable {
      package var key: String
      package var value: String
    }
  }
}
