import Diagnostics

/// The rules that look at a policy as a whole.
extension LintRule {
  static let notAssigned = LintRule(
    "notAssigned", .note, "The policy is assigned to no group of users.",
    "Assign the policy, or export with `$expand=assignments`.")

  static let noDeviceState = LintRule(
    "noDeviceState", .warning, "The policy is targeted at device states that no iPhone has.",
    "Set `targetedAppManagementLevels` to `unspecified`, `unmanaged` or `mdm`.")

  static let locationsMissing = LintRule(
    "locationsMissing", .warning,
    "A location list is missing while the block that it qualifies is on.",
    "Export the property, or state an empty list if no service is meant.")

  static let noEffect = LintRule(
    "noEffect", .warning, "A setting changes nothing, because of another.",
    "Reset the setting to its default, or change the other one. As a warning: less is restricted than the "
      + "setting says. As a note: more.")

  static let schemeMissing = LintRule(
    "schemeMissing", .error, "A specific app is required, but no scheme names it.",
    "State the app's URL scheme, or choose another value.")

  static let exemptedPast = LintRule(
    "exemptedPast", .warning, "An exempted scheme gets past the setting that decides about it.",
    "Remove the scheme from `exemptedAppProtocols`. Microsoft asks administrators to remove `tel` and `telprompt`, "
      + "which policies from before June 15, 2020 exempt by default.")

  static let versionOrder = LintRule(
    "versionOrder", .warning,
    "A version bound never takes effect, because a harsher one comes first.",
    "Order the bounds so that the device is warned first, then blocked, then wiped.")

  static let noVersionLeft = LintRule(
    "noVersionLeft", .error, "The lowest version allowed lies above the highest.",
    "Lower the minimum or raise the maximum: as it is, nobody gets in.")

  static let offlineOrder = LintRule(
    "offlineOrder", .warning, "Org data is wiped before access is blocked.",
    "Make the offline grace period for wiping longer than the one for blocking.")

  static let sharePoint = LintRule(
    "sharePoint", .note, "OneDrive for Business and SharePoint are not chosen alike.",
    "The admin centre says that its OneDrive choice covers SharePoint Online, too, and that its SharePoint "
      + "choice means servers on premises. Microsoft Graph and the SDK have one `sharePoint`; Sluice decides "
      + "by that.")

  static let wideExemption = LintRule(
    "wideExemption", .note, "An exempted scheme opens a wide way out.",
    "Exempt schemes of single apps only. Universal links can be exempted one by one with "
      + "`exemptedUniversalLinks`.")

  static let managedLinkExempted = LintRule(
    "managedLinkExempted", .warning, "Links to org data are exempted, so that any app opens them.",
    "Move the entries to `managedUniversalLinks`: policy managed apps then open them, and no others."
  )

  static let androidOnly = LintRule(
    "androidOnly", .warning, "A policy for iOS states settings of Android.",
    "Remove them, and state what is meant by iOS's own settings. A note: the values restrict nothing on "
      + "Android either.")

  static let own = [
    notAssigned, noDeviceState, locationsMissing, noEffect, schemeMissing, exemptedPast,
    versionOrder, noVersionLeft, offlineOrder, sharePoint, wideExemption, managedLinkExempted,
    androidOnly,
  ]
}
