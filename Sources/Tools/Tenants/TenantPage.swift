internal import Directory
internal import Encodings
internal import GraphDocuments
internal import Output
internal import Policy

/// An HTML page about the tenant: classes of users, the policies in their apps, and the ways by which org data can
/// leave the apps.
extension Tenant {
  /// Returns a self-contained HTML page without scripts.
  ///
  /// - Parameters:
  ///   - users: The users to show; nil for all. A page about all users also shows the findings of ``lint(on:)``, unless
  ///     `document` is given.
  ///   - apps: Lowercase bundle ids; nil for the apps that `document` targets, or else ``sampleApps``.
  ///   - devices: At least one.
  ///   - document: The name of a policy or an app configuration. If given, the page shows the users whom the document
  ///     reaches, and their policies. Nil for a page about the whole tenant.
  package func page(
    of users: [UserClass]? = nil, in apps: [String]? = nil, on devices: [TenantDevice],
    reachedBy document: String? = nil
  ) -> String {
    let reaches = document.map { name in
      devices.compactMap { reach(of: name, to: users, in: apps, on: $0) }
    }
    let reached = reaches.map { $0.reduce(into: Set()) { $0.formUnion($1.reached) } }
    let shown = (users ?? classes()).filter { reached?.contains($0.representative) != false }
    let overview = TenantOverview(self, shown, apps ?? reaches?.first?.apps ?? sampleApps, devices)
    let isWhole = users == nil && document == nil
    return TenantPage(overview, reaches ?? [], findings: isWhole ? lint() : []).html()
  }
}

private struct TenantPage {
  private let overview: TenantOverview
  private var tenant: Tenant { overview.tenant }
  /// The users whom the page's document reaches, on each device; empty for a page about the whole tenant.
  private let reaches: [DocumentReach]
  /// The findings. Findings about missing protection come first.
  private let findings: [Finding<TenantRule>]
  /// The rows that the page shows: the first ``maximumRows``.
  private let rows: ArraySlice<TenantOverview.Row>
  private let openings: PolicyOpenings

  /// The maximum number of rows. A page with more would be too long to read and to load.
  private static let maximumRows = 40
  private static let maximumNames = 12
  private static let maximumFindings = 5

  init(
    _ overview: TenantOverview, _ reaches: [DocumentReach], findings: [Finding<TenantRule>]
  ) {
    (self.overview, self.reaches) = (overview, reaches)
    self.findings = findings.enumerated().sorted {
      ($0.element.rule.urgency, $0.offset) < ($1.element.rule.urgency, $1.offset)
    }.map(\.element)
    rows = overview.rows.prefix(Self.maximumRows)
    let used = rows.flatMap(overview.cells(of:)).flatMap(\.cases).compactMap(\.self).joined().map {
      PolicyOpenings.Combination(policies: $0.policies, state: $0.state)
    }
    let tenant = overview.tenant
    // Without users, each policy is shown separately.
    let single = tenant.policies.indices.map {
      PolicyOpenings.Combination(policies: [$0], state: .unenrolled)
    }
    openings = PolicyOpenings(of: tenant.directory.users.isEmpty ? single : used, in: tenant)
  }

  func html() -> String {
    let name = tenant.folder.split(separator: "/").last.map(String.init) ?? "tenant"
    return HTMLWriter.page(
      title: reaches.first.map { "Who gets \(tenant.relative($0.title.name))" }
        ?? "App protection: \(name)",
      lead: [rows.first.flatMap { tenant.remark(onDisabled: $0.users.representative) }]
        .compactMap(\.self) + (reaches.isEmpty ? answer : headlines)
        + [tenant.counts, "On \(overview.words(for: overview.devices))."],
      style: Self.style
    ) { writer in
      writeReach(to: &writer)
      if reaches.isEmpty { writeSummary(to: &writer) }
      writeFindings(to: &writer)
      writePicture(to: &writer)
      writeClasses(to: &writer)
      openings.write(to: &writer)
      writeWords(to: &writer)
    }
  }

