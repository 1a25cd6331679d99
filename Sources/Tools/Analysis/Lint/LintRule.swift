internal import Encodings
internal import GraphDocuments
package import Output
internal import Policy

package struct LintRule: FindingRule {
  /// The rule's identifier, which findings cite.
  package let code: String
  /// The default severity. A single finding may have a lower severity.
  package let severity: Severity
  /// The mistake that the rule finds, in one sentence.
  package let summary: String
  /// The remedy, in one or two sentences.
  package let help: String

  private init(_ code: String, _ severity: Severity, _ summary: String, _ help: String) {
    self.code = code
    self.severity = severity
    self.summary = summary
    self.help = help
  }

  /// All rules, in the order of the documentation.
  package static let all: [LintRule] = readingErrors + readingWarnings + own

  package static func named(_ code: String) -> LintRule? { byCode[code] }

  /// Returns the rule for an error or warning found while reading a policy. If `code` is unknown, the rule has no help
  /// text.
  fileprivate static func reading(_ code: String, _ severity: Severity) -> LintRule {
    named(code) ?? LintRule(code, severity, code, "")
  }

  private static let byCode = Dictionary(
    all.map { ($0.code, $0) }, uniquingKeysWith: { first, _ in first })
}

// MARK: - Reading rules

/// The rules for errors and warnings found while reading a policy: `PolicyError.Code` and `PolicyWarningCode`.
extension LintRule {
  fileprivate static let unreadableFile = LintRule(
    "file", .error, "The file cannot be read.", "Check the path and the permissions.")

  private static let readingErrors = [
    unreadableFile,
    LintRule(
      "jsonSyntax", .error, "The text is not JSON.",
      "Save the answer of Microsoft Graph as it is, in UTF-8 or UTF-16."),
    LintRule(
      "noPolicy", .error, "The file holds no app protection policy.",
      "Export `deviceAppManagement/iosManagedAppProtections`: one object, an array of them, or a list "
        + "answer."),
    LintRule(
      "duplicateProperty", .error, "An object has a duplicate name.",
      "Remove one of the two; programs differ in which one they use."),
    LintRule(
      "otherPolicyType", .error,
      "The policy is for another platform, or is not an app protection policy.",
      "Only `iosManagedAppProtection` can be used. The tenant's default, `defaultManagedAppProtection`, applies to "
        + "users whom no other policy targets: change its type to `iosManagedAppProtection`, and assign it to these users."
    ),
    LintRule(
      "wrongType", .error, "The JSON type of a property differs from the one in Graph.",
      "Write the value as Graph documents the property."),
    LintRule(
      "unknownValue", .error, "A value is not among those that Graph lists.",
      "Use one of the listed values; case matters."),
    LintRule(
      "outOfRange", .error, "A number is outside the range that Graph documents.",
      "Use a number within the range."),
    LintRule(
      "invalidDuration", .error, "A text is not an ISO 8601 duration.",
      "Write days, hours, minutes and seconds, such as `P90D`, `PT12H` or `PT30M`."),
    LintRule(
      "invalidVersion", .error, "A text is not a version of dotted numbers.",
      "Write numbers with dots between, such as `17.5.1`."),
  ]

  static let whiteSpace = LintRule(
    "whiteSpace", .warning, "A name or value begins or ends with white space.",
    "Remove the white space: a name with it is a different name, and a value often a different value."
  )

  private static let readingWarnings = [
    LintRule(
      "unknownProperty", .warning, "Graph does not document a property.",
      "Correct the name. Graph rejects or drops unknown properties, so the setting has no effect."
    ),
    whiteSpace,
    LintRule(
      "conflictingSettings", .warning,
      "Settings are combined in a way that the admin centre does not allow.",
      "Choose a value in the admin centre and export the policy again, or set the flags as the admin centre "
        + "would."),
    LintRule(
      "notAScheme", .warning, "A text is not a URL scheme.",
      "Write the scheme alone, without colon and slashes: `skype`."),
    LintRule(
      "noApps", .warning, "The policy is targeted at no app.",
      "Export with `$expand=apps`, or add apps to the policy."),
    LintRule(
      "appWithoutBundleID", .warning, "An entry of `apps` names no iOS app.",
      "Give it `mobileAppIdentifier.bundleId`."),
    LintRule(
      "notALink", .warning, "An entry of a list of links is not a web link.",
      "Begin the entry with `http://` or `https://`; `*` matches anything."),
    LintRule(
      "unknownFutureValue", .warning, "The export has `unknownFutureValue` in place of a value.",
      "Export again with the newest version of Microsoft Graph."),
    LintRule(
      "exportedByV1", .warning, "The export leaves out settings that only Graph's beta has.",
      "Export from `https://graph.microsoft.com/beta`."),
    LintRule(
      "emptyAssignments", .note, "The policy's list of assignments is empty.",
      "Assign the policy, or export with `$expand=assignments`."),
    LintRule(
      "skippedFiles", .note, "Files of a folder are not policies for iOS.",
      "Ignore this if the folder also contains other objects."),
    LintRule(
      "wrappedPolicy", .warning, "A file of a folder holds a policy nested in another object.",
      "Save the policy itself as a file; nothing else of such a file is read."),
  ]
}

