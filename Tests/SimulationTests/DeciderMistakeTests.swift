import Testing

/// Requests that are none, and what is said of them.
@Suite struct DeciderMistakeTests {
  @Test(
    arguments: [
      ("", "-:1:1: error: expected a value, found the end of the file [request]"),
      ("[]", "-:1:1: error: expected an object, found an array [request]"),
      ("7", "-:1:1: error: expected an object, found a number [request]"),
      (
        #"{"sender""#,
        "-:1:10: error: expected `:` after the name `sender`, found the end of the file [request]"
      ),
      (
        #"{"sender":{"app":"a"}} x"#,
        "-:1:24: error: expected the end of the file, found `x` [request]"
      ),
    ])
  func `what is no JSON object has its place named`(line: String, message: String) throws {
    #expect(try Decisions.complaint(line) == message)
  }

  @Test(
    arguments: [
      (#"{}"#, 1, "sender"),
      (#"{"sender":null}"#, 1, "sender"),
      (#"{"sender":{"app":"a"}}"#, 1, "receiver"),
      (#"{"sender":{"account":"x"}}"#, 11, "app"),
      (#"{"sender":{"app":"a"},"receiver":{}}"#, 34, "app"),
      (#"{"channel":"openURL","sender":{"app":"a"}}"#, 1, "url"),
    ])
  func `a member that is missing is named, with the object that lacks it`(
    line: String, column: Int, member: String
  ) throws {
    #expect(
      try Decisions.complaint(line)
        == "-:1:\(column): error: the member `\(member)` is missing [request]")
  }

  @Test(
    arguments: [
      (#"{"sneder":{}}"#, 2, "sneder", "sender"),
      (#"{"Sender":{}}"#, 2, "Sender", "sender"),
      (#"{"sender":{"ap":"a"}}"#, 12, "ap", "app"),
      (#"{"sender":{"app":"a","acount":"x"}}"#, 22, "acount", "account"),
      (
        #"{"sender":{"app":"a"},"owner":{"accounts":"x"},"receiver":{"app":"b"}}"#, 32, "accounts",
        "account"
      ),
      (#"{"sender":{"app":"a"},"device":{"mdmEnroled":true}}"#, 33, "mdmEnroled", "mdmEnrolled"),
    ])
  func `a member that nobody knows is named, with the one that was meant`(
    line: String, column: Int, member: String, suggestion: String
  ) throws {
    #expect(
      try Decisions.complaint(line)
        == "-:1:\(column): error: unknown member `\(member)`; did you mean `\(suggestion)`? [request]"
    )
  }

  @Test func `a member that is like no other has no suggestion`() throws {
    #expect(
      try Decisions.complaint(#"{"colour":"red"}"#)
        == "-:1:2: error: unknown member `colour` [request]")
  }

  @Test func `an owner is no app`() throws {
    #expect(
      try Decisions.complaint(#"{"sender":{"app":"a"},"owner":{"app":"a"},"receiver":{"app":"b"}}"#)
        == "-:1:32: error: unknown member `app` [request]")
  }

  @Test(
    arguments: [
      (#"{"sender":7}"#, "-:1:11: error: expected an object, found a number [request]"),
      (
        #"{"sender":{"app":7}}"#, "-:1:18: error: `app` must be a string, found a number [request]"
      ),
      (
        #"{"sender":{"app":"a","account":"x","managed":"yes"}}"#,
        "-:1:46: error: `managed` must be a boolean, found a string [request]"
      ),
      (
        #"{"sender":{"app":"a"},"receiver":{"app":"b"},"characters":1.5}"#,
        "-:1:59: error: `characters` must be a whole number, found a number [request]"
      ),
      (
        #"{"id":true,"sender":{"app":"a"},"receiver":{"app":"b"}}"#,
        "-:1:7: error: `id` must be a string or a number, found a boolean [request]"
      ),
      (
        #"{"sender":{"app":"a"},"receiver":{"app":"b"},"text":["x"]}"#,
        "-:1:53: error: `text` must be a string, found an array [request]"
      ),
      (
        #"{"sender":{"app":"a"},"receiver":{"app":"b","schemes":"call"}}"#,
        "-:1:55: error: `schemes` must be an array of URL schemes, found a string [request]"
      ),
      (
        #"{"sender":{"app":"a"},"receiver":{"app":"b","schemes":["call","chat:"]}}"#,
        "-:1:63: error: `schemes` lists URL schemes without colon, such as `skype` [request]"
      ),
      (
        #"{"via":"mail","sender":{"app":"a"},"receiver":{"app":"b"}}"#,
        "-:1:8: error: `mail` is not a value of `via`; these are: `sdk`, `os` [request]"
      ),
    ])
  func `a member of another type is named, with what it must be`(
    line: String, message: String
  ) throws {
    #expect(try Decisions.complaint(line) == message)
  }

  @Test func `a member that stands twice is named where it does so again`() throws {
    #expect(
      try Decisions.complaint(#"{"sender":{"app":"a"},"sender":{"app":"b"}}"#)
        == "-:1:23: error: the member `sender` is there twice [request]")
  }

  @Test func `a policy that is not there is named, with those that are`() throws {
    let line = #"{"sender":{"app":"a","account":"x","policy":"Bsae"},"receiver":{"app":"b"}}"#
    #expect(
      try Decisions.complaint(line)
        == "-:1:45: error: there is no policy `Bsae`; there are `Base`, `Open` [request]")
  }

  @Test func `the line is the one that the request stands in`() throws {
    #expect(
      try Decisions.complaint("{}", number: 4711)
        == "-:4711:1: error: the member `sender` is missing [request]")
  }
}