  /// A sentence with the numbers of users who cannot sign in, cannot use an app, have no policy, or have only policies
  /// that restrict nothing. If there are no such users and all users are protected in every app, the sentence states
  /// that. Otherwise, there is no sentence.
  private var answer: [String] {
    guard overview.rows.userCount > 0, !overview.columns.isEmpty else { return [] }
    let count = { (isCounted: ([TenantOverview.Cell]) -> Bool) in
      overview.rows.filter { isCounted(overview.cells(of: $0)) }.userCount
    }
    let isLockedOut = { (cells: [TenantOverview.Cell]) in
      cells.contains { $0.protection == .lockedOut }
    }
    let onDevice = overview.devices.indices.map { device in
      count { !isLockedOut($0) && $0.contains { $0.protections[device] == .lockedOut } }
    }
    var parts: [String] = []
    for (index, device) in overview.devices.enumerated() {
      let number = count { $0.contains { !$0.blocks[index].isEmpty } }
      guard number > 0 else { continue }
      parts.append(
        "\(number.counting("user")) cannot sign in on \(overview.words(for: [device])), which cannot meet conditional access"
      )
    }
    let places = [""] + overview.devices.map { " on \(overview.words(for: [$0]))" }
    for (number, place) in zip([count(isLockedOut)] + onDevice, places) where number > 0 {
      parts.append(
        "\(number.counting("user")) cannot use an app\(place), because conditional access requires a policy"
      )
    }
    for (protection, words) in [
      (TenantOverview.Protection.unprotected, "no policy in any app"),
      (.permissive, "only policies that leave every way open"),
    ] {
      let number = count { $0.allSatisfy { $0.protection == protection } }
      guard number > 0 else { continue }
      parts.append("\(number.counting("user")) \(number == 1 ? "has" : "have") \(words)")
    }
    guard !parts.isEmpty else {
      let isProtected = count { $0.allSatisfy { $0.protection == .protected } }
      return isProtected == overview.rows.userCount ? ["All users are protected in every app."] : []
    }
    return [parts.joined(separator: "; ") + "."]
  }

  // MARK: Reach

  /// The distinct reaches of the document, each with the devices on which the document has this reach, in words.
  /// `devices` is nil if all devices of the page have the same reach.
  private var distinctReaches: [(devices: String?, reach: DocumentReach)] {
    var found: [(devices: [TenantDevice], reach: DocumentReach)] = []
    for (device, reach) in zip(overview.devices, reaches) {
      if let place = found.firstIndex(where: { $0.reach.sections == reach.sections }) {
        found[place].devices.append(device)
      } else {
        found.append(([device], reach))
      }
    }
    return found.map { (found.count == 1 ? nil : overview.words(for: $0.devices), $0.reach) }
  }

  /// Sentences with the numbers of users whom the document reaches and does not reach, and with the document's
  /// location.
  private var headlines: [String] {
    let answers = distinctReaches.map { devices, reach in
      let parts = (reach.sections.map(\.title) + reach.gaps).map {
        $0.prefix(1).lowercased() + $0.dropFirst()
      }
      return ((devices.map { "on \($0): " } ?? "") + parts.joined(separator: "; ") + ".")
        .capitalizedStart
    }
    guard let reach = reaches.first else { return answers }
    let (name, file, line) = reach.title
    let apps = reach.apps.isEmpty ? "no app" : ListFormat.all(of: reach.apps.map { "`\($0)`" })
    let place = "`\(tenant.relative(name))` (`\(tenant.cite(file, line))`)"
    return answers + [tenant.shortened("\(place) in \(apps).")]
  }

