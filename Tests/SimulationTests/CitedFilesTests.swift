import Foundation
import TestSupport
import Testing

@testable import Simulation

/// The files that a page of somebody's journal may show.
@Suite struct CitedFilesTests {
  private let folder = NSTemporaryDirectory() + "cited-\(UUID().uuidString)"

  private func make() throws {
    let files = FileManager.default
    try files.createDirectory(atPath: "\(folder)/in/policies", withIntermediateDirectories: true)
    for path in ["in/policies/base.json", "in/key.pem", "out.json"] {
      try Data("{}".utf8).write(to: URL(fileURLWithPath: "\(folder)/\(path)"))
    }
    try files.createSymbolicLink(
      atPath: "\(folder)/in/link.json", withDestinationPath: "\(folder)/out.json")
    try files.createSymbolicLink(
      atPath: "\(folder)/in/secret.json", withDestinationPath: "key.pem")
    try files.createSymbolicLink(atPath: "\(folder)/in/up", withDestinationPath: "..")
    try Data("{}".utf8).write(to: URL(fileURLWithPath: "\(folder)/in/.hidden.json"))
    try files.createSymbolicLink(
      atPath: "\(folder)/in/policies/own.json", withDestinationPath: "base.json")
  }

  @Test func `of a journal's, those below one folder that are policies or scenarios`() throws {
    try make()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let files = CitedFiles(.below("\(folder)/in"))
    #expect(files.text(of: "policies/base.json") == "{}")
    #expect(files.text(of: "policies/own.json") == "{}")
    for path in [
      "../out.json", "\(folder)/out.json", "\(folder)/in/policies/base.json", "link.json",
      "key.pem",
      "policies", "policies/none.json", "policies/../../out.json", "",
      "none/../up/out.json", "up/out.json", "secret.json", ".hidden.json",
    ] {
      #expect(files.text(of: path) == nil, "\(path)")
    }
  }

  @Test func `of a run, those that it has read`() throws {
    try make()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    #expect(CitedFiles(.anywhere).text(of: "\(folder)/out.json") == "{}")
  }
}
