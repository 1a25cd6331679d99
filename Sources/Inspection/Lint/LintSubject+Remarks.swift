import Findings
import JSON
import Policy
import Transfer

/// What is allowed, and yet worth a look.
extension LintSubject {
  var remarks: [LintFinding] { sharePoint + wideExemptions }

  private var sharePoint: [LintFinding] {
    var findings: [LintFinding] = []
    let storage = settings.allowedDataStorageLocations
    if settings.saveAsBlocked, settings.allowedOutboundDataTransferDestinations == .managedApps,
      storage.contains(.oneDriveForBusiness) != storage.contains(.sharePoint)
    {
      findings.append(
        remark(.allowedDataStorageLocations, hasOneDrive: storage.contains(.oneDriveForBusiness)))
    }
    let ingestion = settings.allowedDataIngestionLocations
    if settings.blockDataIngestionIntoOrganizationDocuments,
      settings.allowedInboundDataTransferSources == .managedApps,
      ingestion.contains(.oneDriveForBusiness) != ingestion.contains(.sharePoint)
    {
      findings.append(
        remark(
          .allowedDataIngestionLocations, hasOneDrive: ingestion.contains(.oneDriveForBusiness)))
    }
    return findings
  }

  private func remark(_ setting: Setting, hasOneDrive: Bool) -> LintFinding {
    finding(
      .sharePoint, at: setting,
      hasOneDrive
        ? "`oneDriveForBusiness` without `sharePoint` covers no SharePoint, Online or not"
        : "`sharePoint` without `oneDriveForBusiness` covers SharePoint Online, too")
  }

  private var wideExemptions: [LintFinding] {
    var findings: [LintFinding] = []
    for pair in member(Setting.exemptedAppProtocols.rawValue)?.value.array ?? [] {
      guard let value = pair["value"], let list = value.string else { continue }
      for part in list.split(separator: ";") {
        let scheme = part.filter { !$0.isWhitespace }.lowercased()
        guard let consequence = Self.wideSchemes[scheme] else { continue }
        findings.append(
          finding(.wideExemption, at: value.position, "`\(scheme)` is exempted: \(consequence)"))
      }
    }
    return findings
  }

  private static let wideSchemes = [
    "http": "any web page opens in any browser",
    "https": "any web page opens in any browser",
    "mailto": "org data can be sent with any mail app, and the in-app mail composer is allowed",
    "sms":
      "org data can be sent with any messaging app, and the in-app message composer is allowed",
    "file": "any file can be handed out by its URL",
  ]
}
