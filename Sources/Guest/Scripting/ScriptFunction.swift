internal import Model
internal import SluiceKit
internal import Wire

/// The declaration of a function that a script calls and waits for.
///
/// It supplies the argument checks, the error messages and the declaration in `docs/schema/sluice.lua`.
struct ScriptFunction: Sendable {
  /// The Lua name, such as `files.read`.
  let name: String
  let parameters: [ScriptParameterForm]
  /// The description of the result in the documentation.
  let result: String
  /// The function's effect, as Markdown.
  let summary: String
  let wait: Wait
  let sender: Sender
  private let body:
    @Sendable (ScriptCall, @escaping ([ScriptValue]) -> Void) throws(ScriptMisuse) -> Void

  /// The participants that the function's answer depends on.
  enum Wait: Sendable {
    case device
    /// The answer may depend on another guest, which may itself wait for this guest.
    case otherGuests
  }

  /// The identity with which requests are sent.
  enum Sender: Sendable {
    /// Requests use the identity from the innermost `accounts.within`, if there is one.
    case scope
    case app
  }

  /// Creates the declaration of a function.
  ///
  /// - Parameter body: Receives the call, the arguments in order, and the closure to call once with the answer. If it
  ///   throws, no answer is given.
  // The initializer is not specialised: a copy for each list of types, here and in the table
  // readers, would enlarge the guest by 1 %.
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  init<each Argument, Answer>(
    _ name: String, _ parameters: repeat ScriptParameter<each Argument>,
    result: ScriptResult<Answer>, _ summary: String, waitsFor wait: Wait = .device,
    sender: Sender = .scope,
    body:
      @escaping @Sendable (ScriptCall, @escaping (Answer) -> Void, repeat each Argument)
      throws(ScriptMisuse) -> Void
  ) {
    self.name = name
    self.result = result.text
    self.summary = summary
    self.wait = wait
    self.sender = sender
    var forms: [ScriptParameterForm] = []
    repeat forms.append((each parameters).form)
    self.parameters = forms
    self.body = { call, answer throws(ScriptMisuse) in
      var index = -1
      func next() -> Int {
        index += 1
        return index
      }
      let arguments = (repeat try (each parameters).read(call, at: next()))
      try body(call, { answer(result.values($0)) }, repeat each arguments)
    }
  }

  /// Runs the function with the arguments of a call. If ``sender`` is `scope`, requests use the scope's identity.
  ///
  /// - Throws: ``ScriptMisuse`` if an argument is invalid; `answer` is then not called.
  func carryOut(
    _ call: ScriptCall, _ answer: @escaping ([ScriptValue]) -> Void
  ) throws(ScriptMisuse) {
    switch sender {
    case .scope: try call.scoped { () throws(ScriptMisuse) in try body(call, answer) }
    case .app: try body(call, answer)
    }
  }

  /// The functions, grouped by subject. Each subject is a section of `docs/schema/sluice.lua`.
  static let subjects: KeyValuePairs<String, [ScriptFunction]> = [
    "request": request, "transfers": transfers, "keychain": keychain, "managed": managed,
    "accounts": accounts, "configuration": configuration, "files": files, "policy": policy,
    "device": device,
  ]

  static let all = subjects.flatMap(\.value)
}

/// Collects declarations. Each declaration is a statement, so the compiler type-checks it
/// separately.
@resultBuilder enum ScriptFunctions {
  static func buildBlock(_ functions: ScriptFunction...) -> [ScriptFunction] { functions }
}

final class ScriptCall {
  let function: ScriptFunction
  let arguments: [ScriptValue]
  /// The identity set by the innermost `accounts.within`; `unset` outside of such scopes.
  let identity: ThreadIdentity
  let application: Application
  unowned let script: Script

  init(
    _ function: ScriptFunction, _ arguments: [ScriptValue], as identity: ThreadIdentity,
    in application: Application, of script: Script
  ) {
    self.function = function
    self.arguments = arguments
    self.identity = identity
    self.application = application
    self.script = script
  }

