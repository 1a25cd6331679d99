import Scenario
import Simulation
import TestSupport
import Testing

@Suite struct ScenarioFilesTests {
  @Test func `what is hidden in a folder is no scenario`() throws {
    let workspace = try Workspace()
    let text = "apps: { viewer: { bundle: org.example.viewer } }\nsteps:\n  - launch: viewer\n"
    try workspace.write(text, to: "a.yaml")
    try workspace.write("version: 3", to: ".build/checkouts/b.yaml")
    try workspace.write("version: 3", to: ".c.yml")
    let scenarios = try ScenarioFiles.load([workspace.path])
    #expect(scenarios.map(\.file) == [workspace.path("a.yaml")])
  }
}
