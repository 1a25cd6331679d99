internal import Encodings
internal import GraphDocuments
internal import Model
internal import Output
internal import PageServer
internal import Policy
internal import Synchronization

/// Answers the requests of the pages that show the same workbench.
final class StudioSession: Sendable {
  let workbench: Mutex<Workbench>
  private let read: @Sendable (String) -> [UInt8]?
  /// The device that checks answers; nil if there is none.
  let device: StudioDevice?

  /// Creates a session.
  ///
  /// - Parameter read: Returns the content of a policy file; nil if it cannot be read.
  init(
    _ workbench: Workbench, on device: StudioDevice? = nil,
    reading read: @escaping @Sendable (String) -> [UInt8]?
  ) {
    var workbench = workbench
    workbench.tries = device.map { Tries(device: $0.name) }
    self.workbench = Mutex(workbench)
    self.device = device
    self.read = read
  }

  /// The error for a request that the page never makes.
  struct BadRequest: Error {}

  /// A request that cannot be carried out, with a message for the administrator.
  struct Refusal: Error {
    let message: String
    var kind = Kind.other

    enum Kind: String {
      /// The control's value is invalid for its setting.
      case value
      case changedOnDisk
      case other
    }
  }

  /// A kind of request, identified by its path.
  private struct Request: Sendable {
    var path: String
    var answer: @Sendable (inout Workbench, Workbench.PolicyIndex, JSONValue) throws -> String
  }

  var routes: [PageRoute] {
    requests.map { request in
      PageRoute(.post, request.path) { [self] received in
        if let text = answer(request, received.body) {
          received.answer(text)
        } else {
          received.refuse(.badRequest)
        }
      }
    } + deviceRoutes
  }

  private var requests: [Request] {
    [
      route("state") { _, _, _ in },
      route("change") { workbench, policy, body throws in
        workbench.change(policy, try Self.edit(body))
      },
      route("undo") { workbench, policy, _ in workbench.undo(policy) },
      route("redo") { workbench, policy, _ in workbench.redo(policy) },
      route("pin") { workbench, policy, body throws in
        let outcome = body["outcome"]?.string.flatMap(Outcome.init(rawValue:))
        guard body["outcome"] == nil || outcome != nil,
          workbench.toggleGoal(try Self.cell(body), of: policy, wanting: outcome)
        else { throw BadRequest() }
      },
      route("pinColumn") { workbench, policy, body throws in
        guard let section = body["section"]?.int, let column = body["column"]?.int,
          let outcome = body["outcome"]?.string.flatMap(Outcome.init(rawValue:)),
          workbench.pinColumn(column, ofSection: section, of: policy, wanting: outcome)
        else { throw BadRequest() }
      },
      route("want") { workbench, _, body throws in
        guard let outcome = body["outcome"]?.string.flatMap(Outcome.init(rawValue:)),
          workbench.want(outcome, of: try Self.goals(body))
        else { throw BadRequest() }
      },
      route("unpin") { workbench, _, body throws in
        guard workbench.removeGoals(try Self.goals(body)) else { throw BadRequest() }
      },
      route("save") { [read] workbench, policy, _ throws in
        do throws(PolicyDraft.SaveError) {
          try workbench.save(policy, reading: read)
        } catch {
          let kind: Refusal.Kind = if case .changedOnDisk = error { .changedOnDisk } else { .other }
          throw Refusal(message: error.description, kind: kind)
        }
      },
      moving("merge") { [read] workbench, policy, _ throws in
        let file = workbench.document(policy).file
        guard let bytes = read(file) else {
          throw Refusal(message: PolicyDraft.SaveError.missing(file).description)
        }
        do throws(PolicyDraft.MergeError) {
          return try workbench.merge(policy, bytes)
        } catch {
          throw Refusal(message: error.description)
        }
      },
      route("resolve") { workbench, policy, body throws in
        guard let title = body["line"]?.string,
          let resolution = body["keep"]?.string.flatMap(Workbench.Resolution.init(rawValue:)),
          workbench.resolve(title, of: policy, with: resolution)
        else { throw BadRequest() }
      },
      route("reload") { [read] workbench, policy, _ throws in
        let file = workbench.document(policy).file
        guard let bytes = read(file) else {
          throw Refusal(message: PolicyDraft.SaveError.missing(file).description)
        }
        do throws(PolicyErrors) {
          try workbench.reload(policy, bytes)
        } catch {
          throw Refusal(message: error.description)
        }
      },
      question("disk") { [read] workbench, policy, _ in
        let draft = workbench.drafts[policy.draft]
        let present = read(draft.file)
        return JSONWriter.objectLine { writer in
          writer.member("file", draft.file)
          writer.member(
            "disk", present == nil ? "missing" : present == draft.saved ? "same" : "changed")
        }
      },
      question("counts") { workbench, policy, _ in workbench.counts(policy) },
      question("page") { workbench, policy, body throws in
        guard let other = body["other"]?.int,
          let page = workbench.comparisonPage(of: policy, with: other)
        else { throw BadRequest() }
        return page
      },
      question("scenario") { [read] workbench, policy, _ throws in
        try Self.writeScenarios(of: workbench, policy, reading: read)
      },
      question("explain") { workbench, policy, body throws in
        guard let text = workbench.explanation(of: try Self.cell(body), in: policy) else {
          throw BadRequest()
        }
        return text
      },
      question("solve") { workbench, policy, _ in workbench.solutions(for: policy) },
      question("difference") { workbench, policy, _ in workbench.difference(policy) },
    ]
  }