  func scoped<Value, Failure>(
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value { try identity.scope(body) }

  func ask(_ body: GuestMessage.Body, _ answer: @escaping (RequestOutcome) -> Void) {
    application.request(body, answer)
  }
}

// MARK: - Parameters

/// The documentation of a parameter.
struct ScriptParameterForm: Sendable {
  let name: String
  /// The expected argument, as the documentation names it: a Lua type, or a phrase such as `string or item`.
  let type: String
  var isOptional = false
  /// The named arguments, if the argument is a table of named arguments; otherwise nil.
  var fields: [ScriptParameterForm]?
}

/// A parameter of a function, or a field of a table parameter.
struct ScriptParameter<Value>: Sendable {
  let form: ScriptParameterForm
  let convert: @Sendable (ScriptArgument) throws(ScriptMisuse) -> Value

  init(
    _ name: String, _ type: String, isOptional: Bool = false,
    convert: @escaping @Sendable (ScriptArgument) throws(ScriptMisuse) -> Value
  ) {
    self.init(ScriptParameterForm(name: name, type: type, isOptional: isOptional), convert)
  }

  private init(
    _ form: ScriptParameterForm,
    _ convert: @escaping @Sendable (ScriptArgument) throws(ScriptMisuse) -> Value
  ) {
    self.form = form
    self.convert = convert
  }

  @inline(never)
  fileprivate func read(_ call: ScriptCall, at index: Int) throws(ScriptMisuse) -> Value {
    let value = index < call.arguments.count ? call.arguments[index] : .nothing
    return try convert(
      ScriptArgument(value: value, place: .argument(index), call: call, type: form.type))
  }

  @inline(never)
  fileprivate func read(from fields: ScriptFields) throws(ScriptMisuse) -> Value {
    try convert(
      ScriptArgument(
        value: fields[form.name], place: .field(form.name), call: fields.call, type: form.type))
  }
}

/// An argument of a call, or a field of a table argument.
struct ScriptArgument {
  let value: ScriptValue
  let place: Place
  let call: ScriptCall
  /// The expected type, for errors.
  let type: String

  enum Place {
    /// The index of an argument, from 0.
    case argument(Int)
    case field(String)
  }

  func text() throws(ScriptMisuse) -> String {
    guard let text = value.text else { throw misuse }
    guard text.utf8.count <= RequestLimits.names else { throw tooLong }
    return text
  }

  func item() throws(ScriptMisuse) -> Item {
    guard let item = try Item(value) else { throw misuse }
    try checkNames(of: [item])
    return item
  }

  func checkNames(of items: [Item]) throws(ScriptMisuse) {
    let length = items.reduce(0) { $0 + $1.nameLength }
    guard length <= RequestLimits.names else { throw tooLong }
  }

  var misuse: ScriptMisuse { misuse(expecting: type) }

  func misuse(expecting type: String) -> ScriptMisuse {
    misuse("\(type) expected, got \(value.kind)")
  }

  func misuse(_ why: String) -> ScriptMisuse {
    let name = call.function.name
    return switch place {
    case .argument(let index): ScriptMisuse("bad argument #\(index + 1) to `\(name)` (\(why))")
    case .field(let field): ScriptMisuse("bad field `\(field)` of `\(name)` (\(why))")
    }
  }

  var tooLong: ScriptMisuse {
    switch place {
    case .argument: misuse("names with more than \(RequestLimits.names) bytes in total")
    case .field: misuse("more than \(RequestLimits.names) bytes")
    }
  }

  func unknown(_ name: String, known: [String]) -> ScriptMisuse {
    let names = known.map { "`\($0)`" }.joined(separator: ", ")
    return ScriptMisuse(
      "`\(call.function.name)` does not accept `\(name)`; expected one of \(names)")
  }
}

extension ScriptParameter {
  /// Creates a parameter that may be omitted; its value is then nil.
  static func optional<Wrapped>(
    _ parameter: ScriptParameter<Wrapped>
  ) -> ScriptParameter where Value == Wrapped? {
    var form = parameter.form
    form.isOptional = true
    return ScriptParameter(form) { argument throws(ScriptMisuse) in
      argument.value == .nothing ? nil : try parameter.convert(argument)
    }
  }

  static func choice(
    _ name: String, _ type: Value.Type
  ) -> ScriptParameter where Value: RawRepresentable<String> & CaseIterable & Sendable {
    choice(name, Array(Value.allCases)) { $0.rawValue }
  }

