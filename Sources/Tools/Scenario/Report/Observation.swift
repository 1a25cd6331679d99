package import Encodings
package import Model

/// The observed outcome of a step. A property that is nil was not observed.
package struct Observation: Sendable, Equatable {
  package var verdict: ExplainedVerdict?
  package var end: RequestEnd?
  /// The status code that the guest received; 0 if the operation has no status code.
  package var status: Int?
  /// The cause of the exit of the step's guest, as a code (`ExitCause.code`).
  package var exit: String?
  package var received: String?
  /// Whether journals and reports show ``received`` only if it equals the expected text.
  package var isReceivedSecret = false
  /// The outcome of each item that an extension returned.
  package var returned: [Observation]
  package var identity: IdentityReference?
  package var isManaged: Bool?
  package var owner: IdentityReference?
  /// A possible reason why the owner differs from the expected owner; nil if unknown.
  package var ownerRemark: String?
  package var isAccepted: Bool?
  package var enrollmentState: Expectation.EnrollmentState?
  package var enrollment: EnrollmentStatus?
  package var compliance: ComplianceStatus?
  package var hasToken: Bool?
  /// The values that the app found in its configuration; nil if the step looks up no values.
  package var values: [String]?
  package var hasConflict: Bool?
  /// Whether reports may show ``values``.
  package var showsValues = false
  /// The destinations of the share sheet; nil if the step does not inspect one.
  package var sheet: [SheetLine]?

  package init(
    verdict: ExplainedVerdict? = nil, end: RequestEnd? = nil, status: Int? = nil,
    exit: String? = nil, received: String? = nil, returned: [Observation] = [],
    identity: IdentityReference? = nil, isManaged: Bool? = nil
  ) {
    self.verdict = verdict
    self.end = end
    self.status = status
    self.exit = exit
    self.received = received
    self.returned = returned
    self.identity = identity
    self.isManaged = isManaged
  }
}

// MARK: - Comparison

extension Expectation {
  package func compare(with observation: Observation) -> [Comparison] {
    var results: [Comparison] = []
    func compare<Value: Equatable>(
      _ what: String, _ expected: Value?, _ found: Value?, _ text: (Value) -> String
    ) {
      guard let expected else { return }
      results.append(
        Comparison(
          expected: "\(what) \(text(expected))",
          found: found.map { "\(what) \(text($0))" } ?? "no \(what)",
          isMet: expected == found))
    }
    let rules = observation.verdict?.reasons.map(\.rule) ?? []
    compare("verdict", verdict, observation.verdict?.outcome, \.rawValue)
    for reason in reasons {
      let all = rules.map(\.rawValue).joined(separator: ", ")
      results.append(
        Comparison(
          expected: "reason \(reason.rawValue)",
          found: rules.isEmpty
            ? "no reason" : rules.count == 1 ? "reason \(all)" : "reasons \(all)",
          isMet: rules.contains(reason)))
    }
    compare("deciding rule", deciding, observation.verdict?.deciding, \.rawValue)
    compare("end", end, observation.end, \.rawValue)
    compare("status", status, observation.status, String.init)
    compare("exit", exit, observation.exit) { $0 }
    compare("received text", received, observation.received) {
      observation.isReceivedSecret && $0 != received ? "that is another" : Excerpt($0).words
    }
    for (index, expectation) in returned.enumerated() {
      let found = observation.returned.dropFirst(index).first ?? Observation()
      results += expectation.compare(with: found).map(\.ofReturnedItem)
    }
    compare("identity", identity, observation.identity, \.text)
    compare("identity", isManaged, observation.isManaged) { $0 ? "managed" : "unmanaged" }
    compare("owner", owner, observation.owner, \.text)
    if let remark = observation.ownerRemark, let last = results.last, owner != nil, !last.isMet {
      results[results.count - 1].found += "; \(remark)"
    }
    compare("answer", isAccepted, observation.isAccepted) { $0 ? "accepted" : "declined" }
    compare("state", enrollmentState, observation.enrollmentState, \.rawValue)
    compare("enrollment", enrollment, observation.enrollment) { "\($0.rawValue) \($0.name)" }
    compare("compliance", compliance, observation.compliance, \.name)
    compare("token", hasToken, observation.hasToken) { $0 ? "issued" : "refused" }
    compare("conflict", hasConflict, observation.hasConflict) { $0 ? "yes" : "none" }
    return results + compareLines(with: observation) + compareValues(with: observation)
      + compareSheet(with: observation)
  }
}

extension Comparison {
  fileprivate var ofReturnedItem: Comparison {
    Comparison(
      expected: "returned item: \(expected)", found: "returned item: \(found)", isMet: isMet)
  }
}

extension Expectation {
  private func last(_ lines: [Substring]) -> String {
    lines.suffix(3).map { Excerpt(String($0)).words }.joined(separator: ", ")
  }

  /// Compares each expected text with the lines of the guest's output.
  private func compareLines(with observation: Observation) -> [Comparison] {
    let lines = (observation.received ?? "").split(
      separator: "\n", omittingEmptySubsequences: false)
    return said.map { text in
      Comparison(
        expected: "a line with \(Excerpt(text).words)",
        found: observation.received?.isEmpty ?? true
          ? "no line"
          : lines.count > 3
            ? "\(lines.count) lines, the last of them \(last(lines))" : last(lines),
        isMet: lines.contains { $0.contains(text) })
    }
  }

