public import Model

/// One movement of data that was allowed: the item that it made, where that came from, and who has it now.
public struct Hop: Sendable, Equatable {
  /// The item's number: that of the request; of several devices, the hop's own among those of all.
  public var number: Int
  /// The place of the request among those of several devices; nil: there is one, and ``number`` is the request's.
  public var place: Place?
  public var operation: Operation
  /// The device's virtual clock, in seconds since 1970-01-01T00:00:00Z.
  public var time: Int
  /// The number of the decision's event in the journal.
  public var event: Int
  /// The items that this one came from; empty where the sender made it, or nobody knows.
  public var sources: [Source]
  /// Who moved it; nil for what came in from outside.
  public var sender: Participant?
  public var holder: Holder
  /// The owner's UPN; `""` where there is none, or it is unknown.
  public var owner: String
  /// Whether the data, or what it came from, were a managed account's.
  public var isManaged: Bool
  /// Whether the holder got ciphertext.
  public var isEncrypted: Bool
  /// Whether what the holder got stays ciphertext, to whomever it is handed on.
  var isCiphertext = false
  /// Whether data of a managed account came where no policy holds: to an app that acts for somebody whom none manages,
  /// or outside, but for a storage location of the owner.
  public var isUnmanaged: Bool
  /// The rule that let the data through, with its setting.
  public var reason: Explanation

  /// A request on one of several devices.
  public struct Place: Sendable, Equatable, Hashable {
    /// The name of the device.
    public var device: String
    /// The number of the request on the device, or of the item that arrived there.
    public var request: Int
  }

  /// An item that another one came from.
  public struct Source: Sendable, Equatable, Hashable {
    public var item: Int
    public var certainty: Certainty

    /// A source that is an item, by its number.
    public init(item: Int, certainty: Certainty) {
      self.item = item
      self.certainty = certainty
    }
  }

  /// How sure it is that an item came from another one.
  public enum Certainty: String, Sendable, CaseIterable, Comparable {
    /// By the seal of the item's tag, or by the device's own records of pasteboard, files and extensions.
    case certain
    /// The guest says so, and it had that item.
    case stated
    /// The content is the same in whole or in part, and came without tag from an app that had the item.
    case likely

    public static func < (left: Certainty, right: Certainty) -> Bool {
      allCases.firstIndex(of: left) ?? 0 < allCases.firstIndex(of: right) ?? 0
    }
  }
}
