internal import Encodings
package import Model
internal import Output
package import Scenario

/// Events on devices as one self-contained HTML page: flows, verdicts with their rules, cases, and guests
/// over time.
package struct Picture {
  private let title: Title
  private var requests = RequestTable()
  /// The cases as JSON.
  private var cases: [String] = []
  /// The chains of each case as JSON; nil if the page shows all events on the devices.
  private var chains: [String]?
  /// The number of movements in the chains.
  private var movements = 0
  private var outcomes: [CaseOutcome] = []
  /// The duration of each case in real time; nil if it is unknown.
  private var durations: [Duration?] = []
  /// The number of cases that passed without any expectation.
  private var countWithoutExpectations = 0
  private var lanes: [Lane] = []
  private var journals: [JournalName] = []
  /// The moment of each journal's first event. Moments number the events of all journals, from 0.
  private var starts: [Int] = []
  /// The names of the shown cases' scenarios, without duplicates.
  private var suites = Table<String>()
  private var cited: [String] = []
  private let read: (String) -> String?
  /// The number of events in the journals added so far, which is the moment of the next event.
  private var moments = 0
  /// The leak report as JSON; nil if no search was run.
  private var leaks: String?
  /// Sentences about inputs that could not be read.
  private var notes: [String] = []
  private var clock: [Change] = []
  private var wall: [Change] = []

  /// The names of a journal, from the most readable to the most specific.
  private struct JournalName {
    /// The name of the journal's only case; nil if it has none or several.
    var test: CaseName?
    /// The device's name; nil if its case has only one device.
    var device: String?
    /// The name that distinguishes the journal from others.
    var name: String
  }

  /// A time that a clock shows, beginning with the event whose number is `moment`.
  private struct Change {
    var moment: Int
    var text: String
  }

  package enum Title: Sendable {
    case fixed(String)
    /// The scenario's name if all cases are from one scenario; if not, the text `otherwise`.
    case scenario(otherwise: String)
  }

  /// Creates a picture without events.
  ///
  /// - Parameter read: Returns the text of a policy or scenario that verdicts refer to, by path; nil if the page must
  ///   not show it.
  package init(_ title: Title, reading read: @escaping (String) -> String?) {
    self.title = title
    self.read = read
  }

  package mutating func add(_ recording: RecordedJournal) { add(RecordedGroup(recording)) }

  /// Adds the journals of devices that took part in the same cases. A case on several devices is shown once.
  ///
  /// - Parameter minimum: The minimum support by public statements for the rules on which a passed case depends; nil
  ///   for no minimum.
  package mutating func add(_ group: RecordedGroup, requiring minimum: Standing.Minimum? = nil) {
    let first = journals.count
    let starts = addEvents(of: group)
    for (index, recording) in group.journals.enumerated() {
      lanes += Lane.all(in: recording, first + index, from: starts[index])
    }
    let lineage = Lineage(ofDevices: group.journals.map(\.events))
    requests.add(group, lineage, from: first, at: starts)
    for var test in group.cases {
      if let minimum { _ = test.result.require(minimum) }
      cases.append(
        JSONWriter.line { test.write(in: group, from: first, at: starts, to: &$0) })
      outcomes.append(test.result.outcome)
      durations.append(group.duration)
      _ = suites.number(of: test.suite)
      if test.result.expectsNothing { countWithoutExpectations += 1 }
    }
  }

  /// Adds the chains of requests by which data moved. The page then shows only these requests.
  ///
  /// - Parameter place: The path of the journals.
  package mutating func add(_ chains: Lineage, of group: RecordedGroup, at place: String) {
    let first = journals.count
    requests.add(group, chains, from: first, at: addEvents(of: group), .hops)
    movements += chains.movementCount
    let name = journals[first].test
    let json = JSONWriter.line { writer in
      writer.object { writer in
        writer.member("suite", name?.suite)
        writer.member("name", name?.name ?? place)
        writer.member("place", place)
        chains.writeTrees(requests.row, to: &writer)
      }
    }
    self.chains = (self.chains ?? []) + [json]
  }

  /// Adds the journals' names and clocks. Returns the number of each journal's first event among the events of all
  /// journals.
  private mutating func addEvents(of group: RecordedGroup) -> [Int] {
    group.journals.map { recording in
      let start = moments
      for (index, event) in recording.events.enumerated() {
        if case .clockRead(let realTime) = event.kind {
          wall.append(Change(moment: start + index, text: realTime))
        }
        let text = Timestamp.text(event.time)
        if clock.last?.text != text { clock.append(Change(moment: start + index, text: text)) }
      }
      if let file = recording.file { cited.append(file) }
      let names = recording.events.caseNames
      journals.append(
        JournalName(
          test: names.count == 1 ? names[0] : nil,
          device: group.journals.count > 1 ? recording.events.device : nil, name: recording.name))
      starts.append(start)
      moments += recording.events.count
      return start
    }
  }

  /// Adds a case of the scenario `suite` that was not run. `result` contains the reason.
  package mutating func add(notRun result: CaseResult, of suite: String) {
    cases.append(JSONWriter.line { result.write(notRunOf: suite, to: &$0) })
    outcomes.append(result.outcome)
    durations.append(nil)
    _ = suites.number(of: suite)
  }

  /// Adds the paths by which data can leave the organisation.
  ///
  /// - Parameters:
  ///   - json: The report of `sluice leaks`.
  ///   - places: The locations, as `file:line`, of the settings that the report cites.
  package mutating func add(leaks json: String, citing places: [String]) {
    leaks = json
    cited += places
  }

  /// Adds a sentence about a missing part of the picture.
  package mutating func add(note: String) { notes.append(note) }

  /// Returns the page. The same recordings and files give the same bytes.
  package func page() -> String {
    let texts = texts
    let page = Page(
      title: heading, summary: summary, notes: notes,
      blocks: [
        ("frame", JSONWriter.line { frame(Array(texts.keys.sorted()), &$0) }),
        ("requests", JSONWriter.line { requests.write(to: &$0) }),
        ("strings", Self.list(requests.strings.values) { $0.string($1) }),
        ("verdicts", Self.list(requests.verdicts.values) { $1.write(to: &$0) }),
        ("cases", Self.list(cases) { $0.raw($1.dropLast().utf8) }),
        // A separate block, so pages of equal runs differ only here.
        (
          "durations",
          Self.list(durations) { writer, duration in
            if let duration { writer.number(duration.milliseconds) } else { writer.null() }
          }
        ),
        ("flows", Self.list(chains ?? []) { $0.raw($1.dropLast().utf8) }),
        ("leaks", leaks ?? "null\n"),
        ("lanes", Self.list(lanes) { $1.write(to: &$0) }),
        (
          "files",
          JSONWriter.objectLine { $0.members(of: texts) { $0.string($1) } }
        ),
      ])
    return page.html
  }

  /// The texts of files that verdicts and scenarios refer to, by path. Files beyond ``mostText`` are omitted.
  package var texts: [String: String] {
    let places = requests.verdicts.values.flatMap(\.reasons).flatMap(\.sources)
    var texts: [String: String] = [:]
    var room = Self.mostText
    for path in Set((places + cited).map(Self.path)).sorted() {
      guard let text = read(path), text.utf8.count <= room else { continue }
      room -= text.utf8.count
      texts[path] = text
    }
    return texts
  }

  /// The maximum total size of the texts of files, in bytes.
  private static let mostText = 8 << 20

  /// Returns the path in a `file:line` location.
  static func path(_ place: String) -> String {
    guard let colon = place.lastIndex(of: ":"), Int(place[place.index(after: colon)...]) != nil
    else { return place }
    return String(place[..<colon])
  }

  private var heading: String {
    switch title {
    case .fixed(let text): text
    case .scenario(let other): suites.values.count == 1 ? suites.values[0] : other
    }
  }

  /// The title of each journal: the names of its case and device, followed by the journal's name if several titles are
  /// equal. The title of a journal without a case, or with several cases, is the journal's name.
  private var journalTitles: [String] {
    let hasOneSuite = Set(journals.compactMap(\.test?.suite)).count == 1
    let titles = journals.map { journal in
      guard let test = journal.test else { return journal.name }
      let device = journal.device.map { ", \($0)" } ?? ""
      return (hasOneSuite ? test.name : test.text) + device
    }
    let counts = Dictionary(titles.map { ($0, 1) }, uniquingKeysWith: +)
    return zip(journals, titles).map { journal, title in
      counts[title] == 1 || title == journal.name ? title : "\(title) (\(journal.name))"
    }
  }

  /// The page's headline. With chains, it states whether the data moved. Otherwise, it states the results of the cases,
  /// the verdicts, and whether managed data left the protection of policies. It is empty if the page has only leaks.
  private var summary: String {
    if chains != nil {
      return movements == 0
        ? "No such data moved."
        : "Data moved in \(movements.counting("transfer")). \(requests.departures.sentence)"
    }
    guard leaks == nil || !journals.isEmpty else { return "" }
    let counts = VerdictCounts(
      requests: requests.count, encrypted: requests.count(of: .encrypted),
      blocked: requests.count(of: .blocked), departures: requests.departures)
    return ([caseSentence].compactMap(\.self) + counts.sentences).joined(separator: " ")
  }

  private var caseSentence: String? {
    guard !cases.isEmpty else { return nil }
    let passed = outcomes.count { $0 == .passed }
    let others = CaseOutcome.allCases.filter { $0 != .passed }.map { outcome in
      (outcome, outcomes.count { $0 == outcome })
    }.filter { $1 > 0 }.map { "\($1) \($0.words)" }
    let rest = others.isEmpty ? "" : "; \(others.joined(separator: ", "))"
    return "Passed: \(passed) of \(cases.count.counting("case"))\(remark)\(rest)."
  }

  /// The number of passed cases without expectations, in parentheses.
  private var remark: String {
    guard countWithoutExpectations > 0 else { return "" }
    return
      " (\(countWithoutExpectations) expect\(countWithoutExpectations == 1 ? "s" : "") nothing)"
  }

  private static func list<Element>(
    _ elements: [Element], _ write: (inout JSONWriter, Element) -> Void
  ) -> String {
    JSONWriter.line { writer in
      writer.array { writer in for element in elements { write(&writer, element) } }
    }
  }

  /// The views of the page, in display order.
  private var views: [String] {
    guard chains == nil else { return ["flows", "map", "requests"] }
    return (journals.isEmpty && cases.isEmpty ? [] : ["overview"])
      + (leaks == nil ? [] : ["leaks"]) + (cases.isEmpty ? [] : ["cases"])
      + (journals.isEmpty && leaks != nil ? [] : ["map", "requests", "time"])
  }

  private func frame(_ files: [String], _ writer: inout JSONWriter) {
    let nodes = requests.nodes
    writer.object { writer in
      writer.member("title", heading)
      writer.strings("views", views + (files.isEmpty ? [] : ["files"]))
      AppName.write(to: &writer)
      nodes.write(from: 0, to: &writer)
      writer.strings("operations", RequestTable.operationNames)
      writer.strings("ends", RequestTable.endNames)
      writer.object("locations") { writer in
        for location in StorageLocation.allCases {
          writer.member(named: location.rawValue) { $0.string(location.title) }
        }
      }
      writer.object("channels") { writer in
        for channel in Channel.allCases {
          writer.member(named: channel.rawValue) { $0.string(channel.row.title) }
        }
      }
      writer.strings("owners", requests.ownerNames.values)
      writer.strings("rules", requests.verdicts.values.map(\.deciding.rawValue))
      writer.numbers(
        "outcomes", requests.verdicts.values.map { $0.outcome.place })
      writer.strings("journals", journalTitles)
      writer.numbers("starts", starts)
      writer.member("moments", max(moments - 1, 0))
      Self.write("clock", clock, to: &writer)
      Self.write("wall", wall, to: &writer)
      writer.strings("files", files)
    }
  }

  private static func write(
    _ name: StaticString, _ changes: [Change], to writer: inout JSONWriter
  ) {
    writer.array(name, of: changes) { writer, change in
      writer.array { writer in
        writer.number(change.moment)
        writer.string(change.text)
      }
    }
  }
}

