import Model
import Policy
import Testing

/// Tests the opening of files, by owner and acting identity.
struct FileRequestTests {
  /// Returns the verdict on a file of Anna or without an owner, in words.
  private static func words(
    _ owner: Account? = Fixtures.anna, _ policy: EffectivePolicy? = Fixtures.policy(),
    isSignedIn: Bool = true, wasManaged: Bool = false, by identity: Identity = .unknown,
    begins: Bool = false
  ) -> [String] {
    evaluateFile(
      FileRequest(
        owner: Owner(account: owner, policy: policy), isOwnerSignedIn: isSignedIn,
        wasOwnerManaged: wasManaged, identity: identity, begins: begins)
    ).words
  }

  @Test func `the rule for opening a file depends on the file's owner and the acting identity`() {
    #expect(Self.words(nil, nil) == ["fileHasNoOwner(device)"])
    #expect(Self.words(Fixtures.personal, nil) == ["fileOfUnmanagedAccount(device)"])
    #expect(Self.words(isSignedIn: false) == ["fileOwnerNotSignedIn(device)"])
    #expect(
      Self.words(Fixtures.anna, nil, isSignedIn: false, wasManaged: true) == [
        "fileOwnerNotSignedIn(device)"
      ])
    #expect(Self.words(by: .account(Fixtures.anna)) == ["fileOfIdentity(device)"])
    #expect(Self.words(by: .account(Fixtures.bob)) == ["fileOfOtherIdentity(device)"])
    #expect(Self.words() == ["fileOfOtherIdentity(device)"])
  }

  @Test(arguments: Settings.Encryption.allCases)
  func `a new file is stored encrypted if its owner's policy requires encryption`(
    type: Settings.Encryption
  ) {
    let policy = Fixtures.policy { $0.appDataEncryptionType = type }
    let rule = type == .useDeviceSettings ? "fileStoredPlain" : "fileStoredEncrypted"
    #expect(
      Self.words(Fixtures.anna, policy, begins: true) == ["fileBegins(device)", "\(rule)(owner)"])
    #expect(Self.words(Fixtures.personal, nil, begins: true) == ["fileBegins(device)"])
    #expect(
      Self.words(Fixtures.anna, policy, by: .account(Fixtures.anna)) == ["fileOfIdentity(device)"])
  }
}
