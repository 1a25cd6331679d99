@testable import Bundle
import Testing

/// Cases with one defect each, by subject.
extension BundleLinterTests {
  static let rules: [Case] = [
    Case(
      SampleApp.share, "UTI-CONFORMS-TO \"com.microsoft.intune.mam.public.image\"",
      "IN {\"org.example.note\"}",
      "#:24:4: warning: the rule lacks `com.microsoft.intune.mam.public.image`, so a policy that "
        + "restricts sharing hides the extension [ruleUnprefixed]",
      "#:24:4: warning: the rule accepts `org.example.note` but not "
        + "`com.microsoft.intune.mam.org.example.note`, so a policy that restricts sharing hides "
        + "the extension [ruleUnprefixed]"),
    Case(
      SampleApp.share, "SUBQUERY (\n\t\t\t\textension", "SUBQUERI (\n\t\t\t\textension",
      "#:25:12: error: "),
    Case(
      SampleApp.share, "\"public.image\"", "“public.image”", "#:31:64: error: "),
    Case(
      SampleApp.share, "com.microsoft.intune.mam.public.image", "public.png",
      "#:24:4: warning: the rule lacks `com.microsoft.intune.mam.public.image` and 1 more, so a "
        + "policy that restricts sharing hides the extension [ruleUnprefixed]"),
    Case(
      SampleApp.share, "NSExtensionActivationRule", "NSExtensionActivationRules",
      "#:22:3: error: the share extension has no `NSExtensionActivationRule`, so it is never "
        + "offered [ruleMissing]",
      "#:24:4: warning: the key `NSExtensionActivationRules` is not known; did you mean "
        + "`NSExtensionActivationRule`? [unknownKey]",
      "#:24:4: warning: the key `NSExtensionActivationRules` is outside of "
        + "`NSExtensionActivationRule`, so it has no effect [ruleMisplaced]"),
    Case(
      SampleApp.share, "\t<key>NSExtensionPointIdentifier</key>",
      "<key>NSExtensionActivationSupportsText</key><true/>\n<key>NSExtensionPointIdentifier</key>",
      "#:36:2: warning: the key `NSExtensionActivationSupportsText` is outside of "
        + "`NSExtensionActivationRule`, so it has no effect [ruleMisplaced]"),
  ]

  /// The condition on an attachment in the sample's share extension.
  static let shared =
    "ANY $attachment.registeredTypeIdentifiers UTI-CONFORMS-TO \"public.image\" ||\n\t\t\t\t\t"
    + "ANY $attachment.registeredTypeIdentifiers UTI-CONFORMS-TO "
    + "\"com.microsoft.intune.mam.public.image\""

  /// The condition that replaces it, with `#` for its types. It accepts the attachment, but hides
  /// the extension under a policy.
  private static let hidden: [(asked: String, types: [String])] = [
    ("ANY # IN {\"public.png\"}", ["public.png"]), ("\"public.png\" IN #", ["public.png"]),
    ("# CONTAINS \"public.png\"", ["public.png"]), ("ANY # CONTAINS \"public.png\"", []),
    ("ANY # MATCHES \"public\\\\.(png|jpeg)\"", ["public.jpeg"]),
    ("ANY # MATCHES \".*png\"", []), ("ANY # BEGINSWITH \"public.\"", ["public.item"]),
    ("ANY # LIKE \"org.example.*\"", ["org.example.note"]),
    ("ANY # LIKE \"org.elsewhere.*\"", ["org.elsewhere.*"]), ("ANY # ENDSWITH \"png\"", []),
    (
      "\"public.png\" IN # AND \"public.file-url\" IN #", ["public.png", "public.file-url"]
    ),
    ("SUBQUERY(#, $t, \"public.png\" UTI-EQUALS $t).@count > 0", ["public.png"]),
  ]