  // MARK: Requests

  /// Returns a kind of request that changes the workbench. Its answer is the workbench's state.
  private func route(
    _ path: String,
    _ change: @escaping @Sendable (inout Workbench, Workbench.PolicyIndex, JSONValue) throws -> Void
  ) -> Request {
    moving(path) { workbench, policy, body throws in
      try change(&workbench, policy, body)
      // A reload can have removed the policy.
      return workbench.policies.contains(policy) ? policy : workbench.policies[0]
    }
  }

  /// Returns a kind of request that changes the workbench and can change the policy's index. Its answer is the
  /// workbench's state.
  ///
  /// - Parameter change: Returns the policy to show.
  private func moving(
    _ path: String,
    _ change:
      @escaping @Sendable (
        inout Workbench, Workbench.PolicyIndex, JSONValue
      ) throws -> Workbench.PolicyIndex
  ) -> Request {
    let needsRevision = path != "state"
    return Request(path: path) { workbench, policy, body throws in
      if needsRevision, body["revision"]?.int != workbench.revision {
        throw Refusal(message: "another page has changed the draft; this page now shows it")
      }
      let panel = try Self.panel(body)
      let shown = try change(&workbench, policy, body)
      return workbench.state(shown, showing: panel)
    }
  }

  /// Returns a kind of request that only reads the workbench. `answer` returns its answer.
  private func question(
    _ path: String,
    _ answer: @escaping @Sendable (Workbench, Workbench.PolicyIndex, JSONValue) throws -> String
  ) -> Request {
    Request(path: path) { workbench, policy, body throws in try answer(workbench, policy, body) }
  }

  /// Returns the answer to a request; nil if the page makes no such request.
  func answer(_ path: String, _ body: String) -> String? {
    let body = Array(body.utf8)
    if let request = DeviceRequest(rawValue: path) { return answer(request, body) }
    return requests.first { $0.path == path }.flatMap { answer($0, body) }
  }

  private func answer(_ request: Request, _ body: [UInt8]) -> String? {
    workbench.withLock { workbench -> String? in
      guard let body = try? JSONReader.read(body),
        let number = body["policy"]?.int, workbench.policies.indices.contains(number)
      else { return nil }
      do {
        return try request.answer(&workbench, workbench.policies[number], body)
      } catch let refusal as Refusal {
        return JSONWriter.objectLine { writer in
          writer.member("error", refusal.message)
          writer.member("kind", refusal.kind.rawValue)
        }
      } catch {
        return nil
      }
    }
  }

  private static func edit(_ body: JSONValue) throws -> SettingEdit {
    let values = body["values"]?.members?.map { member in
      Setting(rawValue: member.name).map { (setting: $0, json: member.value) }
    }
    let line = body["line"]?.string.flatMap { line in body["value"]?.string.map { (line, $0) } }
    guard line != nil || values?.allSatisfy({ $0 != nil }) == true else { throw BadRequest() }
    do throws(SettingEdit.Failure) {
      if let (line, value) = line { return try SettingEdit(line, value) }
      // Stated again from the settings, so nothing else in the values reaches the file.
      let edit = try SettingEdit((values ?? []).compactMap(\.self))
      var settings = Settings()
      edit.apply(to: &settings)
      return try SettingEdit(of: edit.values.map(\.setting), in: settings)
    } catch {
      throw Refusal(message: Wording(Settings()).text(error.message), kind: .value)
    }
  }

