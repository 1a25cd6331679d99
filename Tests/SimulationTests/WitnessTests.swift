import Analysis
import Model
import Policy
import Simulation
import TestSupport
import Testing

/// What `sluice policy diff` prints as a request of `sluice decide` is one, and means the same.
@Suite struct WitnessTests {
  @Test func aWitnessIsDecidedAsItSays() throws {
    let file = "base.json"
    var old = PolicyDocument(displayName: "old", file: file)
    old.settings.allowedOutboundDataTransferDestinations = .managedApps
    old.settings.allowedInboundDataTransferSources = .managedApps
    old.settings.managedBrowser = .microsoftEdge
    var new = PolicyDocument(displayName: "new", file: file)
    new.settings = Self.strict
    var deciders = (Decider([old]), Decider([new]))
    let flows = PolicyComparison(
      EffectivePolicy(settings: old.settings), EffectivePolicy(settings: new.settings)
    ).flows
    #expect(Set(flows.map(\.channel)).count >= 20)
    for (number, flow) in flows.enumerated() {
      let line = flow.old.request.decideLine
      let before = try deciders.0.explain(line, number: number + 1)
      let after = try deciders.1.explain(line, number: number + 1)
      #expect(before.verdict.outcome == flow.old.outcome, "\(line)")
      #expect(after.verdict.outcome == flow.new.outcome, "\(line)")
      #expect(before.verdict.deciding == flow.old.reason.rule, "\(line)")
      #expect(after.verdict.deciding == flow.new.reason.rule, "\(line)")
      #expect(before.request.endsText == flow.old.request.endsText)
    }
  }

  private static let strict: Settings = {
    var settings = Settings()
    settings.allowedOutboundDataTransferDestinations = .none
    settings.allowedInboundDataTransferSources = .none
    settings.allowedOutboundClipboardSharingLevel = .blocked
    settings.allowedOutboundClipboardSharingExceptionLength = 5
    settings.saveAsBlocked = true
    settings.allowedDataStorageLocations = [.box]
    settings.exemptedAppProtocols = ["skype", "mailto"]
    settings.exemptedUniversalLinks = [LinkPattern("https://*.example.com/*")]
    settings.managedBrowser = .microsoftEdge
    settings.dialerRestrictionLevel = .managedApps
    settings.printBlocked = true
    settings.notificationRestriction = .block
    settings.contactSyncBlocked = true
    settings.allowWidgetContentSync = true
    settings.dataBackupBlocked = true
    settings.thirdPartyKeyboardsBlocked = true
    settings.writingToolsConfigurationState = .notBlocked
    return settings
  }()
}
