import Model
import Policy
import PolicySupport
import TestSupport
import Testing

/// The engine and the naive evaluator agree on every request of the finite domain between two apps.
@Suite("Naive evaluator: exhaustive comparison between apps")
struct NaiveComparisonTests {
  private typealias Domain = RequestDomain

  @Test
  func `OS sharing agrees with the naive evaluator for all policies, parties and device states`() {
    let domain = Domain(
      channels: [.share], vias: [.os],
      senders: Domain.senders(Domain.sendPolicies, in: [Domain.home, Domain.enrolledHome]),
      owners: Domain.owners(Domain.sendPolicies),
      receivers: Domain.receivers(Domain.receivePolicies, in: Domain.appsByInstaller),
      devices: Domain.openInDevices.filter(\.allowOpenFromUnmanagedToManaged))
    domain.expectAgreement(on: 270_816)
  }

  @Test func `SDK sharing agrees with the naive evaluator for all policies and parties`() {
    let domain = Domain(
      channels: [.share], vias: [.sdk],
      senders: Domain.senders(Domain.sendPolicies, in: [Domain.enrolledHome]),
      owners: Domain.owners(Domain.sendPolicies),
      receivers: Domain.receivers(Domain.receivePolicies, in: Domain.appsByInstaller),
      devices: [Domain.looseDevice, Domain.tightDevice])
    domain.expectAgreement(on: 67_704, outcomes: [.blocked, .allowed])
  }

  @Test func `OS sharing agrees with the naive evaluator for all SDK releases and installers`() {
    let apps = [nil, Version(8, 0, 2), Version(8, 0, 1)].flatMap { version in
      Domain.flags.flatMap { isEnrolled in
        Domain.flags.map { isMDMManaged in
          AppState(
            bundleID: Domain.home.bundleID, isMDMManaged: isMDMManaged,
            hasEnrolledUPN: isEnrolled, sdkVersion: version)
        }
      }
    }
    let readers = Domain.appsByInstaller.flatMap { app in
      Domain.flags.map { linksSDK in
        var app = app
        app.linksSDK = linksSDK
        return app
      }
    }
    let domain = Domain(
      channels: [.share], vias: [.os],
      senders: Domain.senders(Domain.sendPolicies.filter(Domain.isManagedApps), in: apps),
      owners: [Owner()], receivers: Domain.receivers([Domain.policy { _ in }], in: readers),
      devices: Domain.openInDevices)
    domain.expectAgreement(on: 55_296)
  }

  @Test func `verdicts on accounts that share one policy object agree with the naive evaluator`() {
    let policies =
      Domain.sendPolicies + Domain.clipboardPolicies(exceptions: [0], isStrict: true)
    let channels = Channel.allCases.filter { [.app, .url].contains($0.counterpart) }
    var comparison = Comparison()
    for policy in policies {
      let domain = Domain(
        channels: channels, vias: SharingPath.allCases,
        senders: Domain.senders([policy], in: [Domain.enrolledHome]),
        owners: Domain.owners(sharing: policy), receivers: Domain.receivers([policy]),
        devices: [Domain.tightDevice])
      domain.compare(&comparison)
    }
    recordIssues(comparison.mismatches)
    #expect(comparison.cases == 38_400)
  }

  @Test(arguments: [Channel.openIn, .import, .extensionResult, .dragAndDrop])
  func `open-ins, imports, extension results and drops agree with the naive evaluator`(
    channel: Channel
  ) {
    let domain = Domain(
      channels: [channel], vias: SharingPath.allCases,
      senders: Domain.senders(Domain.sendPolicies, in: [Domain.enrolledHome]),
      owners: Domain.owners(Domain.sendPolicies),
      receivers: Domain.receivers(Domain.receivePolicies, in: Domain.appsByInstaller),
      devices: [Domain.tightDevice])
    domain.expectAgreement(on: 67_704)
  }

  @Test
  func `the clipboard agrees with the naive evaluator for all levels, exceptions and parties`() {
    for isStrict in [false, true] {
      let policies = Domain.clipboardPolicies(exceptions: [0, 5, 10], isStrict: isStrict)
      let receiving = Domain.clipboardPolicies(exceptions: [5], isStrict: isStrict)
      let domain = Domain(
        channels: [.clipboard], senders: Domain.senders(policies),
        owners: Domain.owners(policies), receivers: Domain.receivers(receiving),
        contents: [nil, 0, 5, 6, 10, 11].map { Content(characters: $0) })
      domain.expectAgreement(on: 72_540)
    }
  }

  @Test func `MDM restrictions agree with the naive evaluator for all installers and channels`() {
    let policies = [
      Domain.policy { _ in },
      Domain.policy { $0.allowedOutboundDataTransferDestinations = .managedApps },
    ]
    let senders = Domain.appsByInstaller.prefix(2).flatMap { app in
      Domain.senders(policies, in: [app]).filter { $0.policy != nil || $0.identity.account == nil }
    }
    var comparison = Comparison()
    for channel in Channel.allCases {
      let isOfTwoApps = channel.counterpart == .app || channel.counterpart == .url
      let receivers =
        isOfTwoApps ? Domain.receivers([policies[0]], in: Domain.appsByInstaller) : [.system]
      let domain = Domain(
        channels: [channel], vias: [.os], senders: senders, owners: [Owner()], receivers: receivers,
        contents: [Content(scheme: "skype", location: .other)], devices: Domain.everyDevice)
      domain.compare(&comparison)
    }
    recordIssues(comparison.mismatches)
    #expect(comparison.cases == 200_448)
    for channel in Channel.allCases where channel.counterpart == .app {
      #expect(comparison.outcomes(on: channel).contains(.blocked), "\(channel)")
    }
  }
}

extension RequestDomain {
  static func isManagedApps(_ policy: EffectivePolicy) -> Bool {
    policy.settings.allowedOutboundDataTransferDestinations == .managedApps
  }
}

/// The engine and the naive evaluator agree on random requests from the complete domain.
@Suite("Naive evaluator: random comparison")
struct NaiveRandomTests {
  /// The number of requests for each of four seeds.
  private static let count = 25_000 * thoroughness

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `random requests on every channel agree with the naive evaluator`(seed: UInt64) {
    var source = RequestSource(seed: seed)
    var comparison = Comparison()
    for index in 0..<Self.count where !comparison.isFull {
      comparison.check(source.request(), origin: "seed \(seed), request \(index): ")
    }
    comparison.expectAgreement(on: Self.count, channels: Channel.allCases)
  }
}
