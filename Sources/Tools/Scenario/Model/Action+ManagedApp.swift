public import Transfer

extension Action {
  /// What a guest asks of what its administrator provides.
  public struct ManagedApp: Sendable, Equatable {
    public var guest: String
    public var question: Question
    /// Of the configuration: the keys that lead to the value to look at, with dots between them; nil: its keys.
    public var key: String?

    public enum Question: Sendable, Equatable {
      case configuration
      case legacyConfiguration
      case identifiers(ManagedSecret)
      case secret(ManagedSecret, identifier: String)
      /// A signature over the text by the key of an identity.
      case signature(String, identifier: String)
      /// The app tells the administrator why it does not take its configuration.
      case report(code: Int, message: String)
    }
  }
}

extension Action.ManagedApp {
  var text: String {
    switch question {
    case .configuration: "\(guest) asks for its managed configuration"
    case .legacyConfiguration: "\(guest) asks for its legacy managed configuration"
    case .identifiers(let kind): "\(guest) asks for its \(ManagedAspect(kind).name)"
    case .secret(let kind, let identifier): "\(guest) asks for the \(kind) `\(short(identifier))`"
    case .signature(_, let identifier): "\(guest) signs with the identity `\(short(identifier))`"
    case .report(let code, _): "\(guest) reports the error \(code) of its configuration"
    }
  }
}
