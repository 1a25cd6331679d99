internal import Encodings
package import Output

/// A check of `sluice bundle lint`.
package enum BundleRule: String, FindingRule, CaseIterable {
  package typealias Repair = Bundle.Repair

  package static let repairCommand: String? = "sluice bundle fix"

  // Reading
  case unreadable, notLaunched, unknownPoint, wrongType, keyWhiteSpace, unknownKey
  case unresolvedVariable, entitlementsFile, listRoot, repeatedKey, oddData
  // Bundle identity
  case identifierMissing, identifierCharacters, identifierPrefix, containingApp, orphan
  // Extension and activation rule
  case extensionMissing, principal, minimumOS, fullAccess
  case ruleMissing, ruleMisplaced, ruleInvalid, ruleValue, ruleUnconditional, ruleUnnamed
  case ruleUnprefixed
  // Open-In
  case openInMissing, openInPoint, openInCount, openInTypes, openInOther
  // Requirements of the SDK
  case schemeMissing, schemeCharacters, schemeTwin, schemeOriginal
  case queriedTwin, queriedMissing, queriedLimit
  case appGroup, appGroupUnlisted, appGroupNotGranted
  case keychainGroup, keychainPrefix, keychainOrder
  case faceID, multiIdentity, unknownSetting, sdkSetting
  case sceneConfiguration, contentTypesMissing, undeclaredType

  package var severity: Severity {
    switch self {
    case .unreadable, .identifierMissing, .identifierCharacters, .identifierPrefix, .containingApp,
      .extensionMissing, .principal, .ruleMissing, .ruleInvalid, .openInCount, .openInTypes,
      .schemeMissing, .schemeCharacters, .appGroup, .appGroupNotGranted, .keychainGroup,
      .keychainPrefix:
      .error
    case .unknownPoint, .wrongType, .keyWhiteSpace, .unknownKey, .listRoot, .repeatedKey,
      .oddData, .orphan, .minimumOS, .ruleMisplaced, .ruleValue, .ruleUnconditional, .ruleUnnamed,
      .ruleUnprefixed, .openInMissing, .openInPoint, .schemeTwin,
      .schemeOriginal, .queriedTwin, .queriedMissing, .queriedLimit, .appGroupUnlisted, .faceID,
      .unknownSetting, .sdkSetting, .sceneConfiguration, .contentTypesMissing, .undeclaredType:
      .warning
    case .notLaunched, .unresolvedVariable, .entitlementsFile, .fullAccess, .openInOther,
      .keychainOrder, .multiIdentity:
      .note
    }
  }

  /// Returns whether findings of this check with this severity are routine. Unresolved variables and absent keys that
  /// Xcode adds are common in source repositories. Extensions without the SDK often lack the twin types
  /// `com.microsoft.intune.mam.<type>`.
  package func isRoutine(at severity: Severity) -> Bool {
    severity == .note
      && [.unresolvedVariable, .identifierMissing, .ruleUnprefixed].contains(self)
  }

  /// The subject of the check, as a heading.
  package var summary: String { text.summary }

  /// The remedy; empty if the message states it.
  package var help: String { text.help }

  private var text: (summary: String, help: String) {
    switch self {
    // Reading
    case .unreadable: ("A file that cannot be read or is not a property list", "")
    case .notLaunched: ("An extension point that Sluice does not launch", "")
    case .unknownPoint: ("An unknown extension point", "")
    case .wrongType:
      ("A value whose type does not match its key", "iOS silently ignores such a value.")
    case .keyWhiteSpace:
      (
        "White space around a key",
        "The white space is part of the key, so look-ups of the key fail."
      )
    case .unknownKey:
      ("A key that is similar to a known key", "iOS ignores unknown keys.")
    case .unresolvedVariable:
      (
        "A required build variable without a value",
        "Give values with `--set NAME=VALUE` or `--xcconfig FILE`; checks that depend on them are "
          + "skipped."
      )
    case .listRoot:
      (
        "An XML property list without `<plist>` around it",
        "Xcode accepts the list; other readers do not. Put `<plist version=\"1.0\">` around the value."
      )
    case .repeatedKey:
      (
        "A key that a dictionary states twice",
        "Xcode accepts the list. Remove the key that has no effect."
      )
    case .oddData: ("Data that is not entirely Base64", "Xcode accepts the list.")
    case .entitlementsFile:
      (
        "No entitlements file, or more than one",
        "Name the entitlements file with `--entitlements`."
      )

    // Bundle identity and extensions
    case .identifierMissing:
      ("A bundle without an identifier", "State it in `CFBundleIdentifier`.")
    case .identifierCharacters:
      (
        "An identifier with characters that Apple does not allow",
        "Letters, digits, hyphens and full stops are allowed."
      )
    case .identifierPrefix:
      (
        "An extension's identifier without its app's identifier as prefix",
        "iOS does not install the app: name the extension `<app>.<name>`."
      )
    case .containingApp:
      (
        "`ContainingAppBundleId` is missing or names another app",
        "By `ContainingAppBundleId`, the SDK in an extension finds the app's policy and accounts."
      )
    case .orphan:
      ("An extension outside an app", "An extension must be in its app's `PlugIns`.")
    case .extensionMissing:
      (
        "An extension's folder without `NSExtension`",
        "iOS does not install the app: state the dictionary with the extension's point."
      )
    case .principal:
      (
        "Both or none of principal class and storyboard",
        "State one of `NSExtensionPrincipalClass` and `NSExtensionMainStoryboard`."
      )
    case .minimumOS:
      (
        "An extension that needs a newer iOS than its app",
        "On the versions in between, iOS installs the app without the extension."
      )
    case .fullAccess:
      (
        "A keyboard without full access",
        "The keyboard cannot reach the network, app groups or the policy."
      )

    // Activation rule and Open-In
    case .ruleMissing:
      (
        "A share or action extension without an activation rule",
        "The extension is never offered. Put `NSExtensionActivationRule` into `NSExtensionAttributes`."
      )
    case .ruleMisplaced:
      (
        "A key of the activation rule outside the rule",
        "It has no effect: move it into the dictionary `NSExtensionActivationRule`."
      )
    case .ruleInvalid:
      ("An activation rule that is not a valid predicate", "The extension is never offered.")
    case .ruleValue:
      (
        "An unexpected key or value in an activation rule",
        "The extension is offered for fewer items than intended."
      )
    case .ruleUnconditional:
      (
        "An activation rule with `TRUEPREDICATE`",
        "`TRUEPREDICATE` is for development; name the supported types before you submit the app for review."
      )
    case .ruleUnnamed:
      (
        "An activation rule that accepts types that it does not name",
        "The extension is offered for items that it cannot read. A condition that allows the count 0 is true if "
          + "nothing matches: also require `.@count >= 1`."
      )
    case .ruleUnprefixed:
      (
        "An activation rule without the types of managed apps",
        "While a policy restricts sharing, items come as `com.microsoft.intune.mam.<type>`, and the "
          + "extension is hidden. `sluice bundle fix` adds twins of `UTI-CONFORMS-TO`, "
          + "`UTI-EQUALS` and `==`; change other comparisons by hand."
      )
    case .openInMissing:
      (
        "An app that opens documents but has no Open-In extension",
        "If a policy restricts sharing, \"Copy to\" disappears without a replacement."
      )
    case .openInPoint:
      (
        "An Open-In extension that is not an action without user interface",
        "State `com.apple.services` as its `NSExtensionPointIdentifier`."
      )
    case .openInCount:
      (
        "An Open-In rule that does not require exactly one file",
        "End both `SUBQUERY` with `.@count == 1`."
      )
    case .openInTypes:
      (
        "An Open-In rule that lacks a document type of its app",
        "The rule must name `com.microsoft.intune.mam.` + each of `CFBundleDocumentTypes`."
      )
    case .openInOther:
      (
        "An Open-In rule that names types that its app does not open",
        "The app is offered for files that it cannot read."
      )

    // Requirements of the SDK
    case .schemeMissing:
      (
        "An app with Open-In but without a URL scheme",
        "The extension opens its app by a scheme: add one and its `-intunemam` twin to "
          + "`CFBundleURLTypes`."
      )
    case .schemeCharacters:
      (
        "An invalid URL scheme",
        "A scheme is a letter, followed by letters, digits, `+`, `-` and `.` (RFC 3986)."
      )
    case .schemeTwin:
      ("A URL scheme without its `-intunemam` twin", "`sluice bundle fix` adds it.")
    case .schemeOriginal:
      (
        "A `-intunemam` twin without its URL scheme",
        "Other apps open the app by the scheme, and Open-In requires both: add it to `CFBundleURLTypes`."
      )
    case .queriedTwin:
      (
        "A queried URL scheme without its `-intunemam` twin",
        "Under a policy, `canOpenURL` asks for the twin. `sluice bundle fix` adds it."
      )
    case .queriedMissing:
      ("URL schemes that the SDK queries are missing", "`sluice bundle fix` adds them.")
    case .queriedLimit:
      (
        "More queried URL schemes than iOS permits",
        "Remove twins of apps that certainly have the SDK; ask with `isURLAllowed:"
          + "isKnownManagedAppScheme:` for those."
      )
    case .appGroup:
      (
        "App and extension share no app group",
        "App and extension share policy and files in an app group."
      )
    case .appGroupUnlisted:
      (
        "An app group that `AppGroupIdentifiers` does not list",
        "The SDK protects only the listed groups. `sluice bundle fix` adds it."
      )
    case .appGroupNotGranted:
      (
        "`AppGroupIdentifiers` lists a group that the entitlements do not grant",
        "Grant it in `com.apple.security.application-groups`, or remove it from the list."
      )
    case .keychainGroup:
      (
        "A keychain group of the SDK is missing",
        "Without its groups, the SDK shares neither accounts nor policy. `sluice bundle fix` adds "
          + "them."
      )
    case .keychainPrefix:
      (
        "A keychain group without the team's prefix",
        "A device refuses groups of other teams: write `$(AppIdentifierPrefix)` before it."
      )
    case .keychainOrder:
      (
        "The first keychain group is not the bundle's own",
        "Items that name no group go to the first one."
      )
    case .faceID:
      (
        "`NSFaceIDUsageDescription` is missing",
        "A policy may ask for Face ID; iOS terminates an app that asks without stating a reason."
      )
    case .multiIdentity:
      (
        "`MultiIdentity` is not stated",
        "The SDK treats all data of the app as its managed account's. Extensions must have the app's value."
      )
    case .unknownSetting:
      ("An unknown key of `IntuneMAMSettings`", "The SDK ignores it.")
    case .sdkSetting:
      (
        "A setting that the SDK needs is missing or invalid",
        "State `ADALClientId` and `ADALRedirectUri` as registered in Entra. `MAMPolicyRequired` also needs `AutoEnrollOnLaunch`."
      )
    case .sceneConfiguration:
      (
        "`UISceneConfigurations` is missing or empty",
        "The SDK does not protect windows of an app without a scene's configuration."
      )
    case .contentTypesMissing:
      (
        "A document type without `LSItemContentTypes`",
        "Name the type; file name extensions belong in the type's declaration."
      )
    case .undeclaredType:
      (
        "An undeclared type",
        "Import it in `UTImportedTypeDeclarations`, or export it if the app defines it."
      )
    }
  }
}

// MARK: - Findings

package typealias BundleFinding = Finding<BundleRule>

extension BundleFinding {
  package init(_ error: BundleError) {
    let position = error.line.map { Position(line: $0, column: error.column ?? 1) }
    self.init(error.rule, file: error.file, at: position, error.message)
  }
}

package typealias BundleReport = FindingReport<BundleRule>

extension BundleReport {
  /// Returns all findings about the user's input. Each finding includes the text edits that would fix it.
  package static func findings(about input: BundleInput) -> [BundleFinding] {
    let findings =
      switch input {
      case .bundle(let bundle, let app): BundleLinter.lint(bundle, in: app)
      case .entitlements(let file): BundleLinter.lint(file)
      }
    let lists = BundleFixer.lists(of: input).map { ($0, ListEditor($0)) }
    return findings.map { finding in
      guard !finding.repairs.isEmpty,
        let (list, editor) = lists.first(where: { $0.0.file == finding.file })
      else { return finding }
      var finding = finding
      finding.repairs.removeAll { !list.takes($0) }
      finding.replacements =
        editor.map { BundleFixer.replacements(for: finding, by: $0) } ?? []
      return finding
    }
  }

  package var hasUnreadableFile: Bool { findings.contains { $0.rule == .unreadable } }
}
