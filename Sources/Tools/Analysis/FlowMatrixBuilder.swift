internal import GraphDocuments
internal import Model
internal import Output
internal import Policy

/// Builds the sections of one policy's table.
struct FlowMatrixBuilder {
  let policy: EffectivePolicy
  let states: [ManagementState]
  /// The settings of all policies that are shown together. They determine the rows' texts, schemes and links.
  let shown: [Settings]

  func sections(_ channels: Set<Channel>) -> [FlowMatrix.Section] {
    let sections = [apps, urls, saving, opening, system].map { section in
      var section = section
      section.rows.removeAll { !channels.contains($0.channel) }
      return section
    }
    return sections.filter { !$0.rows.isEmpty }
  }

  /// The directions of flows between apps. From the managed account, data flows to itself, to another organisation and
  /// to an unmanaged party. From an unmanaged party, it flows to the managed account.
  private static let pairs = [
    Parties(.managed, to: .managed), Parties(.managed, to: .otherOrganisation),
    Parties(.managed, to: .unmanaged), Parties(.unmanaged, to: .managed),
  ]

  private var apps: FlowMatrix.Section {
    let transfers = Channel.allCases.filter(\.row.hasTwoPaths).flatMap { channel in
      SharingPath.allCases.map { via in
        row("\(channel.row.title), \(via.words)", channel, via: via, Self.pairs)
      }
    }
    let limits = Set(shown.map(\.allowedOutboundClipboardSharingExceptionLength)).subtracting([0])
    let pastes = limits.sorted().map { limit in
      row("Paste, \(limit) characters", .clipboard, Self.pairs, .text(limit))
    }
    let rest = row(
      limits.isEmpty ? "Paste" : "Paste, more", .clipboard, Self.pairs,
      .text((limits.max() ?? 0) + 1))
    return FlowMatrix.Section(
      title: "Between apps", columns: Self.pairs.map { $0.words(on: .share) },
      rows: transfers + pastes + [rest])
  }

  private var urls: FlowMatrix.Section {
    var rows = [
      url("App's own scheme, acme:", .openURL, "acme://open")
    ]
    let browsers = shown.compactMap { $0.browserScheme(for: "https") }
    rows += redirect("Web link, in a browser", Self.link, to: browsers)
    let (call, message) = (
      RepresentativeScenes.url(of: "tel"), RepresentativeScenes.url(of: "sms")
    )
    rows += redirect("Phone call, tel:", call, to: shown.compactMap(\.dialerScheme))
    rows += redirect("Message, sms:", message, to: shown.compactMap(\.messagingScheme))
    for scheme in Set(shown.compactMap { $0.exemptedAppProtocols.min() }).sorted() {
      rows.append(
        url("Exempted scheme, \(scheme):", .openURL, RepresentativeScenes.url(of: scheme)))
    }
    for channel in [Channel.universalLink, .appClip] {
      rows.append(url(channel.row.title, channel, Self.link))
      for (kind, list) in [
        ("exempted", \Settings.exemptedUniversalLinks), ("managed", \.managedUniversalLinks),
      ] {
        let samples = samples(of: list)
        rows += samples.map { sample in
          let link = samples.count > 1 ? ": \(sample)" : ""
          return url("\(channel.row.title), \(kind)\(link)", channel, sample)
        }
      }
    }
    return FlowMatrix.Section(
      title: "Opening URLs",
      columns: [
        "managed -> managed app", "managed -> unmanaged app", "personal account -> any app",
      ],
      rows: rows)
  }

  /// Returns one sample link from each policy's list, without duplicates.
  private func samples(of list: KeyPath<Settings, [LinkPattern]>) -> [String] {
    shown.compactMap { $0[keyPath: list].lazy.compactMap(\.samples.first).first }.unique
  }

  /// Returns a row for opening a URL in any app. For each scheme in `named`, also returns a row for opening the URL in
  /// an app with this scheme.
  private func redirect(_ title: String, _ url: String, to named: [String]) -> [FlowMatrix.Row] {
    [self.url(title, .openURL, url)]
      + Set(named).sorted().map {
        self.url("\(title) in \($0):", .openURL, url, .registering($0))
      }
  }

  private static let link = "https://www.example.org/"

