internal import SwiftSyntax

extension CompletionPaths {
  mutating func follow(_ choice: IfExprSyntax, _ states: States) -> States {
    let states = use(choice.conditions, states)
    let then = follow(choice.body.statements, states)
    switch choice.elseBody {
    case .codeBlock(let block): return then.union(follow(block.statements, states))
    case .ifExpr(let other): return then.union(follow(other, states))
    case nil: return then.union(states)
    }
  }

  mutating func follow(_ choice: GuardStmtSyntax, _ states: States) -> States {
    let states = use(choice.conditions, states)
    // The compiler rejects a `guard` body that falls through, so the states after it are
    // irrelevant.
    _ = follow(choice.body.statements, states)
    return states
  }

  mutating func follow(_ choice: SwitchExprSyntax, _ states: States) -> States {
    let states = use(choice.subject, states)
    return untilBreak { paths in
      var after: States = []
      var fallen: States = []
      for case .switchCase(let branch) in choice.cases {
        let ends = paths.follow(branch.statements, states.union(fallen))
        let falls = branch.statements.last?.item.is(FallThroughStmtSyntax.self) == true
        fallen = falls ? ends : []
        if !falls { after.formUnion(ends) }
      }
      return after
    }
  }

  mutating func follow(_ condition: IfConfigDeclSyntax, _ states: States) -> States {
    var after: States = []
    for clause in condition.clauses {
      guard case .statements(let statements)? = clause.elements else {
        after.formUnion(states)
        continue
      }
      after.formUnion(follow(statements, states))
    }
    let isComplete = condition.clauses.contains { $0.poundKeyword.tokenKind == .poundElse }
    return isComplete ? after : after.union(states)
  }

  mutating func follow(_ block: DoStmtSyntax, _ states: States) -> States {
    let (after, thrown) = untilThrow { $0.follow(block.body.statements, states) }
    guard !block.catchClauses.isEmpty else {
      rethrow(thrown)
      return after
    }
    return block.catchClauses.reduce(after) { after, clause in
      after.union(follow(clause.body.statements, thrown))
    }
  }

  // MARK: Loops (each body is followed once)

  mutating func follow(_ loop: WhileStmtSyntax, _ states: States) -> States {
    let states = use(loop.conditions, states)
    let isEndless = loop.conditions.trimmedDescription == "true"
    return untilBreak { paths in
      let after = paths.follow(loop.body.statements, states)
      return isEndless ? [] : after.union(states)
    }
  }

  mutating func follow(_ loop: ForStmtSyntax, _ states: States) -> States {
    let states = use(loop.sequence, states)
    return untilBreak { $0.follow(loop.body.statements, states).union(states) }
  }

  mutating func follow(_ loop: RepeatStmtSyntax, _ states: States) -> States {
    untilBreak { paths in
      paths.use(loop.condition, paths.follow(loop.body.statements, states))
    }
  }
}
