import Model
@testable import Policy
import Testing

struct SignInTests {
  static let allowed = AllowedAccounts(
    allowedAccountsOnly: "Enabled", upn: "Anna@Contoso.com", objectID: "A-1")

  @Test func `an account restriction applies only if it is enabled and names an account`() {
    #expect(AllowedAccounts(allowedAccountsOnly: nil, upn: "a@b.c", objectID: nil) == nil)
    #expect(AllowedAccounts(allowedAccountsOnly: "Disabled", upn: "a@b.c", objectID: nil) == nil)
    #expect(AllowedAccounts(allowedAccountsOnly: "Enabled", upn: nil, objectID: "") == nil)
    #expect(AllowedAccounts(allowedAccountsOnly: "enabled", upn: "a@b.c", objectID: "") != nil)
  }

  @Test func `an allowed account may be configured by object id without a UPN`() throws {
    let allowed = try #require(
      AllowedAccounts(allowedAccountsOnly: "Enabled", upn: nil, objectID: "A-1"))
    #expect(allowed.allows(Account(upn: "anna@contoso.com", objectID: "a-1")))
    #expect(!allowed.allows(Account(upn: "anna@contoso.com")))
    #expect(allowed.name == "A-1")
    let user = try #require(EnrolledUser(upn: "", objectID: "A-1"))
    #expect(user.upn == nil && user.objectID == "A-1")
    #expect(EnrolledUser(upn: "", objectID: nil) == nil)
  }

  @Test(
    arguments: [
      (Account(upn: "ANNA@contoso.COM"), true), (Account(upn: "bob@contoso.com"), false),
      (Account(upn: "renamed@contoso.com", objectID: "a-1"), true),
      (Account(upn: "anna@contoso.com", objectID: "other"), false),
    ])
  func `accounts are compared by object id, then by UPN, ignoring case`(
    account: Account, isAllowed: Bool
  ) {
    let request = SignInRequest(account: account, isManaged: true, allowed: Self.allowed)
    let verdict = evaluateSignIn(request)
    #expect(
      verdict.words == [isAllowed ? "accountAllowed(device)" : "accountNotAllowed(device)"])
    #expect((verdict.outcome == .allowed) == isAllowed)
  }

  @Test func `the message for a mismatched sign-in names the allowed and entered accounts`() throws
  {
    #expect(
      try #require(Self.allowed).mismatch(entered: Fixtures.bob)
        == "the app's configuration allows only `Anna@Contoso.com`, but the entered account is `bob@contoso.com`"
    )
  }

  /// A sign-in of Bob on a device with a user that MDM states.
  struct Managed: CustomTestStringConvertible {
    var name: String
    var upn: String?
    var objectID: String?
    var account = Fixtures.bob
    var isManaged = true
    var asks = false
    var takesSeveral = false
    var there: [Account] = []
    var rules: [Rule] = [.noAccountRestriction]

    var testDescription: String { name }
  }

  static let managed = [
    Managed(
      name: "another account is not enrolled", upn: "anna@contoso.com",
      rules: [.noAccountRestriction, .notEnrolledUser]),
    Managed(
      name: "an account with another object id is not enrolled", upn: "bob@contoso.com",
      objectID: "B-2",
      account: Account(upn: "bob@contoso.com", objectID: "B-1"),
      rules: [.noAccountRestriction, .notEnrolledUser]),
    Managed(
      name: "the object id alone names the user", objectID: "b-1",
      account: Account(upn: "renamed@contoso.com", objectID: "B-1")),
    Managed(name: "the enrolled user signs in, ignoring case", upn: "BOB@contoso.com"),
    Managed(
      name: "the enrolled user replaces another account", upn: "bob@contoso.com",
      there: [Fixtures.anna], rules: [.noAccountRestriction, .enrolledUserFirst]),
    Managed(
      name: "an app with several managed accounts also accepts other accounts",
      upn: "anna@contoso.com",
      takesSeveral: true, there: [Fixtures.anna]),
    Managed(
      name: "an account without policy may sign in", upn: "anna@contoso.com", isManaged: false,
      there: [Fixtures.anna]),
    Managed(
      name: "an account without a policy is not enrolled, even if the app asks",
      upn: "anna@contoso.com",
      isManaged: false, asks: true, rules: [.noAccountRestriction, .notEnrolledUser]),
    Managed(name: "a configuration without a user has no effect", upn: ""),
    Managed(
      name: "without the user's name, the first account stays", there: [Fixtures.anna],
      rules: [.noAccountRestriction, .singleManagedAccount]),
  ]

  @Test(arguments: managed)
  func `on a managed device, only the device's user can be enrolled`(row: Managed) {
    let verdict = evaluateSignIn(
      SignInRequest(
        account: row.account, isManaged: row.isManaged, managedAccounts: row.there,
        allowsSeveralManagedAccounts: row.takesSeveral,
        enrolledUser: EnrolledUser(upn: row.upn, objectID: row.objectID),
        asksForEnrollment: row.asks))
    #expect(verdict.reasons.map(\.rule) == row.rules)
    let isRefused = row.rules.contains { [.notEnrolledUser, .singleManagedAccount].contains($0) }
    #expect((verdict.outcome == .blocked) == isRefused)
    let status: EnrollmentStatus? =
      row.rules.contains(.notEnrolledUser)
      ? .mdmEnrolledDifferentUser : isRefused ? .singleManagedAccountMode : nil
    #expect(SignInRequest.status(of: verdict) == status)
  }

  @Test func `a rejected sign-in has the SDK's enrollment status`() {
    let verdict = evaluateSignIn(
      SignInRequest(
        account: Fixtures.bob, isManaged: true, allowed: Self.allowed,
        enrolledUser: EnrolledUser(upn: "anna@contoso.com", objectID: nil)))
    #expect(verdict.words == ["accountNotAllowed(device)", "notEnrolledUser(device)"])
    #expect(SignInRequest.status(of: verdict) == .mdmEnrolledDifferentUser)
  }

  @Test(
    arguments: [
      (true, [Fixtures.anna], false, false), (true, [Fixtures.bob], false, true),
      (true, [], false, true), (false, [Fixtures.anna], false, true),
      (true, [Fixtures.anna], true, true),
    ])
  func `an app accepts a second managed account only if it allows several`(
    isManaged: Bool, there: [Account], takesSeveral: Bool, isAllowed: Bool
  ) {
    let verdict = evaluateSignIn(
      SignInRequest(
        account: Fixtures.bob, isManaged: isManaged, managedAccounts: there,
        allowsSeveralManagedAccounts: takesSeveral))
    #expect((verdict.outcome == .allowed) == isAllowed)
    #expect(verdict.reasons.first?.rule == .noAccountRestriction)
    if !isAllowed { #expect(verdict.deciding.rule == .singleManagedAccount) }
  }
}
