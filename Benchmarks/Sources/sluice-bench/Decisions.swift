internal import ArgumentParser
internal import Policy
internal import Transfer

/// The pure engine on one core, over a mix of channels, identities and settings.
struct Decisions: ParsableCommand {
  @Argument(help: "How many decisions.") var count = 3_000_000

  func run() throws {
    let requests = Self.mix()
    var allowed = 0
    let elapsed = seconds {
      for index in 0..<count {
        if evaluate(requests[index % requests.count]).outcome == .allowed { allowed += 1 }
      }
    }
    print(
      "RESULT decisions per_s=\(Int(Double(count) / elapsed)) n=\(count) allowed=\(allowed)")
  }

  private static func mix() -> [TransferRequest] {
    let anna = Workbench.anna
    let policies: [EffectivePolicy?] =
      [nil]
      + Settings.Destinations.allCases.flatMap { send in
        Settings.ClipboardLevel.allCases.map { level in
          var settings = Settings()
          settings.allowedOutboundDataTransferDestinations = send
          settings.allowedInboundDataTransferSources = .managedApps
          settings.allowedOutboundClipboardSharingLevel = level
          return EffectivePolicy(settings: settings)
        }
      }
    var requests: [TransferRequest] = []
    for policy in policies {
      for other in policies {
        for channel in Channel.allCases {
          for via in SharingPath.allCases {
            requests.append(
              TransferRequest(
                channel: channel, via: via, sender: party("sender", policy),
                owner: Owner(account: anna, policy: policy), receiver: party("receiver", other),
                content: Content(characters: 20, scheme: "skype")))
          }
        }
      }
    }
    return requests
  }

  private static func party(_ name: String, _ policy: EffectivePolicy?) -> Party {
    Party(
      app: AppState(bundleID: "com.example.\(name)"), identity: .account(Workbench.anna),
      policy: policy)
  }
}
