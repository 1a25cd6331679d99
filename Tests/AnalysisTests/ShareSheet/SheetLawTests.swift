import Activation
import Analysis
import Model
import Policy
import Testing

/// Tests invariants of all sheets in a small, completely enumerated world.
@Suite struct SheetLawTests {
  private static let senderPolicies: [EffectivePolicy?] = [
    nil, Cast.policy(), Phone.managed,
    Cast.policy {
      $0.allowedOutboundDataTransferDestinations = .managedApps
      $0.filterOpenInToOnlyManagedApps = true
    },
    Cast.policy {
      $0.allowedOutboundDataTransferDestinations = .managedApps
      $0.disableProtectionOfManagedOutboundOpenInData = true
    },
    Cast.policy { $0.allowedOutboundDataTransferDestinations = .none },
  ]

  private static let devices = [
    DeviceRestrictions(), DeviceRestrictions(isMDMEnrolled: true),
    DeviceRestrictions(isMDMEnrolled: true, allowOpenFromManagedToUnmanaged: false),
    DeviceRestrictions(isMDMEnrolled: true, allowOpenFromUnmanagedToManaged: false),
  ]

  private static let contents = [
    [Cast.pdf], [Cast.text], [Cast.link], [Cast.pdf, Cast.photo], [Cast.photo, Cast.text],
  ]

  private static let sharings: [Sharing] = senderPolicies.flatMap { policy in
    devices.flatMap { device in
      SharingPath.allCases.flatMap { via in
        contents.flatMap { contents in
          [false, true].map { isManaged in
            Sharing(
              senderName: "Mail",
              sender: Cast.party("com.contoso.mail", Cast.anna, policy) {
                $0.isMDMManaged = isManaged
                $0.hasEnrolledUPN = isManaged
              }, via: via, device: device, contents: contents)
          }
        }
      }
    }
  }

  /// Every seventh sharing. The selection varies all dimensions, because the dimensions' steps have
  /// other lengths.
  private static let some = stride(from: 0, to: sharings.count, by: 7).map { sharings[$0] }

  private static let parties: [Party] = [false, true].flatMap { isManaged in
    func party(
      _ name: String, _ account: Account? = nil, _ policy: EffectivePolicy? = nil,
      linksSDK: Bool = false
    ) -> Party {
      Cast.party("org.example.\(name)\(isManaged ? ".mdm" : "")", account, policy) {
        $0.isMDMManaged = isManaged
        $0.linksSDK = linksSDK
      }
    }
    let choosy = Cast.policy { $0.allowedInboundDataTransferSources = .managedApps }
    let closed = Cast.policy { $0.allowedInboundDataTransferSources = .none }
    return [
      party("plain"), party("linked", Cast.eve, linksSDK: true),
      party("colleague", Cast.ben, Phone.managed), party("other", Cast.eve, Phone.managed),
      party("choosy", Cast.anna, choosy), party("closed", Cast.anna, closed),
    ]
  }

  private static let rules: [ActivationRule?] = [
    nil, Cast.predicate("TRUEPREDICATE"), Cast.rule("public.data"),
    Cast.rule("com.microsoft.intune.mam.public.data", max: 1),
    Cast.rule("public.text", "com.microsoft.intune.mam.public.text"),
    .dictionary(
      DictionaryRule(values: [
        .init(key: "NSExtensionActivationSupportsImageWithMaxCount", value: .integer(2)),
        .init(key: "NSExtensionActivationSupportsFileWithMaxCount", value: .integer(1)),
      ])),
  ]

  private static let apps =
    parties.map {
      SheetApp(name: $0.app.bundleID, party: $0, documentTypes: ["com.adobe.pdf", "public.text"])
    } + [
      SheetApp(
        name: "Mail", party: Cast.party("com.contoso.mail"), documentTypes: ["public.data"])
    ]

  private static let extensions: [SheetExtension] = parties.flatMap { party in
    rules.enumerated().flatMap { number, rule in
      [party.app.bundleID, "org.example.missing"].map { app in
        var party = party
        party.app.bundleID += ".extension\(number)\(app == "org.example.missing" ? "x" : "")"
        return SheetExtension(
          name: party.app.bundleID, kind: number.isMultiple(of: 2) ? .share : .action,
          party: party, containingApp: app, rule: rule, isOpenInAction: number == 3)
      }
    }
  }

  @Test func `a share sheet agrees with a naive evaluator of the documented rules`() {
    var counts: [SheetDestination.Visibility: Int] = [:]
    for sharing in Self.sharings {
      let sheet = Sheet(sharing, apps: Self.apps, extensions: Self.extensions)
      let naive = NaiveSheet(sharing: sharing, installed: Self.apps.map(\.bundleID))
      var expected: [String: SheetDestination.Visibility] = [:]
      for app in Self.apps { expected[app.bundleID] = naive.copy(to: app) }
      for one in Self.extensions { expected[one.bundleID] = naive.offer(one) }
      for destination in sheet.destinations {
        guard let bundleID = destination.bundleID else { continue }
        counts[destination.visibility, default: 0] += 1
        #expect(
          destination.visibility == expected[bundleID],
          "\(destination.title): \(destination.why), \(sharing.via), \(sharing.device)")
      }
    }
    // The world is large enough that each answer occurs often.
    #expect(SheetDestination.Visibility.allCases.allSatisfy { (counts[$0] ?? 0) > 500 })
  }

  @Test func `a share to a shown destination is allowed or encrypted, as the sheet states`() {
    for sharing in Self.some {
      let sheet = Sheet(sharing, apps: Self.apps, extensions: Self.extensions)
      for destination in sheet.destinations where destination.visibility != .hidden {
        let outcome = evaluate(destination.transfer.request).outcome
        #expect(outcome == (destination.visibility == .shown ? .allowed : .encrypted))
        #expect(destination.findings.allSatisfy { $0.effect != .hides })
      }
    }
  }

  @Test func `an extension is shown if its rule matches and a share with it is allowed`() {
    for sharing in Self.some {
      let sheet = Sheet(sharing, apps: Self.apps, extensions: Self.extensions)
      for one in Self.extensions where one.containingApp != "org.example.missing" {
        let request = TransferRequest(
          channel: .share, via: sharing.via, sender: sharing.sender, owner: sharing.owner,
          receiver: one.party, device: sharing.device)
        guard one.rule?.matches(sharing.offeredItems, types: sharing.types) == true,
          evaluate(request).outcome != .blocked
        else { continue }
        #expect(sheet.destinations(named: one.name).first?.visibility != .hidden)
      }
    }
  }

  @Test func `a share sheet lists each bundle and action once, hidden destinations last`() {
    for sharing in Self.some {
      let sheet = Sheet(sharing, apps: Self.apps, extensions: Self.extensions)
      let names = sheet.destinations.map { $0.bundleID ?? $0.name }
      #expect(Set(names).count == names.count)
      #expect(
        names.count == Self.apps.count + Self.extensions.count + BuiltInAction.allCases.count)
      let hidden = sheet.destinations.map { $0.visibility == .hidden }
      #expect(hidden == hidden.sorted { !$0 && $1 })
      #expect(sheet.destinations.allSatisfy { !$0.causes.isEmpty })
    }
  }
}