extension Outcome {
  /// The outcome's number in the page's data: 0 for allowed, 1 for encrypted, 2 for blocked.
  fileprivate var place: Int {
    switch self {
    case .allowed: 0
    case .encrypted: 1
    case .blocked: 2
    }
  }
}

// MARK: - Cases

extension RecordedGroup.SharedCase {
  /// Writes the case as a JSON object for the page.
  ///
  /// - Parameters:
  ///   - first: The number of the group's first journal.
  ///   - starts: The number of each journal's first event among the events of all journals.
  fileprivate func write(
    in group: RecordedGroup, from first: Int, at starts: [Int], to writer: inout JSONWriter
  ) {
    func write(_ spans: [RecordedGroup.Span], to writer: inout JSONWriter) {
      writer.array("spans", of: spans) { writer, span in
        let start = starts[span.journal]
        writer.array { writer in
          writer.number(start + span.events.lowerBound)
          writer.number(start + span.events.upperBound)
        }
      }
    }
    writer.object { writer in
      result.writeHead(of: suite, to: &writer)
      writer.member("file", group.journals.first?.file)
      writer.numbers("journals", spans.map { first + $0.journal })
      writer.objects("steps", of: zip(result.steps, steps)) { writer, element in
        let (step, spans) = element
        write(spans, to: &writer)
        step.writeMembers(to: &writer)
      }
      writer.array("output", of: spans) { group.writeOutput(of: $1.journal, to: &$0) }
    }
  }
}

