internal import Activation
internal import Analysis
internal import Model
internal import Policy

/// Many installed bundles, half of them apps and half extensions of those apps, and several senders.
struct Crowd {
  private var apps: [SheetApp] = []
  private var extensions: [SheetExtension] = []
  private let sharings: [Sharing]

  init(bundles: Int) throws {
    let anna = Account(upn: "anna@contoso.com", tenantID: "contoso.com")
    var managed = Settings()
    managed.allowedOutboundDataTransferDestinations = .managedApps
    let policy = EffectivePolicy(settings: managed)
    let rules = try Self.rules()
    for number in 0..<bundles / 2 {
      let isManaged = number.isMultiple(of: 3)
      func party(_ bundleID: String) -> Party {
        Party(
          app: AppState(bundleID: bundleID, linksSDK: isManaged),
          identity: isManaged ? .account(anna) : .unset, policy: isManaged ? policy : nil)
      }
      let bundleID = "com.contoso.app-\(number)"
      apps.append(
        SheetApp(
          name: "App \(number)", party: party(bundleID), documentTypes: Self.documents[number % 4],
          schemes: ["app\(number)", "app\(number)-intunemam"]))
      extensions.append(
        SheetExtension(
          name: "Extension \(number)", kind: number.isMultiple(of: 2) ? .share : .action,
          party: party("\(bundleID).extension"), containingApp: bundleID,
          rule: rules[number % rules.count], isOpenInAction: number % 6 == 3))
    }
    let sender = Party(
      app: AppState(bundleID: "com.contoso.app-0", linksSDK: true), identity: .account(anna),
      policy: policy)
    sharings = Self.contents.flatMap { contents in
      SharingPath.allCases.map { via in
        Sharing(senderName: "App 0", sender: sender, via: via, contents: contents)
      }
    }
  }

  /// Returns the share sheet for a sender.
  func sheet(_ number: Int) -> Sheet {
    Sheet(sharings[number % sharings.count], apps: apps, extensions: extensions)
  }

  private static let documents = [
    ["public.data"], ["com.adobe.pdf", "public.image"], ["public.text"],
    ["org.openxmlformats.wordprocessingml.document", "com.microsoft.word.doc", "com.adobe.pdf"],
  ]

  private static let contents = [
    [Sharing.Content(types: ["com.adobe.pdf"], fileName: "figures.pdf")],
    [Sharing.Content(types: ["public.jpeg"], fileName: "photo.jpg")],
    [Sharing.Content(types: ["public.url", "public.utf8-plain-text"])],
  ]

  /// Returns activation rules like those of real extensions.
  private static func rules() throws -> [ActivationRule] {
    let types = ["public.url", "public.plain-text", "public.image", "public.data"]
    let plain = types.map { condition($0) }.joined(separator: " || ")
    let both = types.flatMap { [condition($0), condition("com.microsoft.intune.mam.\($0)")] }
      .joined(separator: " || ")
    return [
      .dictionary(
        DictionaryRule(values: [
          .init(key: "NSExtensionActivationSupportsImageWithMaxCount", value: .integer(10)),
          .init(key: "NSExtensionActivationSupportsFileWithMaxCount", value: .integer(1)),
          .init(key: "NSExtensionActivationSupportsWebURLWithMaxCount", value: .integer(1)),
        ])),
      .predicate(try Predicate(parsing: every(plain))),
      .predicate(try Predicate(parsing: every(both))),
      .predicate(
        try Predicate(
          parsing: every(
            condition("com.microsoft.intune.mam.public.data") + " || "
              + condition("com.microsoft.intune.mam.public.content")))),
    ]
  }

  private static func condition(_ type: String) -> String {
    "ANY $attachment.registeredTypeIdentifiers UTI-CONFORMS-TO \"\(type)\""
  }

  private static func every(_ condition: String) -> String {
    """
    SUBQUERY (extensionItems, $extensionItem, SUBQUERY ($extensionItem.attachments, $attachment, \
    \(condition)).@count == $extensionItem.attachments.@count).@count == 1
    """
  }
}
