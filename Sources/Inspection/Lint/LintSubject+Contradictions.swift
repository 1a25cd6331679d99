import Findings
import Policy
import Transfer

/// What cannot be meant as it stands.
extension LintSubject {
  var contradictions: [LintFinding] { missingSchemes + offlineOrder }

  private var missingSchemes: [LintFinding] {
    var findings: [LintFinding] = []
    if settings.dialerRestrictionLevel == .customApp, settings.customDialerAppProtocol.isEmpty {
      findings.append(
        finding(
          .schemeMissing, at: .dialerRestrictionLevel,
          "`dialerRestrictionLevel` is `customApp` and `customDialerAppProtocol` names no app, so no number "
            + "can be called"))
    }
    if settings.protectedMessagingRedirectAppType == .specificApps,
      settings.messagingRedirectAppUrlScheme.isEmpty
    {
      findings.append(
        finding(
          .schemeMissing, at: .protectedMessagingRedirectAppType,
          "`protectedMessagingRedirectAppType` is `specificApps` and `messagingRedirectAppUrlScheme` names no "
            + "app, so no message can be sent"))
    }
    return findings
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
