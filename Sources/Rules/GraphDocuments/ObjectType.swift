package import Encodings

/// The type of a Graph object. All readers determine it here.
///
/// The type comes from the first of these members that identifies it: `@odata.type`, the `@odata.context` of the object
/// or its response, and a property that only one type has. Properties are needed because Graph omits `@odata.type` in
/// lists of one type, export tools remove annotations, and people write policies by hand.
///
/// Source: OData JSON Format 4.01, 4.6.1 and 4.6.3; OData Protocol 4.01, section 10, "Context URL".
package struct ObjectType: Sendable {
  package enum Kind: Sendable, Equatable {
    /// `iosManagedAppProtection`.
    case iOSPolicy
    /// An app protection policy for another platform. The value is the platform's name.
    case otherPolicy(platform: String)
    /// `defaultManagedAppProtection`, the policy for users whom no other policy targets.
    case tenantDefault
    /// `targetedManagedAppConfiguration`.
    case managedAppConfiguration
    /// `iosMobileAppConfiguration`.
    case managedDeviceConfiguration
    case conditionalAccessPolicy
    case user
    case group
    /// `deviceAndAppManagementAssignmentFilter`.
    case assignmentFilter
    /// An app for iOS, such as `iosStoreApp`.
    case mobileApp
    /// An app protection policy or an app configuration. It is unknown which, because all properties of the object
    /// occur in both.
    case targeting
    case other
  }

  /// The member of the object or response from which the type was determined.
  private enum Sign {
    case annotation(TypeAnnotation)
    /// The name of a property, or `@odata.context`.
    case property(String)
  }

  package let kind: Kind
  /// The position of the member from which the type was determined.
  package let position: Position
  private let noun: String?
  private let sign: Sign

  /// Determines the type of an object. Nil if no member states or shows it.
  ///
  /// - Parameter root: The document that contains the object. Its `@odata.context` applies to the object too.
  package init?(of object: JSONValue, in root: JSONValue? = nil) {
    if let annotation = TypeAnnotation(of: object) {
      let (kind, noun) = Self.type(named: annotation.name)
      self.init(kind, noun, .annotation(annotation), annotation.position)
      return
    }
    let context = Context(of: object) ?? root.flatMap { Context(of: $0) }
    if let context, let (kind, noun) = context.type {
      self.init(kind, noun, .property("@odata.context"), context.position)
    } else if let shown = Self(showing: object) {
      self = shown
    } else if let context, let collection = context.unknownCollection {
      self.init(
        .other, "an object of `\(collection)`", .property("@odata.context"), context.position)
    } else {
      return nil
    }
  }

  private init(_ kind: Kind, _ noun: String?, _ sign: Sign, _ position: Position) {
    self.kind = kind
    self.noun = noun
    self.sign = sign
    self.position = position
  }

  /// Whether the type was determined from a property instead of an annotation.
  package var isShownByProperties: Bool {
    switch sign {
    case .annotation: false
    case .property(let name): name != "@odata.context"
    }
  }

  /// The name in `@odata.type`; nil if the object has no such annotation.
  package var annotatedName: String? {
    switch sign {
    case .annotation(let annotation): annotation.name
    case .property: nil
    }
  }

  /// Returns a description that names the member from which the type was determined:
  /// ``a group, according to `groupTypes` ``.
  ///
  /// - Parameter other: A noun to use instead of the type's; nil for the type's noun.
  package func words(_ other: String? = nil) -> String {
    let noun = other ?? noun
    return switch sign {
    case .annotation(let annotation): annotation.words(noun)
    case .property(let name): "\(noun ?? "another object"), according to `\(name)`"
    }
  }

  /// The end of a message that states what the user can do with an object of this type. Empty if Sluice has no use for
  /// such objects.
  package var use: String {
    switch kind {
    case .iOSPolicy: "; a scenario takes it under `policies`"
    case .managedAppConfiguration, .managedDeviceConfiguration:
      "; a scenario takes it under `configurations`, and `sluice app-config show` shows it"
    case .conditionalAccessPolicy: "; `sluice run` takes it under `conditionalAccess` of a scenario"
    case .otherPolicy, .tenantDefault, .user, .group, .assignmentFilter, .mobileApp, .targeting,
      .other:
      ""
    }
  }

  // MARK: Names

  /// Returns the kind and the noun for a type's name in `@odata.type`. The noun is nil if the name is unknown.
  private static func type(named name: String) -> (Kind, String?) {
    if let known = named[name] { return known }
    if name.hasSuffix("CompliancePolicy") { return (.other, "a compliance policy") }
    if name.hasSuffix("NamedLocation") { return (.other, "a named location") }
    if name.hasSuffix("DeviceConfiguration") { return (.other, "a device configuration") }
    return (.other, nil)
  }

  private static let named: [String: (Kind, String?)] = [
    "iosManagedAppProtection": (.iOSPolicy, "an app protection policy"),
    "androidManagedAppProtection": policy("Android"),
    "windowsManagedAppProtection": policy("Windows"),
    "windowsInformationProtectionPolicy": policy("Windows"),
    "mdmWindowsInformationProtectionPolicy": policy("Windows"),
    "defaultManagedAppProtection": (
      .tenantDefault, "an app protection policy for users whom no other policy targets"
    ),
    "targetedManagedAppConfiguration": (.managedAppConfiguration, "an app configuration"),
    "iosMobileAppConfiguration": (.managedDeviceConfiguration, "an app configuration"),
    "androidForWorkMobileAppConfiguration": (.other, "an app configuration for Android"),
    "androidManagedStoreAppConfiguration": (.other, "an app configuration for Android"),
    "targetedManagedAppPolicyAssignment": (.other, "an assignment"),
    "conditionalAccessPolicy": (.conditionalAccessPolicy, "a conditional access policy"),
    "authenticationStrengthPolicy": (.other, "an authentication strength"),
    "deviceAndAppManagementAssignmentFilter": (.assignmentFilter, "an assignment filter"),
    "deviceManagementConfigurationPolicy": (.other, "a settings catalog policy"),
    "group": (.group, "a group"), "user": (.user, "a user"),
    "iosLobApp": (.mobileApp, "an app"), "iosStoreApp": (.mobileApp, "an app"),
    "iosVppApp": (.mobileApp, "an app"), "managedIOSLobApp": (.mobileApp, "an app"),
    "managedIOSStoreApp": (.mobileApp, "an app"),
  ]

  private static func policy(_ platform: String) -> (Kind, String?) {
    (.otherPolicy(platform: platform), "an app protection policy for \(platform)")
  }

  /// The type of the objects in a collection, by the last component of the collection's `@odata.context`; nil for
  /// collections with several types.
  private static let collections: [String: String?] = [
    "androidManagedAppProtections": "androidManagedAppProtection",
    "assignmentFilters": "deviceAndAppManagementAssignmentFilter",
    "configurationPolicies": "deviceManagementConfigurationPolicy",
    "defaultManagedAppProtections": "defaultManagedAppProtection",
    "deviceAppManagement": nil,
    "deviceCompliancePolicies": "deviceCompliancePolicy",
    "deviceConfigurations": "deviceConfiguration",
    "groups": "group",
    "iosManagedAppProtections": "iosManagedAppProtection",
    "managedAppPolicies": nil,
    "mdmWindowsInformationProtectionPolicies": "mdmWindowsInformationProtectionPolicy",
    "mobileAppConfigurations": nil,
    "namedLocations": "namedLocation",
    "targetedManagedAppConfigurations": "targetedManagedAppConfiguration",
    "users": "user",
    "windowsInformationProtectionPolicies": "windowsInformationProtectionPolicy",
    "windowsManagedAppProtections": "windowsManagedAppProtection",
  ]

  // MARK: Context

  /// The context URL of an object or a response, such as
  /// `https://graph.microsoft.com/beta/$metadata#deviceAppManagement/iosManagedAppProtections(apps())/$entity`.
  private struct Context {
    let position: Position
    /// The components of the URL's fragment, without keys in brackets, selected properties, `$entity` and `$delta`.
    private let parts: [String]

    init?(of object: JSONValue) {
      guard let member = object.property("@odata.context"), let text = member.value.string,
        let hash = text.firstIndex(of: "#")
      else { return nil }
      position = member.position
      parts = Self.parts(of: text[text.index(after: hash)...])
    }

    private static func parts(of fragment: Substring) -> [String] {
      let collection = "Collection("
      let fragment =
        fragment.hasPrefix(collection)
        ? fragment.dropFirst(collection.count).prefix { $0 != ")" } : fragment
      var parts = [""]
      var depth = 0
      for letter in fragment {
        switch letter {
        case "(": depth += 1
        case ")": depth -= 1
        case "/" where depth <= 0: parts.append("")
        case _ where depth <= 0: parts[parts.count - 1].append(letter)
        default:  // open: letters
          break
        }
      }
      return parts.map(\.trimmed).filter { !$0.isEmpty && $0 != "$entity" && $0 != "$delta" }
    }

    /// The kind of the objects, with a noun. Nil if the context does not determine it.
    var type: (Kind, String?)? {
      guard let last = parts.last else { return nil }
      if last.contains(".") {
        let name = last.split(separator: ".").last.map(String.init) ?? ""
        let found = ObjectType.type(named: name)
        return found.1 == nil ? nil : found
      }
      if last == "policies" {
        guard parts.dropLast().last == "conditionalAccess" else { return nil }
        return ObjectType.named["conditionalAccessPolicy"]
      }
      guard let name = ObjectType.collections[last], let name else { return nil }
      switch name {
      case "deviceCompliancePolicy": return (.other, "a compliance policy")
      case "deviceConfiguration": return (.other, "a device configuration")
      case "namedLocation": return (.other, "a named location")
      default:  // open: any other name of a type
        return ObjectType.named[name]
      }
    }

    /// The path of the collection if ``ObjectType/collections`` does not contain it. Nil if it does, or if the context
    /// contains no collection.
    var unknownCollection: String? {
      guard let last = parts.last, ObjectType.collections[last] == nil else { return nil }
      return parts.joined(separator: "/")
    }
  }

  // MARK: Properties

  /// The type that a property's name indicates. If an object's properties indicate different types, the case declared
  /// first applies.
  private enum Evidence: Int {
    case androidPolicy, windowsPolicy, policy, customSettings, deviceSettings, conditionalAccess
    case other, targeting
  }

  private static let evidence: [String: Evidence] = {
    let names: [(Evidence, Set<String>)] = [
      (.androidPolicy, AndroidProperties.names.filter { !PolicyProperties.contains($0) }),
      (.windowsPolicy, windowsProperties), (.policy, PolicyProperties.telling),
      (.customSettings, ["customSettings"]),
      (.deviceSettings, ["encodedSettingXml", "settings", "targetedMobileApps"]),
      (.conditionalAccess, ["conditions", "grantControls", "sessionControls"]),
      (.other, Set(telling.keys)), (.targeting, PolicyProperties.targeting),
    ]
    return Dictionary(
      names.flatMap { evidence, names in names.map { ($0, evidence) } },
      uniquingKeysWith: { first, _ in first })
  }()

  /// Determines the type of an object from its properties. Nil if none of them indicates a type.
  private init?(showing object: JSONValue) {
    var best: (evidence: Evidence, sign: JSONValue.Member)?
    for member in object.members ?? [] {
      guard let evidence = Self.evidence[member.name], Self.confirms(member) else { continue }
      if let best, best.evidence.rawValue <= evidence.rawValue { continue }
      best = (evidence, member)
    }
    guard let (evidence, sign) = best else { return nil }
    switch evidence {
    case .androidPolicy: self.init(Self.policy("Android"), sign)
    case .windowsPolicy: self.init(Self.policy("Windows"), sign)
    case .policy:
      self.init(Self.platform(of: object) ?? (.iOSPolicy, "an app protection policy"), sign)
    case .customSettings: self.init((.managedAppConfiguration, "an app configuration"), sign)
    case .deviceSettings:
      let android = object.members?.first { ["packageId", "payloadJson"].contains($0.name) }
      self.init(
        android == nil
          ? (.managedDeviceConfiguration, "an app configuration")
          : (.other, "an app configuration for Android"), android ?? sign)
    case .conditionalAccess:
      self.init((.conditionalAccessPolicy, "a conditional access policy"), sign)
    case .other:
      guard let type = Self.telling[sign.name] else { return nil }
      self.init(type, sign)
    case .targeting:
      self.init(
        Self.platform(of: object) ?? (.targeting, "an app protection policy or app configuration"),
        sign)
    }
  }

  private init(_ type: (kind: Kind, noun: String?), _ sign: JSONValue.Member) {
    self.init(type.kind, type.noun, .property(sign.name), sign.position)
  }

  /// Returns the type of a policy for another platform, if all listed apps are Android apps, or all are Windows apps.
  /// Otherwise nil, because the policy may then be for iOS.
  private static func platform(of object: JSONValue) -> (Kind, String?)? {
    let apps = object["apps"]?.array ?? []
    let types = apps.map { app in
      app["mobileAppIdentifier"].flatMap { TypeAnnotation(of: $0) }?.name
    }
    guard !types.isEmpty else { return nil }
    if types.allSatisfy({ $0 == "androidMobileAppIdentifier" }) { return policy("Android") }
    if types.allSatisfy({ $0 == "windowsAppIdentifier" }) { return policy("Windows") }
    return nil
  }

  /// Returns whether the property's value fits the type that its name indicates. Only `settings` and `conditions` are
  /// checked, because objects of other types also have them. True for all other names.
  private static func confirms(_ member: JSONValue.Member) -> Bool {
    switch member.name {
    case "settings": member.value.array?.first?["appConfigKey"] != nil
    case "conditions":
      ["applications", "clientAppTypes", "users"].contains { member.value[$0] != nil }
    default:  // open: names of properties
      true
    }
  }

  /// The properties of `windowsInformationProtection` that no policy for another platform has.
  private static let windowsProperties: Set = [
    "enforcementLevel", "enterpriseDomain", "enterpriseProtectedDomainNames", "protectedApps",
  ]

  /// The kind, with a noun, by the name of a property that only this kind of object has. Policies and app
  /// configurations are not included.
  private static let telling: [String: (Kind, String)] = [
    "assignmentFilterManagementType": (.assignmentFilter, "an assignment filter"),
    "bundleId": (.mobileApp, "an app"), "countriesAndRegions": (.other, "a named location"),
    "deviceEnrollmentType": (.other, "a managed device"), "groupTypes": (.group, "a group"),
    "ipRanges": (.other, "a named location"), "membershipRule": (.group, "a group"),
    "omaSettings": (.other, "a device configuration"),
    "ResourceInstanceName": (.other, "a Microsoft365DSC report"),
    "scheduledActionsForRule": (.other, "a compliance policy"),
    "securityEnabled": (.group, "a group"), "target": (.other, "an assignment"),
    "templateReference": (.other, "a settings catalog policy"),
    "terraform_version": (.other, "a Terraform state"),
    "transitiveMembers": (.group, "a group"), "userPrincipalName": (.user, "a user"),
  ]
}

// MARK: - Annotation

/// The type that an object states in `@odata.type`.
package struct TypeAnnotation: Sendable {
  /// The type's name without its namespace, such as `iosManagedAppProtection`. Empty if the annotation contains no
  /// name.
  let name: String
  /// The annotation's text; nil if its value is not a string.
  let text: String?
  private let value: JSONValue

  /// Reads the annotation of an object; nil if it has none.
  package init?(of object: JSONValue) {
    guard let value = object["@odata.type"] else { return nil }
    self.value = value
    text = value.string
    name = text?.split(separator: ".").last.map(String.init) ?? ""
  }

  var position: Position { value.position }

  /// Returns a description of the object: `` an app configuration (`#microsoft.graph.iosMobileAppConfiguration`) ``.
  ///
  /// - Parameter noun: The noun for the object. If nil, the description is only the annotation.
  func words(_ noun: String?) -> String {
    guard let text else { return value.kindName }
    return noun.map { "\($0) (`\(text)`)" } ?? "`\(text)`"
  }
}
