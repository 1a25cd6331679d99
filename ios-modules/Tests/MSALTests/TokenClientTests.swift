import Foundation
import Synchronization
import Testing
import UIKit

@testable import MSAL

@MainActor @Suite struct TokenClientTests {
  private let device = FakeDevice()
  private let sessions = InteractiveSessions()
  private let client: TokenClient

  init() throws {
    let configuration = MSALPublicClientApplicationConfig(clientId: "client")
    configuration.clientApplicationCapabilities = ["ProtApp"]
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("msal-\(UUID()).json")
    client = try TokenClient(
      configuration, on: device, cache: AccountCache(file: file), sessions: sessions)
  }

  /// The result of a call; nil until it completes.
  private final class Outcome: Sendable {
    private let state = Mutex<[Result<MSALResult, Failure>]>([])
    var all: [Result<MSALResult, Failure>] { state.withLock { $0 } }
    var result: MSALResult? { all.first?.success }
    var failure: Failure? { all.first?.failure }
    func take(_ result: Result<MSALResult, Failure>) { state.withLock { $0.append(result) } }
  }

  private func interactive(_ hint: String? = nil) -> MSALInteractiveTokenParameters {
    let webview = MSALWebviewParameters(authPresentationViewController: UIViewController())
    let parameters = MSALInteractiveTokenParameters(
      scopes: ["User.Read"], webviewParameters: webview)
    parameters.loginHint = hint
    return parameters
  }

  private func begin(_ parameters: MSALInteractiveTokenParameters) -> Outcome {
    let outcome = Outcome()
    client.acquireInteractively(parameters) { outcome.take($0) }
    return outcome
  }

  private func silent(_ account: MSALAccount) -> Outcome {
    let outcome = Outcome()
    let parameters = MSALSilentTokenParameters(scopes: ["api://x/y"], account: account)
    client.acquireSilently(parameters) { outcome.take($0) }
    return outcome
  }

  private func signedIn() throws -> MSALAccount {
    let outcome = begin(interactive())
    device.signIn("anna@contoso.com")
    return try #require(outcome.result).account
  }

