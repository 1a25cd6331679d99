internal import SwiftSyntax

/// Follows a completion handler along the paths through a function.
struct CompletionPaths {
  typealias States = Set<CompletionState>

  let handler: String
  /// The calls before which the handler was called already.
  private(set) var repeated: [Syntax] = []
  /// Where the function is left without a call.
  private var unanswered: [Syntax] = []
  /// The states in which the loops and switches around are left by `break`, the innermost last.
  private var breaks: [States] = []
  /// The states in which something may throw, in each `do` around.
  private var throwing: [States] = []

  /// The paths of a handler that the body names `handler`.
  init(_ handler: String) { self.handler = handler }

  /// The places where `body` is left and the handler was neither called nor given away.
  mutating func ends(of body: CodeBlockSyntax) -> [Syntax] {
    if follow(body.statements, [.waiting]).contains(.waiting) {
      unanswered.append(Syntax(body.rightBrace))
    }
    return unanswered
  }

  /// The states after `statements`; none where their end is not reached.
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

  // MARK: Leaving

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

  /// Goes to the end of the loop or switch; by a label, to the end of any.
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

  /// The states after code without branches.
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

  /// Follows code that `break` may leave, and adds the states in which it does.
  mutating func untilBreak(_ body: (inout Self) -> States) -> States {
    breaks.append([])
    let states = body(&self)
    return states.union(breaks.removeLast())
  }

  /// Follows the body of a `do`; returns the states after it, and those in which it may throw.
  mutating func untilThrow(_ body: (inout Self) -> States) -> (after: States, thrown: States) {
    throwing.append([])
    let states = body(&self)
    return (states, throwing.removeLast())
  }

  /// Notes that an error goes to the `do` around, or out of the function.
  mutating func rethrow(_ states: States) {
    if let last = throwing.indices.last { throwing[last].formUnion(states) }
  }
}