extension RecordedGroup {
  /// Writes the guests' output. With several devices, each guest's name follows its device's name.
  fileprivate func writeOutput(of journal: Int, to writer: inout JSONWriter) {
    let device = journals.count > 1 ? journals[journal].events.device : nil
    for output in journals[journal].output {
      for line in output.lines {
        writer.array { writer in
          writer.string((device.map { "\($0)/" } ?? "") + output.guest)
          writer.string(line)
        }
      }
    }
  }
}

extension CaseResult {
  fileprivate func write(notRunOf suite: String, to writer: inout JSONWriter) {
    writer.object { writer in
      writeHead(of: suite, to: &writer)
      writer.member("why", reasonNotRun)
      for name: StaticString in ["journals", "steps", "output"] { writer.array(name) { _ in } }
    }
  }

  fileprivate func writeHead(of suite: String, to writer: inout JSONWriter) {
    writer.member("suite", suite)
    writer.member("name", name)
    writer.member("criterion", criterion)
    writer.member("outcome", outcome.rawValue)
    writer.member("words", outcome.words)
    writer.member("ended", isEnded)
    if expectsNothing { writer.member("expectsNothing", true) }
  }
}

extension StepResult {
  fileprivate func writeMembers(to writer: inout JSONWriter) {
    writer.member("text", text)
    writer.member("line", position?.line)
    writer.objects("checks", of: expectations) { writer, expectation in
      writer.member("expected", expectation.expected)
      writer.member("found", expectation.found)
      writer.member("met", expectation.isMet)
    }
    writer.strings("failures", failures)
  }
}