  private func writeReach(to writer: inout HTMLWriter) {
    guard let reach = reaches.first else { return }
    writer.addressed("h2", at: "assignments", text: "Assignments")
    write(reach.assignments.isEmpty ? ["none in the export"] : reach.assignments, to: &writer)
    for (devices, reach) in distinctReaches {
      for section in reach.sections {
        let title = section.title + (devices.map { " on \($0)" } ?? "")
        writer.addressed("h2", at: writer.address(of: title), text: title)
        for group in section.groups.prefix(Self.maximumRows) {
          writer.element("h3", text: tenant.name(group.users))
          let names = tenant.names(of: group.users)
          if names.count > 1 {
            writer.element("p", text: ListFormat.first(Self.maximumNames, of: names))
          }
          write(group.reasons, to: &writer)
        }
        let others = section.groups.count - Self.maximumRows
        if others > 0 {
          writer.element("p", text: "\(others) smaller classes: see sluice tenant who --policy.")
        }
      }
    }
  }

  // MARK: Summary

  /// Writes the number of users for each degree of protection, over all apps.
  private func writeSummary(to writer: inout HTMLWriter) {
    var numbers: [TenantOverview.Protection: Int] = [:]
    for row in overview.rows {
      let protection = TenantOverview.Protection(of: overview.cells(of: row).map(\.protection))
      numbers[protection, default: 0] += row.users.users.count
    }
    writer.element("ul", [("class", "numbers")]) { writer in
      for protection in TenantOverview.Protection.allCases {
        guard let number = numbers[protection] else { continue }
        writer.element("li", [("class", protection.rawValue)]) { writer in
          writer.element("b", text: "\(number)")
          writer.element("span", text: Self.summary(protection, number))
        }
      }
    }
  }

  private static func summary(
    _ protection: TenantOverview.Protection, _ number: Int
  ) -> String {
    let users = number == 1 ? "user has" : "users have"
    let protected = (number == 1 ? "user is" : "users are") + " protected"
    return switch protection {
    case .protected: "\(protected) in every app"
    case .noAccess:
      "\(number == 1 ? "user" : "users") cannot sign in, because of conditional access"
    case .permissive: "\(users) a policy that leaves every way open, in every app"
    case .partial: "\(protected) in some apps or on some devices only"
    case .unknown: "\(users) policies that depend on facts outside the export"
    case .lockedOut: "\(users) no policy, and conditional access demands one"
    case .unprotected: "\(users) no policy in any app"
    }
  }

  // MARK: Findings

  private func writeFindings(to writer: inout HTMLWriter) {
    guard !findings.isEmpty else { return }
    writer.addressed("h2", at: "findings", text: "What to look at")
    Self.write(findings.prefix(Self.maximumFindings), of: tenant, to: &writer)
    let others = findings.dropFirst(Self.maximumFindings)
    guard !others.isEmpty else { return }
    let shown = others.prefix(Self.maximumRows)
    writer.element("details") { writer in
      writer.element("summary", text: "\(others.count) more")
      Self.write(shown, of: tenant, to: &writer)
      if shown.count < others.count {
        writer.element(
          "p", text: "\(others.count - shown.count) more: see sluice tenant lint.")
      }
    }
  }

  private static func write(
    _ findings: ArraySlice<Finding<TenantRule>>, of tenant: Tenant, to writer: inout HTMLWriter
  ) {
    writer.element("ul", [("class", "findings")]) { writer in
      for finding in findings {
        writer.element("li", [("class", finding.severity.rawValue)]) { writer in
          writer.prose(tenant.shortened(finding.message))
          let place = finding.position.map { tenant.cite(finding.file, $0.line) }
          writer.element(
            "small", text: "\(finding.rule.help) (\(place ?? tenant.relative(finding.file)))")
        }
      }
    }
  }

  // MARK: Picture

