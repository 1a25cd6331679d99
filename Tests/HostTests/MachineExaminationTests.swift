import Encodings
import EventLoop
import Glibc
import Testing

@testable import Host

/// Tests the findings about a machine, computed from facts.
@Suite struct MachineExaminationTests {
  /// A machine without one facility, and the expected finding.
  struct Lack: Sendable, CustomTestStringConvertible {
    let promise: MachinePromise
    let state: PromiseFinding.State
    /// The first words of the finding.
    let finding: String
    /// A part of the proposed change; nil if there is none.
    let change: String?
    let adjust: @Sendable (inout MachineFacts) -> Void

    init(
      _ promise: MachinePromise, _ state: PromiseFinding.State, _ finding: String,
      change: String?, _ adjust: @escaping @Sendable (inout MachineFacts) -> Void
    ) {
      self.promise = promise
      self.state = state
      self.finding = finding
      self.change = change
      self.adjust = adjust
    }

    var testDescription: String { "\(promise): \(finding)" }
  }

  private static func examination(
    _ adjust: (inout MachineFacts) -> Void = { _ in }
  ) -> MachineExamination {
    var facts = MachineFacts()
    adjust(&facts)
    return MachineExamination(facts, guests: 10_000)
  }

  @Test func `sluice doctor reports every guarantee as kept if no mechanism is missing`() {
    let examination = Self.examination()
    #expect(examination.isComplete)
    #expect(examination.findings.map(\.promise) == MachinePromise.allCases)
    for finding in examination.findings {
      #expect(finding.change == nil)
      #expect(finding.state == .kept)
      #expect(finding.open == nil)
      // No finding about a missing facility is present.
      #expect(!Self.lacks.contains { finding.finding.hasPrefix($0.finding) })
    }
  }

  @Test(arguments: lacks)
  func `a missing confinement mechanism of the machine is reported with its remedy`(lack: Lack)
    throws
  {
    let examination = Self.examination(lack.adjust)
    let found = try #require(examination.findings.first { $0.promise == lack.promise })
    #expect(found.state == lack.state)
    #expect(found.finding.hasPrefix(lack.finding), "\(found.finding)")
    #expect(found.open?.isEmpty == false)
    if let change = lack.change {
      #expect(found.change?.contains(change) == true, "\(found.change ?? "nothing")")
    } else {
      #expect(found.change == nil)
    }
    #expect(examination.isComplete == (lack.state == .unused))
  }

  private static let lacks = confinement + namespaces + numbers

  private static let confinement: [Lack] = [
    Lack(.files, .not, "this kernel has no Landlock", change: "6.12") {
      $0.landlockABI = Int(-ENOSYS)
    },
    Lack(.files, .not, "Landlock is not enabled", change: "lsm=") {
      $0.landlockABI = Int(-EOPNOTSUPP)
    },
    Lack(.files, .partly, "Landlock ABI 2: files, moving between folders", change: "6.12") {
      $0.landlockABI = 2
    },
    Lack(.files, .partly, "Landlock ABI 5: ", change: "6.12") { $0.landlockABI = 5 },
    Lack(.systemCalls, .not, "this kernel has no seccomp", change: "CONFIG_SECCOMP_FILTER") {
      $0.filtersCalls = false
    },
    Lack(.limits, .not, "sluice-launch: cannot limit", change: "setrlimit") {
      $0.limitFailure = "sluice-launch: cannot limit its resources: Operation not permitted"
    },
    Lack(.controlGroups, .unused, "no control groups of version 2", change: "unified_cgroup") {
      $0.controlGroup = .absent
    },
    Lack(
      .controlGroups, .unused, "version 2, but `/a` lacks the controllers pids",
      change: "unified_cgroup"
    ) {
      $0.controlGroup = .lacking(controllers: ["pids"], folder: "/a")
    },
    Lack(.controlGroups, .unused, "version 2, but `/a` is not delegated", change: "Delegate=yes") {
      $0.controlGroup = .foreign(folder: "/a")
    },
    Lack(.controlGroups, .unused, "version 2, but other processes are", change: "Delegate=yes") {
      $0.controlGroup = .crowded(folder: "/a")
    },
    Lack(.hostMemory, .not, "the host cannot hide its memory", change: "prctl") {
      $0.guardRefusal = EPERM
    },
  ]

