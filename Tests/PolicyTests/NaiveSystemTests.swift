import Model
import Policy
import Testing

/// The engine and the naive evaluator agree on every request to the system in the finite domain.
@Suite("Naive evaluator: exhaustive comparison of channels to the system")
struct NaiveSystemTests {
  private typealias Domain = RequestDomain

  /// The channels for which only policies matter.
  private static let plain: [Channel] = [
    .documentPickerExport, .mailComposer, .messageComposer, .print, .notification, .contactSync,
    .widget, .spotlight, .siriIntents, .appIntents, .backup, .writingTools, .genmoji,
    .safariExtension, .fileEncryption,
  ]

  @Test(arguments: plain)
  func `verdicts on single-setting channels agree with the naive evaluator for every value`(
    channel: Channel
  ) {
    let policies = Domain.systemPolicies(for: channel)
    let domain = Domain(
      channels: [channel], senders: Domain.senders(policies), owners: Domain.owners(policies),
      devices: [Domain.looseDevice, Domain.tightDevice]
        + (channel == .fileEncryption ? [Domain.encryptingDevice] : []))
    let people = policies.count
    let devices = domain.devices.count
    // The factors are: no account, an unknown account and Anna unmanaged, or Anna; two owners, two
    // by policy, and Anna herself.
    domain.expectAgreement(on: devices * (2 * (2 + 2 * people) + (1 + people) * (3 + 2 * people)))
  }

  @Test
  func
    `screen capture by state, Send, app configuration and SDK release agrees with the naive evaluator`()
  {
    let versions = [
      nil, Version(18, 9), Version(19, 7, 5), Version(19, 7, 6), Version(20, 2), Version(20, 2, 1),
      Version(21, 0), Version(19, 7, 12), Version(20, 4),
    ]
    let apps = versions.flatMap { version in
      Domain.flags.map { isDisabled in
        AppState(
          bundleID: Domain.home.bundleID, sdkVersion: version,
          isScreenCaptureControlDisabled: isDisabled)
      }
    }
    let policies = Domain.systemPolicies(for: .screenCapture)
    let domain = Domain(
      channels: [.screenCapture], senders: Domain.senders(policies, in: apps),
      owners: Domain.owners(policies))
    domain.expectAgreement(on: 4_500)
  }

  /// The channels that a profile can forbid under any policy.
  private static let restricted: [Channel] = [.screenCapture, .writingTools, .genmoji]

  @Test(arguments: restricted)
  func `MDM restrictions of system features agree with the naive evaluator under every policy`(
    channel: Channel
  ) {
    let policies = Domain.systemPolicies(for: channel)
    let domain = Domain(
      channels: [channel], senders: Domain.senders(policies), owners: Domain.owners(policies),
      devices: Domain.functionDevices)
    let people = policies.count
    domain.expectAgreement(
      on: 16 * (2 * (2 + 2 * people) + (1 + people) * (3 + 2 * people)),
      outcomes: [.allowed, .blocked])
  }

  @Test(
    arguments: restricted
  )
  func `an MDM restriction of a system feature applies to all accounts on enrolled devices`(
    channel: Channel
  ) {
    let open = EffectivePolicy(settings: Settings())
    let rules: [Rule] = [.screenCaptureRestriction, .writingToolsRestriction, .genmojiRestriction]
    let device = DeviceRestrictions(
      isMDMEnrolled: true, allowScreenShot: false, allowWritingTools: false, allowGenmoji: false)
    for sender in Domain.senders([open]) {
      var request = TransferRequest(
        channel: channel, sender: sender,
        owner: Owner(account: sender.identity.account, policy: sender.policy), receiver: .system)
      #expect(evaluate(request).outcome == .allowed)
      request.device = device
      let verdict = evaluate(request)
      #expect(verdict.outcome == .blocked)
      #expect(rules.contains(verdict.deciding.rule))
      #expect(verdict.deciding.side == .device)
      request.device.isMDMEnrolled = false
      #expect(evaluate(request).outcome == .allowed)
    }
  }

  @Test
  func `web views agree with the naive evaluator for every kind, page and value of Send`() {
    let apps = WebViewPolicy.allCases.map { views in
      AppState(bundleID: Domain.home.bundleID, webViews: views)
    }
    let policies = Domain.systemPolicies(for: .webView)
    let domain = Domain(
      channels: [.webView], senders: Domain.senders(policies, in: apps),
      owners: Domain.owners(policies),
      contents: Domain.flags.map { Content(isExternalPage: $0) })
    domain.expectAgreement(on: 2_418)
  }

  @Test
  func
    `third-party keyboards agree with the naive evaluator for every account and acting identity`()
  {
    let policies = Domain.systemPolicies(for: .keyboard)
    let domain = Domain(
      channels: [.keyboard], senders: Domain.senders(policies), owners: Domain.owners(policies),
      appPolicies: [nil] + policies)
    domain.expectAgreement(on: 931)
  }

  @Test
  func `document picker imports under each Receive level agree with the naive evaluator`() {
    let domain = Domain(
      channels: [.documentPickerImport], senders: [.system], owners: [Owner()],
      receivers: Domain.receivers(Domain.receivePolicies), devices: Domain.everyDevice)
    domain.expectAgreement(on: 2 * (3 + 3 * 6) * 64)
  }
}