  /// Creates a parameter that takes one of the given values.
  ///
  /// - Parameter nameOf: Called only when an argument is read, because the names of cases are slow
  ///   to find.
  @inline(never)
  static func choice(
    _ name: String, _ choices: [Value],
    nameOf: @escaping @Sendable (Value) -> String = { "\($0)" }
  ) -> ScriptParameter where Value: Sendable {
    ScriptParameter(name, "string") { argument throws(ScriptMisuse) in
      let text = try argument.text()
      guard let choice = choices.first(where: { nameOf($0) == text }) else {
        throw argument.unknown(text, known: choices.map(nameOf))
      }
      return choice
    }
  }

  static func table<each Field>(
    _ fields: repeat ScriptField<each Field>
  ) -> ScriptParameter where Value == (repeat each Field) {
    table(isOptional: false, repeat each fields)
  }

  /// Creates a parameter that takes a table of named arguments. The table and each argument in it may be omitted.
  static func options<each Field>(
    _ fields: repeat ScriptField<each Field>
  ) -> ScriptParameter where Value == (repeat each Field) {
    table(isOptional: true, repeat each fields)
  }

  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  private static func table<each Field>(
    isOptional: Bool, _ fields: repeat ScriptField<each Field>
  ) -> ScriptParameter where Value == (repeat each Field) {
    var forms: [ScriptParameterForm] = []
    repeat forms += (each fields).forms
    let form = ScriptParameterForm(
      name: "", type: "table", isOptional: isOptional, fields: forms)
    let known = forms.map(\.name)
    return ScriptParameter(form) { argument throws(ScriptMisuse) in
      var found = ScriptFields(call: argument.call, fields: [:])
      if case .table(_, let fields) = argument.value {
        found = ScriptFields(call: argument.call, fields: fields)
      } else if !isOptional || argument.value != .nothing {
        throw argument.misuse
      }
      try found.only(known)
      return (repeat try (each fields).read(found))
    }
  }
}

extension ScriptParameter<String> {
  static func text(_ name: String) -> ScriptParameter {
    ScriptParameter(name, "string") { argument throws(ScriptMisuse) in try argument.text() }
  }
}

extension ScriptParameter<[UInt8]> {
  static func bytes(_ name: String) -> ScriptParameter {
    ScriptParameter(name, "string") { argument throws(ScriptMisuse) in
      guard case .bytes(let bytes) = argument.value else { throw argument.misuse }
      return bytes
    }
  }
}

extension ScriptParameter<Int> {
  static func integer(_ name: String) -> ScriptParameter {
    ScriptParameter(name, "integer") { argument throws(ScriptMisuse) in
      guard case .integer(let integer) = argument.value else { throw argument.misuse }
      return Int(integer)
    }
  }
}

extension ScriptParameter<Bool> {
  static func boolean(_ name: String) -> ScriptParameter {
    ScriptParameter(name, "boolean") { argument throws(ScriptMisuse) in
      guard case .boolean(let flag) = argument.value else { throw argument.misuse }
      return flag
    }
  }

  /// Creates a parameter that is true if Lua treats the value as true, and false if the value is missing.
  static func truth(_ name: String) -> ScriptParameter {
    ScriptParameter(name, "boolean", isOptional: true) { $0.value.isTrue }
  }
}

extension ScriptParameter<[String]> {
  static func texts(_ name: String) -> ScriptParameter {
    ScriptParameter(name, "list of strings") { argument throws(ScriptMisuse) in
      guard case .table(let list, let fields) = argument.value, fields.isEmpty else {
        throw argument.misuse
      }
      let texts = list.compactMap(\.text)
      guard texts.count == list.count else { throw argument.misuse }
      guard texts.reduce(0, { $0 + $1.utf8.count }) <= RequestLimits.names else {
        throw argument.tooLong
      }
      return texts
    }
  }
}

extension ScriptParameter<Item> {
  static func item(_ name: String) -> ScriptParameter {
    ScriptParameter(name, "string or item") { argument throws(ScriptMisuse) in
      try argument.item()
    }
  }
}

extension ScriptParameter<[Item]> {
  /// Creates a parameter that takes no item, one item, or a list of items.
  static func items(_ name: String) -> ScriptParameter {
    ScriptParameter(name, "string or item", isOptional: true) { argument throws(ScriptMisuse) in
      switch argument.value {
      case .nothing: return []
      case .table(let list, let fields) where fields.isEmpty:
        guard list.count <= RequestLimits.returnedItems else {
          throw argument.misuse(
            "\(list.count) items; the limit is \(RequestLimits.returnedItems)")
        }
        var items: [Item] = []
        for value in list {
          guard let item = try Item(value) else { throw argument.misuse(expecting: "items") }
          items.append(item)
        }
        try argument.checkNames(of: items)
        return items
      case .boolean, .integer, .number, .bytes, .table: return [try argument.item()]
      }
    }
  }
}

// MARK: - Fields

/// The named arguments of a call.
struct ScriptFields {
  let call: ScriptCall
  let fields: [String: ScriptValue]