  private func writePicture(to writer: inout HTMLWriter) {
    writer.addressed(
      "h2", at: "picture",
      text: (reaches.isEmpty ? "Who" : "Of the reached users: who")
        + " is protected, and what can leave")
    if !reaches.isEmpty { writeSummary(to: &writer) }
    guard !overview.rows.isEmpty, !overview.columns.isEmpty else {
      return writer.element(
        "p",
        text: tenant.directory.users.isEmpty
          ? "The export contains no users. Add Graph's /users as JSON, or the admin centre's CSV file."
          : overview.rows.isEmpty
            ? "The policy reaches no user of the export."
            : "No policy of the export targets an app.")
    }
    writer.element(
      "div",
      [
        ("class", "wide"), ("role", "region"), ("tabindex", "0"),
        ("aria-labelledby", "picture"),
      ]
    ) { writer in
      writer.element("table", [("class", "picture")]) { writer in
        writer.element("thead") { writer in
          writer.element("tr") { writer in
            writer.element("th", [("scope", "col")], text: "Users")
            for column in overview.columns {
              writer.element("th", [("scope", "col")]) { writer in
                writer.plain(column.title)
                let apps = AppName.wellKnownFirst(column.apps)
                writer.element("small", text: ListFormat.first(3, of: apps))
              }
            }
          }
        }
        writer.element("tbody") { writer in
          writeTotals(overview.rows[...], "All \(overview.rows.userCount) users", to: &writer)
          for (index, row) in rows.enumerated() { write(row, index, to: &writer) }
          let others = overview.rows.dropFirst(rows.count)
          guard !others.isEmpty else { return }
          writeTotals(
            others, "\(others.userCount) users in \(others.count) smaller classes", to: &writer)
        }
      }
    }
  }

  private func writeTotals(
    _ rows: ArraySlice<TenantOverview.Row>, _ title: String, to writer: inout HTMLWriter
  ) {
    writer.element("tr", [("class", "total")]) { writer in
      writer.element("th", [("scope", "row")], text: title)
      for index in overview.columns.indices {
        writer.element("td") { writer in
          var counts: [TenantOverview.Protection: Int] = [:]
          for row in rows {
            counts[overview.cells[row.cells[index]].protection, default: 0] += row.users.users.count
          }
          let numbers = TenantOverview.Protection.allCases.compactMap { protection in
            counts[protection].map { (protection, $0) }
          }
          writer.element("div", [("class", "bar"), ("aria-hidden", "true")]) { writer in
            for (protection, number) in numbers {
              writer.element(
                "span", [("class", protection.rawValue), ("style", "flex: \(number)")], text: "")
            }
          }
          writer.element(
            "small",
            text: numbers.map { "\($0.1) \($0.0.words.lowercased())" }.joined(separator: ", "))
        }
      }
    }
  }

  private func write(_ row: TenantOverview.Row, _ index: Int, to writer: inout HTMLWriter) {
    writer.element("tr") { writer in
      writer.element("th", [("scope", "row")]) { writer in
        writer.element("a", [("href", "#class-\(index + 1)")], text: tenant.name(row.users))
      }
      for (cell, column) in zip(overview.cells(of: row), overview.columns) {
        let attributes: [(StaticString, String)] = [
          ("class", cell.protection.rawValue), ("data-column", column.title),
        ]
        writer.element("td", attributes) { write(cell, to: &$0) }
      }
    }
  }

  private func write(_ cell: TenantOverview.Cell, to writer: inout HTMLWriter) {
    writer.element("b", text: cell.protection.words)
    for group in groups(of: cell) {
      writer.element("div") { writer in
        for condition in group.conditions { writer.element("small") { $0.prose(condition) } }
        write(group, to: &writer)
      }
    }
  }

  /// Cases of a cell that the page shows as one, because their policies, open ways, protection and consequence are
  /// equal.
  private struct CaseGroup {
    /// For each case, its devices and the facts under which it holds, in words; empty if the cell has only one group.
    var conditions: [String]
    /// The policies that apply together, with the app's management state. Nil if they depend on too many facts.
    var combination: PolicyOpenings.Combination?
    var protection: TenantOverview.Protection
    /// The consequence of a missing policy or of conditional access, in words; nil for users with a policy.
    var consequence: String?
  }

