import Model
import Testing
import Wire

@testable import SluiceKit

/// Tests the creation and loading of promised attachments, with a host in memory.
struct ItemExchangeTests {
  private let host = MemoryHost()
  private let exchange: ItemExchange

  init() { exchange = ItemExchange(host) }

  private static let text = RepresentationReference(item: 0, attachment: 0, type: "public.text")

  /// Returns an item with one attachment that is created on demand.
  private static func promise(_ handler: @escaping ItemProvider.LoadHandler) -> [ExtensionItem] {
    let provider = ItemProvider()
    provider.registerDataRepresentation(forTypeIdentifier: "public.text", loadHandler: handler)
    return [ExtensionItem(attachments: [provider])]
  }

  private func share(_ items: [ExtensionItem]) {
    exchange.share(items, with: "com.example.shout", via: .sdk) { _ in }
  }

  private static func provided(_ ask: UInt64, _ bytes: [UInt8]) -> GuestMessage.Body {
    .provided(ask: ask, Item(type: "public.text", payload: .inline(bytes)))
  }

  // MARK: Providing

  @Test func `promised data is created when the device requests it`() {
    share(Self.promise { _, done in done([1, 2]) })
    exchange.provide(Self.text, of: 1, ask: 7)
    #expect(host.heard == [Self.provided(7, [1, 2])])
  }

  @Test func `promised data that is unavailable is answered as empty`() {
    share(Self.promise { _, done in done(nil) })
    exchange.provide(Self.text, of: 1, ask: 7)
    #expect(host.heard == [.provided(ask: 7, nil)])
  }

  @Test(arguments: [
    (UInt64(2), RepresentationReference(item: 0, attachment: 0, type: "public.text")),
    (UInt64(1), RepresentationReference(item: 1, attachment: 0, type: "public.text")),
    (UInt64(1), RepresentationReference(item: -1, attachment: 0, type: "public.text")),
    (UInt64(1), RepresentationReference(item: 0, attachment: 1, type: "public.text")),
    (UInt64(1), RepresentationReference(item: 0, attachment: 0, type: "public.image")),
  ])
  func `a request for data that was not promised is answered as empty`(
    share number: UInt64, reference: RepresentationReference
  ) {
    share(Self.promise { _, done in done([1]) })
    exchange.provide(reference, of: number, ask: 7)
    #expect(host.heard == [.provided(ask: 7, nil)])
  }

  @Test func `a promised representation is not provided after its share has ended`() {
    share(Self.promise { _, done in done([1]) })
    host.answer(1, .delivered)
    exchange.provide(Self.text, of: 1, ask: 7)
    #expect(host.heard == [.provided(ask: 7, nil)])
  }

  @Test func `loading data reports progress and completes once`() {
    var making: (progress: LoadProgress, done: ([UInt8]?) -> Void)?
    share(Self.promise { making = ($0, $1) })
    exchange.provide(Self.text, of: 1, ask: 7)
    making?.progress.fractionCompleted = 0.25
    // The completion is reported with the bytes.
    making?.progress.fractionCompleted = 1
    making?.done([9])
    making?.done([8])
    making?.progress.fractionCompleted = 0.5
    #expect(
      host.heard == [.provideProgress(ask: 7, fraction: 0.25), Self.provided(7, [9])])
  }

  @Test func `a load that is cancelled twice completes once, without data`() {
    var making: (progress: LoadProgress, done: ([UInt8]?) -> Void)?
    var isStopped = false
    share(Self.promise { making = ($0, $1) })
    exchange.provide(Self.text, of: 1, ask: 7)
    making?.progress.cancellationHandler = { isStopped = true }
    exchange.cancelProvision(7)
    exchange.cancelProvision(7)
    making?.done([9])
    #expect(host.heard == [.provided(ask: 7, nil)])
    #expect(isStopped && making?.progress.isCancelled == true)
  }

  @Test func `concurrent loads of one share complete separately`() {
    var making: [([UInt8]?) -> Void] = []
    share(Self.promise { making.append($1) })
    exchange.provide(Self.text, of: 1, ask: 7)
    exchange.provide(Self.text, of: 1, ask: 8)
    for (number, done) in making.enumerated().reversed() { done([UInt8(number)]) }
    #expect(host.heard == [Self.provided(8, [1]), Self.provided(7, [0])])
  }

  // MARK: Loading

  @Test func `a load's progress is updated until the load ends`() {
    let progress = LoadProgress()
    var outcome: RequestOutcome?
    exchange.load(Self.text, progress) { outcome = $0 }
    #expect(host.requests == [.loadItem(Self.text)])
    exchange.didProgress(1, to: 0.5)
    #expect(progress.fractionCompleted == 0.5)
    // No such load exists.
    exchange.didProgress(2, to: 0.75)
    #expect(progress.fractionCompleted == 0.5)
    host.answer(1, .delivered)
    #expect(progress.fractionCompleted == 1)
    #expect(outcome?.end == .delivered)
    exchange.didProgress(1, to: 0.25)
    #expect(progress.fractionCompleted == 1)
  }

  @Test func `a failed load keeps its progress`() {
    let progress = LoadProgress()
    exchange.load(Self.text, progress) { _ in }
    exchange.didProgress(1, to: 0.5)
    host.answer(1, .failed)
    #expect(progress.fractionCompleted == 0.5)
  }

  @Test func `only cancelling an unfinished load notifies the device`() {
    let (first, second) = (LoadProgress(), LoadProgress())
    exchange.load(Self.text, first) { _ in }
    exchange.load(Self.text, second) { _ in }
    host.answer(2, .delivered)
    first.cancel()
    first.cancel()
    second.cancel()
    #expect(host.heard == [.cancelLoad(1)])
    #expect(first.isCancelled && !second.isCancelled)
  }

  @Test func `a failed load is marked as cancelled only if the extension cancelled it`() {
    let type = "public.text"
    let attachment = OfferedAttachment(representations: [
      OfferedRepresentation(type: type, content: .promised)
    ])
    let provider = ItemProvider(attachment, at: (item: 0, attachment: 0), from: "notes", exchange)
    var errors: [ItemProviderError] = []
    let loads = (1...2).map { _ in
      provider.loadDataRepresentation(forTypeIdentifier: type) {
        if case .failure(let error) = $0 { errors.append(error) }
      }
    }
    loads[1].cancel()
    for number in [1, 2] as [UInt64] { host.answer(number, .failed) }
    #expect(errors == [.unavailable(type), .cancelled])
  }

  @Test func `a completed load of a local item cannot be cancelled`() {
    let provider = ItemProvider(item: Item(text: "Lunch"))
    var loads = [provider.loadText { _ in }, provider.loadURL { _ in }]
    provider.registerDataRepresentation(forTypeIdentifier: "public.html") { $1([1]) }
    loads.append(provider.loadDataRepresentation(forTypeIdentifier: "public.html") { _ in })
    for load in loads { load.cancel() }
    #expect(loads.filter(\.isCancelled).isEmpty)
  }

  @Test func `a load of a local item can be cancelled while it runs`() {
    let provider = ItemProvider()
    var making: (progress: LoadProgress, done: ([UInt8]?) -> Void)?
    provider.registerDataRepresentation(forTypeIdentifier: "public.html") { making = ($0, $1) }
    var results: [Result<[UInt8], ItemProviderError>] = []
    let load = provider.loadDataRepresentation(forTypeIdentifier: "public.html") {
      results.append($0)
    }
    load.cancel()
    #expect(load.isCancelled && making?.progress.isCancelled == true)
    making?.done([1])
    #expect(results.count == 1)
  }
}
