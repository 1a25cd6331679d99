internal import Foundation

enum ItemSource: Sendable {
  case object(UncheckedBox<any NSSecureCoding>)
  case item(NSItemProvider.LoadHandler)
  case data(DataHandler)
  case file(URL)
  case fileHandler(FileHandler)
  case device(DeviceProvider)

  typealias DataHandler =
    @Sendable (@escaping @Sendable (Data?, (any Error)?) -> Void) -> Progress?
  typealias FileHandler =
    @Sendable (@escaping @Sendable (URL?, Bool, (any Error)?) -> Void) -> Progress?
}