  /// Compares the values of an app's configuration.
  ///
  /// Values are private. Unless the values may be shown, the comparison reports only the number of values and whether
  /// they match.
  private func compareValues(with observation: Observation) -> [Comparison] {
    guard let values else { return [] }
    let isMet = values == observation.values
    guard observation.showsValues else {
      let expected = Self.words(for: values.count)
      let found = Self.words(for: observation.values?.count ?? 0)
      let isOther = !isMet && expected == found
      return [
        Comparison(expected: expected, found: isOther ? "another" : found, isMet: isMet)
      ]
    }
    return [
      Comparison(
        expected: Self.words(for: values), found: Self.words(for: observation.values ?? []),
        isMet: isMet)
    ]
  }

  private static func words(for count: Int) -> String {
    switch count {
    case 0: "no configured value"
    case 1: "one configured value"
    default: "\(count) configured values"  // open: any larger number
    }
  }

  private static func words(for values: [String]) -> String {
    guard !values.isEmpty else { return words(for: 0) }
    let list = values.map { Excerpt($0).words }.joined(separator: ", ")
    return "\(words(for: values.count)) \(list)"
  }
}

// MARK: - Share sheet

/// The observed properties of a share sheet destination.
package struct SheetLine: Sendable, Equatable {
  /// The name of an app or extension in the scenario, or the name of a built-in action.
  package var name: String
  /// The bundle id of the app or extension; nil for system actions.
  package var bundleID: String?
  package var visibility: Visibility
  /// The reasons for the destination's visibility, in a few words.
  package var why: String

  package enum Visibility: String, Sendable, CaseIterable {
    case shown, encrypted, hidden
  }

  package init(name: String, bundleID: String? = nil, visibility: Visibility, why: String) {
    self.name = name
    self.bundleID = bundleID
    self.visibility = visibility
    self.why = why
  }

  private var text: String {
    "`\(name)` \(visibility == .encrypted ? "shown encrypted" : visibility.rawValue) by \(why)"
  }

  /// Compares a destination of a share sheet with its expected visibility.
  ///
  /// - Parameter line: The destination; nil if the sheet has no destination `name`.
  static func compare(
    _ name: String, _ expected: String, with line: SheetLine?, among met: Set<Visibility>
  ) -> Comparison {
    Comparison(
      expected: "`\(name)` \(expected)", found: line?.text ?? "no destination `\(name)`",
      isMet: line.map { met.contains($0.visibility) } ?? false)
  }
}

extension Expectation {
  private func compareSheet(with observation: Observation) -> [Comparison] {
    func compare(
      _ names: [String], _ expected: String, among met: Set<SheetLine.Visibility>
    ) -> [Comparison] {
      names.map { name in
        let line = observation.sheet?.first { $0.name == name || $0.bundleID == name }
        return SheetLine.compare(name, expected, with: line, among: met)
      }
    }
    return compare(shown, "shown", among: [.shown, .encrypted])
      + compare(encrypted, "shown encrypted", among: [.encrypted])
      + compare(hidden, "hidden", among: [.hidden])
  }
}

// MARK: - Results

package struct Comparison: Sendable, Equatable {
  /// The expected property as a short text, such as `verdict blocked`.
  package var expected: String
  /// The observed property in the form of ``expected``, such as `verdict allowed`.
  package var found: String
  package var isMet: Bool
  /// The expectation's position in the scenario file; nil if it is not in a file.
  package var position: Position?

  package init(expected: String, found: String, isMet: Bool, at position: Position? = nil) {
    self.expected = expected
    self.found = found
    self.isMet = isMet
    self.position = position
  }

  /// The comparison as a clause, such as `expected verdict blocked, found verdict allowed`.
  package var text: String { "expected \(expected), found \(found)" }
}

/// The quotation of a text in journals and reports: a short text as a whole, or the beginning of a long text with the
/// text's length.
struct Excerpt {
  /// The maximum length of a quotation, in Unicode scalars. Scalars are counted, because one character can have any
  /// number of scalars.
  static let limit = 200

  /// The quotation, in backticks; shortened if the text exceeds ``limit``.
  let words: String

  init(_ text: String) {
    let scalars = text.unicodeScalars
    guard
      let end = scalars.index(
        scalars.startIndex, offsetBy: Self.limit, limitedBy: scalars.endIndex),
      end < scalars.endIndex
    else {
      words = "`\(text)`"
      return
    }
    words = "`\(String(scalars[..<end]))…` of \(scalars.count) characters"
  }
}

// MARK: - JSON

extension Observation {
  /// Writes the observation as one JSON object. Nil members, and the results about enrollment, tokens and configuration
  /// values, are omitted.
  package func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("verdict", verdict?.outcome.rawValue)
      writer.member("decidedBy", verdict?.deciding.rawValue)
      writer.member("end", end?.rawValue)
      writer.member("status", status)
      writer.member("exit", exit)
      writer.member("received", received)
      writer.member("identity", identity?.text)
      if let isManaged { writer.member("managed", isManaged) }
      writer.member("owner", owner?.text)
      if let isAccepted { writer.member("accepted", isAccepted) }
      if let sheet { Self.write(sheet, to: &writer) }
      if !returned.isEmpty {
        writer.array("returned", of: returned) { $1.write(to: &$0) }
      }
    }
  }

  private static func write(_ sheet: [SheetLine], to writer: inout JSONWriter) {
    writer.objects("sheet", of: sheet) { writer, line in
      writer.member("name", line.name)
      writer.member("visibility", line.visibility.rawValue)
      writer.member("why", line.why)
    }
  }
}