  private func groups(of cell: TenantOverview.Cell) -> [CaseGroup] {
    struct Key: Hashable {
      var policies: [Int]?
      var ways: [WayClass.Openness]
      var protection: TenantOverview.Protection
      var consequence: String?
    }
    struct Group {
      var key: Key
      var combination: PolicyOpenings.Combination?
      var devices: [(conditions: [String], devices: [TenantDevice])] = []
    }
    var found: [Group] = []
    for (index, device) in overview.devices.enumerated() {
      guard cell.blocks[index].isEmpty else {
        let key = Key(
          policies: nil, ways: [], protection: .noAccess,
          consequence: tenant.blocked(by: cell.blocks[index]))
        let place = found.firstIndex { $0.key == key } ?? found.count
        if place == found.count { found.append(Group(key: key, devices: [([], [])])) }
        found[place].devices[0].devices.append(device)
        continue
      }
      let demand = cell.demands[index]
      for answer in cell.cases[index].map({ $0.map(Optional.some) }) ?? [nil] {
        let combination = answer.map {
          PolicyOpenings.Combination(policies: $0.policies, state: $0.state)
        }
        let demand = demand.given(answer?.conditions ?? [])
        let protection: TenantOverview.Protection =
          switch answer?.policies.isEmpty {
          case nil: .unknown
          case false?: answer?.protection ?? .unknown
          case true?: demand.isUnconditional ? .lockedOut : .unprotected
          }
        let key = Key(
          policies: answer?.policies, ways: combination.map(openings.openness(under:)) ?? [],
          protection: protection,
          consequence: protection == .lockedOut
            ? "no policy; conditional access requires one, so these users cannot sign in"
            : protection == .unprotected ? demand.withoutPolicy : nil)
        let conditions = (answer?.conditions ?? []).map(\.text)
        let place = found.firstIndex { $0.key == key } ?? found.count
        if place == found.count { found.append(Group(key: key, combination: combination)) }
        if let known = found[place].devices.firstIndex(where: { $0.conditions == conditions }) {
          found[place].devices[known].devices.append(device)
        } else {
          found[place].devices.append((conditions, [device]))
        }
      }
    }
    return found.map { group in
      let conditions = group.devices.map { conditions, devices in
        let isPartial = devices.count < overview.devices.count
        let parts =
          (isPartial ? ["on \(overview.words(for: devices))"] : [])
          + (conditions.isEmpty ? [] : ["if \(ListFormat.all(of: conditions))"])
        return parts.joined(separator: ", ")
      }
      return CaseGroup(
        conditions: found.count == 1 ? [] : conditions, combination: group.combination,
        protection: group.key.protection, consequence: group.key.consequence)
    }
  }

  private func write(_ group: CaseGroup, to writer: inout HTMLWriter) {
    switch group.protection {
    case .unknown, .partial:
      writer.element(
        "small",
        text: "depends on too many facts that the export does not state; "
          + "`sluice tenant who` names them")
    case .lockedOut, .noAccess: writer.element("small") { $0.prose(group.consequence ?? "") }
    case .unprotected:
      writer.element("small", text: group.consequence ?? "")
      writeWays(WayClass.unrestricted, to: &writer)
    case .protected, .permissive:
      guard let combination = group.combination, let address = openings.address(of: combination)
      else { return }
      writer.element("small") { writer in
        writer.element(
          "a", [("href", "#\(address)")],
          text: openings.names(of: combination.policies).joined(separator: " + "))
      }
      writeWays(openings.openness(under: combination), to: &writer)
    }
  }

  private func writeWays(_ ways: [WayClass.Openness], to writer: inout HTMLWriter) {
    writer.element("ul", [("class", "ways")]) { writer in
      for (way, openness) in zip(WayClass.allCases, ways) {
        writer.element(
          "li", [("class", openness.rawValue)], text: "\(way.title): \(openness.rawValue)")
      }
    }
  }