  static let hiding: [Case] = hidden.map { asked, types in
    var one = Case(
      SampleApp.share, shared,
      asked.replacing("#", with: "$attachment.registeredTypeIdentifiers")
        .replacing(">", with: "&gt;"))
    if !types.isEmpty {
      let twins = types.map { "com.microsoft.intune.mam.\($0)" }
      one.findings = [
        "\(SampleApp.share):24:4: warning: the rule accepts \(BundleLinter.quoted(types)) but not "
          + "\(BundleLinter.quoted(twins)), so a policy that restricts sharing hides the extension "
          + "[ruleUnprefixed]"
      ]
    }
    return one
  }

  /// An undeclared type, with the suggested type if there is one.
  private static let misnamed: [(type: String, meant: String?)] = [
    ("public.imag", "public.image"), ("public.pdf", "com.adobe.pdf"),
    ("com.apple.quicktime-move", "com.apple.quicktime-movie"),
    ("org.example.notes", "org.example.note"), ("public.nothing-such", nil),
  ]

  static let naming: [Case] = misnamed.map { type, meant in
    let hint = meant.map { "; did you mean `\($0)`?" } ?? ""
    return Case(
      SampleApp.share, shared, shared.replacing("public.image", with: type),
      "#:24:4: warning: neither the system nor the app declares the type `\(type)`, which the rule "
        + "names\(hint) [undeclaredType]")
  }

  static let openIn: [Case] = [
    Case(
      SampleApp.openIn, ").@count == 1\n\t\t\t).@count", ").@count &gt;= 1\n\t\t\t).@count",
      "#:26:4: error: the rule must accept exactly one file, but accepts two files [openInCount]"),
    Case(
      SampleApp.openIn, ").@count == 1\n\t\t\t).@count", ").@count == 2\n\t\t\t).@count",
      "#:26:4: error: the rule must accept exactly one file, but accepts two files [openInCount]"),
    Case(
      SampleApp.openIn, ").@count == 1</string>", ").@count == 3</string>",
      "#:26:4: error: the rule must accept exactly one file, but accepts three items with one file each "
        + "[openInCount]"),
    Case(
      SampleApp.openIn, "mam.public.plain-text", "mam.public.image",
      "#:26:4: error: the rule lacks `com.microsoft.intune.mam.public.plain-text`, which the app "
        + "opens [openInTypes]",
      "#:26:4: note: the rule names `com.microsoft.intune.mam.public.image`, which is not the type "
        + "of a document that the app opens [openInOther]"),
    Case(
      SampleApp.openIn, "com.apple.services", "com.apple.ui-services",
      "#:38:3: warning: an Open-In extension must be an action without user interface, "
        + "`com.apple.services`, found `com.apple.ui-services` [openInPoint]"),
    Case(
      SampleApp.openIn, "<true/>", "<false/>",
      "\(SampleApp.app):15:2: warning: the app opens documents, but none of its extensions states "
        + "`OpenInActionExtension` [openInMissing]"),
    Case(
      SampleApp.app, "\t\t\t\t<string>Notes</string>\n\t\t\t\t<string>notes-intunemam</string>\n",
      "",
      "#:31:2: error: the app has an Open-In extension but no URL scheme for it [schemeMissing]"),
  ]

