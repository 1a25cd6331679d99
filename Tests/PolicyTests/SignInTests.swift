import Model
import Policy
import Testing

struct SignInTests {
  static let allowed = AllowedAccounts(
    allowedAccountsOnly: "Enabled", upn: "Anna@Contoso.com", objectID: "A-1")

  @Test func `a configuration that does not say so restricts nobody`() {
    #expect(AllowedAccounts(allowedAccountsOnly: nil, upn: "a@b.c", objectID: nil) == nil)
    #expect(AllowedAccounts(allowedAccountsOnly: "Disabled", upn: "a@b.c", objectID: nil) == nil)
    #expect(AllowedAccounts(allowedAccountsOnly: "Enabled", upn: nil, objectID: "") == nil)
    #expect(AllowedAccounts(allowedAccountsOnly: "enabled", upn: "a@b.c", objectID: "") != nil)
  }

  @Test(
    arguments: [
      (Account(upn: "ANNA@contoso.COM"), true), (Account(upn: "bob@contoso.com"), false),
      (Account(upn: "renamed@contoso.com", objectID: "a-1"), true),
      (Account(upn: "anna@contoso.com", objectID: "other"), false),
    ])
  func `accounts compare by object id, then by UPN, in any casing`(
    account: Account, isAllowed: Bool
  ) {
    let request = SignInRequest(account: account, isManaged: true, allowed: Self.allowed)
    let verdict = evaluateSignIn(request)
    #expect(
      verdict.words == [isAllowed ? "accountAllowed(device)" : "accountNotAllowed(device)"])
    #expect((verdict.outcome == .allowed) == isAllowed)
  }

  @Test func `either form of an account id is accepted`() throws {
    let allowed = try #require(Self.allowed)
    #expect(allowed.allows(accountID: "anna@contoso.com"))
    #expect(allowed.allows(accountID: "a-1"))
    #expect(!allowed.allows(accountID: ""))
  }

  @Test func `a mismatch names both accounts`() throws {
    #expect(
      try #require(Self.allowed).mismatch(entered: Fixtures.bob)
        == "the app's configuration allows `Anna@Contoso.com` only, entered was `bob@contoso.com`")
  }

  @Test(
    arguments: [
      (true, [Fixtures.anna], false, false), (true, [Fixtures.bob], false, true),
      (true, [], false, true), (false, [Fixtures.anna], false, true),
      (true, [Fixtures.anna], true, true),
    ])
  func `an app takes one managed account`(
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
