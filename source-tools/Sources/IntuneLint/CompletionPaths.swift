internal import SwiftSyntax

/// Follows the control flow of a function, and tracks whether a completion handler has been called.
struct CompletionPaths {
  typealias States = Set<CompletionState>

  let handler: String
  /// The calls that are the second or a later call on at least one path.
  private(set) var repeated: [Syntax] = []
  /// The exits of the function that some path reaches without a call of the handler.
  private var unanswered: [Syntax] = []
  /// For each enclosing loop or switch, the states in which `break` and `continue` statements leave
  /// it. The innermost loop or switch is last.
  private var breaks: [States] = []
  /// For each enclosing `do`, the states in which code inside it may throw. The innermost `do` is
  /// last.
  private var throwing: [States] = []

  /// Creates the state before the function's first statement.
  ///
  /// - Parameter handler: The name of the handler's parameter.
  init(_ handler: String) { self.handler = handler }

  /// Returns the exits of `body` that some path reaches without calling the handler or passing it
  /// on.
  mutating func ends(of body: CodeBlockSyntax) -> [Syntax] {
    if follow(body.statements, [.waiting]).contains(.waiting) {
      unanswered.append(Syntax(body.rightBrace))
    }
    return unanswered
  }

  /// Returns the possible states after `statements`; empty if their end is unreachable.
  mutating func follow(_ statements: CodeBlockItemListSyntax, _ states: States) -> States {
    statements.reduce(states) { states, statement in
      states.isEmpty ? [] : follow(statement.item, states)
    }
  }

  private mutating func follow(_ item: CodeBlockItemSyntax.Item, _ states: States) -> States {
    switch item {
    case .stmt(let statement): follow(statement, states)
    case .expr(let expression): follow(expression, states)
    case .decl(let declaration):
      if let condition = declaration.as(IfConfigDeclSyntax.self) {
        follow(condition, states)
      } else {
        use(declaration, states)
      }
    }
  }

  private mutating func follow(_ statement: StmtSyntax, _ states: States) -> States {
    switch statement.kind {
    case .expressionStmt: follow(statement.cast(ExpressionStmtSyntax.self).expression, states)
    case .returnStmt: leave(statement, states)
    case .throwStmt: fail(statement, states)
    case .guardStmt: follow(statement.cast(GuardStmtSyntax.self), states)
    case .doStmt: follow(statement.cast(DoStmtSyntax.self), states)
    case .whileStmt: follow(statement.cast(WhileStmtSyntax.self), states)
    case .forStmt: follow(statement.cast(ForStmtSyntax.self), states)
    case .repeatStmt: follow(statement.cast(RepeatStmtSyntax.self), states)
    case .labeledStmt: follow(statement.cast(LabeledStmtSyntax.self).statement, states)
    case .deferStmt: follow(statement.cast(DeferStmtSyntax.self).body.statements, states)
    case .breakStmt: stop(statement.cast(BreakStmtSyntax.self), states)
    case .continueStmt: stop(nil, states)
    default:  // open: any other kind of statement
      use(statement, states)
    }
  }

  private mutating func follow(_ expression: ExprSyntax, _ states: States) -> States {
    if let choice = expression.as(IfExprSyntax.self) { return follow(choice, states) }
    if let choice = expression.as(SwitchExprSyntax.self) { return follow(choice, states) }
    let after = use(expression, states)
    return endsProgram(expression) ? [] : after
  }

  // MARK: Exits

  private mutating func leave(_ statement: StmtSyntax, _ states: States) -> States {
    if use(statement, states).contains(.waiting) { unanswered.append(Syntax(statement)) }
    return []
  }

  private mutating func fail(_ statement: StmtSyntax, _ states: States) -> States {
    let states = use(statement, states)
    if throwing.isEmpty {
      if states.contains(.waiting) { unanswered.append(Syntax(statement)) }
    } else {
      throwing[throwing.count - 1].formUnion(states)
    }
    return []
  }

  /// Records that a path leaves the innermost loop or switch. If the `break` has a label, the path
  /// may leave any enclosing loop or switch.
  private mutating func stop(_ statement: BreakStmtSyntax?, _ states: States) -> States {
    let indices = statement?.label == nil ? Array(breaks.indices.suffix(1)) : Array(breaks.indices)
    for index in indices { breaks[index].formUnion(states) }
    return []
  }

  private func endsProgram(_ expression: ExprSyntax) -> Bool {
    let call = expression.as(FunctionCallExprSyntax.self)
    let name = call?.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text
    return ["fatalError", "preconditionFailure", "exit", "abort"].contains(name)
  }

  // MARK: Use

  /// Returns the possible states after code without branches.
  mutating func use(_ node: some SyntaxProtocol, _ states: States) -> States {
    if let last = throwing.indices.last, CompletionUse.canThrow(node) {
      throwing[last].formUnion(states)
    }
    let use = CompletionUse(of: handler, in: node)
    guard use.isHandedOn || !use.calls.isEmpty else { return states }
    if !use.isConditional {
      for call in use.calls.dropFirst() where !use.isHandedOn { repeated.append(call) }
    }
    if let call = use.calls.first, states.contains(.called) { repeated.append(call) }
    return Set(
      states.map { $0 == .called || !use.isHandedOn && $0 == .waiting ? .called : .handedOn })
  }

  // MARK: Frames

  /// Follows a loop or switch with `body`. The result includes the states at its `break`
  /// statements.
  mutating func untilBreak(_ body: (inout Self) -> States) -> States {
    breaks.append([])
    let states = body(&self)
    return states.union(breaks.removeLast())
  }

  /// Follows the body of a `do` with `body`. Returns the states after it, and the states in which
  /// it may throw.
  mutating func untilThrow(_ body: (inout Self) -> States) -> (after: States, thrown: States) {
    throwing.append([])
    let states = body(&self)
    return (states, throwing.removeLast())
  }

  /// Records that an error leaves a `do`. The error reaches the enclosing `do`; without one, it
  /// leaves the function.
  mutating func rethrow(_ states: States) {
    if let last = throwing.indices.last { throwing[last].formUnion(states) }
  }
}