  static let identity: [Case] = [
    Case(
      SampleApp.share, "<string>org.example.notes.share", "<string>org.example.other",
      "#:7:2: error: the identifier `org.example.other` must begin with "
        + "`org.example.notes.`, the app's identifier and a dot [identifierPrefix]",
      "\(SampleApp.shareRights):11:3: note: the first keychain group is "
        + "`TEAM123456.org.example.notes.share`, not the bundle's own, `org.example.other` "
        + "[keychainOrder]"),
    Case(
      SampleApp.share, "<string>org.example.notes.share", "<string>org.example.notes.a_b",
      "#:7:2: error: the identifier `org.example.notes.a_b` contains the character `_`, which Apple does not allow [identifierCharacters]",
      "\(SampleApp.shareRights):11:3: note: the first keychain group is "
        + "`TEAM123456.org.example.notes.share`, not the bundle's own, `org.example.notes.a_b` "
        + "[keychainOrder]"),
    Case(
      SampleApp.share, "\t\t<string>org.example.notes</string>",
      "\t\t<string>org.example.note</string>",
      "#:17:3: error: `ContainingAppBundleId` is `org.example.note`, but the extension is in "
        + "`org.example.notes` [containingApp]"),
    Case(
      SampleApp.share, "\t\t<string>org.example.notes</string>", "\t\t<string>$(APP_ID)</string>",
      "#:18:3: note: `ContainingAppBundleId` is `$(APP_ID)`: the variable `APP_ID` has no value; "
        + "give one with `--set APP_ID=…` [unresolvedVariable]"),
    Case(
      SampleApp.share,
      "\t\t<key>ContainingAppBundleId</key>\n\t\t<string>org.example.notes</string>\n", "",
      "#:11:2: error: `ContainingAppBundleId` is missing [containingApp]"),
    Case(
      SampleApp.share, "<key>NSExtension</key>", "<key>Extension</key>",
      "#:4:1: error: `NSExtension` is missing, but the folder's name ends in `.appex` "
        + "[extensionMissing]"),
    Case(
      SampleApp.share, "<key>NSExtension</key>",
      "<key>NSExtension</key><true/><key>Extension</key>",
      "#:20:2: error: `NSExtension` must be a dictionary, found a boolean, but the folder's "
        + "name ends in `.appex` [extensionMissing]"),
    Case(
      SampleApp.share, "17.0", "18",
      "#:9:2: warning: the extension needs iOS 18, its app only iOS 17.0 [minimumOS]"),
    Case(
      SampleApp.share, "<key>NSExtensionPrincipalClass</key>\n\t\t<string>Handler</string>", "",
      "#:20:2: error: neither `NSExtensionPrincipalClass` nor `NSExtensionMainStoryboard` is "
        + "stated; state one of them [principal]"),
    Case(
      SampleApp.share, "<key>NSExtensionPrincipalClass</key>",
      "<key>NSExtensionMainStoryboard</key><string>M</string>\n<key>NSExtensionPrincipalClass</key>",
      "#:38:3: error: both `NSExtensionPrincipalClass` and `NSExtensionMainStoryboard` are stated; remove one of them "
        + "[principal]"),
    Case(
      SampleApp.app, "CFBundleIdentifier</key>", "CFBundleIdentifer</key>",
      "#:4:1: error: `CFBundleIdentifier` is missing [identifierMissing]",
      "#:11:2: warning: the key `CFBundleIdentifer` is not known; did you mean "
        + "`CFBundleIdentifier`? [unknownKey]"),
  ]