  private static let namespaces: [Lack] = [
    Lack(.network, .not, "user namespaces are forbidden", change: "user.max_user_namespaces=") {
      $0.promises = []
      $0.refusal = ENOSPC
      $0.settings = ["user.max_user_namespaces": 0]
    },
    Lack(
      .processes, .not, "unprivileged users may not create user namespaces: `kernel.unprivileged_",
      change: "kernel.unprivileged_userns_clone=1"
    ) {
      $0.promises = []
      $0.refusal = EPERM
      $0.settings = ["kernel.unprivileged_userns_clone": 0]
    },
    Lack(
      .execution, .not, "AppArmor", change: "kernel.apparmor_restrict_unprivileged_userns=0"
    ) {
      $0.promises = []
      $0.settings = ["kernel.apparmor_restrict_unprivileged_userns": 1]
    },
    Lack(.view, .not, "a system call filter is active", change: "seccomp=unconfined") {
      $0.promises = []
      $0.refusal = EPERM
      $0.isFiltered = true
    },
    Lack(.network, .not, "this kernel has no user or network", change: "CONFIG_USER_NS") {
      $0.promises = []
      $0.refusal = EINVAL
    },
    Lack(.network, .not, "the kernel refuses namespaces", change: "chroot") {
      $0.promises = []
      $0.refusal = EPERM
    },
    Lack(.network, .not, "user namespaces can be created", change: "profile") {
      $0.promises = []
    },
    Lack(.processes, .not, "namespaces of this kind", change: "user.max_pid_namespaces=") {
      $0.promises.remove(.processes)
      $0.settings = ["user.max_pid_namespaces": 0]
    },
    Lack(.processes, .not, "the kernel refuses PID and IPC", change: "CONFIG_PID_NS") {
      $0.promises.remove(.processes)
    },
    Lack(.execution, .not, "the device's folder cannot be mounted", change: "5.12") {
      $0.promises.subtract([.execution, .mounts])
    },
    Lack(.view, .not, "guests cannot have a /proc of their own", change: "systempaths") {
      $0.promises.remove(.mounts)
    },
  ]

  private static let numbers: [Lack] = [
    Lack(.programs, .not, "cannot find", change: "`make`") {
      $0.promises = []
      $0.programFailures = ["cannot find the executable `sluice-guest`"]
    },
    Lack(.network, .not, "not tested", change: "programs") {
      $0.promises = []
      $0.programFailures = ["cannot find the executable `sluice-guest`"]
    },
    Lack(.programs, .partly, "`sluice-server` is not", change: "`make tls`") {
      $0.server = .failing("`sluice-server` is not an executable file")
    },
    Lack(
      .descriptors, .partly, "a process may open 1024 descriptors, enough for about 928",
      change: "10096"
    ) {
      $0.descriptors = 1024
    },
    Lack(.descriptors, .not, "a process may open 64 descriptors", change: "LimitNOFILE=") {
      $0.descriptors = 64
    },
    Lack(.processNumbers, .partly, "`kernel.pid_max` is 4096", change: "kernel.pid_max=20000") {
      $0.settings = ["kernel.pid_max": 4096, "kernel.threads-max": 100_000]
    },
    Lack(.processNumbers, .partly, "the user may have 5000", change: "ulimit -Hu") {
      $0.processes = 5000
    },
    Lack(.processNumbers, .partly, "a control group may have 512", change: "TasksMax=") {
      $0.tasks = 512
    },
    Lack(.memory, .partly, "2048 MiB are available", change: "more memory") {
      $0.memory = 2 << 30
    },
  ]

  @Test func `Landlock confinement grows with the ABI, and is complete from ABI 6`() {
    var gaps = Int.max
    for abi in 0...12 {
      let files = Self.examination { $0.landlockABI = abi }.findings[0]
      let count = files.open?.split(separator: ",").count ?? 0
      #expect(count <= gaps)
      #expect((files.state == .kept) == (abi >= 6))
      gaps = count
    }
  }

  @Test func `missing confinement is summarised in one sentence`() {
    #expect(Zygote.Promises.all.lack == nil)
    let lacking: Zygote.Promises = [.network, .execution]
    #expect(
      lacking.lack
        == "guests are only partly confined; missing: PID and IPC namespaces, own view and /proc; "
        + "`sluice doctor` shows the reasons and remedies")
  }
}

extension RealProcesses {
  /// Tests the findings about this machine.
  @Suite struct MachineProbeTests {
    private static func facts(guest: String = "sluice-guest") -> MachineFacts {
      MachineProbe(
        .init(guest: "\(Lab.programs)/\(guest)", launch: "\(Lab.programs)/sluice-launch")
      ).facts()
    }

    @Test func `the JSON of doctor agrees with the confinement of guests`() throws {
      let examination = MachineExamination(Self.facts(), guests: 1)
      let json = try JSONReader.read(JSONWriter.line { examination.write(to: &$0) })
      let promises = json["promises"]?.array ?? []
      func isKept(_ promise: MachinePromise) -> Bool {
        promises.first { $0["name"]?.string == promise.rawValue }?["state"]?.string == "kept"
      }
      #expect(promises.compactMap { $0["name"]?.string } == MachinePromise.allCases.map(\.rawValue))
      #expect(isKept(.files) == Lab.canConfineFully)
      for promise in MachinePromise.allCases {
        guard let guarantee = promise.guarantee else { continue }
        #expect(isKept(promise) == Lab.promises.contains(guarantee), "\(promise)")
      }
      // Without these promises, no other test would pass.
      for promise in [MachinePromise.limits, .hostMemory, .descriptors, .memory] {
        #expect(isKept(promise), "\(promise)")
      }
    }

    @Test func `without the guest program, four guarantees are reported as not tested`() {
      let facts = Self.facts(guest: "no-guest")
      #expect(facts.programFailures.count == 1)
      #expect(facts.promises == [])
      let examination = MachineExamination(facts, guests: 1)
      #expect(!examination.isComplete)
      #expect(examination.findings.filter { $0.finding.hasPrefix("not tested") }.count == 4)
    }
  }
}
