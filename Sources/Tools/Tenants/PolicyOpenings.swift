internal import Analysis
internal import GraphDocuments
internal import Model
internal import Output
internal import Policy

/// The part of the tenant's page about the flows that policies leave open. There is a section for each set of policies
/// that apply together, in the order of first use. If the open flows depend on the management state, a set has several
/// sections.
struct PolicyOpenings {
  /// Policies that apply together in a management state.
  struct Combination: Hashable {
    var policies: [Int]
    var state: ManagementState
  }

  private struct Section {
    var policies: [Int]
    /// The management states in which the ways out have the same outcomes and reasons.
    var states: [ManagementState]
    var policy: PolicyDocument
    var ways: WaysOut
  }

  private let tenant: Tenant
  private var sections: [Section] = []
  /// The index of a combination's section in ``sections``.
  private var places: [Combination: Int] = [:]

  init(of combinations: [Combination], in tenant: Tenant) {
    self.tenant = tenant
    for combination in combinations {
      guard places[combination] == nil, let policy = policy(of: combination) else { continue }
      let ways = WaysOut(policy, on: [combination.state])
      if let place = sections.firstIndex(where: {
        $0.policies == combination.policies && $0.ways.ways == ways.ways
      }) {
        sections[place].states.append(combination.state)
        places[combination] = place
      } else {
        places[combination] = sections.count
        sections.append(
          Section(
            policies: combination.policies, states: [combination.state], policy: policy, ways: ways)
        )
      }
    }
  }

  /// Returns a policy with the combined effect of all policies of the combination; nil if the combination has no
  /// policy. File paths in the policy are relative to the tenant's folder.
  private func policy(of combination: Combination) -> PolicyDocument? {
    let part = UserPolicies.Part(
      apps: [], policies: combination.policies, state: combination.state)
    return tenant.policy(of: part)?.renamingFiles(tenant.relative)
  }

  /// Returns the id of the section about the policies; nil if there is none.
  func address(of combination: Combination) -> String? {
    places[combination].map(Self.address(ofSection:))
  }

  private static func address(ofSection place: Int) -> String { "policies-\(place + 1)" }

  /// Returns the degree to which the policies leave each class of ways out open. Without policies, all classes are
  /// open.
  func openness(under combination: Combination) -> [WayClass.Openness] {
    places[combination].map { place in
      WayClass.allCases.map { $0.openness(of: sections[place].ways.ways) }
    } ?? WayClass.unrestricted
  }

  func names(of policies: [Int]) -> [String] {
    policies.map { tenant.relative(tenant.policies[$0].displayName) }
  }

  func write(to writer: inout HTMLWriter) {
    guard !sections.isEmpty else { return }
    writer.addressed("h2", at: "openings", text: "What the policies leave open")
    for (place, section) in sections.enumerated() {
      writer.element("details", [("id", Self.address(ofSection: place))]) { writer in
        let others = sections.contains {
          $0.policies == section.policies && $0.states != section.states
        }
        let states = others ? ", on \(Self.words(for: section.states))" : ""
        writer.element(
          "summary", text: names(of: section.policies).joined(separator: " + ") + states)
        writer.element("p", text: "\(section.ways.summary).")
        section.ways.write(to: &writer)
        Self.write(
          section.ways.ways, .encrypted, "Unreadable for apps without a policy", to: &writer)
        Self.write(section.ways.ways, .blocked, "Closed", to: &writer)
        writer.element("h3", text: "Settings that the export states")
        let stated = PolicyView(of: section.policy).sections.flatMap(\.rows).filter {
          !$0.places.isEmpty && !$0.values.isEmpty
        }
        writer.element("ul") { writer in
          for row in stated {
            let places = row.places.map(\.description).joined(separator: ", ")
            writer.element("li", text: "\(row.label): \(row.words) (\(places))")
          }
        }
      }
    }
  }

  private static func words(for states: [ManagementState]) -> String {
    ListFormat.all(
      of: states.map { state in
        switch state {
        case .unenrolled: "unmanaged devices"
        case .enrolledWithoutUPN: "managed devices without IntuneMAMUPN"
        case .enrolled: "managed devices"
        }
      })
  }

  /// Writes the ways out with one outcome. Ways out with equal reasons share a line.
  private static func write(
    _ ways: [WaysOut.JudgedWay], _ outcome: Outcome, _ title: String, to writer: inout HTMLWriter
  ) {
    var found: [(reason: String, titles: [String])] = []
    for way in ways where way.outcome == outcome {
      let reason = way.reason.citation ?? way.reason.text
      if let place = found.firstIndex(where: { $0.reason == reason }) {
        found[place].titles.append(way.way.title)
      } else {
        found.append((reason, [way.way.title]))
      }
    }
    guard !found.isEmpty else { return }
    writer.element("h3", text: title)
    writer.element("ul") { writer in
      for (reason, titles) in found {
        writer.element("li") { writer in
          writer.plain(titles.unique.joined(separator: "; "))
          writer.element("small") { $0.prose(reason) }
        }
      }
    }
  }
}

// MARK: - Classes of ways out

/// A class of the ways by which data can leave, for pages with many policies.
enum WayClass: CaseIterable {
  case apps, paste, save, print

  /// The openness of each class if no policy applies.
  static let unrestricted = allCases.map { _ in Openness.open }

  enum Openness: String {
    case open, partly, closed
  }

  var title: String {
    switch self {
    case .apps: "Other apps"
    case .paste: "Paste"
    case .save: "Save"
    case .print: "Print"
    }
  }

  private var channels: [Channel] {
    switch self {
    case .apps: [.share, .openIn, .import, .extensionResult, .dragAndDrop]
    case .paste: [.clipboard]
    case .save: [.saveTo]
    case .print: [.print]
    }
  }

  /// Returns the openness of the class. Data that only managed apps can decrypt does not count as leaving.
  func openness(of ways: [WaysOut.JudgedWay]) -> Openness {
    let own = ways.filter { channels.contains($0.way.channel) }
    let open = own.count(where: \.isOpen)
    return open == 0 ? .closed : open == own.count ? .open : .partly
  }

  /// Returns whether all classes are completely open under a policy with these settings.
  static func areAllOpen(under settings: Settings) -> Bool {
    allCases.allSatisfy { way in
      switch way {
      case .apps: settings.allowedOutboundDataTransferDestinations == .allApps
      case .paste: settings.allowedOutboundClipboardSharingLevel == .allApps
      // Under "All apps", copies are not restricted.
      case .save: settings.allowedOutboundDataTransferDestinations == .allApps
      case .print: !settings.printBlocked
      }
    }
  }
}
