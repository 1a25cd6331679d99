import Activation
import Analysis
import Model
import Policy
import Testing
import UniformTypes

/// Tests each reason for which a destination is shown or hidden.
@Suite struct SheetReasonTests {
  // MARK: Copy to and open in

  @Test(
    arguments: [
      ("Copy to Notes", Cast.pdf, "shown: noRuleApplied"),
      ("Copy to Viewer", Cast.pdf, "shown: noRuleApplied"),
      ("Copy to Viewer", Cast.photo, "hidden: documentTypeNotAccepted"),
      ("Copy to Notes", Cast.text, "hidden: notAFile"),
      ("Copy to Mail", Cast.pdf, "hidden: ownApp"),
    ])
  func `"Copy to" is shown for an app whose document types accept the file`(
    destination: String, content: Sharing.Content, expected: String
  ) {
    var phone = Phone(nil, content)
    phone.apps[1].party = Cast.party("com.contoso.notes")
    #expect(phone.why(destination) == expected)
  }

  @Test func `"Copy to" is not shown for the sharing app, in any casing of its bundle id`() throws {
    var phone = Phone(nil, Cast.pdf)
    let mail = try #require(phone.apps.firstIndex { $0.name == "Mail" })
    phone.apps[mail].party = Cast.party("com.contoso.MAIL")
    #expect(phone.why("Copy to Mail") == "hidden: ownApp")
  }

  @Test func `the share sheet does not offer a copy to an app without document types`() {
    var phone = Phone(nil)
    phone.apps.append(SheetApp(name: "Game", party: Cast.party("org.example.game")))
    #expect(phone.why("Copy to Game") == "hidden: noDocumentTypes")
  }

  @Test func `"Copy to" is shown for an app only if the app accepts all shared items`() {
    #expect(Phone(nil, Cast.pdf, Cast.pdf).why("Viewer") == "shown: noRuleApplied")
    #expect(Phone(nil, Cast.pdf, Cast.photo).why("Viewer") == "hidden: documentTypeNotAccepted")
  }