  @Test func `an MSAL sign-in returns a token and adds the account to the app`() throws {
    let outcome = begin(interactive("anna@contoso.com"))
    #expect(outcome.all.isEmpty)
    #expect(device.hints == ["anna@contoso.com"])
    device.signIn("anna@contoso.com")
    let result = try #require(outcome.result)
    #expect(result.accessToken == Sample.token)
    #expect(result.expiresOn == Date(timeIntervalSince1970: 4600))
    #expect(result.authorizationHeader == "Bearer \(Sample.token)")
    #expect(result.tenantProfile.identifier == Sample.objectId)
    #expect(result.account.tenantProfiles == nil)
    #expect(result.authority.url.absoluteString == "https://login.microsoftonline.com/contoso.com")
    #expect(device.accounts == ["anna@contoso.com"])
    #expect(
      device.questions == [
        TokenQuestion(
          clientId: "client", capabilities: ["ProtApp"], resource: "https://graph.microsoft.com")
      ])
    let accounts = try client.accounts()
    #expect(accounts.map(\.username) == ["anna@contoso.com"])
    #expect(accounts.first?.tenantProfiles?.count == 1)
    #expect(accounts.first == result.account)
  }

  @Test func `a silent MSAL token request names the account's object id`() throws {
    let account = try signedIn()
    let result = try #require(silent(account).result)
    #expect(result.scopes == ["api://x/y"])
    #expect(device.accounts.last == Sample.objectId)
    #expect(device.questions.last?.resource == "api://x")
  }

  @Test func `a silent MSAL request for a removed account fails with interactionRequired`() throws {
    let account = try signedIn()
    try client.remove(account)
    #expect(silent(account).failure?.code == .interactionRequired)
    #expect(device.accounts.count == 1)
  }

  @Test func `the error of a token request denied by conditional access names the account`() throws
  {
    let account = try signedIn()
    device.answer(.failure(TokenRefusal(code: -50004, homeAccountId: account.identifier)))
    let failure = try #require(silent(account).failure)
    #expect(failure.code == .serverProtectionPoliciesRequired)
    #expect(failure.homeAccountId == account.identifier)
    #expect(failure.username == "anna@contoso.com")
    #expect(failure.correlationId != nil)
    #expect(try client.accounts().count == 1)
  }

  @Test func `a refused MSAL sign-in adds no account`() throws {
    device.answer(.failure(TokenRefusal(code: -50000, homeAccountId: nil)))
    let outcome = begin(interactive())
    device.signIn("anna@contoso.com")
    #expect(outcome.failure?.internalCode == .internalErrorUnexpected)
    #expect(try client.accounts().isEmpty)
  }

  @Test func `a second MSAL sign-in is rejected while the first is shown`() throws {
    let first = begin(interactive())
    let second = begin(interactive())
    #expect(second.failure?.internalCode == .internalErrorInteractiveSessionAlreadyRunning)
    #expect(device.hints.count == 1)
    device.signIn("anna@contoso.com")
    #expect(first.result != nil)
    _ = try signedIn()
  }

  @Test func `an extension cannot show a sign-in`() throws {
    let device = FakeDevice(isExtension: true)
    let client = try TokenClient(
      MSALPublicClientApplicationConfig(clientId: "client"), on: device, cache: client.cache,
      sessions: sessions)
    let outcome = Outcome()
    client.acquireInteractively(interactive()) { outcome.take($0) }
    #expect(outcome.failure?.code == .internal)
    #expect(outcome.failure?.internalCode == .internalErrorUINotSupportedInExtension)
    #expect(device.hints.isEmpty)
  }

  @Test func `a cancelled sign-in completes once`() {
    let outcome = begin(interactive())
    #expect(sessions.cancel())
    #expect(!sessions.cancel())
    #expect(outcome.failure?.code == .userCanceled)
    #expect(!device.showsSignIn)
    device.signIn("anna@contoso.com")
    #expect(outcome.all.count == 1)
    #expect(device.accounts.isEmpty)
  }

  @Test func `a sign-in that the user dismisses fails`() {
    let outcome = begin(interactive())
    device.signIn(nil)
    #expect(outcome.failure?.code == .userCanceled)
    #expect(device.accounts.isEmpty)
    // The next sign-in can begin.
    #expect(begin(interactive()).all.isEmpty)
    #expect(device.showsSignIn)
  }

  @Test func `token parameters with the wrong kind of authority are rejected`() throws {
    let parameters = interactive()
    parameters.authority = try MSALB2CAuthority(url: #require(URL(string: "https://h/tfp/t/p")))
    #expect(begin(parameters).failure?.internalCode == .internalErrorInvalidParameter)
    #expect(!device.showsSignIn)
  }

  @Test func `MSAL parameters without effect are logged`() {
    let parameters = interactive()
    parameters.domainHint = "contoso.com"
    parameters.extraQueryParameters = ["a": "b"]
    _ = begin(parameters)
    #expect(
      device.lines
        == ["extraQueryParameters", "domainHint"].map {
          "MSAL: `\($0)` is set, and has no effect on this device"
        })
  }

  @Test func `the only signed-in account is MSAL's current account`() throws {
    #expect(try client.current().account == nil)
    let account = try signedIn()
    #expect(try client.current().account == account)
    try client.remove(account)
    let (current, previous) = try client.current()
    #expect(current == nil)
    #expect(previous == account)
  }

  @Test func `asking a client with two accounts for the current account is an error`() throws {
    _ = try signedIn()
    device.answer(.success(Sample.token(of: "other", "bob@contoso.com")))
    _ = begin(interactive())
    device.signIn("bob@contoso.com")
    let failure = #expect(throws: Failure.self) { try client.current() }
    #expect(failure?.internalCode == .internalErrorAmbiguousAccount)
  }

  @Test func `an MSAL client application requires a client id`() {
    #expect(throws: Failure.self) {
      try TokenClient(
        MSALPublicClientApplicationConfig(clientId: " "), on: device, cache: client.cache,
        sessions: sessions)
    }
  }
}
