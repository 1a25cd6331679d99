import Diagnostics
internal import GraphDocuments
import JSON
import Model
import Policy

/// Properties that an export leaves out.
extension LintSubject {
  var omissions: [LintFinding] { assignment + deviceState + locations }

  private var assignment: [LintFinding] {
    if let flag = member("isAssigned"), flag.value.bool == false, member("assignments") == nil {
      return [
        finding(
          .notAssigned, at: flag.position,
          "`isAssigned` is false, so the policy reaches nobody; Sluice applies it all the same")
      ]
    }
    return []
  }

  private var deviceState: [LintFinding] {
    guard document.targeting.levels?.isEmpty == true else { return [] }
    let position = member("targetedAppManagementLevels")?.position ?? document.position
    return [
      finding(
        .noDeviceState, at: position,
        "`targetedAppManagementLevels` names states of Android only, so the policy reaches no iPhone"
      )
    ]
  }

  private var locations: [LintFinding] {
    var findings: [LintFinding] = []
    if settings.saveAsBlocked, settings.allowedOutboundDataTransferDestinations == .managedApps {
      findings += missing(.allowedDataStorageLocations, while: .saveAsBlocked, "may be saved")
    }
    if settings.blockDataIngestionIntoOrganizationDocuments,
      settings.allowedInboundDataTransferSources == .managedApps
    {
      findings += missing(
        .allowedDataIngestionLocations, while: .blockDataIngestionIntoOrganizationDocuments,
        "may be opened")
    }
    return findings
  }

  private func missing(_ list: Setting, while block: Setting, _ what: String) -> [LintFinding] {
    guard !isStated(list) else { return [] }
    return [
      finding(
        .locationsMissing, at: block,
        "`\(block.rawValue)` is true and `\(list.rawValue)` is absent, so nothing \(what)")
    ]
  }
}
