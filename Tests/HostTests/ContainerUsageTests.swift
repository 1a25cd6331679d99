import Foundation
import TestSupport
import Testing

@testable import Host

/// The room that containers take, on real files.
@Suite struct ContainerUsageTests {
  private let playground: Playground
  private let folder: ContainerFolder

  init() throws {
    playground = try Playground()
    folder = try playground.folder()
  }

  private var usage: DiskUsage { folder.usage(countingUpTo: .max) }

  @Test func `an empty container takes nothing`() { #expect(usage == DiskUsage()) }

  @Test func `allocated blocks count, and no holes`() throws {
    try playground.write(String(repeating: "x", count: 100_000), to: "full")
    let full = usage
    #expect(full.files == 1)
    #expect(full.bytes >= 100_000)
    let hole = open("\(playground.container)/hole", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    #expect(ftruncate(hole, 1 << 30) == 0)
    close(hole)
    #expect(usage.files == 2)
    #expect(usage.bytes < full.bytes + (1 << 20))
  }

  @Test func `a file with two names counts once`() throws {
    try playground.write(String(repeating: "x", count: 100_000), to: "a/file")
    try FileManager.default.createDirectory(
      atPath: "\(playground.container)/b", withIntermediateDirectories: false)
    let before = usage
    #expect(link("\(playground.container)/a/file", "\(playground.container)/b/file") == 0)
    #expect(usage == before)
  }

  @Test func `a symbolic link counts, and not what it leads to`() throws {
    try playground.workspace.write(String(repeating: "x", count: 1 << 20), to: "outside/large")
    try playground.link("file", to: "../outside/large")
    try playground.link("folder", to: "../outside")
    #expect(usage.files == 2)
    #expect(usage.bytes < 1 << 20)
  }

  @Test func `nothing hides in a folder that is closed to everybody`() throws {
    try playground.write("x", to: "closed/file")
    #expect(chmod("\(playground.container)/closed", 0) == 0)
    #expect(usage.files == 2)
  }

  @Test func `folders that are too deep are told, not forgotten`() throws {
    let deep = (0...ContainerFolder.depthLimit).map { _ in "d" }.joined(separator: "/")
    try playground.write("x", to: "\(deep)/file")
    #expect(usage.unseen == 1)
  }

  @Test func `no more is counted than wanted`() throws {
    for number in 0..<20 { try playground.write("", to: "\(number % 4)/\(number)") }
    #expect(usage.files == 24)
    #expect(folder.usage(countingUpTo: 5).files == 5)
  }
}
