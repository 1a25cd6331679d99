import Activation
import TestSupport
import Testing

struct PredicateErrorTests {
  @Test(
    arguments: table(
      #"""
      TRUEPREDICAT
      => 1:1: error: expected a comparison, `NOT`, `TRUEPREDICATE`, `FALSEPREDICATE` or `(`, found
         `TRUEPREDICAT`; did you mean `TRUEPREDICATE`?
      TRUEPREDICATE
        ANDD FALSEPREDICATE
      => 2:3: error: expected `AND`, `OR` or the end of the rule, found `ANDD`; did you mean `AND`?
      (TRUEPREDICATE
      => 1:15: error: expected `AND`, `OR` or `)`, found the end of the rule
      TRUEPREDICATE)
      => 1:14: error: expected `AND`, `OR` or the end of the rule, found `)`
      extensionItems.@count
      => 1:22: error: expected a comparison operator, found the end of the rule
      (extensionItems.@count) AND TRUEPREDICATE
      => 1:25: error: expected a comparison operator, found `AND`
      (extensionItems.@count 1)
      => 1:24: error: expected a comparison operator, found the number `1`
      'a' UTI-CONFORM-TO 'b'
      => 1:5: error: expected a comparison operator, found `UTI-CONFORM-TO`; did you mean
         `UTI-CONFORMS-TO`?
      'a' BEGINWITH 'b'
      => 1:5: error: expected a comparison operator, found `BEGINWITH`; did you mean `BEGINSWITH`?
      'a' BETWEEN {1, 2}
      => 1:13: error: expected a list of strings on the right of `BETWEEN`, found a list of numbers
      1 BETWEEN {1, 2, 3}
      => 1:11: error: expected two values in braces on the right of `BETWEEN`, found another list
      extensionItems BETWEEN {1, 2}
      => 1:1: error: expected a string or a number on the left of `BETWEEN`, found a list of
         extension items
      1 BETWEEN[c] {1, 2}
      => 1:3: error: expected `BETWEEN` without options between numbers, found `BETWEEN` with options
      extensionItem.@count == 1
      => 1:1: error: expected a comparison, `NOT`, `TRUEPREDICATE`, `FALSEPREDICATE` or `(`, found
         `extensionItem`; did you mean `extensionItems`?
      extensionItems.@cout == 1
      => 1:17: error: expected `count` after `@`, found `cout`; did you mean `count`?
      extensionItems.attachments.@count == 1
      => 1:16: error: expected `@count` after a list of extension items (only `SUBQUERY`
         reaches its elements), found `attachments`
      extensionItems.
      => 1:16: error: expected a key or `@count` after `.`, found the end of the rule
      extensionItems == 1
      => 1:1: error: expected a string or a number on the left of `==`, found a list of extension
         items
      extensionItems.@count == 'a'
      => 1:26: error: expected a number on the right of `==`, found a string
      extensionItems.@count ==[c] 1
      => 1:23: error: expected `==` without options between numbers, found `==` with options
      extensionItems.@count IN {'a'}
      => 1:26: error: expected a list of numbers on the right of `IN`, found a list of strings
      'a' IN {1, 'b'}
      => 1:12: error: expected a number, as before it, found the string `"b"`
      'a' IN {extensionItems}
      => 1:9: error: expected a string or a number, found `extensionItems`
      'a' IN {'b'
      => 1:12: error: expected `}` after the last element, found the end of the rule
      'a' == (TRUEPREDICATE)
      => 1:8: error: expected a string, a number or a key path, found a predicate in parentheses
      'a' ==[x] 'b'
      => 1:8: error: expected `c`, `d` or `cd`, found `x`
      'a' ==[] 'b'
      => 1:8: error: expected `c`, `d` or `cd`, found `]`
      'a' ==[c 'b'
      => 1:10: error: expected `]` after the options, found the string `"b"`
      'a' UTI-EQUALS[c] 'b'
      => 1:15: error: expected a string after `UTI-EQUALS`, which takes no options and ignores case, found `[`
      'a' == 'b
      => 1:8: error: expected `'` at the end of the string, found a string that does not end
      'a' == '\q'
      => 1:9: error: expected an escape: `\\`, `\"`, `\'`, `\n`, `\r` or `\t`, found `\q`
      'a' == 'b\
      => 1:10: error: expected an escape: `\\`, `\"`, `\'`, `\n`, `\r` or `\t`, found the end of the
         rule
      'a' == “b”
      => 1:8: error: expected a straight quotation mark, found the typographic quotation mark `“`;
         did you mean `"`?
      'a' == ‘b’
      => 1:8: error: expected a straight quotation mark, found the typographic quotation mark `‘`;
         did you mean `'`?
      'a' == "b”
      => 1:10: error: expected a straight quotation mark, found the typographic quotation mark `”`;
         did you mean `"`?
      'a'
      UTI–EQUALS 'b'
      => 2:4: error: expected a plain hyphen, found the typographic hyphen `–`; did you mean `-`?
      'a' == #
      => 1:8: error: expected a key path, a variable, a string, a number or an operator, found `#`
      extensionItems.@count == 99999999999999999999
      => 1:26: error: expected a number of at most 9223372036854775807, found `99999999999999999999`
      extensionItems.@count == -x
      => 1:27: error: expected a number after `-`, found `x`
      extensionItems.@count == 1.5
      => 1:28: error: expected a key or `@count` after `.`, found the number `5`
      $x.@count == 1
      => 1:1: error: expected no variable outside of `SUBQUERY`, found `$x`
      $ == 1
      => 1:2: error: expected the name of a variable after `$`, found ` `
      SUBQUERY extensionItems
      => 1:10: error: expected `(` after `SUBQUERY`, found `extensionItems`
      SUBQUERY(extensionItems $x
      => 1:25: error: expected `,` after the list, found `$x`
      SUBQUERY(extensionItems, x
      => 1:26: error: expected a variable, such as `$item`, found `x`
      SUBQUERY(extensionItems, $x TRUEPREDICATE
      => 1:29: error: expected `,` after the variable, found `TRUEPREDICATE`
      SUBQUERY(extensionItems, $x, TRUEPREDICATE
      => 1:43: error: expected `)` after the predicate of `SUBQUERY`, found the end of the rule
      SUBQUERY(extensionItems, $x, TRUEPREDICATE) == 1
      => 1:1: error: expected a string or a number on the left of `==`, found a list of extension
         items
      SUBQUERY(extensionItems.@count, $x, TRUEPREDICATE).@count == 1
      => 1:10: error: expected a key path to a list, found a number
      SUBQUERY({'a'}, $x, TRUEPREDICATE).@count == 1
      => 1:10: error: expected a key path to a list, found a list in braces
      SUBQUERY(extensionItems, $item, $itm.attachments.@count == 1).@count == 1
      => 1:33: error: expected one of `$item`, found `$itm`; did you mean `$item`?
      SUBQUERY(extensionItems, $x, $x.attachment.@count == 1).@count == 1
      => 1:33: error: expected `attachments`, the key of an extension item, found `attachment`; did
         you mean `attachments`?
      SUBQUERY(extensionItems, $x, $x.@count == 1).@count == 1
      => 1:34: error: expected a list before `.@count`, found an extension item
      SUBQUERY(extensionItems, $x, $x.attachments.registeredTypeIdentifiers == 'a').@count == 1
      => 1:45: error: expected `@count` after a list of attachments (only `SUBQUERY`
         reaches its elements), found `registeredTypeIdentifiers`
      SUBQUERY(extensionItems, $x, SUBQUERY($x.attachments, $a, ANY $a.registeredTypeIdentifier == 'a').@count == 1).@count == 1
      => 1:66: error: expected `registeredTypeIdentifiers`, the key of an attachment, found
         `registeredTypeIdentifier`; did you mean `registeredTypeIdentifiers`?
      SUBQUERY(extensionItems, $x, SUBQUERY($x.attachments, $a, $a.registeredTypeIdentifiers == 'a').@count == 1).@count == 1
      => 1:59: error: expected a string or a number on the left of `==`, found a list of strings
      SUBQUERY(extensionItems, $x, SUBQUERY($x.attachments, $a, $a.registeredTypeIdentifiers UTI-CONFORMS-TO 'a').@count == 1).@count == 1
      => 1:59: error: expected a string on the left of `UTI-CONFORMS-TO`, found a list of strings;
         did you mean `ANY`?
      ANY extensionItems == 'a'
      => 1:5: error: expected a list of strings after `ANY`, found a list of extension items
      any 'a' == 'a'
      => 1:5: error: expected a list of strings after `ANY`, found a string
      ANY {'a'} 'b'
      => 1:11: error: expected a comparison operator, found the string `"b"`
      ANY == 'b'
      => 1:5: error: expected a key path to a list, found `==`
      'a'.length == 1
      => 1:5: error: expected no key after a string, found `length`
      'a' MATCHES 'b('
      => 1:13: error: expected a regular expression, found `(` without `)`
      'a' MATCHES {'b'}
      => 1:13: error: expected a string on the right of `MATCHES`, found a list of strings
      """#) + [
        (
          "",
          "1:1: error: expected a comparison, `NOT`, `TRUEPREDICATE`, `FALSEPREDICATE` or `(`, found the end of the rule"
        ),
        (
          "'a' == ",
          "1:8: error: expected a string, a number or a key path, found the end of the rule"
        ),
        (
          "\u{1}",
          "1:1: error: expected a key path, a variable, a string, a number or an operator, found the character U+0001"
        ),
      ])
  func `an invalid predicate is rejected with its position`(source: String, message: String) {
    let error = #expect(throws: PredicateError.self) { try Predicate(parsing: source) }
    #expect(error?.description == message)
  }

  @Test func `excessive nesting and text length are rejected with their limits`() {
    let levels = Predicate.maximumDepth
    let deep = #expect(throws: PredicateError.self) {
      try Predicate(parsing: String(repeating: "(", count: levels + 1))
    }
    #expect(
      deep?.description
        == "1:66: error: expected at most \(levels) levels of nesting, found a deeper one")
    let length = Predicate.maximumLength
    #expect(levels == 64 && length == 100_000)
    let long = #expect(throws: PredicateError.self) {
      try Predicate(parsing: String(repeating: " ", count: length + 1))
    }
    #expect(
      long?.description
        == "1:1: error: expected a rule of at most \(length) bytes, found \(length + 1) bytes")
  }

  @Test func `a regular expression must be a literal`() {
    let source = """
      SUBQUERY(extensionItems, $i, SUBQUERY($i.attachments, $a, SUBQUERY($a.registeredTypeIdentifiers,
      $t, 'a' MATCHES $t).@count == 1).@count == 1).@count == 1
      """
    let error = #expect(throws: PredicateError.self) { try Predicate(parsing: source) }
    #expect(error?.line == 2)
    #expect(error?.column == 17)
    #expect(error?.expected == "a string in quotes on the right of `MATCHES`")
  }
}