  // MARK: Classes

  private func writeClasses(to writer: inout HTMLWriter) {
    guard !rows.isEmpty else { return }
    writer.addressed("h2", at: "classes", text: "The classes of users, and why")
    for (index, row) in rows.enumerated() {
      writer.element("details", [("id", "class-\(index + 1)")]) { writer in
        writer.element("summary", text: tenant.name(row.users))
        writer.element(
          "p", text: ListFormat.first(Self.maximumNames, of: tenant.names(of: row.users)))
        writeReasons(row, to: &writer)
        writer.element("h3", text: "Conditional access")
        write(row.demands.isEmpty ? ["no policy applies"] : row.demands, to: &writer)
      }
    }
  }

  /// Writes, for each app, the policies that reach the class and those that do not, with reasons. Columns with equal
  /// reasons share a list.
  private func writeReasons(_ row: TenantOverview.Row, to writer: inout HTMLWriter) {
    var found: [(lines: [String], columns: [String])] = []
    for column in overview.columns {
      let lines = overview.devicesUnited(
        overview.devices.map { device in
          reasons(for: row.users.representative, in: column.apps[0], on: device)
        })
      if let place = found.firstIndex(where: { $0.lines == lines }) {
        found[place].columns.append(column.title)
      } else {
        found.append((lines, [column.title]))
      }
    }
    for (lines, columns) in found {
      writer.element("h3", text: columns.joined(separator: ", "))
      write(lines.isEmpty ? ["no policy is assigned"] : lines, to: &writer)
    }
  }

  private func reasons(for user: Int, in app: String, on device: TenantDevice) -> [String] {
    tenant.answer(for: user, app: app, on: device).policies.flatMap { result -> [String] in
      let policy = tenant.policies[result.document]
      let isForAll = policy.assignments?.contains { $0.target == .allLicensedUsers } ?? false
      let isWorthwhile =
        result.alternatives?.contains {
          $0.answer.isNews || isForAll && $0.answer == .assigned(.notAssigned)
        } ?? true
      guard isWorthwhile else { return [] }
      return tenant.deliveries(
        result.alternatives, policy.assignments ?? [], policy.file, of: user
      ).map { "`\(policy.displayName)` \($0.drop { $0 == " " })" }
    }
  }

  private func write(_ lines: [String], to writer: inout HTMLWriter) {
    writer.element("ul") { writer in
      for line in lines { writer.element("li") { $0.prose(tenant.shortened(line)) } }
    }
  }

  // MARK: Words

  private func writeWords(to writer: inout HTMLWriter) {
    writer.element("details") { writer in
      writer.element("summary", text: "Terms")
      writer.element("dl") { writer in
        for (word, meaning) in Self.words {
          writer.element("dt", text: word)
          writer.element("dd", text: meaning)
        }
      }
    }
  }

  private static let words = [
    (
      "open, partly, closed",
      "whether org data can leave the app for apps, storage and printers without a policy: on every channel of that kind, on some, or on none. Data that arrives encrypted counts as closed."
    ),
    ("Other apps", "sharing, Open in, imports, and drag and drop"),
    ("Protected", "a policy closes at least one way by which org data can leave"),
    (
      "Some devices only",
      "the users are protected on managed devices or on unmanaged devices, not on both"
    ),
    ("Depends", "the answer needs facts that the export does not state; they follow after `if`"),
    (
      "Policy, all open",
      "a policy reaches the users, but lets org data leave in every way: to other apps, and by paste, save and print"
    ),
    (
      "No access",
      "conditional access has a requirement that the device cannot meet, such as device compliance on an unmanaged device"
    ),
    (
      "Locked out",
      "conditional access requires an app protection policy, and the users have none in this app"
    ),
    (
      "class",
      "users with the same policies in every app and the same conditional access requirements"
    ),
  ]

