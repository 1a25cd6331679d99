internal import Analysis
internal import AppConfiguration
internal import Directory
internal import Dispatch
internal import Encodings
internal import Enrollment
internal import GraphDocuments
internal import Output
internal import Policy

extension TenantDiff {
  /// The maximum number of changes of one kind that text and pages show. JSON contains all.
  private static let shown = 100

  /// The affected users, by their indices in the old tenant.
  package var affectedUsers: Set<Int> {
    let audiences =
      protection.map(\.audience) + configurations.map(\.audience) + access.map(\.audience)
    return audiences.reduce(into: Set(disabledUsers + enabledUsers)) {
      $0.formUnion($1.users.map(\.old))
    }
  }

  /// The result in one sentence: `3 users are affected`.
  private var summary: String {
    guard !isEmpty else { return "no user is affected" }
    let affected = affectedUsers.count
    guard affected == 0 else {
      return "\(affected.counting("user")) \(affected == 1 ? "is" : "are") affected"
    }
    return undecidedUsers.isEmpty
      ? "no user in both exports is affected"
      : "the effect on \(undecidedUsers.count.counting("user")) is unknown"
  }

  // MARK: In words

  /// Returns the users in words: `2 users like anna@contoso.com in com.contoso.mail, on managed devices`.
  private func heading(_ audience: Audience, in apps: [String]) -> String {
    let recipients = PolicyRecipients(
      count: audience.users.count, like: new.directory.users[audience.users[0].new].upn,
      conditions: audience.conditions.map(\.text), apps: apps)
    return recipients.text + devices(of: audience)
  }

  private func devices(of audience: Audience) -> String {
    guard let device = audience.devices.first, audience.devices.count == 1 else { return "" }
    return ", on \(device.text)"
  }

  /// Returns the names of the policies in both tenants with lock-outs and blocks, such as `Strict -> no policy, locked
  /// out`. If both tenants have equal policy names, lock-outs and blocks, the text is `Strict, changed`.
  private func policies(_ change: ProtectionChange) -> String {
    let side = { (tenant: Tenant, indices: [Int], lockOut: PolicyDemand, blocks: [Int]) in
      let names = indices.map { tenant.policies[$0].displayName }.joined(separator: " + ")
      let block = blocks.isEmpty ? nil : tenant.blocked(by: blocks)
      return [indices.isEmpty ? "no policy" : names, lockOut.lockOut, block].compactMap(\.self)
        .joined(separator: ", ")
    }
    let sides = [
      side(old, change.old, change.oldLockOut, change.oldBlocks),
      side(new, change.new, change.newLockOut, change.newBlocks),
    ]
    return sides[0] == sides[1] ? "\(sides[0]), changed" : sides.joined(separator: " -> ")
  }

  /// Returns a sentence about the effect of a lock-out or a block on the flows; nil if there is none.
  private func lockOutEffect(_ change: ProtectionChange) -> String? {
    switch (change.oldBlocks.isEmpty, change.newBlocks.isEmpty) {
    case (false, false): return "Conditional access blocks them, so no flow changes"
    case (true, false): return "Conditional access blocks them, so no flow becomes possible"
    case (false, true):
      return "Conditional access blocked them before, so no flow becomes impossible"
    case (true, true): break
    }
    if change.newLockOut.isUnconditional {
      return "Conditional access locks them out, so no flow becomes possible"
    }
    if change.oldLockOut.isUnconditional {
      return "Conditional access locked them out before, so no flow becomes impossible"
    }
    let isPossible = change.newLockOut.lockOut != nil || change.oldLockOut.lockOut != nil
    return isPossible ? "Unless conditional access locks them out:" : nil
  }

  /// Returns the settings and flows that change, one line each.
  ///
  /// - Parameter comparison: The comparison of the policies; nil if a lock-out prevents all flows.
  private func changes(_ comparison: PolicyComparison?) -> [String] {
    guard let comparison else { return [] }
    return comparison.changes.isEmpty ? ["No flow changes"] : comparison.changes
  }

  private func lines(_ cause: TenantDiffCause) -> [String] {
    let kinds = cause.kinds.map(\.words).joined(separator: ", ")
    let sides = [("before", cause.old), ("after", cause.new)]
    return ["`\(cause.document)`: \(kinds)"] + lines(cause.rules)
      + sides.compactMap { name, text in text.map { "  \(name): \($0)" } }
  }

