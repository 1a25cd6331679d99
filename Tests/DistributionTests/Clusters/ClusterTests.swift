import Foundation
import Simulation
import TestSupport
import Testing

@testable import Distribution

/// Tests the scripts that run shards, in a real shell.
@Suite struct ShardCommandTests {
  private let folder: Workspace

  init() throws { folder = try Workspace() }

  private func run(_ script: String, shard: String = "2") throws -> Int32 {
    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    shell.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    shell.arguments = [try folder.write(script, to: "script.sh"), shard]
    try shell.run()
    shell.waitUntilExit()
    return shell.terminationStatus
  }

  /// Writes a program that prints its arguments, one per line, and exits with a status.
  private func script(_ words: [String] = [], status: Int = 0) throws -> String {
    let program = try folder.write(
      "#!/bin/sh\nprintf '%s\\n' \"$@\"; exit \(status)\n", to: "it's a program")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    return try ShardCommand(program: program, ["run"] + words, shards: 4)
      .script(number: "$1", folder: "jobs/one")
  }

  @Test func `a shard's job runs sluice with the shard's options and the arguments unchanged`()
    throws
  {
    let words = [
      "it's a \"file\".yaml", "$HOME `ls` \\", "", "--seed=7", "ä\u{1F600}", "*", "--", "-x",
      // A combining mark after a quotation mark forms one character with the quotation mark.
      "'\u{301}; touch made; '\u{301}",
    ]
    #expect(try run(script(words)) == 0)
    let told = try folder.read("jobs/one/2.log")
    let part = ["run", "--shard", "2/4", "--blob", "jobs/one/2.blob"]
    #expect(told == (part + words).map { $0 + "\n" }.joined())
    #expect(!folder.has("made"))
  }

  @Test(arguments: ["a\nb", "a\rb", "a\u{2028}b", "a\u{85}b", "\u{1B}[1m", "a\0"])
  func `a cluster argument with a line break is rejected`(word: String) throws {
    #expect(throws: RunError.self) {
      try ShardCommand(program: "sluice", ["run", word], shards: 2)
    }
    let command = try ShardCommand(program: "sluice", ["run"], shards: 2)
    #expect(throws: RunError.self) { try KubernetesJob(command, image: word, claim: "c") }
  }

  @Test(arguments: [([], 2), (["up"], 2), (["run"], 0), (["run"], -5), (["run"], 10_001)])
  func `commands that cannot be sharded and invalid numbers of shards are rejected`(
    words: [String], shards: Int
  ) {
    #expect(throws: RunError.self) { try ShardCommand(program: "sluice", words, shards: shards) }
  }

  @Test func `Kubernetes manifests escape arguments against variable substitution`() throws {
    let command = try ShardCommand(program: "sluice", ["run", "$$(JOB_NAME)"], shards: 2)
    let manifest = try KubernetesJob(command, image: "a'b", claim: "'\u{301}c").manifest
    let lines = manifest.unicodeScalars.split(separator: "\n").map { String($0) }
    #expect(lines.contains { $0.contains("'$$$$(JOB_NAME)'") })
    #expect(lines.contains { $0.hasSuffix("image: 'a''b'") })
    #expect(
      lines.contains {
        $0.unicodeScalars.elementsEqual("            claimName: '''\u{301}c'".unicodeScalars)
      })
  }

  @Test(arguments: [
    "../x", "slurm-1/../..", "slurm", "slurm-", "slurm-a", "ssh-1-", "kubernetes-1", "",
    "slurm-1\n",
  ])
  func `an invalid name of a cluster job is rejected`(name: String) {
    #expect(throws: RunError.self) { try JobFolder(named: name) }
  }

  @Test(arguments: [0: 0, 1: 0, 2: 2, 70: 70])
  func `a shard's job exits with 0 for unmet expectations and passes on other statuses`(
    status: Int, left: Int
  ) throws {
    #expect(try run(script(status: status)) == Int32(left))
  }

  @Test func `a shard's job does not write through a symbolic link in place of its log file`()
    throws
  {
    let precious = try folder.write("precious", to: "precious")
    try FileManager.default.createDirectory(
      atPath: folder.path("jobs/one"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("jobs/one/2.log"), withDestinationPath: precious)
    #expect(try run(script()) == 0)
    #expect(try folder.read("precious") == "precious")
  }

  @Test func `a shard whose blob exists is not run again`() throws {
    try folder.write("", to: "jobs/one/2.blob")
    #expect(try run(script(status: 2)) == 0)
    #expect(!folder.has("jobs/one/2.log"))
  }

  @Test func `a shard exits if its job's folder cannot be created`() throws {
    try folder.write("", to: "jobs")
    #expect(try run(script()) == 73)
  }

  @Test(arguments: [
    ("slurm", ClusterTarget.slurm), ("ssh:a", .ssh(["a"])),
    ("ssh:a,user@b:22", .ssh(["a", "user@b:22"])),
    ("kubernetes", .kubernetes),
  ])
  func `a cluster executor such as slurm round-trips through its text`(
    text: String, target: ClusterTarget
  ) {
    #expect(ClusterTarget(text) == target && target.text == text)
  }

  @Test(arguments: ["", "Slurm", "ssh", "ssh:", "ssh:a,", "ssh:-oProxyCommand=x", "k8s"])
  func `an unknown cluster executor is rejected`(text: String) {
    #expect(ClusterTarget(text) == nil)
  }
}

