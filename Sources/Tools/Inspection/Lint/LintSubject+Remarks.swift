import Diagnostics
import JSON
import Model
import Policy

/// Settings that are allowed, and yet worth a look.
extension LintSubject {
  var remarks: [LintFinding] { sharePoint + wideExemptions + exemptedManagedLinks }

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
    exemptedSchemes.compactMap { scheme, position in
      Self.wideSchemes[scheme].map {
        finding(.wideExemption, at: position, "`\(scheme)` is exempted: \($0)")
      }
    }
  }

  /// Exempted links that the policy, or the admin centre by itself, lists as links to org data.
  private var exemptedManagedLinks: [LintFinding] {
    let all = settings.exemptedUniversalLinks
    guard !settings.isAnyBrowserAllowed, !all.isEmpty else { return [] }
    let managed = settings.managedUniversalLinks
    let (exempting, managing) = (
      LinkPatternIndex(all), LinkPatternIndex(managed + AdminCentreValues.managedLinks)
    )
    let samples = Self.samples(of: managed) + Self.adminCentreSamples
    let matched = Set(samples.flatMap(exempting.places))
    let exempted = zip(all.indices, all).filter { place, link in
      matched.contains(place)
        || Self.samples(of: [link]).contains { !managing.places(for: $0).isEmpty }
    }.map(\.1)
    guard !exempted.isEmpty else { return [] }
    let names = Self.list(exempted.map(\.text))
    return [
      finding(
        .managedLinkExempted, at: .exemptedUniversalLinks,
        "\(names) \(exempted.count == 1 ? "leads" : "lead") to org data, and any app may open "
          + "\(exempted.count == 1 ? "it" : "them")")
    ]
  }

  private static func samples(of patterns: [LinkPattern]) -> [WebLink] {
    patterns.flatMap(\.samples).compactMap(WebLink.init)
  }

  private static let adminCentreSamples = samples(of: AdminCentreValues.managedLinks)

  /// The first of the names, and the number of the others.
  static func list(_ names: [String]) -> String {
    Phrase.first(3, of: names.map { "`\($0)`" })
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
