internal import Host
internal import Model
internal import Policy
internal import Scenario
internal import ShareSheet
internal import UniformTypes
internal import Wire

/// The share sheets on the devices of one scenario.
struct ShareSheets {
  private let bundles: [InstalledBundle]
  private let types: TypeLibrary

  init(_ blueprint: Blueprint) {
    bundles = InstalledBundle.all(of: blueprint)
    types = TypeLibrary.system.adding(bundles.flatMap(\.declaredTypes))
  }

  /// The share sheet that a guest of the device would see now.
  ///
  /// - Parameters:
  ///   - task: the task that shares; nil: the one in front.
  ///   - roles: the tasks of other apps, by the apps' names; an app without a role keeps its identity.
  /// - Throws: ``SheetError`` where the device has no such guest, or the guest is locked.
  func sheet(
    _ sheet: Action.ShareSheet, as task: TaskContext?, on device: Device,
    roles: [String: TaskContext] = [:]
  ) throws(SheetError) -> Sheet {
    guard let sharer = device.shareSheet.sharer(sheet.from, as: task) else {
      throw SheetError("there is no guest `\(sheet.from)`")
    }
    if let lock = sharer.lock {
      throw SheetError("`\(sheet.from)` is locked by \(lock.deciding.rawValue), and shares nothing")
    }
    let contents = sheet.items.map { item in
      guard !item.types.isEmpty || item.fileName == nil else {
        return Sharing.Content(fileNamed: item.fileName ?? "", in: types)
      }
      return Sharing.Content(types: item.types, fileName: item.fileName)
    }
    let sharing = Sharing(
      senderName: sheet.from, sender: sharer.party, owner: sharer.owner,
      appPolicy: sharer.appPolicy, via: sheet.via, device: device.state,
      contents: contents, types: types)
    return Sheet(
      sharing, apps: bundles.compactMap { $0.app(on: device, roles[$0.name]) },
      extensions: bundles.compactMap { $0.extension(on: device) })
  }
}

/// The reason why there is no share sheet.
struct SheetError: Error, CustomStringConvertible {
  /// The reason, in lower case and without full stop.
  var description: String

  init(_ description: String) { self.description = description }
}

extension InstalledBundle {
  fileprivate func app(on device: Device, _ task: TaskContext?) -> SheetApp? {
    guard kind == nil, let party = device.shareSheet.receivingParty(guest, as: task) else {
      return nil
    }
    var app = SheetApp(
      name: name, party: party, team: description.team, documentTypes: documentTypes,
      schemes: description.schemes)
    app.ban = device.management.ban(on: guest).map { "\($0)" }
    return app
  }

  fileprivate func `extension`(on device: Device) -> SheetExtension? {
    guard let kind, let party = device.shareSheet.receivingParty(guest) else { return nil }
    var one = SheetExtension(
      name: name, kind: kind, party: party, containingApp: containingApp, rule: rule,
      isOpenInAction: isOpenInAction)
    one.ban = device.management.ban(on: guest).map { "\($0)" }
    return one
  }
}

extension Sheet {
  /// The lines that expectations are compared with.
  var lines: [SheetLine] {
    destinations.map { destination in
      SheetLine(
        name: destination.name, bundleID: destination.bundleID,
        visibility: destination.visibility.line, why: destination.why)
    }
  }
}

extension SheetDestination.Visibility {
  fileprivate var line: SheetLine.Visibility {
    switch self {
    case .shown: .shown
    case .encrypted: .encrypted
    case .hidden: .hidden
    }
  }
}
