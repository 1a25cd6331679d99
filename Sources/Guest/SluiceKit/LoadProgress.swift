/// The progress of a load, and the way to cancel it (`Progress`).
public final class LoadProgress {
  /// The progress, 0 to 1. The provider of a representation sets it; the extension that loads one reads it.
  public var fractionCompleted: Double = 0 {
    didSet { onChange?(fractionCompleted) }
  }
  /// Whether the load was cancelled.
  public private(set) var isCancelled = false
  /// Called once, when the load is cancelled.
  public var cancellationHandler: (() -> Void)?
  /// Called whenever the progress changes.
  public var onChange: ((Double) -> Void)?

  /// A progress of 0.
  public init() {}

  private var hasEnded = false

  /// Cancels the load. A load that has ended stays as it is.
  public func cancel() {
    guard !isCancelled, !hasEnded else { return }
    isCancelled = true
    cancellationHandler?()
    cancellationHandler = nil
  }

  /// Notes that the load has ended.
  func end() {
    hasEnded = true
    cancellationHandler = nil
  }
}