  private func lines(_ rules: [TenantDiffCause.RuleChange]) -> [String] {
    rules.map { rule in
      "  the rule of `\(rule.name)` differs (\(rule.old ?? "absent") -> \(rule.new ?? "absent"))"
    }
  }

  private func lines(_ change: ConfigurationChange) -> [String] {
    let before = change.old.map { old.configurations[$0] }
    let after = change.new.map { new.configurations[$0] }
    let name = (after ?? before)?.displayName ?? ""
    let state =
      before == nil
      ? "now reaches them" : after == nil ? "no longer reaches them" : "has other values"
    let keys = (before?.entries ?? []).map(\.key) + (after?.entries ?? []).map(\.key)
    let entries = keys.unique.compactMap { key -> String? in
      let sides = [before, after].map { document in
        document?.entries.first { $0.key == key }.map { (document: document, entry: $0) }
      }
      guard sides[0]?.entry.value != sides[1]?.entry.value else { return nil }
      let places = sides.map { side in
        side.map { "\($0.document?.file ?? ""):\($0.entry.position.line)" } ?? "absent"
      }
      return "  \(key) (\(places[0]) -> \(places[1]))"
    }
    return ["The configuration `\(name)` \(state)"] + entries
      + change.causes.flatMap(lines).map { "  \($0)" }
  }

  private func lines(_ change: AccessChange) -> [String] {
    let side = { (tenant: Tenant, index: Int?, demand: String?) in
      guard let index else { return "absent" }
      let policy = tenant.conditionalAccess[index]
      return "\(demand ?? "does not apply") (\(policy.file):\(policy.position.line))"
    }
    let name =
      (change.new.map { new.conditionalAccess[$0] }
      ?? change.old.map { old.conditionalAccess[$0] })?.displayName ?? ""
    return [
      "`\(name)`", "  before: \(side(old, change.old, change.oldDemand))",
      "  after: \(side(new, change.new, change.newDemand))",
    ] + lines(change.rules) + change.lockOuts.map { "  \(text(of: $0))" }
  }

  /// Returns the changed lock-out in words: `anna@contoso.com in com.contoso.mail: now locked out`.
  private func text(of change: LockOutChange) -> String {
    let lockOut = change.new.lockOut.map { "now \($0)" } ?? "no longer locked out"
    return "\(heading(change.audience, in: change.apps)): \(lockOut)"
  }

  private func users(_ indices: [Int], of tenant: Tenant) -> String {
    "\(indices.count.counting("user")): "
      + ListFormat.first(5, of: indices.map { tenant.directory.users[$0].upn })
  }

  /// The remarks about users outside of the comparison.
  private var remarks: [String] {
    let sides = [
      (disabledUsers, old, "Account disabled only in \(newName), so no sign-in and nothing new"),
      (enabledUsers, old, "Account disabled only in \(old.folder), so no sign-in there"),
      (removedUsers, old, "Only in \(old.folder)"), (addedUsers, new, "Only in \(newName)"),
      (undecidedUsers, old, "Not compared, because too many facts are unknown"),
    ]
    return sides.filter { !$0.0.isEmpty }.map { "\($2): \(users($0, of: $1))" }
  }

  /// Effects of changes, with the users and apps that they concern.
  private struct EffectTally {
    private var effects: [String] = []
    private var users: [String: Set<Int>] = [:]
    private var apps: [String: Set<String>] = [:]

    mutating func add(_ effect: String, of change: ProtectionChange) {
      if users[effect] == nil { effects.append(effect) }
      users[effect, default: []].formUnion(change.audience.users.map(\.old))
      apps[effect, default: []].formUnion(change.apps)
    }

    /// The effects by descending number of users, each with its subject: `3 users in com.contoso.mail` and `Become
    /// possible: …`.
    var lines: [(subject: String, effect: String)] {
      let counts = effects.enumerated().map {
        (place: $0, effect: $1, users: users[$1]?.count ?? 0)
      }
      return counts.sorted { ($1.users, $0.place) < ($0.users, $1.place) }.map { one in
        let apps = ListFormat.first(3, of: (self.apps[one.effect] ?? []).sorted())
        return (subject: "\(one.users.counting("user")) in \(apps)", effect: one.effect)
      }
    }
  }