  private static let style = """

    main { max-width: 110em } header p:first-of-type { font-size: 1.15em }
    .protected { --state: var(--allowed) } .unprotected, .permissive { --state: var(--blocked) }
    .partial, .unknown, .lockedOut, .noAccess { --state: var(--encrypted) }
    .closed { --state: var(--allowed) } .open { --state: var(--blocked) }
    .partly { --state: var(--encrypted) }
    .numbers, .ways { list-style: none; padding: 0; margin: .6em 0; display: flex; flex-wrap: wrap; gap: .6em }
    .numbers li { border-left: .4em solid var(--state); padding: .1em .6em; flex: 1 1 10em; background: var(--panel) }
    .numbers b { display: block; font-size: 1.8em; line-height: 1.2 }
    .findings li { margin: .3em 0 } .findings .warning::marker { color: var(--blocked) }
    .wide { overflow-x: auto }
    .picture { width: auto } .picture th[scope=row] { width: 15em; overflow-wrap: anywhere }
    .picture td { max-width: 30em }
    .picture td, .picture th { border: 1px solid var(--line); min-width: 11em; padding: .4em .5em }
    .picture td[class] { background: color-mix(in srgb, var(--state) 12%, transparent); border-top: 3px solid var(--state) }
    .picture td > div + div { border-top: 1px dashed var(--line); margin-top: .3em; padding-top: .3em }
    .total th, .total td { background: var(--panel) }
    .bar { display: flex; height: .8em; border-radius: .2em; overflow: hidden }
    .bar span { background: var(--state) }
    .ways { display: grid; grid-template-columns: repeat(2, minmax(max-content, 1fr)); gap: .1em .8em; margin: .2em 0 }
    .ways li { border-left: .3em solid var(--state); padding-left: .4em; white-space: nowrap }
    .ways .open, .ways .partly { font-weight: 600 }
    details { margin: .3em 0 } details[id] { border-bottom: 1px solid var(--line); padding-bottom: .3em }
    @media print { body { font-size: 10px } .wide { overflow: visible } .picture th, .picture td { min-width: 0 }
      .bar span, .picture td[class], .numbers li, .ways li { print-color-adjust: exact } }
    """
}

extension Tenant {
  /// Makes paths in backticks relative to the tenant's folder. Messages contain paths because they name a document
  /// without a name by its path. Replaces the bundle ids of well-known apps by the apps' names.
  fileprivate func shortened(_ text: String) -> String {
    sampleApps.reduce(text.replacing("`\(folder)/", with: "`")) { text, app in
      AppName.of(app).map { text.replacing("`\(app)`", with: $0) } ?? text
    }
  }
}

extension Sequence<TenantOverview.Row> {
  fileprivate var userCount: Int { reduce(0) { $0 + $1.users.users.count } }
}

extension TenantAnswer.Delivery {
  /// Whether the page reports the policy. It does if the policy applies, if the export does not state its assignments,
  /// or if an exclusion, a filter or a missing licence keeps the policy from applying.
  fileprivate var isNews: Bool {
    switch self {
    case .notTargeted, .assigned(.notAssigned): false
    case .unassigned, .assigned(.applies), .assigned(.excluded), .assigned(.filtered),
      .assigned(.unlicensed):
      true
    }
  }
}

extension TenantRule {
  /// The finding's rank. Findings about missing protection come first.
  fileprivate var urgency: Int {
    switch self {
    case .unprotectedUsers: 0
    case .lockOut: 1
    case .deviceGap, .possibleLockOut: 2
    case .assignedToNobody, .filterNeverTrue, .otherFilterKind, .allDevices, .emptyGroup: 3
    case .differingPolicies, .configurationWithoutPolicy, .unlicensedMembers: 4
    case .missingGroup, .missingFilter, .unknownMembers, .redundantAssignment,
      .redundantExclusion, .unusedGroup, .unusedFilter:
      5
    }
  }
}