  private func url(
    _ title: String, _ channel: Channel, _ url: String, _ opener: Scene.Opener = .any
  ) -> FlowMatrix.Row {
    let pairs = [
      Parties(.managed, to: .managed), Parties(.managed, to: .unmanaged),
      Parties(.unmanaged, to: .unmanaged),
    ]
    // An App Clip is never a managed location, even if it belongs to a managed app.
    return row(
      title, channel, pairs.map { channel == .appClip && $0.to == .managed ? nil : $0 },
      .url(url, opener))
  }

  private var saving: FlowMatrix.Section {
    FlowMatrix.Section(
      title: "Saving copies to",
      columns: [
        "managed -> own account", "managed -> other org", "managed -> no account",
        "personal account -> managed",
      ], rows: StorageLocation.saveLocations.map { storage(.saveTo, $0, Self.pairs) })
  }

  private var opening: FlowMatrix.Section {
    let pairs = [
      Parties(.managed, to: .managed), Parties(.otherOrganisation, to: .managed),
      Parties(.unmanaged, to: .managed), Parties(.managed, to: .unmanaged),
    ]
    return FlowMatrix.Section(
      title: "Opening documents from",
      columns: [
        "own account -> managed", "other org -> managed", "no account -> managed",
        "managed -> personal account",
      ], rows: StorageLocation.openLocations.map { storage(.openFrom, $0, pairs) })
  }

  private func storage(
    _ channel: Channel, _ location: StorageLocation, _ pairs: [Parties]
  ) -> FlowMatrix.Row {
    let possible = pairs.map { pair in
      let place = channel == .saveTo ? pair.to : pair.from
      return location.hasAccount || place == .unmanaged ? pair : nil
    }
    return row(location.rawValue, channel, possible, .location(location))
  }

  private var system: FlowMatrix.Section {
    let channels = Channel.allCases.filter { $0.counterpart == .system && $0 != .webView }
    var rows = channels.map { channel in
      let ends: [End] = [.managed, .unmanaged]
      let pairs = ends.map { end in
        channel.isIncoming ? Parties(.system, to: end) : Parties(end, to: .system)
      }
      return row(channel.row.title, channel, pairs)
    }
    for (title, webViews, page) in Self.pages {
      let pairs = [Parties(.managed, to: .system), Parties(.unmanaged, to: .system)]
      rows.append(row("Web view, \(title)", .webView, pairs, .page(webViews, page)))
    }
    return FlowMatrix.Section(
      title: "To and from the system", columns: ["managed account", "personal account"],
      rows: rows)
  }

  private static let pages: [(String, WebViewPolicy, Scene.Page)] = [
    ("page of the account", .currentIdentity, .own),
    ("without upload", .currentIdentityWithoutUpload, .own),
    ("external page", .currentIdentity, .external),
    ("unmanaged", .unmanaged, .own),
  ]

  private func row(
    _ title: String, _ channel: Channel, via: SharingPath? = nil, _ pairs: [Parties?],
    _ subject: Scene.Subject = .none
  ) -> FlowMatrix.Row {
    let entries = pairs.map { pair in
      pair.map { pair in
        FlowMatrix.Entry(parties: pair, cells: cells(channel, via ?? .sdk, pair, subject))
      }
    }
    return FlowMatrix.Row(
      title: title, channel: channel, via: via, subject: subject, entries: entries)
  }

  /// Returns the answers in all device states. States with the same answer share a cell.
  private func cells(
    _ channel: Channel, _ via: SharingPath, _ pair: Parties, _ subject: Scene.Subject
  ) -> [FlowMatrix.Cell] {
    var cells: [FlowMatrix.Cell] = []
    for state in states {
      let scene = Scene(channel, via: via, pair, subject, DeviceCondition(state))
      let request = scene.request(under: policy)
      let verdict = evaluate(request)
      let reason = Explainer.explanation(of: verdict.deciding, in: request)
      if let index = cells.firstIndex(where: {
        $0.outcome == verdict.outcome && $0.reason == reason
      }) {
        cells[index].states.append(state)
      } else {
        cells.append(
          FlowMatrix.Cell(states: [state], outcome: verdict.outcome, reason: reason))
      }
    }
    return cells
  }
}
