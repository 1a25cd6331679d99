import Diagnostics
import Model
import Policy

/// Contradictions between settings of a policy.
extension LintSubject {
  var contradictions: [LintFinding] { missingSchemes + exemptions + offlineOrder }

  private var missingSchemes: [LintFinding] {
    var findings: [LintFinding] = []
    if settings.dialerRestrictionLevel == .customApp, settings.dialerScheme == nil {
      findings.append(
        schemeMissing(
          .customDialerAppProtocol, for: .dialerRestrictionLevel, "number can be called"))
    }
    if settings.protectedMessagingRedirectAppType == .specificApps, settings.messagingScheme == nil
    {
      findings.append(
        schemeMissing(
          .messagingRedirectAppUrlScheme, for: .protectedMessagingRedirectAppType,
          "message can be sent"))
    }
    return findings
  }

  /// A finding about a required app that no scheme names.
  ///
  /// - Parameter what: the actions that are then impossible, such as `number can be called`.
  private func schemeMissing(
    _ scheme: Setting, for level: Setting, _ what: String
  ) -> LintFinding {
    let isStated = settings.graphValue(of: scheme) != .text("")
    let fault = isStated ? "is no URL scheme" : "names no app"
    return finding(
      .schemeMissing, at: level,
      "`\(level.rawValue)` is \(shown(level)) and `\(scheme.rawValue)` \(fault), so no \(what)")
  }

  /// Exempted schemes that get past the setting about them.
  private var exemptions: [LintFinding] {
    exemptedSchemes.compactMap { scheme, position in
      guard let level = restriction(of: scheme) else { return nil }
      return finding(
        .exemptedPast, at: position,
        "`\(scheme)` is exempted, so any app opens it although `\(level.rawValue)` is \(shown(level))"
      )
    }
  }

  /// The setting that keeps URLs of the scheme from some apps; nil where none does.
  private func restriction(of scheme: String) -> Setting? {
    switch scheme {
    case "tel", "telprompt":
      settings.dialerRestrictionLevel == .allApps ? nil : .dialerRestrictionLevel
    case "sms", "imessage":
      settings.protectedMessagingRedirectAppType == .anyApp
        ? nil : .protectedMessagingRedirectAppType
    default: nil  // open: any other scheme
    }
  }

  private var offlineOrder: [LintFinding] {
    let block = settings.periodOfflineBeforeAccessCheck
    let wipe = settings.periodOfflineBeforeWipeIsEnforced
    guard block > 0, wipe > 0, wipe <= block else { return [] }
    return [
      finding(
        .offlineOrder, at: .periodOfflineBeforeWipeIsEnforced,
        "org data is wiped after \(shown(.periodOfflineBeforeWipeIsEnforced)) offline, before access is blocked "
          + "after \(shown(.periodOfflineBeforeAccessCheck))")
    ]
  }

  private func shown(_ setting: Setting) -> String {
    "`\(settings.graphValue(of: setting) ?? .null)`"
  }
}