  /// Returns a summary of the lock-outs and flows that change; empty for few changes. Each lock-out or flow has the
  /// users and apps of all shown changes that contain it. A flow is marked if it depends on unknown facts for some
  /// users.
  private func effects(_ comparisons: Comparisons) -> [(subject: String, effect: String)] {
    guard protection.count > 3 else { return [] }
    var lockOuts = EffectTally()
    var flows = EffectTally()
    for change in protection.prefix(Self.shown) {
      if let lockOut = lockOut(change) { lockOuts.add(lockOut, of: change) }
      for effect in comparisons[change]?.effects ?? [] { flows.add(effect, of: change) }
    }
    let conditional = Set(
      protection.prefix(Self.shown).filter { !$0.audience.conditions.isEmpty }
        .flatMap { comparisons[$0]?.effects ?? [] })
    let marked = flows.lines.map { subject, effect in
      let extent = conditional.contains(effect) ? ", at least in some cases" : ""
      return (subject: subject, effect: effect + extent)
    }
    return lockOuts.lines + marked
  }

  /// Returns the lock-out that begins or ends with a change, in words; nil if there is none.
  private func lockOut(_ change: ProtectionChange) -> String? {
    let (old, new) = (change.oldLockOut, change.newLockOut)
    guard old.cases.isEmpty != new.cases.isEmpty else { return nil }
    let demand = old.cases.isEmpty ? new : old
    let isCertain = demand.isUnconditional && change.audience.conditions.isEmpty
    return (old.cases.isEmpty ? "Locked out" : "No longer locked out") + " by conditional access"
      + (isCertain ? "" : " in some cases") + devices(of: change.audience)
  }

  // MARK: Text

  /// The comparison as text with a final line break.
  package var text: String {
    let comparisons = Comparisons(of: protection.prefix(Self.shown))
    var lines = ["\(old.folder) -> \(newName): \(summary)"]
    let effects = effects(comparisons)
    if !effects.isEmpty {
      lines += ["", "In short", ""]
      for subject in effects.map(\.subject).unique {
        let own = effects.filter { $0.subject == subject }.map(\.effect)
        lines +=
          own.count == 1
          ? "  \(subject): \(own[0])".wrapped(to: 116, indentedBy: "      ")
          : ["  \(subject)"] + own.flatMap { "    \($0)".wrapped(to: 116, indentedBy: "        ") }
      }
    }
    lines += section("App protection", protection) { change in
      (
        heading(change.audience, in: change.apps),
        [policies(change)] + change.causes.flatMap(self.lines)
          + [lockOutEffect(change)].compactMap(\.self) + changes(comparisons[change])
      )
    }
    lines += section("App configuration", configurations) { change in
      (heading(change.audience, in: change.apps), self.lines(change))
    }
    lines += section("Conditional access", access) { change in
      (heading(change.audience, in: []), self.lines(change))
    }
    if !remarks.isEmpty { lines += [""] + remarks }
    return lines.map { $0.escapingUnprintable() }.joined(separator: "\n") + "\n"
  }

  private func section<Change>(
    _ title: String, _ changes: [Change], _ body: (Change) -> (String, [String])
  ) -> [String] {
    guard !changes.isEmpty else { return [] }
    var lines = ["", title]
    for change in changes.prefix(Self.shown) {
      let (heading, details) = body(change)
      lines += ["", "  \(heading)"]
      lines += details.flatMap { "    \($0)".wrapped(to: 116, indentedBy: "        ") }
    }
    if changes.count > Self.shown { lines += ["", "  \(rest(changes.count))"] }
    return lines
  }

  private func rest(_ count: Int) -> String {
    "and \(count - Self.shown) more; `--format json` lists all"
  }

  // MARK: HTML

  /// The comparison as one page, in the style of the pages of `sluice policy diff`.
  package var html: String {
    let comparisons = Comparisons(of: protection.prefix(Self.shown))
    let name = old.folder.split(separator: "/").last.map(String.init) ?? "tenant"
    let lead = [summary.capitalizedStart] + remarks + ["A: \(old.folder)", "B: \(newName)"]
    let effects = effects(comparisons)
    return HTMLWriter.report(title: "What changes for the users of \(name)", lead: lead) { writer in
      if !effects.isEmpty {
        writer.addressed("h2", at: "short", text: "In short")
        write(effects.map { "\($0.subject): \($0.effect)" }, to: &writer)
      }
      write("App protection", protection, to: &writer) { change, writer in
        write(heading(change.audience, in: change.apps.map { AppName.of($0) ?? $0 }), to: &writer)
        writer.element("p", text: policies(change).replacing("->", with: "→"))
        write(change.causes.flatMap(lines), to: &writer)
        if let effect = lockOutEffect(change) { writer.element("p", text: effect) }
        guard let comparison = comparisons[change] else { return }
        if comparison.changes.isEmpty { writer.element("p", text: "No flow changes") }
        comparison.writeSettings(to: &writer)
        comparison.writeFlows(to: &writer)
      }
      write("App configuration", configurations, to: &writer) { change, writer in
        write(heading(change.audience, in: change.apps.map { AppName.of($0) ?? $0 }), to: &writer)
        write(lines(change), to: &writer)
      }
      write("Conditional access", access, to: &writer) { change, writer in
        write(heading(change.audience, in: []), to: &writer)
        write(lines(change), to: &writer)
      }
    }
  }

