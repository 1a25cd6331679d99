import Encodings
import Foundation
import Simulation
import TestSupport
import Testing

@testable import DeviceControl

/// Compares documents with the table of methods.
struct ControlMethodTests {
  private static let names = ControlMethod.allCases.map(\.rawValue)

  private static func read(_ path: String) throws -> String {
    try String(contentsOfFile: Repository.path(path), encoding: .utf8)
  }

  @Test func `the control schema defines exactly one type of result for each method`() throws {
    let schema = try JSONReader.read(Self.read("docs/schema/control.schema.json"))
    let answers = schema["$defs"]?["answer"]?["properties"]?["result"]?["anyOf"]?.array ?? []
    let references = answers.compactMap { $0["$ref"]?.string }
    #expect(references.sorted() == Self.names.map { "#/$defs/\($0)" }.sorted())
    for name in Self.names { #expect(schema["$defs"]?[name] != nil, "\(name)") }
  }

  @Test func `the control schema lists the notifications of all methods with subscriptions`() throws
  {
    let schema = try JSONReader.read(Self.read("docs/schema/control.schema.json"))
    let names = schema["$defs"]?["notification"]?["properties"]?["method"]?["enum"]?.array ?? []
    #expect(
      Set(names.compactMap(\.string))
        == Set(ControlMethod.allCases.filter(\.row.isFollowed).map(\.rawValue)))
  }

  @Test func `the documentation of running devices lists each control method with its parameters`()
    throws
  {
    let items = try Self.read("docs/running-device.md").components(separatedBy: "\n- ")
      .map { $0.components(separatedBy: "\n\n")[0] }
    for method in ControlMethod.allCases where method != .step {
      let name = "`\(method.rawValue)`"
      let item = try #require(
        items.first {
          $0.hasPrefix("Without parameters: ") && $0.contains(name)
            || $0.prefix { $0 != ":" }.components(separatedBy: ", ").contains(name)
        }, "\(method)")
      #expect(item.hasPrefix("Without parameters: ") == method.row.parameters.isEmpty, "\(method)")
      for parameter in method.row.parameters {
        #expect(item.contains("`\(parameter)`"), "\(method) \(parameter)")
      }
    }
  }

  @Test func `control methods have a description and distinct parameters`() throws {
    for method in ControlMethod.allCases {
      #expect(!method.row.text.isEmpty && method.row.text.first?.isUppercase == false)
      #expect(Set(method.row.parameters).count == method.row.parameters.count)
    }
    #expect(ControlMethod.journal.row.parameters == ControlMethod.events.row.parameters)
  }

  /// Such a step could never be called.
  @Test func `no scenario step has the name of a control method`() throws {
    let schema = try JSONReader.read(Self.read("docs/schema/scenario.schema.json"))
    let steps = schema["$defs"]?["step"]?["properties"]?.members?.map(\.name) ?? []
    #expect(steps.count > 50)
    #expect(Set(steps).isDisjoint(with: Self.names))
  }
}

/// Tests the queued steps of clients in memory.
struct StepQueueTests {
  private let queue = StepQueue()
  private let requester = MemoryRequester()

  @Test func `steps of clients run in order of their requests`() throws {
    let jobs = try ["launch", "share", "wait"].map { try requester.job($0) }
    for job in jobs { queue.append(job) }
    #expect(queue.count == 3)
    for job in jobs { #expect(queue.next() === job) }
    #expect(queue.isEmpty)
    #expect(queue.next() == nil)
  }

  @Test func `the step queue is busy during a step, and counts failed steps`() throws {
    #expect(queue.begun == 0 && !queue.isBusy)
    try queue.carryOut { number in #expect(number == 1 && queue.isBusy) }
    #expect(!queue.isBusy)
    #expect(throws: ControlError(.internal, "no")) {
      try queue.carryOut { (_) throws(ControlError) in throw ControlError(.internal, "no") }
    }
    #expect(queue.begun == 2 && !queue.isBusy)
  }

  @Test func `queued steps of disconnected clients do not start`() throws {
    let other = MemoryRequester()
    for requester in [requester, other, requester] { queue.append(try requester.job()) }
    requester.isGone = true
    queue.dropAbandoned()
    #expect(queue.count == 1)
    #expect(requester.codes == [-32001, -32001])
    #expect(requester.answeredCount == 2)
    #expect(other.answers.isEmpty)
  }

  @Test func `a waiting step of a disconnected client is dropped with an error`() throws {
    queue.append(try requester.job())
    requester.isGone = true
    #expect(queue.next() == nil)
    #expect(queue.isEmpty)
    #expect(requester.codes == [-32001])
    #expect(queue.begun == 0)
  }

  @Test func `a queued step without a request id starts after its client disconnects`() throws {
    queue.append(try requester.job(id: nil))
    requester.isGone = true
    queue.dropAbandoned()
    #expect(queue.next() != nil)
  }

  @Test func `at shutdown, waiting steps are rejected and counted`() throws {
    for _ in 0..<3 { queue.append(try requester.job()) }
    _ = queue.next()
    #expect(queue.end(ControlError(.unable, "it is late")) == 2)
    #expect(queue.isEmpty)
    #expect(requester.codes == [-32002, -32002])
    #expect(requester.answers.last??["error"]?["message"]?.string == "it is late")
  }
}

/// A run that counts its interruptions.
private final class MemoryRun: Interruptible {
  var runningGuests = ["mail", "notes"]
  private(set) var interrupted = 0
  private(set) var killed = 0

