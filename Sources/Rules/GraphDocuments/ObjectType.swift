package import JSON

/// The type of a Graph object, determined in one place for all readers, for single files and folders alike.
///
/// `@odata.type` decides, then `@odata.context` of the object or of the answer around it, then properties that only one type
/// has. Graph's lists of one type carry no `@odata.type`, exporters drop annotations, and people write policies by hand.
///
/// Source: OData JSON Format 4.01, 4.6.1 and 4.6.3; OData Protocol 4.01, section 10, "Context URL".
package struct ObjectType: Sendable {
  /// The types that are read, and the rest.
  package enum Kind: Sendable, Equatable {
    /// `iosManagedAppProtection`.
    case iOSPolicy
    /// An app protection policy for another platform, in words.
    case otherPolicy(platform: String)
    /// `defaultManagedAppProtection`, for all users whom no other policy targets.
    case tenantDefault
    /// `targetedManagedAppConfiguration`.
    case managedAppConfiguration
    /// `iosMobileAppConfiguration`.
    case managedDeviceConfiguration
    /// `conditionalAccessPolicy`.
    case conditionalAccessPolicy
    /// Apps or device states are stated, and nothing else: a policy or an app configuration.
    case targeting
    case other
  }

  /// The member that shows the type.
  private enum Sign {
    case annotation(TypeAnnotation)
    /// The name of a property, or of `@odata.context`.
    case property(String)
  }

  package let kind: Kind
  /// The place of the member that shows the type.
  package let position: Position
  private let noun: String?
  private let sign: Sign

  /// Determines the type of an object; nil if nothing shows it.
  ///
  /// - Parameter root: The whole document around the object, whose `@odata.context` is that of its elements, too.
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

  /// Whether only properties show the type.
  package var isShownByProperties: Bool {
    switch sign {
    case .annotation: false
    case .property(let name): name != "@odata.context"
    }
  }

  /// The type's name in `@odata.type`; nil where the object states none.
  package var annotatedName: String? {
    switch sign {
    case .annotation(let annotation): annotation.name
    case .property: nil
    }
  }

  /// The object in words, with the sign that tells its type: ``a group, according to `groupTypes` ``.
  ///
  /// - Parameter other: Another noun for the object.
  package func words(_ other: String? = nil) -> String {
    let noun = other ?? noun
    return switch sign {
    case .annotation(let annotation): annotation.words(noun)
    case .property(let name): "\(noun ?? "another object"), according to `\(name)`"
    }
  }

  /// The place where the object can be used, as the end of a message; empty where there is none.
  package var use: String {
    switch kind {
    case .iOSPolicy: "; a scenario takes it under `policies`"
    case .managedAppConfiguration, .managedDeviceConfiguration:
      "; a scenario takes it under `configurations`, and `sluice configuration show` shows it"
    case .conditionalAccessPolicy: "; `sluice run` takes it under `conditionalAccess` of a scenario"
    case .otherPolicy, .tenantDefault, .targeting, .other: ""
    }
  }

  // MARK: names

  /// The type of that name in `@odata.type`, and its noun; nil if there is only the name.
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
      .tenantDefault, "an app protection policy for every platform by default"
    ),
    "targetedManagedAppConfiguration": (.managedAppConfiguration, "an app configuration"),
    "iosMobileAppConfiguration": (.managedDeviceConfiguration, "an app configuration"),
    "androidForWorkMobileAppConfiguration": (.other, "an app configuration for Android"),
    "androidManagedStoreAppConfiguration": (.other, "an app configuration for Android"),
    "targetedManagedAppPolicyAssignment": (.other, "an assignment"),
    "conditionalAccessPolicy": (.conditionalAccessPolicy, "a conditional access policy"),
    "authenticationStrengthPolicy": (.other, "an authentication strength"),
    "deviceAndAppManagementAssignmentFilter": (.other, "an assignment filter"),
    "deviceManagementConfigurationPolicy": (.other, "a settings catalog policy"),
    "group": (.other, "a group"), "user": (.other, "a user"),
  ]

  private static func policy(_ platform: String) -> (Kind, String?) {
    (.otherPolicy(platform: platform), "an app protection policy for \(platform)")
  }

  /// The types by the last part of an `@odata.context`; nil: objects of several types.
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

  // MARK: context

  /// The context URL of an object or of an answer, such as
  /// `https://graph.microsoft.com/beta/$metadata#deviceAppManagement/iosManagedAppProtections(apps())/$entity`.
  private struct Context {
    let position: Position
    /// The parts of the fragment, without keys, selections and `$entity`.
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

    /// The type of the objects, and its noun; nil where the context leaves it open.
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

    /// The path of an unknown collection; nil if it may contain objects that are read.
    var unknownCollection: String? {
      guard let last = parts.last, ObjectType.collections[last] == nil else { return nil }
      return parts.joined(separator: "/")
    }
  }

  // MARK: properties

  /// Determines the type by properties that only one type has.
  private init?(showing object: JSONValue) {
    let members = object.members ?? []
    let first = { (isSign: (JSONValue.Member) -> Bool) in members.first(where: isSign) }
    if let sign = first({
      AndroidProperties.contains($0.name) && PolicyProperties.all.type(of: $0.name) == nil
    }) {
      self.init(Self.policy("Android"), sign)
    } else if let sign = first({ Self.windowsProperties.contains($0.name) }) {
      self.init(Self.policy("Windows"), sign)
    } else if let sign = first({ PolicyProperties.tellsPolicy($0.name) }) {
      self.init(Self.platform(of: object) ?? (.iOSPolicy, "an app protection policy"), sign)
    } else if let sign = first({ $0.name == "customSettings" }) {
      self.init((.managedAppConfiguration, "an app configuration"), sign)
    } else if let sign = first({ Self.holdsDeviceSettings($0) }) {
      let android = first { ["packageId", "payloadJson"].contains($0.name) }
      self.init(
        android == nil
          ? (.managedDeviceConfiguration, "an app configuration")
          : (.other, "an app configuration for Android"), android ?? sign)
    } else if let sign = first(Self.tellsConditionalAccess) {
      self.init((.conditionalAccessPolicy, "a conditional access policy"), sign)
    } else if let sign = first({ Self.telling[$0.name] != nil }) {
      self.init((.other, Self.telling[sign.name]), sign)
    } else if let sign = first({ PolicyProperties.tellsTargeting($0.name) }) {
      self.init(
        Self.platform(of: object) ?? (.targeting, "an app protection policy or app configuration"),
        sign)
    } else {
      return nil
    }
  }

  private init(_ type: (kind: Kind, noun: String?), _ sign: JSONValue.Member) {
    self.init(type.kind, type.noun, .property(sign.name), sign.position)
  }

  /// The type of a policy all of whose apps are another platform's; nil where one may be for an iPhone.
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

  private static func holdsDeviceSettings(_ member: JSONValue.Member) -> Bool {
    switch member.name {
    case "encodedSettingXml", "targetedMobileApps": true
    case "settings": member.value.array?.first?["appConfigKey"] != nil
    default:  // open: names of properties
      false
    }
  }

  private static func tellsConditionalAccess(_ member: JSONValue.Member) -> Bool {
    switch member.name {
    case "grantControls", "sessionControls": true
    case "conditions":
      ["applications", "clientAppTypes", "users"].contains { member.value[$0] != nil }
    default:  // open: names of properties
      false
    }
  }

  /// Properties of `windowsInformationProtection` that no other policy has.
  private static let windowsProperties: Set = [
    "enforcementLevel", "enterpriseDomain", "enterpriseProtectedDomainNames", "protectedApps",
  ]

  /// Properties of objects that stand beside policies in exports, and the nouns for those objects.
  private static let telling = [
    "assignmentFilterManagementType": "an assignment filter",
    "countriesAndRegions": "a named location", "deviceEnrollmentType": "a managed device",
    "groupTypes": "a group", "ipRanges": "a named location", "membershipRule": "a group",
    "omaSettings": "a device configuration", "ResourceInstanceName": "a Microsoft365DSC report",
    "scheduledActionsForRule": "a compliance policy",
    "securityEnabled": "a group", "target": "an assignment",
    "templateReference": "a settings catalog policy", "terraform_version": "a Terraform state",
    "userPrincipalName": "a user",
  ]
}

// MARK: - Annotation

/// The type that an object states by `@odata.type`.
package struct TypeAnnotation: Sendable {
  /// The type's name alone: `iosManagedAppProtection`; empty where the annotation has none.
  let name: String
  /// The whole annotation; nil where it is no string.
  let text: String?
  private let value: JSONValue

  /// Reads the annotation of an object; nil where it has none.
  package init?(of object: JSONValue) {
    guard let value = object["@odata.type"] else { return nil }
    self.value = value
    text = value.string
    name = text?.split(separator: ".").last.map(String.init) ?? ""
  }

  /// The place of the annotation's value.
  var position: Position { value.position }

  /// The object in words: `` an app configuration (`#microsoft.graph.iosMobileAppConfiguration`) ``.
  ///
  /// - Parameter noun: The noun for the object; nil where only the annotation tells it.
  func words(_ noun: String?) -> String {
    guard let text else { return value.kindName }
    return noun.map { "\($0) (`\(text)`)" } ?? "`\(text)`"
  }
}