  private func write<Change>(
    _ title: String, _ changes: [Change], to writer: inout HTMLWriter,
    _ body: (Change, inout HTMLWriter) -> Void
  ) {
    guard !changes.isEmpty else { return }
    writer.addressed("h2", at: writer.address(of: title), text: title)
    for change in changes.prefix(Self.shown) {
      writer.element("section") { body(change, &$0) }
    }
    if changes.count > Self.shown { writer.element("p", text: rest(changes.count)) }
  }

  private func write(_ heading: String, to writer: inout HTMLWriter) {
    let address = writer.address(of: heading)
    writer.element("h3", [("id", address)]) { writer in
      writer.line("a", [("class", "own"), ("href", "#\(address)")]) { $0.prose(heading) }
    }
  }

  private func write(_ lines: [String], to writer: inout HTMLWriter) {
    guard !lines.isEmpty else { return }
    writer.element("ul") { writer in
      for line in lines { writer.line("li") { $0.prose(line.trimmed) } }
    }
  }

  // MARK: JSON

  /// The comparison as one JSON object with a final line break.
  package var json: String {
    let comparisons = Comparisons(of: protection)
    return JSONWriter.objectLine { writer in
      writer.member("old", old.folder)
      writer.member("new", newName)
      writer.member("same", isEmpty)
      writer.member("affected", affectedUsers.count)
      writer.objects("protection", of: protection) { writer, change in
        write(change.audience, change.apps, to: &writer)
        write(change.old.map { old.policies[$0] }, as: "oldPolicies", to: &writer)
        write(change.new.map { new.policies[$0] }, as: "newPolicies", to: &writer)
        for (name, lockOut) in [
          ("oldLockedOut", change.oldLockOut), ("newLockedOut", change.newLockOut),
        ] as [(StaticString, PolicyDemand)] where !lockOut.cases.isEmpty {
          writer.objects(name, of: lockOut.cases) { $0.strings("if", $1.map(\.text)) }
        }
        let blocks: [(StaticString, Tenant, [Int])] = [
          ("oldBlockedBy", old, change.oldBlocks), ("newBlockedBy", new, change.newBlocks),
        ]
        for (name, tenant, policies) in blocks where !policies.isEmpty {
          writer.strings(name, policies.map { tenant.conditionalAccess[$0].displayName })
        }
        write(change.causes, to: &writer)
        guard let comparison = comparisons[change] else { return }
        writer.object("comparison") { comparison.write(old: old.folder, new: newName, to: &$0) }
      }
      writer.objects("configurations", of: configurations) { writer, change in
        write(change.audience, change.apps, to: &writer)
        let sides = [
          ("old", change.old.map { old.configurations[$0] }),
          ("new", change.new.map { new.configurations[$0] }),
        ]
        for (name, document) in sides {
          guard let document else { continue }
          writer.member(named: name) { writer in
            write(document.displayName, document.file, document.position, to: &writer)
          }
        }
        write(change.causes, to: &writer)
      }
      writer.objects("conditionalAccess", of: access) { writer, change in
        write(change.audience, [], to: &writer)
        let sides = [
          ("old", change.old.map { old.conditionalAccess[$0] }, change.oldDemand),
          ("new", change.new.map { new.conditionalAccess[$0] }, change.newDemand),
        ]
        for (name, policy, demand) in sides {
          guard let policy else { continue }
          writer.member(named: name) { writer in
            write(policy.displayName, policy.file, policy.position, demand: demand, to: &writer)
          }
        }
        write(change.rules, to: &writer)
        guard !change.lockOuts.isEmpty else { return }
        writer.objects("lockOuts", of: change.lockOuts) { writer, change in
          write(change.audience, change.apps, to: &writer)
          writer.objects("old", of: change.old.cases) { $0.strings("if", $1.map(\.text)) }
          writer.objects("new", of: change.new.cases) { $0.strings("if", $1.map(\.text)) }
        }
      }
      writer.strings("removedUsers", removedUsers.map { old.directory.users[$0].upn })
      writer.strings("addedUsers", addedUsers.map { new.directory.users[$0].upn })
      writer.strings("disabledUsers", disabledUsers.map { old.directory.users[$0].upn })
      writer.strings("enabledUsers", enabledUsers.map { old.directory.users[$0].upn })
      writer.strings("undecidedUsers", undecidedUsers.map { old.directory.users[$0].upn })
    }
  }

