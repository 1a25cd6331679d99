import JSON

/// Reads conditional access policies: one, an array of them, or Graph's list answer `{"value": […]}`.
///
/// Properties that do not bear on an iPhone's apps are passed over, with a warning where they are set.
public struct ConditionalAccessReader {
  /// The policies in `bytes`, at least one; `file` is the name by which messages cite it.
  public static func read(
    _ bytes: [UInt8], file: String
  ) throws(ConditionalAccessError) -> [ConditionalAccessPolicy] {
    let reader = ConditionalAccessReader(file: file, bytes: bytes)
    var policies: [ConditionalAccessPolicy] = []
    for object in try reader.objects(in: reader.root(of: bytes)) {
      policies.append(try reader.policy(object))
    }
    return policies
  }

  private let file: String
  private let bytes: [UInt8]

  private func root(of bytes: [UInt8]) throws(ConditionalAccessError) -> JSONValue {
    do throws(JSONSyntaxError) {
      return try JSONReader.read(bytes)
    } catch {
      throw failure(.jsonSyntax, error.position, error.message)
    }
  }

  private func objects(in root: JSONValue) throws(ConditionalAccessError) -> [JSONValue] {
    let objects = root.array ?? root["value"]?.array ?? [root]
    guard !objects.isEmpty else {
      throw failure(.noPolicy, root.position, "the file holds no conditional access policy")
    }
    return objects
  }

  private func policy(
    _ object: JSONValue
  ) throws(ConditionalAccessError) -> ConditionalAccessPolicy {
    guard object.members != nil else {
      throw failure(
        .wrongType, object.position,
        "a conditional access policy is an object, found \(object.kindName)")
    }
    if let type = object["@odata.type"]?.string, !type.hasSuffix(".conditionalAccessPolicy") {
      throw failure(.noPolicy, object.position, "`\(type)` is no conditional access policy")
    }
    let conditions = try member("conditions", of: object)
    let platforms = optional("platforms", of: conditions)
    let grant = optional("grantControls", of: object)
    let state: ConditionalAccessPolicy.State = try word(member("state", of: object))
    let users = try member("users", of: conditions)
    let filter = try deviceFilter(in: conditions)
    return ConditionalAccessPolicy(
      displayName: optional("displayName", of: object)?.string ?? "unnamed",
      state: state, users: try condition("Users", in: users),
      opaqueUsers: ConditionalAccessChecker.opaqueUsers(in: users),
      applications: try condition("Applications", in: member("applications", of: conditions)),
      platforms: try platforms.map { value throws(ConditionalAccessError) in
        try condition("Platforms", in: value)
      },
      clientAppTypes: try names("clientAppTypes", in: conditions),
      transferMethods: try transferMethods(in: conditions), deviceFilter: filter.filter,
      unsimulated: ConditionalAccessChecker.unsimulated(in: conditions),
      controls: try controls(of: grant), operator: try combination(of: grant), file: file,
      position: grant?.position ?? object.position,
      warnings: ConditionalAccessChecker.warnings(
        of: object, isEnabled: state == .enabled, file: file) + filter.warnings)
  }

  /// Flags in one string, such as `deviceCodeFlow,authenticationTransfer`.
  ///
  /// Source: Microsoft Graph, `conditionalAccessAuthenticationFlows`.
  private func transferMethods(
    in conditions: JSONValue
  ) throws(ConditionalAccessError) -> Set<String> {
    guard let flows = optional("authenticationFlows", of: conditions),
      let value = optional("transferMethods", of: flows)
    else { return [] }
    guard let text = value.string else {
      throw failure(
        .wrongType, value.position, "`transferMethods` is a string, found \(value.kindName)")
    }
    let words = text.lowercased().split { $0 == "," || $0.isWhitespace }.map(String.init)
    return Set(words).subtracting(["none"])
  }

