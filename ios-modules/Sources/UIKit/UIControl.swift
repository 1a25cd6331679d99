internal import AppProcess
public import Foundation
public import FoundationExtensions

/// A view that calls actions on targets. Only ``sendActions(for:)`` and the step `tap` trigger the calls.
@preconcurrency @MainActor open class UIControl: UIView {
  /// Whether the user can trigger the control.
  open var isEnabled = true
  /// This property has no effect.
  open var isSelected = false
  private var actions: [Action] = []
  private var closures: [(action: UIAction, events: Event)] = []

  private struct Action {
    weak var target: AnyObject?
    var selector: Selector
    var events: Event
  }

  public struct Event: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let touchDown = Event(rawValue: 1 << 0)
    public static let touchUpInside = Event(rawValue: 1 << 6)
    public static let valueChanged = Event(rawValue: 1 << 12)
    public static let primaryActionTriggered = Event(rawValue: 1 << 13)
    public static let editingDidBegin = Event(rawValue: 1 << 16)
    public static let editingChanged = Event(rawValue: 1 << 17)
    public static let editingDidEnd = Event(rawValue: 1 << 18)
  }

  public struct State: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let normal: State = []
    public static let highlighted = State(rawValue: 1 << 0)
    public static let disabled = State(rawValue: 1 << 1)
    public static let selected = State(rawValue: 1 << 2)
  }

  /// Adds an action. The control does not retain the target.
  ///
  /// - Parameter target: The object whose method is called. If it is nil, the action has no effect, and the trace
  ///   reports this. The responder chain is not searched.
  open func addTarget(_ target: Any?, action: Selector, for controlEvents: Event) {
    actions.append(
      Action(target: target.map { $0 as AnyObject }, selector: action, events: controlEvents))
    if target == nil {
      AppProcess.current.logOnce("`addTarget(nil, action: \(action))` has no effect")
    }
  }

  /// Removes the actions for these events that match both the target and the action.
  ///
  /// - Parameters:
  ///   - target: The target whose actions are removed; nil for all targets.
  ///   - action: The action that is removed; nil for all actions.
  open func removeTarget(_ target: Any?, action: Selector?, for controlEvents: Event) {
    let target = target.map { $0 as AnyObject }
    for index in actions.indices.reversed()
    where (target == nil || actions[index].target === target)
      && (action == nil || actions[index].selector == action)
    {
      actions[index].events.subtract(controlEvents)
      if actions[index].events.isEmpty { actions.remove(at: index) }
    }
  }

  /// Adds a closure as an action. The control retains it.
  open func addAction(_ action: UIAction, for controlEvents: Event) {
    closures.append((action, controlEvents))
  }

  /// Calls the actions for these events. The closures added by ``addAction(_:for:)`` are called first.
  open func sendActions(for controlEvents: Event) {
    for (action, events) in closures where !events.isDisjoint(with: controlEvents) {
      action.handler(action)
    }
    for action in actions where !action.events.isDisjoint(with: controlEvents) {
      guard let target = action.target else { continue }
      action.selector.perform(on: target, with: self)
    }
  }
}

/// A button. If no prompt is shown, the step `tap` with the button's title triggers `touchUpInside` and
/// `primaryActionTriggered`.
@preconcurrency @MainActor open class UIButton: UIControl {
  private var title: String?
  open var currentTitle: String? { title }

  public convenience init(type buttonType: ButtonType) { self.init(frame: CGRect.zero) }

  public convenience init(frame: CGRect = .zero, primaryAction: UIAction?) {
    self.init(frame: frame)
    setTitle(primaryAction?.title, for: .normal)
    primaryAction.map { addAction($0, for: .primaryActionTriggered) }
  }

  /// A style, which has no effect.
  public enum ButtonType: Int, Sendable { case custom, system, detailDisclosure, infoLight, close }

  /// Sets the title. It applies to every state, because nothing is drawn.
  open func setTitle(_ title: String?, for state: State) { self.title = title }
  open func title(for state: State) -> String? { title }
  /// Does nothing, because the button is never drawn.
  open func setTitleColor(_ color: UIColor?, for state: State) {}
}

/// A closure with a title. Controls and bar buttons call the closure as their action.
@preconcurrency @MainActor open class UIAction: NSObject {
  open var title: String
  let handler: (UIAction) -> Void

  public init(title: String = "", handler: @escaping (UIAction) -> Void) {
    self.title = title
    self.handler = handler
  }
}

/// A label with a text. Nothing is drawn.
@preconcurrency @MainActor open class UILabel: UIView {
  open var text: String?
  open var attributedText: NSAttributedString?
  /// This property has no effect.
  open var numberOfLines = 1
  /// This property has no effect.
  open var textColor: UIColor! = .label
  /// This property has no effect.
  open var font: UIFont! = .systemFont(ofSize: 17)
  /// This property has no effect.
  open var textAlignment = NSTextAlignment.natural
}

/// The alignment of a text that is never drawn.
public enum NSTextAlignment: Int, Sendable { case left, center, right, justified, natural }

/// A field with one line of text. The simulated user does not type, so only code changes the text.
@preconcurrency @MainActor open class UITextField: UIControl {
  open var text: String? = ""
  /// The delegate, whose methods are never called.
  open weak var delegate: (any UITextFieldDelegate)?
  /// This property has no effect.
  open var placeholder: String?
  /// This property has no effect.
  open var isSecureTextEntry = false
  /// This property has no effect.
  open var font: UIFont? = .systemFont(ofSize: 17)
}

/// The delegate of a text field. The simulated user does not type, so no method is called.
@preconcurrency @MainActor public protocol UITextFieldDelegate: AnyObject {
  func textFieldShouldBeginEditing(_ textField: UITextField) -> Bool
  func textFieldDidBeginEditing(_ textField: UITextField)
  func textFieldShouldEndEditing(_ textField: UITextField) -> Bool
  func textFieldDidEndEditing(_ textField: UITextField)
  func textField(
    _ textField: UITextField, shouldChangeCharactersIn range: NSRange,
    replacementString string: String
  ) -> Bool
  func textFieldShouldReturn(_ textField: UITextField) -> Bool
}

extension UITextFieldDelegate {
  public func textFieldShouldBeginEditing(_ textField: UITextField) -> Bool { true }
  public func textFieldDidBeginEditing(_ textField: UITextField) {}
  public func textFieldShouldEndEditing(_ textField: UITextField) -> Bool { true }
  public func textFieldDidEndEditing(_ textField: UITextField) {}
  public func textField(
    _ textField: UITextField, shouldChangeCharactersIn range: NSRange,
    replacementString string: String
  ) -> Bool { true }
  public func textFieldShouldReturn(_ textField: UITextField) -> Bool { true }
}