  private func write(_ audience: Audience, _ apps: [String], to writer: inout JSONWriter) {
    writer.strings("users", audience.users.map { new.directory.users[$0.new].upn })
    if !apps.isEmpty { writer.strings("apps", apps) }
    writer.strings("devices", audience.devices.map(\.text))
    if !audience.conditions.isEmpty { writer.strings("if", audience.conditions.map(\.text)) }
  }

  private func write(
    _ policies: [PolicyDocument], as name: StaticString, to writer: inout JSONWriter
  ) {
    writer.array(name) { writer in
      for policy in policies {
        write(policy.displayName, policy.file, policy.position, to: &writer)
      }
    }
  }

  private func write(
    _ name: String, _ file: String, _ position: Position, demand: String? = nil,
    to writer: inout JSONWriter
  ) {
    writer.object { writer in
      writer.member("name", name)
      writer.member("file", file)
      writer.member("line", position.line)
      writer.member("demand", demand)
    }
  }

  private func write(_ rules: [TenantDiffCause.RuleChange], to writer: inout JSONWriter) {
    guard !rules.isEmpty else { return }
    writer.objects("rules", of: rules) { writer, rule in
      writer.member("name", rule.name)
      writer.member("old", rule.old)
      writer.member("new", rule.new)
    }
  }

  private func write(_ causes: [TenantDiffCause], to writer: inout JSONWriter) {
    writer.objects("causes", of: causes) { writer, cause in
      writer.member("document", cause.document)
      writer.strings("kinds", cause.kinds.map(\.rawValue))
      write(cause.rules, to: &writer)
      writer.member("old", cause.old)
      writer.member("new", cause.new)
    }
  }
}

/// Comparisons of the old and the new policies of changes. Many changes have the same policies, so each comparison is
/// made only once.
private struct Comparisons {
  private struct Pair: Hashable {
    var old: [Int]
    var new: [Int]

    init(_ change: TenantDiff.ProtectionChange) {
      old = change.old
      new = change.new
    }
  }

  private let known: [Pair: PolicyComparison]

  /// Compares the policies of the changes, on all processors.
  init(of changes: some Sequence<TenantDiff.ProtectionChange>) {
    let compared = changes.filter { !$0.isLockOut }
    let pairs = Dictionary(compared.map { (Pair($0), $0) }) { first, _ in first }
    let comparisons = Array(pairs).concurrentMap { pair, change in
      let apps = SceneApps(targeted: change.apps)
      return (pair, PolicyComparison(change.before, change.after, in: apps))
    }
    known = Dictionary(uniqueKeysWithValues: comparisons)
  }

  /// The comparison of the change's policies; nil if conditional access locks the users out in one of the tenants.
  ///
  /// - Precondition: The change was passed to the initializer.
  subscript(change: TenantDiff.ProtectionChange) -> PolicyComparison? {
    guard !change.isLockOut else { return nil }
    guard let comparison = known[Pair(change)] else {
      preconditionFailure("each change of protection must have a comparison")
    }
    return comparison
  }
}

extension Array where Element: Sendable {
  /// Returns the results of `function` for the elements, in the order of the elements. The calls run at the same time
  /// on all processors.
  package func concurrentMap<Result: Sendable>(
    _ function: @Sendable (Element) -> Result
  ) -> [Result] {
    [Result](unsafeUninitializedCapacity: count) { buffer, filled in
      // Each iteration initialises an element of its own.
      nonisolated(unsafe) let results = buffer
      DispatchQueue.concurrentPerform(iterations: count) { index in
        results.initializeElement(at: index, to: function(self[index]))
      }
      filled = count
    }
  }
}

extension TenantDiffCause.Kind {
  fileprivate var words: String {
    switch self {
    case .added: "new"
    case .removed: "removed"
    case .targeting: "other apps or device types"
    case .assignment: "other assignments"
    case .filter: "another filter rule"
    case .membershipRule: "another membership rule"
    case .membership: "other groups"
    case .licence: "another licence"
    case .managementState: "another management state, because of a configuration"
    }
  }
}