  /// - Returns: A warning where the filter's rule cannot be read.
  private func deviceFilter(
    in conditions: JSONValue
  ) throws(ConditionalAccessError) -> (filter: DeviceFilter?, warnings: [ConditionalAccessWarning])
  {
    guard let devices = optional("devices", of: conditions),
      let filter = optional("deviceFilter", of: devices),
      let value = optional("rule", of: filter)
    else { return (nil, []) }
    guard let rule = value.string else {
      throw failure(.wrongType, value.position, "`rule` is a string, found \(value.kindName)")
    }
    let mode: DeviceFilter.Mode = try word(member("mode", of: filter))
    do throws(DeviceFilterError) {
      return (DeviceFilter(mode: mode, rule: try DeviceFilterParser.parse(rule)), [])
    } catch {
      var string = JSONStringPlace(of: value.position, in: JSONText(bytes))
      let place = string.position(of: error.offset)
      let warning = ConditionalAccessWarning(
        .invalidFilter, file: file, at: place,
        "the policy applies to every device, for its filter cannot be read: " + error.message)
      return (DeviceFilter(mode: mode, rule: nil), [warning])
    }
  }

  private func controls(
    of grant: JSONValue?
  ) throws(ConditionalAccessError) -> [ConditionalAccessPolicy.GrantControl] {
    guard let grant else { return [] }
    var controls: [ConditionalAccessPolicy.GrantControl] = []
    if let list = optional("builtInControls", of: grant) {
      for value in try array(list) { controls.append(try word(value)) }
    }
    // To a strength, to terms and to a custom control a user lives up as to `mfa`.
    return controls + (ConditionalAccessChecker.asksUser(grant) ? [.mfa] : [])
  }

  private func combination(
    of grant: JSONValue?
  ) throws(ConditionalAccessError) -> ConditionalAccessPolicy.Operator {
    guard let value = grant.flatMap({ optional("operator", of: $0) }) else { return .or }
    return try word(value)
  }

  /// `includeUsers` and `excludeUsers`, and what else has such a pair.
  private func condition(
    _ noun: String, in object: JSONValue
  ) throws(ConditionalAccessError) -> ConditionalAccessPolicy.Condition {
    ConditionalAccessPolicy.Condition(
      included: try names("include\(noun)", in: object),
      excluded: try names("exclude\(noun)", in: object))
  }

  private func names(
    _ name: String, in object: JSONValue
  ) throws(ConditionalAccessError) -> Set<String> {
    guard let list = optional(name, of: object) else { return [] }
    var names: Set<String> = []
    for value in try array(list) {
      guard let text = value.string else {
        throw failure(
          .wrongType, value.position, "`\(name)` holds strings, found \(value.kindName)")
      }
      names.insert(text.lowercased())
    }
    return names
  }

  private func array(_ value: JSONValue) throws(ConditionalAccessError) -> [JSONValue] {
    guard let elements = value.array else {
      throw failure(.wrongType, value.position, "expected an array, found \(value.kindName)")
    }
    return elements
  }

  /// nil where there is none, or null.
  private func optional(_ name: String, of object: JSONValue) -> JSONValue? {
    object[name].flatMap { $0.isNull ? nil : $0 }
  }

  private func member(
    _ name: String, of object: JSONValue
  ) throws(ConditionalAccessError) -> JSONValue {
    guard let value = optional(name, of: object) else {
      throw failure(.missing, object.position, "`\(name)` is missing")
    }
    return value
  }

  private func word<Word: RawRepresentable<String> & CaseIterable>(
    _ value: JSONValue
  ) throws(ConditionalAccessError) -> Word {
    guard let text = value.string else {
      throw failure(.wrongType, value.position, "expected a string, found \(value.kindName)")
    }
    guard let word = Word.allCases.first(where: { $0.rawValue.lowercased() == text.lowercased() })
    else {
      let known = Word.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
      throw failure(.unknownValue, value.position, "`\(text)` is none of \(known)")
    }
    return word
  }

  private func failure(
    _ code: ConditionalAccessError.Code, _ position: Position, _ message: String
  ) -> ConditionalAccessError {
    ConditionalAccessError(code: code, file: file, position: position, message: message)
  }
}
