import ArgumentParser
import Foundation
import SwiftOperators
import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder

/// Writes copies of Swift files in which every decision can be made wrong, one at a time.
///
/// A copy behaves like the original until the environment variable `SLUICE_MUTANT` has the number
/// of a mutant. One build therefore serves all mutants. `scripts/test-mutants.py` runs the tests
/// once for each mutant. A mutant that no test detects survives.
@main
struct RuleMutants: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rule-mutants",
    abstract: "Replace Swift files by copies in which each decision can be made wrong.")

  @Argument(help: "The files, which are overwritten.")
  var files: [String]

  @Option(help: "The number of the first mutant.")
  var first = 1

  /// Prints a line for each mutant. It has the mutant's number, file, line, kind and code,
  /// separated by tabs.
  func run() throws {
    var number = first
    for file in files {
      let source = try String(contentsOfFile: file, encoding: .utf8)
      let folded = try OperatorTable.standardOperators.foldAll(Parser.parse(source: source))
      let rewriter = MutatingRewriter(
        first: number, SourceLocationConverter(fileName: file, tree: folded))
      let mutated = rewriter.rewrite(folded)
      try mutated.description.write(toFile: file, atomically: true, encoding: .utf8)
      for mutant in rewriter.mutants {
        print(mutant.number, file, mutant.line, mutant.kind, mutant.code, separator: "\t")
      }
      number += rewriter.mutants.count
    }
  }
}

/// A decision that can be mutated.
struct Mutant {
  let number: Int
  let line: Int
  let kind: String
  /// The code of the decision, on one line.
  let code: String
}

/// Rewrites expressions as calls of the functions in `Mutants.swift`, which `scripts/test-mutants.py` adds to the
/// module.
final class MutatingRewriter: SyntaxRewriter {
  private(set) var mutants: [Mutant] = []
  private let first: Int
  private let converter: SourceLocationConverter

  init(first: Int, _ converter: SourceLocationConverter) {
    self.first = first
    self.converter = converter
  }

  private func add(_ kind: String, _ node: some SyntaxProtocol) -> Int {
    let number = first + mutants.count
    let code = node.trimmedDescription.split(whereSeparator: \.isWhitespace)
    mutants.append(
      Mutant(
        number: number, line: node.startLocation(converter: converter).line, kind: kind,
        code: code.joined(separator: " ")))
    return number
  }

  /// Returns `function(number, arguments…)` in place of `node`.
  private func call(
    _ function: String, _ number: Int, _ arguments: [some ExprSyntaxProtocol],
    for node: some SyntaxProtocol
  ) -> ExprSyntax {
    let list = arguments.map(\.trimmedDescription).joined(separator: ", ")
    return ExprSyntax("\(raw: function)(\(raw: number), \(raw: list))")
      .with(\.leadingTrivia, node.leadingTrivia).with(\.trailingTrivia, node.trailingTrivia)
  }

  // MARK: Conditions

  override func visit(_ node: ConditionElementSyntax) -> ConditionElementSyntax {
    guard case .expression(let expression) = node.condition else { return super.visit(node) }
    // A condition `while true` is not mutated.
    guard !expression.is(BooleanLiteralExprSyntax.self) else { return node }
    let negated = add("negated", expression)
    _ = add("dropped", expression)
    let wrapped = call("mutantCondition", negated, [visit(expression)], for: expression)
    return node.with(\.condition, .expression(wrapped))
  }

  override func visit(_ node: TernaryExprSyntax) -> ExprSyntax {
    let number = add("negated", node.condition)
    let condition = call("mutantNegated", number, [visit(node.condition)], for: node.condition)
    return ExprSyntax(
      node.with(\.condition, condition).with(\.thenExpression, visit(node.thenExpression))
        .with(\.elseExpression, visit(node.elseExpression)))
  }