  /// Returns the panel that the page shows, by default the panel of answers.
  static func panel(_ body: JSONValue) throws -> PagePanel {
    guard let panel = body["panel"] else { return .answers }
    switch panel["name"]?.string {
    case "answers": return .answers
    case "goals": return .goals
    case "ways": return .ways
    case "sheet":
      guard let sender = panel["sender"]?.int, sender >= 0, let item = panel["item"]?.int,
        0..<SampleSheet.itemCount ~= item,
        let via = panel["via"]?.string.flatMap(SharingPath.init(rawValue:))
      else { throw BadRequest() }
      return .sheet(sender: sender, item: item, via: via)
    case "launch": return .launch
    case "compare":
      guard let other = panel["other"]?.int, other >= 0 else {
        throw BadRequest()
      }
      return .compare(other)
    case "users": return .users
    case "findings": return .findings
    default: throw BadRequest()  // open: a name from the page
    }
  }

  /// Writes the scenarios of a policy's goals beside its file.
  ///
  /// - Returns: The files, and the goals that scenarios cannot contain, as JSON with a final line break.
  private static func writeScenarios(
    of workbench: Workbench, _ policy: Workbench.PolicyIndex, reading read: (String) -> [UInt8]?
  ) throws -> String {
    let goals = workbench.goalFiles(policy)
    guard !goals.files.isEmpty else {
      throw Refusal(
        message: goals.omitted.isEmpty
          ? "there are no goals" : "no step of a scenario can carry out these goals")
    }
    for file in goals.files {
      guard let bytes = read(file.path) else { continue }
      guard bytes.starts(with: GoalScenario.mark.utf8) else {
        throw Refusal(
          message: "`\(file.path)` exists and was not made by the workbench; move it first")
      }
    }
    for file in goals.files {
      do throws(OutputError) {
        try OutputFile.write(Array(file.text.utf8), to: file.path)
      } catch {
        throw Refusal(message: "`\(file.path)` cannot be written: \(error)")
      }
    }
    return JSONWriter.objectLine { writer in
      writer.strings("files", goals.files.map(\.path))
      writer.strings("omitted", goals.omitted)
      writer.member("isSaved", !workbench.drafts[policy.draft].isChanged)
    }
  }

  /// Returns the numbers that identify the goals in a request.
  private static func goals(_ body: JSONValue) throws -> [Int] {
    guard let values = body["goals"]?.array else { throw BadRequest() }
    let numbers = values.compactMap(\.int)
    guard !numbers.isEmpty, numbers.count == values.count else { throw BadRequest() }
    return numbers
  }

  static func cell(_ body: JSONValue) throws -> Workbench.Cell {
    guard let section = body["section"]?.int, let row = body["row"]?.int,
      let column = body["column"]?.int,
      let state = body["state"]?.string.flatMap(ManagementState.init(rawValue:))
    else { throw BadRequest() }
    return Workbench.Cell(section: section, row: row, column: column, state: state)
  }
}

// MARK: - Difference

extension Workbench {
  /// Returns the lines that saving would change, with two lines of context on each side, as JSON with a final line
  /// break.
  package func difference(_ index: PolicyIndex) -> String {
    let draft = drafts[index.draft]
    let (old, new) = (Self.lines(of: draft.saved), Self.lines(of: draft.bytes))
    let changes = new.difference(from: old)
    var (removed, inserted): (Set<Int>, Set<Int>) = ([], [])
    for change in changes {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    var lines: [(mark: String, number: Int, text: String)] = []
    var (before, after) = (0, 0)
    while before < old.count || after < new.count {
      if removed.contains(before) {
        lines.append(("-", before + 1, old[before]))
        before += 1
      } else if inserted.contains(after) {
        lines.append(("+", after + 1, new[after]))
        after += 1
      } else {
        lines.append((" ", after + 1, new[after]))
        before += 1
        after += 1
      }
    }
    let shown = lines.indices.filter { index in
      lines[max(0, index - 2)..<min(lines.count, index + 3)].contains { $0.mark != " " }
    }
    return JSONWriter.objectLine { writer in
      writer.member("file", draft.file)
      writer.objects("lines", of: shown.map { lines[$0] }) { writer, line in
        writer.member("mark", line.mark)
        writer.member("number", line.number)
        writer.member("text", line.text)
      }
    }
  }

  private static func lines(of bytes: [UInt8]) -> [String] {
    let scalars = (try? TextDecoding.scalars(of: bytes)) ?? []
    return scalars.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      var view = String.UnicodeScalarView()
      view.append(contentsOf: line)
      return String(view)
    }
  }
}
