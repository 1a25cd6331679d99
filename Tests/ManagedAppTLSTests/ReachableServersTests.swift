import ManagedAppTLS
import NIOCore
import NIOSSL
import TestSupport
import Testing

@Suite struct ReachableServersTests {
  /// The certificate was created by `openssl req -x509 -newkey ec -pkeyopt
  /// ec_paramgen_curve:P-256`.
  private static let trust = """
    -----BEGIN CERTIFICATE-----
    MIIBeTCCAR+gAwIBAgIUBxPXXTGC9jGYXn+x3t7j8JzYt7swCgYIKoZIzj0EAwIw
    EjEQMA4GA1UEAwwHQ29udG9zbzAeFw0yNjExMjIxMzEwNTFaFw00NjExMTcxMzEw
    NTFaMBIxEDAOBgNVBAMMB0NvbnRvc28wWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC
    AASW24FeAhrJmN9S3n9DU2rjHREd1ksEH/vlGmJZj+sIO/vIDT0KXAZciKHgxkGc
    49ZTRPg9Xa/NR1RZT1s3z1zFo1MwUTAdBgNVHQ4EFgQUnlAmSI79PKvGowbkWTrE
    Jw4irkMwHwYDVR0jBBgwFoAUnlAmSI79PKvGowbkWTrEJw4irkMwDwYDVR0TAQH/
    BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiA+zvg4Mm6Tl6puVEzUUXJR8dT/xkp/
    o1kipgsp6a/KrAIhAPlNZ8cBorP+Or57ZEdroMq8bzti98286zk88GThIELc
    -----END CERTIFICATE-----

    """

  private func servers(_ list: String?, trust: String? = Self.trust) throws -> ReachableServers {
    let workspace = try Workspace()
    var environment: [String: String] = [:]
    environment["SLUICE_SERVERS"] = list
    if let trust { environment["SLUICE_TRUST"] = try workspace.write(trust, to: "trust.pem") }
    return try ReachableServers(environment: environment)
  }

  @Test func `a reachable TLS server is found by host name and port, ignoring case`() throws {
    let servers = try servers(
      "maps.contoso.com:443=127.0.0.1:40123,maps.contoso.com:8443=127.0.0.1:40124")
    #expect(servers.address(of: "Maps.Contoso.com")?.port == 40123)
    #expect(servers.address(of: "maps.contoso.com")?.ipAddress == "127.0.0.1")
    #expect(servers.address(of: "maps.contoso.com", port: 8443)?.port == 40124)
    #expect(servers.address(of: "maps.contoso.com", port: 80) == nil)
    #expect(servers.address(of: "contoso.com") == nil)
    guard case .certificates(let roots) = servers.trustRoots else {
      Issue.record("no certificates are trusted")
      return
    }
    #expect(roots.count == 1)
  }

  @Test(arguments: [nil, "maps.contoso.com:443", "a=127.0.0.1", "a:1=127.0.0.1:x", "a=b=c:1"])
  func `an invalid list of servers in the environment is an error`(list: String?) {
    #expect(throws: ManagedTLSError.environment) { try servers(list) }
  }

  @Test func `a list of reachable servers without trusted certificates is an error`() {
    let list = "maps.contoso.com:443=127.0.0.1:40123"
    #expect(throws: ManagedTLSError.environment) { try servers(list, trust: nil) }
    #expect(throws: (any Error).self) { try servers(list, trust: "nothing") }
  }
}
