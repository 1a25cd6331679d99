import Activation
import Analysis
import Model
import Policy

/// The sender and the installed apps of these tests.
enum Cast {
  static let anna = Account(upn: "anna@contoso.com", tenantID: "contoso.com")
  static let ben = Account(upn: "ben@contoso.com", tenantID: "contoso.com")
  static let eve = Account(upn: "eve@fabrikam.com", tenantID: "fabrikam.com")

  static func policy(_ change: (inout Settings) -> Void = { _ in }) -> EffectivePolicy {
    var settings = Settings()
    change(&settings)
    return EffectivePolicy(settings: settings)
  }

  static func party(
    _ bundleID: String, _ account: Account? = nil, _ policy: EffectivePolicy? = nil,
    _ change: (inout AppState) -> Void = { _ in }
  ) -> Party {
    var app = AppState(bundleID: bundleID, linksSDK: policy != nil)
    change(&app)
    return Party(app: app, identity: account.map { .account($0) } ?? .unset, policy: policy)
  }

  static let pdf = Sharing.Content(types: ["com.adobe.pdf"], fileName: "figures.pdf")
  static let photo = Sharing.Content(types: ["public.jpeg"], fileName: "photo.jpg")
  static let text = Sharing.Content(types: ["public.utf8-plain-text"])
  static let link = Sharing.Content(types: ["public.url", "public.utf8-plain-text"])

  static func rule(_ types: String..., max: Int? = nil) -> ActivationRule {
    let any = types.map {
      "ANY $attachment.registeredTypeIdentifiers UTI-CONFORMS-TO \"\($0)\""
    }.joined(separator: " || ")
    return predicate(
      "SUBQUERY (extensionItems, $extensionItem, SUBQUERY ($extensionItem.attachments, "
        + "$attachment, \(any)).@count == \(max.map(String.init) ?? "$extensionItem.attachments.@count")"
        + ").@count == 1")
  }

  static func predicate(_ text: String) -> ActivationRule {
    do {
      return .predicate(try Predicate(parsing: text))
    } catch {
      preconditionFailure("\(error)")
    }
  }

  /// Returns the Open-In action extension of an app for data.
  static func openIn(_ name: String, of app: SheetApp, in bundleID: String? = nil) -> SheetExtension
  {
    var party = app.party
    party.app.bundleID = "\(app.bundleID).openin"
    return SheetExtension(
      name: name, kind: .action, party: party, containingApp: bundleID ?? app.bundleID,
      rule: rule("com.microsoft.intune.mam.public.data", max: 1), isOpenInAction: true)
  }
}

/// A device with Mail, which shares, and a few more apps.
struct Phone {
  static let managed = Cast.policy { $0.allowedOutboundDataTransferDestinations = .managedApps }

  var sharing: Sharing
  var apps: [SheetApp]
  var extensions: [SheetExtension] = []

  /// Creates a phone on which Mail acts for Anna under `policy`.
  init(
    _ policy: EffectivePolicy?, via: SharingPath = .sdk, _ contents: Sharing.Content...,
    device: DeviceRestrictions = DeviceRestrictions()
  ) {
    let mail = Cast.party("com.contoso.mail", Cast.anna, policy)
    sharing = Sharing(
      senderName: "Mail", sender: mail, via: via, device: device,
      contents: contents.isEmpty ? [Cast.pdf] : contents)
    apps = [
      SheetApp(name: "Mail", party: mail, documentTypes: ["public.data"]),
      SheetApp(
        name: "Notes", party: Cast.party("com.contoso.notes", Cast.anna, Phone.managed),
        documentTypes: ["public.data"], schemes: ["notes", "notes-intunemam"]),
      SheetApp(
        name: "Viewer", party: Cast.party("org.example.viewer"), documentTypes: ["com.adobe.pdf"]),
    ]
  }

  var sheet: Sheet { Sheet(sharing, apps: apps, extensions: extensions) }

  func app(_ name: String) -> SheetApp {
    guard let app = apps.first(where: { $0.name == name }) else { preconditionFailure(name) }
    return app
  }

  mutating func install(
    _ name: String, in app: String, _ rule: ActivationRule?, kind: SheetExtension.Kind = .share
  ) {
    let containing = self.app(app)
    var party = containing.party
    party.app.bundleID += ".\(name.lowercased())"
    extensions.append(
      SheetExtension(
        name: name, kind: kind, party: party, containingApp: containing.bundleID, rule: rule))
  }

  /// The sheet's destination with that name or title.
  subscript(name: String) -> SheetDestination {
    guard let destination = sheet.destinations(named: name).first else {
      preconditionFailure("no destination is called \(name)")
    }
    return destination
  }

  func why(_ name: String) -> String { "\(self[name].visibility): \(self[name].why)" }
}
