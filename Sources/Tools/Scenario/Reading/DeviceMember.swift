/// One of several devices of a scenario, or so many that are alike.
struct DeviceMember {
  var device: DeviceSpecification
  /// The apps of the file that the device has, with the accounts that are signed in there.
  var apps: [AppSpecification]
  /// The number of devices that are alike.
  var count = 1

  enum Key: String, CaseIterable {
    case apps, count
  }

  /// The most devices that can be alike.
  private static let mostDevices = 10_000

  enum AppKey: String, CaseIterable {
    case signedIn
  }

  /// Reads the devices of a file, by their names.
  static func readAll(_ value: YAMLValue, _ names: Names) throws(Mistake) -> [DeviceMember] {
    let members = try value.mapping()
    guard !members.isEmpty else {
      throw value.mistake(.missingKey, "`devices` needs at least one device")
    }
    var devices: [DeviceMember] = []
    var known: [String: String] = [:]
    for member in members {
      let device = try DeviceMember(member, names)
      for name in device.names + [device.device.name] {
        guard known.updateValue(member.key, forKey: name) ?? member.key == member.key else {
          throw Mistake(
            .duplicateName, at: member.position, "two devices are called `\(name)`")
        }
      }
      devices.append(device)
      if let first = devices.first { try device.checkClock(with: first, member) }
    }
    return devices
  }

  /// - Throws: ``Mistake`` where the clock of the device does not begin with that of the first one.
  private func checkClock(
    with first: DeviceMember, _ member: YAMLValue.Member
  ) throws(Mistake) {
    guard device.time != first.device.time || device.beginsNow != first.device.beginsNow else {
      return
    }
    throw Mistake(
      .conflictingKeys, at: member.position,
      "all devices have one clock, and `time` of `\(device.name)` is another one than that of `\(first.device.name)`"
    )
  }

  /// The names of the devices: that of the member, or with a count above 1, `phone-1`, `phone-2`, ….
  private var names: [String] {
    count == 1 ? [device.name] : (1...count).map { "\(device.name)-\($0)" }
  }

  private init(_ member: YAMLValue.Member, _ names: Names) throws(Mistake) {
    let name = try Names.validated(member, naming: "a device")
    // A device whose apps are all of the file's needs to state nothing.
    let keys = member.value.isEmpty ? [] : try member.value.mapping()
    if let key = keys.first(where: { $0.key == DeviceSpecification.Key.name.rawValue }) {
      throw Mistake(
        .conflictingKeys, at: key.position, "the name of the device is `\(name)`; leave `name` out")
    }
    var rest = member.value
    rest.kind = .mapping(keys.filter { Key(rawValue: $0.key) == nil })
    device = try DeviceSpecification(rest, names, others: Key.allCases.map(\.rawValue))
    device.name = name
    apps = names.apps
    if let value = keys.first(where: { $0.key == Key.count.rawValue })?.value {
      count = try value.int(in: 1...Self.mostDevices)
    }
    guard let listed = keys.first(where: { $0.key == Key.apps.rawValue }) else { return }
    apps = try Self.apps(listed.value, names)
  }

  /// The apps that a device has: their names, or a mapping of them to what is other on it.
  private static func apps(
    _ value: YAMLValue, _ names: Names
  ) throws(Mistake) -> [AppSpecification] {
    var apps: [AppSpecification] = []
    func add(_ app: AppSpecification, at value: YAMLValue) throws(Mistake) {
      guard !apps.contains(where: { $0.name == app.name }) else {
        throw value.mistake(.duplicateName, "`\(app.name)` is named twice")
      }
      apps.append(app)
    }
    if case .mapping(let members) = value.kind {
      for member in members {
        var name = member.value
        name.kind = .scalar(member.key, isPlain: true)
        name.position = member.position
        var app = try names.app(name)
        if !member.value.isEmpty {
          let fields = try Fields<AppKey>(member.value, "the app `\(app.name)` of a device")
          if let value = fields[.signedIn] { app.signedIn = try names.accounts(value) }
        }
        try add(app, at: name)
      }
    } else {
      for element in try value.sequence() { try add(names.app(element), at: element) }
    }
    for app in apps {
      guard let container = app.containingApp, !apps.contains(where: { $0.name == container })
      else { continue }
      throw value.mistake(
        .missingKey, "`\(app.name)` is in the app `\(container)`, which the device has not")
    }
    return apps
  }

  /// The scenario as each of the devices sees it.
  func scenarios(within whole: Scenario) -> [Scenario] {
    names.map { name in
      var scenario = whole
      scenario.apps = apps
      scenario.device = device
      guard count > 1 else { return scenario }
      scenario.device.name = name
      scenario.device.group = device.name
      return scenario
    }
  }
}