  func interrupt() { interrupted += 1 }
  func killAll() { killed += 1 }
}

/// Tests how clients and signals shut down a device, without a device.
struct ShutdownTests {
  private let run = MemoryRun()
  private let requester = MemoryRequester()

  @Test func `a shutdown records the guests that were running at its start`() {
    let shutdown = Shutdown(run)
    #expect(!shutdown.hasBegun && shutdown.guests.isEmpty)
    shutdown.begin()
    run.runningGuests = []
    shutdown.begin()
    #expect(shutdown.hasBegun)
    #expect(shutdown.guests == ["mail", "notes"])
  }

  @Test func `a second signal kills all guests immediately, and a second down request does not`()
    throws
  {
    let shutdown = Shutdown(run)
    shutdown.begin(for: try requester.job("down"))
    shutdown.begin(for: try requester.job("down"))
    #expect(run.interrupted == 1 && run.killed == 0)
    shutdown.begin()
    #expect(run.interrupted == 2 && run.killed == 1)
  }

  @Test func `no step is accepted during shutdown`() throws {
    let shutdown = Shutdown(run)
    try shutdown.checkNotBegun()
    shutdown.begin()
    #expect(throws: ControlError(.ending, "the device is shutting down")) {
      try shutdown.checkNotBegun()
    }
  }

  @Test func `every client that requested the device's shutdown receives the shutdown report`()
    throws
  {
    let shutdown = Shutdown(run)
    let other = MemoryRequester()
    for requester in [requester, other] { shutdown.begin(for: try requester.job("down")) }
    #expect(requester.answers.isEmpty)
    shutdown.answer(
      DownReport(device: "iPhone", guests: shutdown.guests, killed: ["notes"], dropped: 2))
    for requester in [requester, other] {
      let result = try #require(requester.answers.first??["result"])
      #expect(result["down"]?.bool == true)
      #expect(result["guests"]?.array?.map(\.string) == ["mail", "notes"])
      #expect(result["killed"]?.array?.map(\.string) == ["notes"])
      #expect(result["dropped"]?.int == 2)
    }
  }
}

/// Tests which clients are disconnected to make room for others at a control socket.
@Suite struct ConnectionLimitTests {
  private static let start = ContinuousClock.now

  private func client(
    of process: Int32, at second: Int, hasAsked: Bool = false, isIdle: Bool = true
  ) -> ClientStanding {
    let time = Self.start + .seconds(second)
    return ClientStanding(
      process: process, hasAsked: hasAsked, isIdle: isIdle, connected: time, lastHeard: time)
  }

  @Test func `a new control client below the connection limits disconnects no other client`() {
    let clients = (0..<31).map { client(of: Int32($0), at: $0) }
    #expect(ClientRoom.leaving(for: 99, among: clients) == [])
    let silent = (0..<ClientRoom.mostSilent - 1).map { client(of: 7, at: $0) }
    #expect(ClientRoom.leaving(for: 7, among: silent) == [])
  }

  @Test func `a process with too many idle connections loses the oldest one to a new connection`() {
    var clients = (0..<ClientRoom.mostSilent).map { client(of: 7, at: 10 - $0) }
    clients.append(client(of: 8, at: 0))
    #expect(ClientRoom.leaving(for: 7, among: clients) == [ClientRoom.mostSilent - 1])
    #expect(ClientRoom.leaving(for: 8, among: clients) == [])
  }

  @Test func `control clients that have sent a request are not disconnected as idle`() {
    let clients = (0..<31).map { client(of: 7, at: $0, hasAsked: true) }
    #expect(ClientRoom.leaving(for: 7, among: clients) == [])
  }

  @Test func `at the connection limit, the process with the most connections loses one`() {
    var clients = [client(of: 1, at: 0)]
    for process in 2...5 {
      clients += (0..<7).map { client(of: Int32(process), at: 100 + $0) }
    }
    clients += (0..<3).map { client(of: 5, at: 50 + $0, hasAsked: true) }
    #expect(clients.count == ClientRoom.mostClients)
    // Process 5 has ten clients.
    #expect(ClientRoom.leaving(for: 6, among: clients) == [22])
  }