// MARK: - Lanes

/// The events of one guest over time.
private struct Lane {
  private let guest: String
  private let app: String
  /// The journal's number, from 0.
  private let journal: Int
  private var marks: [Mark] = []

  private struct Mark {
    var kind: Kind
    var moment: Int
    var text: String
  }

  private enum Kind: String {
    case started, suspended, resumed, exited, wiped, switched, other
  }

  /// Returns a lane with the events of each guest in a recording, in the order of the guests' starts.
  static func all(
    in recording: RecordedJournal, _ journal: Int, from moment: Int
  ) -> [Lane] {
    var lanes: [Lane] = []
    var numbers: [String: Int] = [:]
    var guests: [String: [String]] = [:]
    func lane(_ guest: String, _ app: String) -> Int {
      if let number = numbers[guest] { return number }
      lanes.append(Lane(guest: guest, app: app, journal: journal))
      numbers[guest] = lanes.count - 1
      if guest != app { guests[app, default: []].append(guest) }
      return lanes.count - 1
    }
    for (index, event) in recording.events.enumerated() {
      guard let (place, kind, text) = happening(event.kind) else { continue }
      let mark = Mark(kind: kind, moment: moment + index, text: text)
      switch place {
      case .guest(let guest, let app): lanes[lane(guest, app ?? "")].marks.append(mark)
      case .app(let app):
        // An app with many guests gets a single lane for its own events.
        let all = guests[app] ?? []
        let names = all.count > Self.mostGuests ? [app] : all
        for name in names { lanes[lane(name, app)].marks.append(mark) }
      }
    }
    return lanes
  }