// MARK: - Policy rules

/// The rules that examine a policy as a whole.
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
    "noEffect", .warning, "A setting has no effect because of another.",
    "Reset the setting to its default, or change the other one. A warning means that the policy "
      + "restricts less than the setting states; a note means that it restricts more.")

  static let schemeMissing = LintRule(
    "schemeMissing", .error, "A specific app is required, but no scheme names it.",
    "State the app's URL scheme, or choose another value.")

  static let exemptedPast = LintRule(
    "exemptedPast", .warning, "An exempted scheme bypasses the setting that governs it.",
    "Remove the scheme from `exemptedAppProtocols`. Microsoft asks administrators to remove `tel` and `telprompt`, "
      + "which policies from before June 15, 2020 exempt by default.")

  static let versionOrder = LintRule(
    "versionOrder", .warning,
    "A version bound never takes effect, because a stricter one comes first.",
    "Order the bounds: first warn, then block, then wipe.")

  static let noVersionLeft = LintRule(
    "noVersionLeft", .error, "The minimum version is higher than the maximum.",
    "Lower the minimum or raise the maximum: no device meets both.")

  static let offlineOrder = LintRule(
    "offlineOrder", .warning, "Org data is wiped before access is blocked.",
    "Make the offline grace period for wiping longer than the one for blocking.")

  static let sharePoint = LintRule(
    "sharePoint", .note, "Only one of OneDrive for Business and SharePoint is selected.",
    "According to the admin centre, its OneDrive choice also covers SharePoint Online, and its SharePoint "
      + "choice means servers on premises. Microsoft Graph and the SDK have a single `sharePoint`, and "
      + "Sluice follows them.")

  static let wideExemption = LintRule(
    "wideExemption", .note, "An exempted scheme lets data leave through many apps.",
    "Exempt schemes of single apps only. Universal links can be exempted one by one with "
      + "`exemptedUniversalLinks`.")

  static let managedLinkExempted = LintRule(
    "managedLinkExempted", .warning, "Links to org data are exempted, so any app opens them.",
    "Move the entries to `managedUniversalLinks`: policy managed apps then open them, and no others."
  )

  static let androidOnly = LintRule(
    "androidOnly", .warning, "A policy for iOS states settings of Android.",
    "Remove them, and use the corresponding settings of iOS. A note means that the values restrict "
      + "nothing on Android either.")

  private static let own = [
    notAssigned, noDeviceState, locationsMissing, noEffect, schemeMissing, exemptedPast,
    versionOrder, noVersionLeft, offlineOrder, sharePoint, wideExemption, managedLinkExempted,
    androidOnly,
  ]
}

// MARK: - Findings

package typealias LintFinding = Finding<LintRule>

extension LintFinding {
  /// Creates the finding for a file without a usable policy.
  init(_ error: PolicyError) {
    self.init(
      .reading(error.code.rawValue, .error), .error, file: error.file, at: error.positionInFile,
      error.message)
  }

  init(_ warning: PolicyWarning) {
    self.init(
      .reading(warning.code.rawValue, .warning), file: warning.file, at: warning.positionInFile,
      warning.message)
  }

  /// Returns the finding for an unreadable file.
  ///
  /// - Parameter reason: The reason, in lower case and without a full stop.
  package static func unreadable(file: String, reason: String) -> LintFinding {
    LintFinding(.unreadableFile, file: file, at: Position(line: 1, column: 1), reason)
  }

  package var code: String { rule.code }

  /// Whether the finding means that the file is unusable. Such a file has only findings of this kind.
  fileprivate var isUnreadable: Bool {
    PolicyError.Code(rawValue: code) != nil || code == LintRule.unreadableFile.code
  }
}

package typealias LintReport = FindingReport<LintRule>

extension LintReport {
  package var hasUnreadableFile: Bool { findings.contains(where: \.isUnreadable) }
}
