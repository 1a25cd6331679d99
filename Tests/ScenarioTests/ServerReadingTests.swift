@testable import Scenario
import TestSupport
import Testing

/// Tests a scenario's servers, and the guests that may connect to them.
@Suite struct ServerReadingTests {
  private func message(_ text: String) -> String? {
    ScenarioReadingTests.mistake(in: text)?.description
  }

  @Test func `omitted keys of a server have defaults`() throws {
    let scenario = try Scenario.read(
      """
      device: { time: now }
      servers:
        maps: { host: Maps.Contoso.com, folder: files }
        tiles: { host: maps.contoso.com, port: 8443, folder: ., clientCertificate: none, tls: "1.2" }
      apps: { viewer: { bundle: org.example.viewer, executable: viewer, servers: [maps] } }
      steps: [{ served: maps }]
      """, file: "test.yaml")
    #expect(scenario.device.beginsNow)
    let maps = try #require(scenario.servers.first)
    #expect((maps.name, maps.host, maps.port) == ("maps", "maps.contoso.com", 443))
    #expect(maps.clientCertificate == .required)
    #expect(maps.version == .any)
    let tiles = try #require(scenario.servers.last)
    #expect(tiles.port == 8443)
    #expect(tiles.clientCertificate == .none)
    #expect(tiles.version == .tls12)
    #expect(scenario.apps[0].servers == ["maps"])
    #expect(scenario.cases[0].steps[0].action == .served(.init(server: "maps")))
  }

  @Test(
    arguments: table(
      """
      { folder: a }
      => 9: error: the server `maps` needs `host` [missing-key]
      { host: a.b }
      => 9: error: the server `maps` needs `folder` [missing-key]
      { host: 10.0.0.1, folder: a }
      => 17: error: `10.0.0.1` is not a host name; use letters, digits and `-` with dots between, as in
         `maps.contoso.com` [invalid-value]
      { host: a..b, folder: a }
      => 17: error: `a..b` is not a host name; use letters, digits and `-` with dots between, as in
         `maps.contoso.com` [invalid-value]
      { host: a.b, folder: a, port: 0 }
      => 39: error: `port` must be from 1 to 65535, found `0` [invalid-value]
      { host: a.b, folder: a, clientCertificates: none }
      => 33: error: the server `maps` has no key `clientCertificates`; did you mean
         `clientCertificate`? [unknown-key]
      { host: a.b, folder: a }
        more: { host: A.b, folder: c }
      => 3: error: `a.b:443` is already the address of the server `maps` [duplicate-name]
      """)) func `an invalid server is reported with its position`(server: String, message: String)
  {
    let text = "servers:\n  maps: \(server)\nsteps: [{ advance: PT1S }]"
    #expect(self.message(text)?.hasSuffix(":" + message) == true, "\(self.message(text) ?? "")")
  }

  @Test(arguments: [
    ("servers: [tiles], executable: a", "no server is called `tiles`"),
    ("servers: [maps, maps], executable: a", "`maps` is named twice"),
    ("servers: [maps]", "`servers` needs a program; add `executable` or `path`"),
  ]) func `an app with an invalid list of servers is an error`(app: String, message: String) {
    let text = """
      servers: { maps: { host: a.b, folder: c } }
      apps: { viewer: { bundle: org.example.viewer, \(app) } }
      steps: [{ served: maps }]
      """
    #expect(self.message(text)?.contains(message) == true, "\(self.message(text) ?? "")")
  }

  @Test func `a step that names an undeclared server is an error with a suggestion`() {
    let text = "servers: { maps: { host: a.b, folder: c } }\nsteps: [{ served: map }]"
    #expect(self.message(text)?.contains("no server is called `map`; did you mean `maps`?") == true)
  }
}