  static let integration: [Case] = [
    Case(
      SampleApp.app, "notes-intunemam", "notes-other",
      "#:36:5: warning: the URL scheme `Notes` has no twin `Notes-intunemam` [schemeTwin]",
      "#:37:5: warning: the URL scheme `notes-other` has no twin `notes-other-intunemam` "
        + "[schemeTwin]"),
    Case(
      SampleApp.app, "<string>msauth.org.example.notes</string>",
      "<string>Other-intunemam</string>",
      "#:38:5: warning: the URL scheme `Other-intunemam` is the twin of `other`, which the app does "
        + "not register [schemeOriginal]"),
    Case(
      SampleApp.app, "<string>msauth.org.example.notes</string>", "<string>my_notes</string>",
      "#:38:5: error: the URL scheme `my_notes` has `_` in it [schemeCharacters]"),
    Case(
      SampleApp.app, "<string>msauth.org.example.notes</string>",
      "<string>7notes</string><string>a+b-c.d</string><string>a+b-c.d-intunemam</string>",
      "#:38:5: error: the URL scheme `7notes` does not begin with a letter [schemeCharacters]"),
    Case(
      SampleApp.app, "<string>msauth.org.example.notes</string>",
      "<string></string><string>$(SCHEME)-intunemam</string>",
      "#:38:5: error: the URL scheme `` is empty [schemeCharacters]"),
    Case(
      SampleApp.app, "<string>zips</string>", "<string>zips</string>\n<string>fax://</string>",
      "#:63:1: error: the queried scheme `fax://` has `:` in it [schemeCharacters]"),
    Case(
      SampleApp.app, "<string>zips</string>", "<string>fax</string>",
      "#:55:2: warning: `LSApplicationQueriesSchemes` lacks `zips`, which the SDK queries "
        + "[queriedMissing]",
      "#:62:3: warning: the queried scheme `fax` has no twin `fax-intunemam` [queriedTwin]"),
    Case(
      SampleApp.app, "<key>LSApplicationQueriesSchemes</key>",
      "<key>LSApplicationQuerySchemes</key>",
      "#:4:1: warning: `LSApplicationQueriesSchemes` lacks "
        + "\(BundleLinter.quoted(BundleLinter.needed)), which the SDK queries [queriedMissing]",
      "#:55:2: warning: the key `LSApplicationQuerySchemes` is not known; did you mean "
        + "`LSApplicationQueriesSchemes`? [unknownKey]"),
    Case(
      SampleApp.app,
      "<key>NSFaceIDUsageDescription</key>\n\t<string>To unlock your notes.</string>", "",
      "#:4:1: warning: `NSFaceIDUsageDescription` is missing [faceID]"),
    Case(
      SampleApp.app, "<key>MultiIdentity</key>\n\t\t<false/>", "",
      "#:42:2: note: `MultiIdentity` is not stated: the app counts as a single-identity app "
        + "[multiIdentity]"),
    Case(
      SampleApp.app, "<key>MultiIdentity</key>\n\t\t<false/>",
      "<key>MultiIdentity</key>\n\t\t<true/>",
      "\(SampleApp.openIn):11:2: warning: `MultiIdentity` is false in the extension and true in its "
        + "app [multiIdentity]",
      "\(SampleApp.share):11:2: warning: `MultiIdentity` is false in the extension and true in its "
        + "app [multiIdentity]"),
    Case(
      SampleApp.app, "<key>MultiIdentity</key>", "<key>MultiIdentiy</key>",
      "#:42:2: note: `MultiIdentity` is not stated: the app counts as a single-identity app "
        + "[multiIdentity]",
      "#:52:3: warning: `IntuneMAMSettings` has the key `MultiIdentiy`, which is unknown to the "
        + "SDK; did you mean `MultiIdentity`? [unknownSetting]"),
    Case(
      SampleApp.app, "<key>ADALRedirectUri</key>", "<key>ADALRedirectUri </key>",
      "#:42:2: warning: neither `ADALRedirectUri` nor `ADALRedirectScheme` is stated [sdkSetting]",
      "#:46:3: warning: the key `ADALRedirectUri ` is surrounded by white space [keyWhiteSpace]"),
    Case(
      SampleApp.app, "5c7a4e0e-6b0b-4f3e-9a56-1d6b1f0a7c3d", "your-client",
      "#:44:3: warning: `ADALClientId` must be the application's identifier in Entra, found "
        + "`your-client` [sdkSetting]"),
    Case(
      SampleApp.app, "<key>MultiIdentity</key>",
      "<key>MAMPolicyRequired</key>\n<true/>\n<key>MultiIdentity</key>",
      "#:52:3: warning: `MAMPolicyRequired` without `AutoEnrollOnLaunch`: the app never gets the "
        + "policy that it needs to start [sdkSetting]"),
    Case(
      SampleApp.app, "<key>MultiIdentity</key>",
      "<key>MaxFileProtectionLevel</key><string>NSFileProtectionCompleted</string>\n"
        + "<key>MultiIdentity</key>",
      "#:52:3: warning: `MaxFileProtectionLevel` must be one of `NSFileProtectionComplete`, "
        + "`NSFileProtectionCompleteUnlessOpen`, "
        + "`NSFileProtectionCompleteUntilFirstUserAuthentication`, `NSFileProtectionNone`, found "
        + "`NSFileProtectionCompleted`; did you mean `NSFileProtectionComplete`? [sdkSetting]"),
    Case(
      SampleApp.app, "<key>LSApplicationQueriesSchemes",
      "<key>UIApplicationSceneManifest</key><dict/>\n<key>LSApplicationQueriesSchemes",
      "#:55:2: warning: `UISceneConfigurations` is missing or empty [sceneConfiguration]"),
    Case(
      SampleApp.app, "\t\t</dict>\n\t</array>\n\t<key>CFBundleURLTypes</key>",
      "\t\t</dict>\n\t\t<dict><key>CFBundleTypeExtensions</key><array><string>memo</string></array>"
        + "</dict>\n\t</array>\n\t<key>CFBundleURLTypes</key>",
      "#:30:9: warning: the document type has `CFBundleTypeExtensions` but no `LSItemContentTypes`, "
        + "so iOS ignores it [contentTypesMissing]"),
    Case(
      SampleApp.app, "<string>org.example.note</string>\n\t\t\t</array>",
      "<string>org.example.other</string>\n\t\t\t</array>",
      "#:27:5: warning: neither the system nor the app declares the type `org.example.other` "
        + "[undeclaredType]",
      "\(SampleApp.openIn):26:4: error: the rule lacks "
        + "`com.microsoft.intune.mam.org.example.other`, which the app opens [openInTypes]",
      "\(SampleApp.openIn):26:4: note: the rule names `com.microsoft.intune.mam.org.example.note`, "
        + "which is not the type of a document that the app opens [openInOther]"),
  ]