  /// The maximum number of lanes that repeat an app's own events. If an app has more guests, its events have a separate
  /// lane.
  private static let mostGuests = 8

  private enum Subject {
    case guest(String, app: String?)
    case app(String)
  }

  private static func happening(_ kind: JournalEvent.Kind) -> (Subject, Kind, String)? {
    switch kind {
    case .guestStarted(let guest, let app, _): (.guest(guest, app: app), .started, "started")
    case .guestSuspended(let guest): (.guest(guest, app: nil), .suspended, "suspended")
    case .guestResumed(let guest): (.guest(guest, app: nil), .resumed, "resumed")
    case .guestExited(let guest, let cause, let text):
      (.guest(guest, app: nil), .exited, "exited (\(cause)): \(text)")
    case .identitySwitched(let guest, let identity, _):
      (
        .guest(guest, app: nil), .switched,
        "acts for \(identity.map { $0.isEmpty ? "an unknown account" : $0 } ?? "no account")"
      )
    case .accountWiped(let app, let account): (.app(app), .wiped, "\(account) was wiped")
    case .accountSignedIn(let app, let account, _): (.app(app), .other, "\(account) signed in")
    case .accountSignedOut(let app, let account): (.app(app), .other, "\(account) signed out")
    case .policyChanged(let app, let account, let policies):
      (
        .app(app), .other,
        "\(account) is under \(policies.isEmpty ? "no policy" : policies.joined(separator: ", "))"
      )
    case .claimIgnored(let guest, let claim, let claimed, let actual):
      (
        .guest(guest, app: nil), .other,
        "claimed \(claim) \(claimed), but the \(claim) is \(actual)"
      )
    case .deviceStarted, .deviceStopped, .clockRead, .caseBegan, .stepBegan, .expectation,
      .stepFailed, .caseEnded, .faultInjected, .itemArrived, .guestReady, .accountEnrolled,
      .identitySwitchRequired, .accessChecked, .accountNotAllowed, .accountRenamed, .wipeAdvanced,
      .policySaved, .appConfigured, .configurationDelivered, .notificationPosted,
      .telemetryRecorded,
      .declarationsApplied, .managedAppChanged, .administratorInformed, .delegateAsked,
      .enrollmentAsked, .enrollmentAnswered, .complianceAnswered, .remediationLooped, .policyAbsent,
      .policyStated, .factsStated, .decided, .ended, .extensionCompleted, .extensionCancelled:
      nil
    }
  }

  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("guest", guest)
      writer.member("app", app)
      writer.member("journal", journal)
      writer.array("marks", of: marks) { writer, mark in
        writer.array { writer in
          writer.string(mark.kind.rawValue)
          writer.number(mark.moment)
          writer.string(mark.text)
        }
      }
    }
  }
}

/// The counts for a headline: all requests, encrypted requests, blocked requests, and departures.
struct VerdictCounts {
  var requests: Int
  var encrypted: Int
  var blocked: Int
  var departures: Departures

  var sentences: [String] {
    guard requests > 0 else { return ["No request was made."] }
    let answer = "Blocked: \(blocked) of \(requests.counting("request"))"
    return [
      encrypted == 0 ? "\(answer)." : "\(answer); encrypted: \(encrypted).",
      departures.sentence,
    ]
  }
}