  @Test func `a type declared by an app conforms to its supertypes`() {
    var phone = Phone(nil, Sharing.Content(types: ["com.contoso.memo"], fileName: "a.memo"))
    #expect(phone.why("Viewer") == "hidden: documentTypeNotAccepted")
    phone.sharing.types = TypeLibrary.system.adding([
      TypeDeclaration(
        identifier: "com.contoso.memo", conformsTo: ["com.adobe.pdf"],
        filenameExtensions: ["memo"], origin: .exported(by: "com.contoso.mail"))
    ])
    #expect(phone.why("Viewer") == "shown: noRuleApplied")
    #expect(
      Sharing.Content(fileNamed: "b.memo", in: phone.sharing.types).types == ["com.contoso.memo"])
  }

  @Test(
    arguments: [
      ("a.pdf", "com.adobe.pdf"), ("A.PDF", "com.adobe.pdf"), ("b", "public.data"),
      ("c.nobodyknows", "public.data"),
    ])
  func `the path extension of a shared file determines its type`(name: String, type: String) {
    #expect(Sharing.Content(fileNamed: name, in: .system).types == [type])
  }

  @Test func `if sending is restricted, "Open in" replaces "Copy to"`() {
    var phone = Phone(Phone.managed)
    phone.extensions = [Cast.openIn("NotesOpenIn", of: phone.app("Notes"))]
    #expect(phone.why("Copy to Notes") == "hidden: replacedByOpenIn")
    #expect(phone.why("Open in Notes") == "shown: sendManagedAppsToManaged")
    #expect(phone.why("Copy to Viewer") == "hidden: replacedByOpenIn, sendManagedAppsToUnmanaged")
    #expect(phone["Copy to Notes"].findings.last?.text.contains("`NotesOpenIn`") == true)
    #expect(phone["Copy to Viewer"].findings.last?.text.contains("the app has none") == true)
  }

  @Test(arguments: [nil, Cast.policy()])
  func `if sending is unrestricted, only "Copy to" is offered`(policy: EffectivePolicy?) {
    var phone = Phone(policy)
    phone.apps[1].party = Cast.party("com.contoso.notes")
    phone.extensions = [Cast.openIn("NotesOpenIn", of: phone.app("Notes"))]
    #expect(phone["Copy to Notes"].visibility == .shown)
    #expect(phone["Open in Notes"].why == "activationRuleFails")
    #expect(phone["Open in Notes"].findings.map(\.code).contains("sendingNotRestricted"))
  }

  @Test func `an open-in action is hidden if several files are shared`() {
    var phone = Phone(Phone.managed, Cast.pdf, Cast.pdf)
    phone.extensions = [Cast.openIn("NotesOpenIn", of: phone.app("Notes"))]
    #expect(phone.why("Open in Notes") == "hidden: activationRuleFails")
  }

  @Test func `an open-in action is reported if its app lacks the twin of its URL scheme`() {
    var phone = Phone(Phone.managed)
    phone.apps[1].schemes = ["notes"]
    phone.extensions = [Cast.openIn("NotesOpenIn", of: phone.app("Notes"))]
    #expect(phone["NotesOpenIn"].findings.map(\.code).contains("schemeTwinMissing"))
    phone.apps[1].schemes = ["notes-intunemam", "notes"]
    #expect(!phone["NotesOpenIn"].findings.map(\.code).contains("schemeTwinMissing"))
  }

  // MARK: Extensions

  @Test(
    arguments: [
      (Cast.rule("public.data"), "hidden: activationRuleFails", "twinsNotNamed"),
      (Cast.rule("com.microsoft.intune.mam.public.data"), "shown: sendManagedAppsToManaged", nil),
      (
        Cast.rule("public.data", "com.microsoft.intune.mam.public.data"),
        "shown: sendManagedAppsToManaged", nil
      ),
      (Cast.rule("public.image"), "hidden: activationRuleFails", nil),
      (Cast.predicate("TRUEPREDICATE"), "shown: sendManagedAppsToManaged", nil),
      (nil, "hidden: noActivationRule", nil),
    ] as [(ActivationRule?, String, String?)])
  func `if sending is restricted, an extension's activation rule must name the twin types`(
    rule: ActivationRule?, expected: String, remark: String?
  ) {
    var phone = Phone(Phone.managed)
    phone.install("Clip", in: "Notes", rule)
    #expect(phone.why("Clip") == expected)
    #expect(phone["Clip"].findings.map(\.code).contains("twinsNotNamed") == (remark != nil))
  }

  @Test func `system sharing offers the original types, not their twins`() {
    var phone = Phone(Phone.managed, via: .os)
    phone.install("Plain", in: "Notes", Cast.rule("public.data"))
    phone.install("Twin", in: "Notes", Cast.rule("com.microsoft.intune.mam.public.data"))
    #expect(phone.why("Plain") == "shown: sendManagedAppsToManaged")
    #expect(phone.why("Twin") == "hidden: activationRuleFails")
    #expect(phone.why("Copy to Notes") == "shown: sendManagedAppsToManaged")
  }

  @Test func `an extension without its containing app is not offered`() {
    var phone = Phone(nil)
    phone.install("Clip", in: "Viewer", Cast.predicate("TRUEPREDICATE"))
    phone.apps.removeLast()
    #expect(phone.why("Clip") == "hidden: containingAppMissing")
  }

  @Test
  func
    `the reason for an app that the device hides also covers its extensions`()
  {
    var phone = Phone(nil)
    phone.install("Clip", in: "Viewer", Cast.predicate("TRUEPREDICATE"))
    #expect(phone.why("Clip").hasPrefix("shown"))
    let ban = "the declaration `a` denies it (`DeniedApps`)"
    phone.apps[phone.apps.count - 1].ban = ban
    phone.extensions[0].ban = ban
    for name in ["Clip", "Copy to Viewer"] {
      #expect(phone.why(name) == "hidden: appNotAllowed")
      #expect(
        phone[name].findings.first?.text
          == "the device does not show the app: the declaration `a` denies it (`DeniedApps`)")
    }
  }

  @Test func `an app's own extension is hidden if the policy blocks it as a receiver`() {
    var phone = Phone(Phone.managed)
    phone.install("Save", in: "Mail", Cast.predicate("TRUEPREDICATE"))
    phone.install("Stray", in: "Mail", Cast.predicate("TRUEPREDICATE"))
    phone.extensions[1].party = Cast.party("com.contoso.mail.stray")
    #expect(phone.why("Save") == "shown: sendManagedAppsToManaged")
    #expect(phone.why("Stray") == "hidden: sendManagedAppsToUnmanaged")
    #expect(phone["Stray"].findings.map(\.code).contains("ownExtension"))
  }

  // MARK: Policies

  @Test func `destinations that the policy blocks for all apps are hidden`() {
    let none = Cast.policy { $0.allowedOutboundDataTransferDestinations = .none }
    var phone = Phone(none)
    phone.install("Clip", in: "Notes", Cast.predicate("TRUEPREDICATE"))
    #expect(phone.why("Clip") == "hidden: sendNone")
    #expect(phone.why("Copy to Notes") == "hidden: replacedByOpenIn, sendNone")
    phone.sharing.via = .os
    #expect(phone.why("Clip") == "encrypted: sendNoneEncrypts")
  }

  @Test func `an app without a policy is shown in system sharing and receives ciphertext`() {
    let phone = Phone(Phone.managed, via: .os)
    #expect(phone.why("Copy to Viewer") == "encrypted: sendManagedAppsEncrypts")
    #expect(phone.why("AirDrop") == "encrypted: sendManagedAppsEncrypts")
  }

  @Test func `filtering hides destinations that the policy blocks in system sharing`() {
    let filter = Cast.policy {
      $0.allowedOutboundDataTransferDestinations = .managedApps
      $0.filterOpenInToOnlyManagedApps = true
    }
    let phone = Phone(filter, via: .os)
    #expect(phone.why("Copy to Viewer") == "hidden: openInFilter")
    #expect(phone.why("Copy to Notes") == "shown: sendManagedAppsToManaged")
  }

  @Test(arguments: SharingPath.allCases)
  func `filtering hides "Save to Files" even if saving is allowed`(via: SharingPath) {
    let filter = Cast.policy {
      $0.allowedOutboundDataTransferDestinations = .managedApps
      $0.filterOpenInToOnlyManagedApps = true
    }
    #expect(Phone(filter, via: via).why("saveToFiles") == "hidden: openInFilter")
    #expect(Phone(Phone.managed, via: via)["saveToFiles"].visibility == .shown)
    let open = Cast.policy { $0.filterOpenInToOnlyManagedApps = true }
    #expect(Phone(open, via: via)["saveToFiles"].visibility == .shown)
    var old = Phone(filter, via: via)
    old.sharing.sender.app.sdkVersion = Version(8, 0, 1)
    #expect(old["saveToFiles"].visibility == .shown)
  }

  @Test func `via system sharing, an SDK app without an enrolled account receives ciphertext`() {
    let osSharing = Cast.policy {
      $0.allowedOutboundDataTransferDestinations = .managedApps
      $0.disableProtectionOfManagedOutboundOpenInData = true
    }
    var phone = Phone(osSharing, via: .os, device: DeviceRestrictions(isMDMEnrolled: true))
    phone.sharing.sender.app.hasEnrolledUPN = true
    #expect(phone.why("Viewer") == "shown: osSharing")
    phone.apps[2].party.app.linksSDK = true
    #expect(phone.why("Viewer") == "encrypted: unenrolledSDKReceiver")
  }

  @Test func `managed open-in restrictions hide unmanaged apps in a managed app's share sheet`() {
    let device = DeviceRestrictions(isMDMEnrolled: true, allowOpenFromManagedToUnmanaged: false)
    var phone = Phone(nil, device: device)
    phone.sharing.sender.app.isMDMManaged = true
    #expect(phone.why("Viewer") == "hidden: managedOpenInRestriction")
    phone.apps[2].party.app.isMDMManaged = true
    #expect(phone.why("Viewer") == "shown: noRuleApplied")
  }

  @Test func `an app that can receive data as an unmanaged account is shown, with a prompt`() {
    let picky = Cast.policy { $0.allowedInboundDataTransferSources = .managedApps }
    var phone = Phone(nil)
    phone.apps[1].party = Cast.party("com.contoso.notes", Cast.anna, picky)
    #expect(phone.why("Copy to Notes") == "hidden: receiveManagedAppsFromUnmanaged")
    phone.apps[1].party.app.isMultiIdentity = true
    #expect(phone["Copy to Notes"].visibility == .shown)
    #expect(phone["Copy to Notes"].findings.map(\.code).contains("asksToSwitchIdentity"))
  }

  // MARK: The system

  private static let strict = Cast.policy {
    $0.allowedOutboundDataTransferDestinations = .managedApps
    $0.printBlocked = true
    $0.saveAsBlocked = true
    $0.allowedDataStorageLocations = [.photoLibrary]
  }

  @Test(
    arguments: [
      (BuiltInAction.airDrop, Cast.photo, "hidden: sendManagedAppsToUnmanaged"),
      (.messageComposer, Cast.photo, "hidden: sendManagedAppsToUnmanaged"),
      (.mailComposer, Cast.photo, "hidden: sendManagedAppsToUnmanaged"),
      (.copy, Cast.photo, "shown: clipboardSameIdentity"),
      (.saveToPhotos, Cast.photo, "shown: saveToSelectedService"),
      (.saveToPhotos, Cast.pdf, "hidden: typeNotTaken"),
      (.saveToFiles, Cast.pdf, "hidden: saveServiceNotOffered"),
      (.saveToFiles, Cast.text, "hidden: typeNotTaken, saveServiceNotOffered"),
      (.print, Cast.pdf, "hidden: printingBlocked"),
    ])
  func `each built-in share sheet action is decided by the setting for its channel`(
    action: BuiltInAction, content: Sharing.Content, expected: String
  ) {
    #expect(Phone(Self.strict, content).why(action.rawValue) == expected)
  }

  @Test(arguments: BuiltInAction.allCases)
  func `without a policy, all built-in actions are offered`(action: BuiltInAction) {
    #expect(Phone(nil, Cast.photo)[action.rawValue].visibility == .shown)
  }

  @Test func `the "Copy" action in a share sheet states where the content can be pasted`() {
    let remark = Phone(Self.strict)["copy"].findings.last
    #expect(remark?.code == "pastedElsewhere")
    let blocked = Cast.policy { $0.allowedOutboundClipboardSharingLevel = .blocked }
    #expect(
      Phone(blocked)["copy"].findings.last?.text.contains("blocked by clipboardBlocked") == true)
  }

  @Test func `a share of another account's data is evaluated under that account's policy`() {
    var phone = Phone(nil)
    phone.sharing.owner = Owner(account: Cast.ben, policy: Phone.managed)
    #expect(phone.sharing.usesTwins)
    #expect(phone.why("Viewer") == "hidden: replacedByOpenIn, sendManagedAppsToUnmanaged")
  }
}
