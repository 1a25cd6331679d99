import GraphDocuments
import Model
import Policy
import PolicySupport
import Testing

struct MergingTests {
  static func document(
    _ file: String, _ edit: (inout Settings) -> Void, stated: [Setting] = Setting.ofPolicies
  ) -> PolicyDocument {
    var settings = Settings()
    edit(&settings)
    var origins: [Setting: EffectivePolicy.Origin] = [:]
    for setting in stated {
      origins[setting] = .init(file: file, line: setting.line, policy: file)
    }
    return PolicyDocument(displayName: file, file: file, settings: settings, origins: origins)
  }

  static let documents = [
    document("a") {
      $0.allowedOutboundDataTransferDestinations = .managedApps
      $0.disableProtectionOfManagedOutboundOpenInData = true
      $0.allowedOutboundClipboardSharingExceptionLength = 20
      $0.exemptedAppProtocols = ["skype", "itms"]
      $0.customBrowserProtocol = "foo"
      $0.managedBrowserToOpenLinksRequired = true
    },
    document("b") {
      $0.allowedOutboundDataTransferDestinations = .managedApps
      $0.filterOpenInToOnlyManagedApps = true
      $0.allowedInboundDataTransferSources = .managedApps
      $0.allowedOutboundClipboardSharingLevel = .managedAppsWithPasteIn
      $0.allowedOutboundClipboardSharingExceptionLength = 10
      $0.exemptedAppProtocols = ["itms", "tel"]
      $0.managedBrowser = .microsoftEdge
      $0.customBrowserProtocol = "bar"
    },
    document("c") {
      $0.allowedOutboundClipboardSharingLevel = .managedApps
      $0.allowedOutboundClipboardSharingExceptionLength = 30
      $0.protectInboundDataFromUnknownSources = true
      $0.exemptedAppProtocols = ["itms"]
    },
  ]

  @Test func `a merge takes the most restrictive value of each setting, with its origin`() {
    let policy = EffectivePolicy.merging(Self.documents)
    let settings = policy.settings
    #expect(settings.allowedOutboundDataTransferDestinations == .managedApps)
    #expect(settings.allowedInboundDataTransferSources == .managedApps)
    #expect(!settings.disableProtectionOfManagedOutboundOpenInData)
    #expect(settings.filterOpenInToOnlyManagedApps)
    #expect(settings.protectInboundDataFromUnknownSources)
    #expect(settings.allowedOutboundClipboardSharingLevel == .managedApps)
    #expect(settings.allowedOutboundClipboardSharingExceptionLength == 10)
    #expect(settings.exemptedAppProtocols == ["itms"])
    #expect(settings.managedBrowser == .microsoftEdge)
    #expect(settings.managedBrowserToOpenLinksRequired)
    #expect(settings.customBrowserProtocol == "")
    let winners: [(Setting, String)] = [
      (.allowedOutboundDataTransferDestinations, "a"), (.allowedInboundDataTransferSources, "b"),
      (.disableProtectionOfManagedOutboundOpenInData, "b"), (.filterOpenInToOnlyManagedApps, "b"),
      (.protectInboundDataFromUnknownSources, "c"), (.allowedOutboundClipboardSharingLevel, "c"),
      (.allowedOutboundClipboardSharingExceptionLength, "b"), (.exemptedAppProtocols, "c"),
      (.managedBrowser, "b"), (.managedBrowserToOpenLinksRequired, "a"),
    ]
    for (setting, file) in winners { #expect(policy.origins[setting]?.file == file) }
  }

  @Test func `order and duplicates of policies do not affect a merge`() {
    let merged = EffectivePolicy.merging(Self.documents)
    for order in [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0], [0, 0, 1, 2, 1]] {
      let other = EffectivePolicy.merging(order.map { Self.documents[$0] })
      #expect(other.settings == merged.settings)
      #expect(other.origins == merged.origins)
    }
  }

  @Test func `merging a single policy keeps its settings and origins`() {
    for document in Self.documents {
      let merged = EffectivePolicy.merging([document])
      #expect(merged.settings == document.settings)
      #expect(merged.origins == document.origins)
    }
  }

  @Test func `merging no policies gives default settings without origins`() {
    let merged = EffectivePolicy.merging([])
    #expect(merged.settings == Settings())
    #expect(merged.origins.isEmpty)
  }

  @Test func `a merged value that is a policy's default has no origin`() {
    let silent = Self.document("silent", { _ in }, stated: [])
    let merged = EffectivePolicy.merging([Self.documents[0], silent])
    #expect(merged.settings.allowedOutboundClipboardSharingExceptionLength == 0)
    #expect(merged.origins[.allowedOutboundClipboardSharingExceptionLength] == nil)
    #expect(merged.origins[.allowedOutboundDataTransferDestinations]?.file == "a")
  }

