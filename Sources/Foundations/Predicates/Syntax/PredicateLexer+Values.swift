extension PredicateLexer {
  mutating func word() -> String {
    let hasHyphens = dialect.has(.hyphenatedWords)
    var word = name()
    while hasHyphens, character == "-", characterAfterNext?.isLetterOfName == true {
      step()
      word += "-" + name()
    }
    return word
  }

  /// Takes a number. Behind a minus sign it may be 2^63, for which `Int.min` stands until it is negated.
  mutating func number(
    from start: SourcePart, after last: PredicateToken?
  ) throws(Failure) -> PredicateToken.Kind {
    var digits = take(while: \.isDigit)
    if dialect.has(.realNumbers), character == ".", characterAfterNext?.isDigit == true {
      step()
      digits += "." + take(while: \.isDigit)
      if let number = Double(digits), number.isFinite { return .real(number) }
    } else if let number = Int(digits) {
      return .integer(number)
    } else if last?.isSymbol("-") == true, Int("-" + digits) == Int.min {
      return .integer(.min)
    }
    throw failure(.numberTooLarge(digits: digits), at: start)
  }

  mutating func variable() throws(Failure) -> String {
    step()
    let mayBeNumbered = dialect.has(.numberedVariables)
    guard let character, character.isLetterOfName || mayBeNumbered && character.isDigit else {
      throw failure(.noVariableName(character), at: here)
    }
    return name()
  }

  mutating func string(from start: SourcePart, quote: Character) throws(Failure) -> String {
    var text = ""
    var suspect: PredicateFault?
    step()
    while let character {
      if suspect == nil, Quotation.isQuotationMark(character) {
        suspect = PredicateFault(kind: .character(character), part: here)
      }
      if character == quote {
        step()
        return text
      }
      if character == "\\" {
        text.append(try escape())
      } else {
        text.append(character)
        step()
      }
    }
    throw failure(.unterminatedString(quote: quote, suspect: suspect), at: start)
  }

  private mutating func escape() throws(Failure) -> Character {
    let escaped: Character? =
      switch characterAfterNext {
      case "\\": "\\"
      case "\"": "\""
      case "'": "'"
      case "n": "\n"
      case "r": "\r"
      case "t": "\t"
      default:  // open: any other character, or the end
        nil
      }
    guard let escaped else { throw failure(.escape(characterAfterNext), at: here) }
    step()
    step()
    return escaped
  }
}