  @Test func `at the connection limit, control clients that wait for an answer stay connected`() {
    var clients = (0..<32).map { client(of: Int32($0), at: $0, hasAsked: true, isIdle: false) }
    #expect(ClientRoom.leaving(for: 99, among: clients) == [])
    clients[17].isIdle = true
    clients[30].isIdle = true
    #expect(ClientRoom.leaving(for: 99, among: clients) == [17])
    clients[30].hasAsked = false
    #expect(ClientRoom.leaving(for: 99, among: clients) == [30])
  }

  @Test func `a control client that sends no request within the time limit is disconnected`() {
    let clients = [
      client(of: 1, at: 0), client(of: 1, at: 1), client(of: 1, at: 0, hasAsked: true),
    ]
    let end = Self.start + ClientRoom.patience
    #expect(ClientRoom.overdue(among: clients, at: end - .seconds(1)) == [])
    #expect(ClientRoom.overdue(among: clients, at: end) == [0])
    #expect(ClientRoom.overdue(among: clients, at: end + .seconds(1)) == [0, 1])
  }
}

/// Tests the folders that are searched for control sockets.
@Suite struct SocketFoldersTests {
  private let workspace: Workspace
  private let user = geteuid()

  init() throws { workspace = try Workspace() }

  private func folders(_ environment: [String: String]) -> SocketFolders {
    SocketFolders(environment: environment, user: user, sessions: workspace.path("user"))
  }

  private func makeSession(_ mode: Int) throws {
    try FileManager.default.createDirectory(
      atPath: workspace.path("user/\(user)"), withIntermediateDirectories: true,
      attributes: [.posixPermissions: mode])
  }

  @Test func `control sockets are searched for in XDG_RUNTIME_DIR first and in TMPDIR last`() {
    #expect(
      folders(["XDG_RUNTIME_DIR": "/run/mine", "TMPDIR": "/scratch/"]).paths == [
        "/run/mine/sluice", "/scratch/sluice-\(user)",
      ])
  }

  @Test(arguments: [[:], ["XDG_RUNTIME_DIR": ""], ["XDG_RUNTIME_DIR": "run", "TMPDIR": "tmp"]])
  func `without a runtime directory, control sockets are in the temporary directory`(
    environment: [String: String]
  ) {
    #expect(folders(environment).paths == ["/tmp/sluice-\(user)"])
  }

  @Test
  func `without XDG_RUNTIME_DIR, a private session directory holds the control sockets`()
    throws
  {
    try makeSession(0o700)
    #expect(folders([:]).paths.first == workspace.path("user/\(user)/sluice"))
    #expect(chmod(workspace.path("user/\(user)"), 0o755) == 0)
    #expect(folders([:]).paths == ["/tmp/sluice-\(user)"])
  }

  @Test func `a missing socket directory is created with mode 0700`() throws {
    let folders = folders(["TMPDIR": workspace.path])
    try folders.make(folders.paths[0])
    var status = stat()
    #expect(lstat(folders.paths[0], &status) == 0)
    #expect(status.st_mode == S_IFDIR | 0o700)
  }

  @Test(arguments: ["open", "link"])
  func `a socket directory that others can access, or that is a link, is rejected`(kind: String)
    throws
  {
    let folders = folders(["TMPDIR": workspace.path])
    let real = kind == "link" ? workspace.path("elsewhere") : folders.replacement
    try FileManager.default.createDirectory(atPath: real, withIntermediateDirectories: true)
    #expect(chmod(real, kind == "link" ? 0o700 : 0o755) == 0)
    if kind == "link" { #expect(symlink(real, folders.replacement) == 0) }
    try workspace.write("", to: "elsewhere/x.sock")
    let error = #expect(throws: RunError.self) { try folders.make(folders.replacement) }
    #expect(error?.description.contains("must belong to you and be accessible to you only") == true)
    #expect(folders.sockets.isEmpty)
  }
}

/// A client without a connection. It keeps its answers.
final class MemoryRequester: ControlRequester {
  var isGone = false
  var isClosed: Bool { isGone }
  var follower: JournalFollower?
  /// The answers in order of arrival; nil for an answer without a waiting client.
  private(set) var answers: [JSONValue?] = []
  private(set) var answeredCount = 0

  func didAnswer() { answeredCount += 1 }

  /// Creates a request.
  ///
  /// - Parameter id: The request's id; nil for a notification, which gets no answer.
  func job(_ method: String = "launch", id: Int? = 1) throws -> ControlJob {
    let name = id.map { #""id":\#($0),"# } ?? ""
    let text = #"{"jsonrpc":"2.0",\#(name)"method":"\#(method)"}"#
    guard case .one(let request) = ControlRequest.read(Array(text.utf8)) else {
      throw ControlError(.invalidRequest, "no single request")
    }
    do {
      return ControlJob(try request.get(), of: self) { [weak self] answer in
        self?.answers.append(answer.flatMap { try? JSONReader.read($0) })
      }
    } catch {
      throw error.error
    }
  }

  /// The codes of the errors among the answers.
  var codes: [Int?] { answers.map { $0?["error"]?["code"]?.int } }
}