/// Returns lines as printed by `scontrol --oneliner show job`.
@Suite struct SlurmTaskTests {
  private func task(_ fields: String) -> SlurmTask {
    SlurmTask(Substring("JobId=18 ArrayJobId=17 \(fields) UserId=root(0) GroupId=root(0)"))
  }

  @Test(arguments: [
    ("ArrayTaskId=3", [3]), ("ArrayTaskId=2-4", [2, 3, 4]),
    ("ArrayTaskId=1,3-5,9%2", [1, 3, 4, 5, 9]),
    ("Priority=4", []), ("ArrayTaskId=N/A", []), ("ArrayTaskId=5-2", []),
  ])
  func `array task numbers are read from a Slurm status line with one or several tasks`(
    fields: String, numbers: [Int]
  ) {
    #expect(task(fields).numbers == numbers)
  }

  @Test(arguments: [
    ("JobState=PENDING Reason=Resources", ShardState.waiting("Resources")),
    ("JobState=PENDING Reason=None", .waiting("pending")),
    ("JobState=CONFIGURING Reason=None NodeList=node1", .waiting("configuring")),
    ("JobState=RUNNING Reason=None NodeList=node2", .running("node2")),
    ("JobState=COMPLETING Reason=None NodeList=node2", .running("node2")),
    ("JobState=COMPLETED Reason=None NodeList=node2 ExitCode=0:0", .ended("on node2")),
    (
      "JobState=FAILED Reason=NonZeroExitCode NodeList=node3 ExitCode=2:0",
      .ended("with status 2 on node3")
    ),
    (
      "JobState=FAILED Reason=JobLaunchFailure NodeList=node3 ExitCode=0:9",
      .ended("by signal 9 on node3")
    ),
    (
      "JobState=FAILED Reason=JobLaunchFailure NodeList=node3 ExitCode=0:53",
      .ended("before it began on node3")
    ),
    (
      "JobState=CANCELLED Reason=Resources NodeList=(null) ExitCode=0:0",
      .ended("cancelled on no node")
    ),
    ("JobState=PENDING Reason=BeginTime NodeList= ExitCode=0:0", .waiting("BeginTime")),
    ("JobState=CANCELLED Reason=None NodeList=node3 ExitCode=0:15", .ended("cancelled on node3")),
    ("JobState=OUT_OF_MEMORY Reason=None NodeList=node3", .ended("out_of_memory on node3")),
    (
      "JobState=PENDING Reason=launch_failed_requeued_held",
      .ended("before it started: Slurm put it on hold (launch_failed_requeued_held)")
    ),
    (
      "JobState=PENDING Reason=JobHeldAdmin",
      .ended("before it started: Slurm put it on hold (JobHeldAdmin)")
    ),
  ])
  func `Slurm task states are parsed`(fields: String, state: ShardState) {
    #expect(task(fields).state == state)
  }
}