  @Test func `an exemption that all merged policies share has the first policy as origin`() {
    let merged = EffectivePolicy.merging(Array(Self.documents.prefix(2)))
    #expect(merged.settings.exemptedAppProtocols == ["itms"])
    #expect(merged.origins[.exemptedAppProtocols]?.file == "a")
  }

  @Test(arguments: [
    // Both `a` and `b` state the value, but only `b` states the filter of the label.
    (Setting.allowedOutboundDataTransferDestinations, ["b"]),
    (.filterOpenInToOnlyManagedApps, ["b"]), (.allowedInboundDataTransferSources, ["b"]),
    (.allowedOutboundClipboardSharingLevel, ["c"]), (.printBlocked, ["a", "b", "c"]),
    // No policy has the common exemptions alone.
    (.exemptedAppProtocols, ["c"]),
  ])
  func `a merged value cites all policies that have it`(setting: Setting, files: [String]) {
    for documents in [Self.documents, Self.documents.reversed()] {
      let policy = EffectivePolicy.merging(documents)
      #expect(policy.locations(of: setting).map(\.file) == files)
      #expect(policy.locations(of: setting).allSatisfy { $0.line == setting.line })
    }
  }

  @Test func `a merged value that results from several policies cites all of them`() {
    let merged = EffectivePolicy.merging(Array(Self.documents.prefix(2)))
    #expect(merged.locations(of: .exemptedAppProtocols).map(\.file) == ["a", "b"])
    let silent = Self.document("silent", { _ in }, stated: [])
    let loose = EffectivePolicy.merging([Self.documents[0], silent])
    #expect(loose.locations(of: .allowedOutboundClipboardSharingExceptionLength) == [])
    #expect(loose.locations(of: .allowedOutboundDataTransferDestinations).map(\.file) == ["a"])
  }

  @Test func `a merged document has the settings and locations of its parts`() {
    let targeting = Targeting(bundleIDs: ["com.contoso.mail"])
    let document = PolicyDocument(merging: Self.documents, for: targeting)
    let merged = EffectivePolicy.merging(Self.documents)
    #expect(document.displayName == "a + b + c")
    #expect(document.file == "a, b, c")
    #expect(document.settings == merged.settings)
    #expect(document.origins == merged.origins)
    #expect(document.targeting == targeting)
    let renamed = document.renamingFiles { "t/\($0)" }
    #expect(renamed.file == "t/a, t/b, t/c")
    for setting in Setting.ofPolicies {
      #expect(document.effective.locations(of: setting) == merged.locations(of: setting))
      #expect(
        renamed.effective.locations(of: setting).map(\.file)
          == merged.locations(of: setting).map { "t/\($0.file)" })
    }
    let single = PolicyDocument(merging: [Self.documents[0]], for: targeting)
    #expect(single.effective.locations(of: .printBlocked).map(\.file) == ["a"])
  }

  /// Data that is delivered in readable form under several policies is delivered in readable form
  /// under each of them.
  @Test func `a merged policy allows nothing that one of its policies blocks`() {
    let merged = EffectivePolicy.merging(Self.documents)
    let each = Self.documents.map { EffectivePolicy.merging([$0]) }
    let peers = [
      Fixtures.party("peer", nil), Fixtures.party("peer", Fixtures.anna, Fixtures.policy()),
      Fixtures.party("peer", Fixtures.bob, Fixtures.policy()),
      Fixtures.party("peer", Fixtures.carl, Fixtures.policy()),
    ]
    for channel in Channel.allCases {
      for via in SharingPath.allCases {
        for peer in peers {
          for scheme in ["itms", "skype", "https", "zoomus"] {
            func outcomes(_ policy: EffectivePolicy) -> [Outcome] {
              let managed = Fixtures.party("app", Fixtures.anna, policy, hasEnrolledUPN: true)
              return [(managed, peer), (peer, managed)].map { sender, receiver in
                evaluate(
                  Fixtures.request(
                    channel, via: via, from: sender, to: receiver,
                    content: Content(characters: 15, scheme: scheme), device: Fixtures.enrolled())
                ).outcome
              }
            }
            let together = outcomes(merged)
            for single in each.map(outcomes) {
              for (all, one) in zip(together, single) where all == .allowed {
                #expect(one == .allowed)
              }
            }
          }
        }
      }
    }
  }
}