  override func visit(_ node: InfixOperatorExprSyntax) -> ExprSyntax {
    guard let symbol = node.operator.as(BinaryOperatorExprSyntax.self)?.operator.text else {
      return super.visit(node)
    }
    let replacement: String? =
      switch symbol {
      case "<": "mutantLess"
      case "<=": "mutantLessOrEqual"
      case ">": "mutantGreater"
      case ">=": "mutantGreaterOrEqual"
      default: nil  // open: any other operator
      }
    if let replacement {
      let number = add("boundary", node)
      return call(
        replacement, number, [visit(node.leftOperand), visit(node.rightOperand)], for: node)
    }
    switch symbol {
    // The condition is negated as a whole.
    case "==" where isCondition(node), "!=" where isCondition(node): return super.visit(node)
    case "==", "!=":
      return call("mutantNegated", add("negated", node), [super.visit(node)], for: node)
    case "&&", "||":
      let neutral = symbol == "&&" ? "mutantTrue" : "mutantFalse"
      let left = add("dropped", node.leftOperand)
      let right = add("dropped", node.rightOperand)
      return ExprSyntax(
        node.with(
          \.leftOperand, call(neutral, left, [visit(node.leftOperand)], for: node.leftOperand)
        )
        .with(
          \.rightOperand, call(neutral, right, [visit(node.rightOperand)], for: node.rightOperand)))
    default:  // open: any other operator
      return super.visit(node)
    }
  }

  private func isCondition(_ node: InfixOperatorExprSyntax) -> Bool {
    node.parent?.is(ConditionElementSyntax.self) == true
      || node.parent?.as(TernaryExprSyntax.self)?.condition.id == node.id
  }

  // MARK: Literals

  override func visit(_ node: BooleanLiteralExprSyntax) -> ExprSyntax {
    call("mutantNegated", add("negated", node), [node], for: node)
  }

  override func visit(_ node: IntegerLiteralExprSyntax) -> ExprSyntax {
    call("mutantNext", add("plus one", node), [node], for: node)
  }

  // MARK: Rules

  /// Mutates a statement: a reason is omitted, or a rule is not evaluated.
  override func visit(_ node: CodeBlockItemSyntax) -> CodeBlockItemSyntax {
    guard case .expr(let expression) = node.item,
      let called = expression.as(FunctionCallExprSyntax.self),
      called.calledExpression.trimmedDescription == "reasons.append"
        || called.arguments.contains(where: { $0.trimmedDescription.hasSuffix("&reasons") })
    else { return super.visit(node) }
    let number = add("left out", called)
    let inner = visit(called).trimmedDescription
    return node.with(
      \.item,
      .stmt(
        StmtSyntax("if !isMutant(\(raw: number)) { \(raw: inner) }")
          .with(\.leadingTrivia, node.leadingTrivia).with(\.trailingTrivia, node.trailingTrivia)))
  }

  /// Mutates the effect of a rule, which is the first argument of its row.
  override func visit(_ node: FunctionCallExprSyntax) -> ExprSyntax {
    guard node.calledExpression.trimmedDescription == "RuleRow", let effect = node.arguments.first
    else { return super.visit(node) }
    let wrapped = call(
      "mutantEffect", add("effect", effect.expression), [effect.expression], for: effect.expression)
    var arguments = Array(node.arguments)
    arguments[0] = effect.with(\.expression, wrapped)
    return ExprSyntax(node.with(\.arguments, LabeledExprListSyntax(arguments)))
  }

  // MARK: Unchanged code

  override func visit(_ node: ExpressionPatternSyntax) -> PatternSyntax { PatternSyntax(node) }
  override func visit(_ node: StringLiteralExprSyntax) -> ExprSyntax { ExprSyntax(node) }
  override func visit(_ node: FunctionParameterSyntax) -> FunctionParameterSyntax { node }
  override func visit(_ node: PrefixOperatorExprSyntax) -> ExprSyntax {
    node.expression.is(IntegerLiteralExprSyntax.self) ? ExprSyntax(node) : super.visit(node)
  }
  override func visit(_ node: EnumCaseDeclSyntax) -> DeclSyntax { DeclSyntax(node) }
  override func visit(_ node: AttributeSyntax) -> AttributeSyntax { node }
}
