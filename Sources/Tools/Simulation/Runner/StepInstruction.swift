internal import Bundle
internal import Host
internal import Model
internal import Scenario
internal import Secrets
internal import Wire

/// A step's instruction for its guest: a request to the device, work in the guest itself, or an act of its
/// user.
enum StepInstruction {
  case request(GuestMessage.Body, InstructedContent = .stated)
  case work(FileWork, InstructedContent = .stated)
  case act(UserAct)
}

// MARK: - The instructions of actions

extension Action.File {
  private var reference: FileReference { FileReference(path, group: group ?? "") }

  /// Returns the file operation as a request to the device, or as work in the guest itself.
  func instruction(in world: CaseWorld) -> StepInstruction {
    switch operation {
    case .write(let item):
      .work(FileWork(.write, reference, content: item.stated.bytes), item.content)
    case .append(let item):
      .work(FileWork(.append, reference, content: item.stated.bytes), item.content)
    case .read: .work(FileWork(.read, reference))
    case .info: .request(.openFile(OpenFile(reference, mode: .read, isQuestion: true)))
    case .protect(let owner):
      .work(FileWork(.protect, reference, owner: owner.accountID(world) ?? ""))
    case .move(let target):
      .request(.moveFile(reference, to: FileReference(target, group: group ?? "")))
    case .remove: .request(.removeFile(reference))
    case .protectData(let text, let owner):
      .work(
        FileWork(
          .protectData, reference, content: Array(text.utf8), owner: owner.accountID(world) ?? ""))
    case .unprotectData: .work(FileWork(.unprotectData, reference))
    }
  }
}

extension Action.Interaction {
  func act(_ world: CaseWorld) -> UserAct {
    switch kind {
    case .tap(let button, let alert): .tap(button: button, title: alert)
    case .choose(let destination): .choose(world.shareDestination(destination))
    case .pick(let item, let location, let account):
      .pick(PickedDocument(item, location: location, account: account.accountID(world)))
    case .cancel: .cancel
    }
  }
}

extension Action.Share {
  /// The acts of the extension's user.
  var acts: [UserAct] { taps.map { .tap(button: $0, title: nil) } }
}

extension Action.Share.HandBack {
  /// Makes an extension with this behaviour return the content.
  func change(_ behaviour: inout Behaviour) {
    switch self {
    case .text(let text):
      behaviour.provides = Item(text: text)
      behaviour.handsBack = .stated
    case .held(let item): behaviour.handsBack = StepItem.held(item).content
    }
  }
}

// MARK: - Managed apps

extension Action.ManagedApp {
  /// Returns the guest's request to the device. The signature algorithm fits the identity's key.
  func request(on device: Device) -> ManagedAppRequest {
    switch question {
    case .configuration: .configuration
    case .legacyConfiguration: .legacyConfiguration
    case .identifiers(let kind): .identifiers(kind)
    case .secret(let kind, let identifier): .secret(kind, identifier: identifier)
    case .signature(let text, let identifier):
      .sign(
        identifier: identifier,
        device.management.signatureAlgorithm(ofIdentity: identifier, of: guest)
          ?? .ecdsaSignatureMessageX962SHA256,
        Array(text.utf8))
    case .report(let code, let message): .decodingFailed(code: code, message: message)
    }
  }

  /// Returns the guest's result in the form that expectations use; nil if it is empty or cannot be read.
  func received(_ found: [UInt8], on device: Device) -> String? {
    guard !found.isEmpty else { return nil }
    switch question {
    case .configuration, .legacyConfiguration:
      guard let list = try? PropertyList(found, file: "") else { return nil }
      guard let key else {
        return list.dictionary.entries.map(\.key).sorted().joined(separator: "\n")
      }
      let path = key.split(separator: ".").map { part in
        Int(part).map(ListStep.index) ?? .key(String(part))
      }
      return list.value(at: path)?.plainText
    case .secret(.certificate, _), .secret(.identity, _):
      return try? Certificate(der: found).subject
    case .signature(let text, let identifier):
      let isRight = device.management.verifies(
        found, of: Array(text.utf8), byIdentity: identifier, of: guest)
      return isRight ? "verified" : "not verified"
    case .identifiers, .secret(.password, _), .report:
      return String(decoding: found, as: UTF8.self)
    }
  }
}

extension PropertyListValue {
  /// The value as one line; nil for arrays, dictionaries, data and dates.
  fileprivate var plainText: String? {
    switch kind {
    case .string(let text): text
    case .boolean(let flag): "\(flag)"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .data, .date, .array, .dictionary: nil
    }
  }
}

extension AdministratorEvent {
  /// The event as a line, such as `com.contoso.landmarks 100: the collection has no landmarks`.
  var line: String { [app, "\(code): \(message)"].compactMap(\.self).joined(separator: " ") }
}
