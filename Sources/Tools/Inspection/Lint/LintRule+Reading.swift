import Diagnostics

/// The rules that reading a policy checks: `PolicyError.Code` and `PolicyWarningCode`.
extension LintRule {
  static let unreadableFile = LintRule(
    "file", .error, "The file cannot be read.", "Check the path and the permissions.")

  static let readingErrors = [
    unreadableFile,
    LintRule(
      "jsonSyntax", .error, "The text is no JSON.",
      "Save the answer of Microsoft Graph as it is, in UTF-8 or UTF-16."),
    LintRule(
      "noPolicy", .error, "The file holds no app protection policy.",
      "Export `deviceAppManagement/iosManagedAppProtections`: one object, an array of them, or a list "
        + "answer."),
    LintRule(
      "duplicateProperty", .error, "An object states one name twice.",
      "Remove one of the two; programs differ in which they take."),
    LintRule(
      "otherPolicyType", .error, "The policy is for another platform, or no app protection policy.",
      "Only `iosManagedAppProtection` can be used."),
    LintRule(
      "wrongType", .error, "A property has another JSON type than Graph gives it.",
      "Write the value as Graph documents the property."),
    LintRule(
      "unknownValue", .error, "A value is not among those that Graph lists.",
      "Use one of the listed values; case matters."),
    LintRule(
      "outOfRange", .error, "A number lies outside the range that Graph documents.",
      "Use a number within the range."),
    LintRule(
      "invalidDuration", .error, "A text is no ISO 8601 duration.",
      "Write days, hours, minutes and seconds, such as `P90D`, `PT12H` or `PT30M`."),
    LintRule(
      "invalidVersion", .error, "A text is no version of dotted numbers.",
      "Write numbers with dots between, such as `17.5.1`."),
  ]

  static let whiteSpace = LintRule(
    "whiteSpace", .warning, "White space stands where it cannot be meant.",
    "Remove it: a name with white space is another name, and a value with it is often not the same value."
  )

  static let readingWarnings = [
    LintRule(
      "unknownProperty", .warning, "A property is none that Graph documents.",
      "Correct the name. Graph refuses or drops what it does not know, and the setting has no effect."
    ),
    whiteSpace,
    LintRule(
      "conflictingSettings", .warning,
      "Settings stand together that the admin centre never combines.",
      "Choose a value in the admin centre and export the policy again, or set the flags as the admin centre "
        + "would."),
    LintRule(
      "notAScheme", .warning, "A text is no URL scheme.",
      "Write the scheme alone, without colon and slashes: `skype`."),
    LintRule(
      "noApps", .warning, "The policy is targeted at no app.",
      "Export with `$expand=apps`, or add apps to the policy."),
    LintRule(
      "appWithoutBundleID", .warning, "An entry of `apps` names no iOS app.",
      "Give it `mobileAppIdentifier.bundleId`."),
    LintRule(
      "notALink", .warning, "An entry of a list of links is no web link.",
      "Begin the entry with `http://` or `https://`; `*` stands for anything."),
    LintRule(
      "unknownFutureValue", .warning, "The export holds a value that it could not name.",
      "Export again with the newest version of Microsoft Graph."),
    LintRule(
      "exportedByV1", .warning, "The export leaves out settings that only Graph's beta has.",
      "Export from `https://graph.microsoft.com/beta`."),
    LintRule(
      "emptyAssignments", .note, "The policy is assigned to nobody.",
      "Assign the policy, or export with `$expand=assignments`."),
    LintRule(
      "skippedFiles", .note, "Files of a folder are no policies for iOS.",
      "Nothing, if the folder holds a backup of other things, too."),
    LintRule(
      "wrappedPolicy", .warning, "A file of a folder holds a policy inside of something else.",
      "Save the policy itself as a file; nothing else of such a file is read."),
  ]
}
