import Foundation
import TestSupport
import Testing

@testable import Simulation

/// What `sluice run --watch` looks at.
@Suite struct WatchedFilesTests {
  private static let files = [
    "scenario.yaml", "policies/base.json", "access/protected.json", "limits.json",
    "declarations/first.json", "later/second.json", "maps/index.html", "app.lua",
  ]

  private static let scenario = """
    device: { mdm: { enrolled: true }, declarations: declarations }
    accounts: { anna: { upn: anna@contoso.com } }
    policies: { base: { file: policies } }
    configurations: { limits: { file: limits.json } }
    conditionalAccess: { protected: { file: access/protected.json } }
    servers: { maps: { host: maps.contoso.com, folder: maps } }
    apps:
      mail: { bundle: com.contoso.mail, executable: app.lua }
    steps:
      - concurrently: [{ declarations: later }]
    """

  @Test(arguments: files)
  func `a change of a file that a scenario names is noticed`(file: String) throws {
    let workspace = try Workspace()
    for name in Self.files { try workspace.write("{}", to: name) }
    try workspace.write(Self.scenario, to: "scenario.yaml")
    let paths = [workspace.path("scenario.yaml")]
    let before = WatchedFiles(of: paths)
    #expect(WatchedFiles(of: paths) == before)
    let changed = (file == "scenario.yaml" ? Self.scenario : "{}") + "\n"
    try workspace.write(changed, to: file)
    #expect(WatchedFiles(of: paths) != before)
    #expect(WatchedFiles(of: paths).changes(since: before) == [workspace.path(file)])
  }
}
