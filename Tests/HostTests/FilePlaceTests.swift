import Testing

@testable import Host

/// A place has one spelling, below its scope.
struct FilePlaceTests {
  @Test(arguments: [
    ("a", "a"), ("a/b", "a/b"), ("./a", "a"), ("a//b", "a/b"), ("a/./b/", "a/b"), ("..a", "..a"),
    ("a/...", "a/..."), (".a/.", ".a"),
  ])
  func `empty and dot components fall away`(_ path: String, _ expected: String) {
    #expect(FilePlace(scope: "S", path: path)?.path == Array(expected.utf8))
  }

  @Test(arguments: [
    "", "/", "/a", ".", "./", "././/", "..", "a/..", "a/../b", "../a", "a\0b", "\0",
  ])
  func `what is not below the scope, or no path, is refused`(_ path: String) {
    #expect(FilePlace(scope: "S", path: path) == nil)
  }

  @Test
  func `a path may be as long as the system lets it`() {
    let longest = [UInt8](repeating: UInt8(ascii: "x"), count: 4096)
    #expect(FilePlace(scope: "S", path: longest)?.path.count == 4096)
    #expect(FilePlace(scope: "S", path: longest + [0x78]) == nil)
  }

  @Test
  func `a name that is no text keeps its bytes, and prints them`() {
    let path: [UInt8] = [0x61, 0xFF, 0x2F, 0xC3, 0xBC, 0x2F, 0xE2, 0x82, 0x0A, 0x7F, 0x62]
    let place = FilePlace(scope: "S", path: path)
    #expect(place?.path == path)
    #expect(place?.description == "S/a\\xff/ü/\\xe2\\x82\\x0a\\x7fb")
    #expect(FilePlace(scope: "S", path: [0xF4, 0x90, 0x80])?.description == "S/\\xf4\\x90\\x80")
  }
}
