import Encodings
import Testing

@Suite struct PercentEncodingTests {
  @Test func `all characters except unreserved ones are percent-encoded`() {
    #expect(PercentEncoding.encoded("aZ09-._~ /%ä".utf8) == "aZ09-._~%20%2F%25%C3%A4")
    #expect(PercentEncoding.encoded("a/b c".utf8, except: [UInt8(ascii: "/")]) == "a/b%20c")
  }

  @Test func `percent-encoded text is decoded`() {
    let bytes = Array(UInt8.min...UInt8.max)
    #expect(PercentEncoding.decoded(Substring(PercentEncoding.encoded(bytes)).utf8) == bytes)
  }
}