  static let groups: [Case] = [
    Case(
      SampleApp.shareRights, "group.org.example.notes", "group.org.example.share",
      "\(SampleApp.share):13:3: warning: `AppGroupIdentifiers` lacks the app group "
        + "`group.org.example.share` [appGroupUnlisted]",
      "\(SampleApp.share):13:3: error: `AppGroupIdentifiers` lists `group.org.example.notes`, which "
        + "`#` does not grant [appGroupNotGranted]",
      "#:5:2: error: the extension shares no app group with its app, which has "
        + "`group.org.example.notes` [appGroup]"),
    Case(
      SampleApp.share, "group.org.example.notes", "group.org.example.other",
      "#:13:3: warning: `AppGroupIdentifiers` lacks the app group `group.org.example.notes` "
        + "[appGroupUnlisted]",
      "#:13:3: error: `AppGroupIdentifiers` lists `group.org.example.other`, which "
        + "`\(SampleApp.shareRights)` does not grant [appGroupNotGranted]"),
    Case(
      SampleApp.appRights, "com.microsoft.adalcache", "com.microsoft.cache",
      "#:9:2: error: `keychain-access-groups` lacks `com.microsoft.adalcache` [keychainGroup]"),
    Case(
      SampleApp.appRights, "com.microsoft.intune.mam", "com.microsft.intune.mam",
      "#:12:3: error: `keychain-access-groups` contains `com.microsft.intune.mam` instead of "
        + "`com.microsoft.intune.mam`; did you mean `com.microsoft.intune.mam`? [keychainGroup]"),
    Case(
      SampleApp.appRights, "$(AppIdentifierPrefix)com.microsoft.adalcache",
      "com.microsoft.adalcache",
      "#:13:3: error: the keychain group `com.microsoft.adalcache` does not begin with the team's "
        + "prefix [keychainPrefix]"),
    Case(
      SampleApp.appRights, "$(AppIdentifierPrefix)com.microsoft.adalcache</string>",
      "TEAM123456.com.microsoft.adalcache</string><string>${TeamIdentifierPrefix}a</string>"
        + "<string>com.apple.token</string>\n<string>TEAM.a</string>",
      "#:14:1: error: the keychain group `TEAM.a` does not begin with the team's prefix "
        + "[keychainPrefix]"),
    Case(
      SampleApp.appRights, "com.apple.security.application-groups</key>\n\t<array>",
      "com.apple.security.application-groups</key>\n\t<string>a</string><key>x</key><array>",
      "\(SampleApp.app):48:3: error: `AppGroupIdentifiers` lists `group.org.example.notes`, which "
        + "`#` does not grant [appGroupNotGranted]",
      "#:5:2: warning: `com.apple.security.application-groups` must be an array of strings, found a "
        + "string `a` [wrongType]",
      "\(SampleApp.openInRights):5:2: error: the extension shares no app group with its app, which "
        + "has none [appGroup]",
      "\(SampleApp.shareRights):5:2: error: the extension shares no app group with its app, which "
        + "has none [appGroup]"),
  ]
}