  subscript(_ name: String) -> ScriptValue { fields[name] ?? .nothing }

  func callAsFunction<Value>(
    _ parameter: ScriptParameter<Value>
  ) throws(ScriptMisuse) -> Value { try parameter.read(from: self) }

  /// Rejects unknown fields. If a misspelt field were ignored, the decision could differ.
  fileprivate func only(_ known: [String]) throws(ScriptMisuse) {
    guard let unknown = fields.keys.filter({ !known.contains($0) }).min() else { return }
    let names = known.map { "`\($0)`" }.joined(separator: ", ")
    throw ScriptMisuse("`\(call.function.name)` has no field `\(unknown)`: \(names)")
  }
}

/// A value that is read from a table of named arguments: from one field, or from several related fields.
struct ScriptField<Value>: Sendable {
  let forms: [ScriptParameterForm]
  let read: @Sendable (ScriptFields) throws(ScriptMisuse) -> Value

  static func field(_ parameter: ScriptParameter<Value>) -> ScriptField {
    ScriptField(forms: [parameter.form]) { fields throws(ScriptMisuse) in try fields(parameter) }
  }
}

// MARK: - Results

/// The result of a function: its type in Swift, its values in Lua, and its documentation.
struct ScriptResult<Answer>: Sendable {
  let text: String
  let values: @Sendable (Answer) -> [ScriptValue]

  init(_ text: String, values: @escaping @Sendable (Answer) -> [ScriptValue]) {
    self.text = text
    self.values = values
  }

  static func value(
    _ text: String, _ value: @escaping @Sendable (Answer) -> ScriptValue
  ) -> ScriptResult { ScriptResult(text) { [value($0)] } }

  static func optional<Value>(
    _ text: String, _ value: @escaping @Sendable (Value) -> ScriptValue
  ) -> ScriptResult where Answer == Value? {
    ScriptResult("\(text), or nil") { [$0.map(value) ?? .nothing] }
  }

  static func list<Value>(
    _ text: String, _ value: @escaping @Sendable (Value) -> ScriptValue
  ) -> ScriptResult where Answer == [Value] { ScriptResult(text) { [.list($0.map(value))] } }

  static func file<Value>(
    _ text: String, _ value: @escaping @Sendable (Value) -> ScriptValue
  ) -> ScriptResult where Answer == Result<Value, ProtectedFileError> {
    ScriptResult("\(text); or nil and an error") { result in
      switch result {
      case .success(let found): [value(found)]
      case .failure(let error): [.nothing, .error(error)]
      }
    }
  }

  static func secret<Value>(
    _ text: String, _ value: @escaping @Sendable (Value) -> ScriptValue
  ) -> ScriptResult where Answer == Result<Value, ManagedAppError> {
    ScriptResult("\(text); or nil and the name of an error") { result in
      switch result {
      case .success(let found): [value(found)]
      case .failure(let error): [.nothing, .text("\(error)")]
      }
    }
  }
}

extension ScriptResult<Void> {
  static var nothing: ScriptResult { ScriptResult("nothing") { [] } }
}

extension ScriptResult<Bool> {
  static var boolean: ScriptResult { value("a boolean", ScriptValue.boolean) }
}

extension ScriptResult<RequestOutcome> {
  static var outcome: ScriptResult { value("an outcome", ScriptValue.outcome) }
}

extension ScriptResult<ProtectedFileError?> {
  static var change: ScriptResult {
    ScriptResult("true; or nil and an error") { error in
      error.map { [.nothing, .error($0)] } ?? [.boolean(true)]
    }
  }
}
