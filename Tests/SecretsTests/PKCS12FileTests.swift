internal import Foundation
internal import Model
internal import Secrets
internal import TestSupport
internal import Testing

struct PKCS12FileTests {
  private static func bytes(_ sample: String) throws -> [UInt8] {
    try Array(#require(Data(base64Encoded: sample, options: .ignoreUnknownCharacters)))
  }

  private static func code(of bytes: [UInt8], _ password: String) -> SecretError.Code? {
    do {
      _ = try PKCS12File(bytes).open(password: password)
      return nil
    } catch {
      return error.code
    }
  }

  @Test func `a PKCS#12 file has a certificate and its key`() throws {
    let identity = try PKCS12File(Self.bytes(PKCS12Samples.valid)).open(
      password: PKCS12Samples.password)
    let certificate = try #require(identity.certificates.first)
    #expect(certificate.subject == "CN=valid,O=Contoso")
    #expect(certificate.invalidReason(at: 1_767_225_600) == nil)
    let signature = try identity.key.sign([1, 2, 3], .ecdsaSignatureMessageX962SHA256)
    #expect(certificate.verifies(signature, of: [1, 2, 3]))
    #expect(!certificate.verifies(signature, of: [1, 2, 4]))
  }

  @Test func `a wrong password is rejected`() throws {
    let bytes = try Self.bytes(PKCS12Samples.valid)
    #expect(Self.code(of: bytes, "open-sesam") == .wrongPassword)
    #expect(Self.code(of: bytes, "") == .wrongPassword)
  }

  @Test func `a truncated PKCS#12 file is rejected`() throws {
    let bytes = try Self.bytes(PKCS12Samples.valid)
    for count in stride(from: 0, to: bytes.count, by: 7) {
      #expect(Self.code(of: Array(bytes[..<count]), PKCS12Samples.password) == .malformed)
    }
  }

  @Test func `a damaged PKCS#12 file is rejected`() throws {
    let bytes = try Self.bytes(PKCS12Samples.valid)
    for index in stride(from: 40, to: bytes.count - 120, by: 31) {
      var damaged = bytes
      damaged[index] ^= 0x55
      #expect(Self.code(of: damaged, PKCS12Samples.password) != nil)
    }
  }

  @Test func `an RC2-encrypted file is reported as such`() throws {
    let bytes = try Self.bytes(PKCS12Samples.legacy)
    let error = #expect(throws: SecretError.self) {
      _ = try PKCS12File(bytes).open(password: PKCS12Samples.password)
    }
    #expect(error?.code == .unsupported)
    #expect(error?.description.contains("RC2") == true)
    #expect(Self.code(of: bytes, "no") == .wrongPassword)
  }

  /// The count is the last integer of the file.
  @Test func `a PKCS#12 file with excessive iterations is rejected`() throws {
    let bytes = try Self.bytes(PKCS12Samples.valid)
    #expect(Array(bytes.suffix(4)) == [2, 2, 8, 0])
    var greedy = bytes
    greedy[bytes.count - 2] = 0x7F
    #expect(Self.code(of: greedy, PKCS12Samples.password) == .wrongPassword)
    // There are two more bytes, in the integer and in the two sequences around it.
    greedy = Array(bytes.dropLast(4)) + [2, 4, 0x7F, 0, 0, 0]
    for start in [0, bytes.count - 67] {
      #expect(greedy[start] == 0x30)
      let isLong = greedy[start + 1] == 0x82
      greedy[start + (isLong ? 3 : 1)] += 2
    }
    #expect(Self.code(of: greedy, PKCS12Samples.password) == .unsupported)
  }

  // Each encrypted part states its own number. Data after the file is not parsed, but it is
  // counted.
  @Test func `the iterations of all parts of a PKCS#12 file are counted`() throws {
    let bytes = try Self.bytes(PKCS12Samples.valid)
    let name: [UInt8] = [6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 5, 0x0c]
    func derivation(_ count: [UInt8]) -> [UInt8] {
      name + [0x30, UInt8(4 + 2 + count.count), 4, 2, 1, 2, 2, UInt8(count.count)] + count
    }
    #expect(Self.code(of: bytes + derivation([0x08, 0]), PKCS12Samples.password) == nil)
    #expect(
      Self.code(of: bytes + derivation([1, 0xc9, 0xc3, 0x80]), PKCS12Samples.password)
        == .unsupported)
    let half = derivation([0x08, 0, 0])
    #expect(Self.code(of: bytes + half, PKCS12Samples.password) == nil)
    #expect(Self.code(of: bytes + half + half, PKCS12Samples.password) == .unsupported)
  }

  // MARK: Hidden iterations

  /// Files with a key in cleartext, and in an encrypted part. The password is `secret`.
  private static let modest = [
    """
    MIIDRgIBAzCCAv0GCSqGSIb3DQEHAaCCAu4EggLqMIIC5jCCAuIGCSqGSIb3DQEHAaCCAtMEggLPMIICyzCCARMGCy
    qGSIb3DQEMCgECoIHvMIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAhGq3I1XV20iAICA+gwDAYIKoZI
    hvcNAgkFADAdBglghkgBZQMEASoEEJslO1GwFronBjndyodCifUEgZC3kP2N62cmvoBXHeZ470HxJEho9AEWVMB6nS
    SlffKCX7kxWKZ2v8RiUOO8PyxcKzfvyRwZJ51geN2tCCfW6J2El60naoj/yi8cYg2a9NPoNo8VhrVUJMNwTC1dDFLO
    dWCEVgbM1z8varIPq8wJccmnI+xJq6I8FfNoykgWiZ5P/vmDFKqO/5bmspGhXPB/fjQxEjAQBgkqhkiG9w0BCRUxAw
    QBATCCAbAGCyqGSIb3DQEMCgEDoIIBizCCAYcGCiqGSIb3DQEJFgGgggF3BIIBczCCAW8wggEVoAMCAQICFDFT606e
    AFbTgHEmDld0/Skr9BoqMAoGCCqGSM49BAMCMAwxCjAIBgNVBAMMAXgwIBcNMjYxMTI5MTYwMjI5WhgPMjEyNjExMD
    UxNjAyMjlaMAwxCjAIBgNVBAMMAXgwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARpcQ/LLVICowQfIj/EmjnvVH9L
    Byap7lm3X3RTygwZghrt/wMwbqyFP0qWks9IjAEwy/x2nx7x56fW3zGQ64z4o1MwUTAdBgNVHQ4EFgQUpz359kpOZ8
    48iNmsI54sGhFgfqYwHwYDVR0jBBgwFoAUpz359kpOZ848iNmsI54sGhFgfqYwDwYDVR0TAQH/BAUwAwEB/zAKBggq
    hkjOPQQDAgNIADBFAiEAtzZz2vQ7oiZODzB2riVfiiWsHrtCJ/KOrg2MEvOjxlICIAJs9Y87cOhVaJO3rhchvk8L/t
    3nAh3V2fb0n5oI5/ssMRIwEAYJKoZIhvcNAQkVMQMEAQEwQDAxMA0GCWCGSAFlAwQCAQUABCAVRIFT1MNFXf27UeHO
    mnrGhakXQMZ2vf/k2LlCz6vEnwQIbWFjc2FsdDgCAQE=
    """,
    """
    MIIDtQIBAzCCA2wGCSqGSIb3DQEHAaCCA10EggNZMIIDVTCCA1EGCSqGSIb3DQEHBqCCA0IwggM+AgEAMIIDNwYJKo
    ZIhvcNAQcBMFYGCSqGSIb3DQEFDTBJMCgGCSqGSIb3DQEFDDAbBAhzYWx0c2FsdAIBATAMBggqhkiG9w0CCQUAMB0G
    CWCGSAFlAwQBKgQQBwcHBwcHBwcHBwcHBwcHB4CCAtCeEtbVXhmvgsmq8uIBSziuEZAKMfZARZVpXdfr3/9ctq50oB
    +28OKGKNIOO1/hH48ZsO4+QoJObeYZSPrumZhv4D0ylC3HcO/2+9h7T2C81897LuPHoxRvYChSqkKJR8OSj7Jhl1kg
    kQOz320wfPykNp1PvMaG8VQTVb3u5uFwQDgQWx6+auKh7veDAWOJy8YdAGyYhP8BqFilZVgVT42VXRr0j/Y23DsZc5
    tHO1Dj+uZlKhh6EIbfGOYmiS4ZeKTHtiLzpjtPnRapZki1ULvjzuU9p15YD/s+8fV6zCmoQWLYZNRGGo5bluJjwDuI
    kUrLj99TqbqR9vdji7osRynJTnH/4FzTM83/7+7mzvgUhmGLSbd+GAPvq39p7gfhQ+nMdBNHIHnHwcNlrbbTh3Xa8f
    51cpwdI2PcKj/GxyAGFTqLzOVSI4eq+qvSQHvEj+ZHe/lkK7efQhOhW5eqw8cK4dAbu+n8dhjZ+YwbIcVPmMcZdcUA
    bmtLAduZ5LYuOK3wmZ8oulV+S+alNOG8ZJ+xQssZDNrqPgYM9s415TsnsDFDmO6yedmZpi1on0Yxh+v+xBYmAMDp8v
    NLR47o9P6M0L3eSO/68GwFtefKkPkm2GoUlZeAIVYv+JOCg5/cKM1qvCqxGV4qK4u67O1Zhec5E16mkD2VLZKuLJGd
    NRdt7Z9Kj80XiVXg6pAiGCfjYMoVcL+5Ze83akpg+iJAneSE6iopdN+4QKOxvepnBiY+NTL8kM106nVpB+w/OoiaqG
    X4rbqQXVBLgGP8NTavC3hhBPTZBqQYS4ExNAsTalzu4ZnT1J1RqGXAnbVWReAirgs106nfr0XVfz2wqyBHwRa9jCUf
    pkNSg3dyc7rCX+uyZ9STaaE/7yBNgvtdcuLNlVG8am641yC84MW0aHbEtydsyHeshE4SBFqCZGfzxPUzFHVgZ5l1z6
    O6ZHp+zCN5Q2wwQDAxMA0GCWCGSAFlAwQCAQUABCCXKUVvHQKawGJ/1rMQcUT7F0MN9kzZPP6C+BUWCW5FlQQIbWFj
    c2FsdDgCAQE=
    """,
  ]

  /// Files whose key needs 1,000,001 iterations, which are stated in an encrypted part, in
  /// cleartext that BER divides into pieces of five bytes, or after a salt in pieces (BER) that looks
  /// like other parameters, with one iteration.
  private static let greedy = [
    """
    MIIDxQIBAzCCA3wGCSqGSIb3DQEHAaCCA20EggNpMIIDZTCCA2EGCSqGSIb3DQEHBqCCA1IwggNOAgEAMIIDRwYJKo
    ZIhvcNAQcBMFYGCSqGSIb3DQEFDTBJMCgGCSqGSIb3DQEFDDAbBAhzYWx0c2FsdAIBATAMBggqhkiG9w0CCQUAMB0G
    CWCGSAFlAwQBKgQQBwcHBwcHBwcHBwcHBwcHB4CCAuAi4EvHga4AR2smRVjg+0VVeM91MkxV+gfjrHJVZN3TBhXzBK
    STWabS4gPTpmkYMUgBtXJGXfJmeXOJFzJ13Tciv1TGNF1RltMbJwdGePmhJfXwx1AnA0Uir7lIlyNZZhKFvouOsbP1
    5JuF19pOsFuyZdLtJtkIGKtRSHgUFh7agBIr3d/lpTYtstX5N9j7lUmJDWul18cUDrl4IcKYHdJxxjzjUjE2OJEWhJ
    Hv4yy9PEjaoBCU0LDcQwIKD4sIFORy0SB1qmU/kk4PT6sm2HWnBrUTflArSp+/Si0tjPy5Ok7fB+LtWmc9jp2Yzo79
    lqWFVHmZwVDwISlSfjIIbnLmEtAVZI77mtqXoXJb0uIvQcRdpbsr2FaiLm72o7gl2F415Y6PAvOd64lQM+MzOBlrit
    f7rM25zCnQFk42Xceow+gYK+1fM108rgpJ0GGjMHy/GZpdJOTcqP/WGrv/QTDDA/5o3v//L7adKVd/G42gG1hQfCOT
    C1f4CLMpYTDJojc+HkHofwzk7lUGLACGhBq72VEhsMXuUHsIpGSgIc8MxtxzFtU4b5TJL73GWE4FJ6HU35IyFHTkNW
    GJqZfJO7Iku5suXMgCFGu1nS8ticgVcQGyJQw+GBDuLlT4LzzElz+m+ooT4bfZ6avN1BCsBj5lZ27hwAnJOp5z6rdU
    3XX8fOPlOUvgND4o2Wa2hZOjw1hemDZ2WHDAVz7bYAC95ldypSpTEmAEdlAJ1QkYDH/9qtqa/lzEY/K/dMfMmZjPOl
    XE/8AiyyP5C8/DFLHzkuIcNraZKOEDLBCn0+C37Q0x4P1AnoWze4nOI3PvgkYfhLlexgP5MpPr9IQUh9UHqtcyAVT/
    1AxJp5/Z58iwousq/KMbxsLbL1Hsa2QOrFGi1Nm18fpmIEgTUvPp7LhUEFZYt3iAl8ULiWjX5sDb2N1rrTtZqZvjdX
    HCnmDB7iOXBn3ivwIJ/1orhwFyqiP1KUgwMEAwMTANBglghkgBZQMEAgEFAAQgOmK6jmtGISBpT6q9TyQR/dqd0cIa
    jJnKgkiUgD0UtvAECG1hY3NhbHQ4AgEB
    """,
    """
    MIIEZwIBAzCCBB4GCSqGSIb3DQEHAaCCBA8EggQLMIIEBzCCBAMGCSqGSIb3DQEHAaCCA/QkgAQFMIICzDAEBYIBFA
    YLBAUqhkiG9wQFDQEMCgEEBQKggfAwBAWB7TBYBgQFCSqGSIYEBfcNAQUNBAUwSzAqBgQFCSqGSIYEBfcNAQUMBAUw
    HQQIjgQF0Oz/QqoEBfrsAgMPBAVCQTAMBgQFCCqGSIYEBfcNAgkFBAUAMB0GCQQFYIZIAWUEBQMEASoEBAUQPEkGOA
    QF6vpIOnEEBWYmi/7pBAW/LQSBkAQFpMZH2G8EBRkLHGCwBAVvZhxTFgQFVK2dePkEBVlcKZoBBAV9zhsnWwQFMNMg
    ZQ4EBXln5lKLBAVuQ87woAQFpGTES3YEBT8JEd+kBAUdOvNqYAQFSNb2mSwEBYykC9T7BAVn86nPnQQFvxF9Fp8EBQ
    8z08tDBAVrCAugewQFpQ+/QQ0EBYzEAP1LBAWgznsG6gQF5s/CecYEBZnDAkTvBAWSC5NpEAQF0/ZkquwEBQC2XcCk
    BAUeiXhF8AQFt49Uvf8EBdnVzCoxBAUSMBAGCQQFKoZIhvcEBQ0BCRUxBAUDBAEBMAQFggGwBgsEBSqGSIb3BAUNAQ
    wKAQQFA6CCAYsEBTCCAYcGBAUKKoZIhgQF9w0BCRYEBQGgggF3BAUEggFzMAQFggFvMIIEBQEVoAMCBAUBAgIUMQQF
    U+tOngAEBVbTgHEmBAUOV3T9KQQFK/QaKjAEBQoGCCqGBAVIzj0EAwQFAjAMMQoEBTAIBgNVBAUEAwwBeAQFMCAXDT
    IEBTYxMTI5BAUxNjAyMgQFOVoYDzIEBTEyNjExBAUwNTE2MAQFMjI5WjAEBQwxCjAIBAUGA1UEAwQFDAF4MFkEBTAT
    BgcqBAWGSM49AgQFAQYIKoYEBUjOPQMBBAUHA0IABAQFaXEPyy0EBVICowQfBAUiP8SaOQQF71R/SwcEBSap7lm3BA
    VfdFPKDAQFGYIa7f8EBQMwbqyFBAU/SpaSzwQFSIwBMMsEBfx2nx7xBAXnp9bfMQQFkOuM+KMEBVMwUTAdBAUGA1Ud
    DgQFBBYEFKcEBT359kpOBAVnzjyI2QQFrCOeLBoEBRFgfqYwBAUfBgNVHQQFIwQYMBYEBYAUpz35BAX2Sk5nzgQFPI
    jZrCMEBZ4sGhFgBAV+pjAPBgQFA1UdEwEEBQH/BAUwBAUDAQH/MAQFCgYIKoYEBUjOPQQDBAUCA0gAMAQFRQIhALcE
    BTZz2vQ7BAWiJk4PMAQFdq4lX4oEBSWsHrtCBAUn8o6uDQQFjBLzo8YEBVICIAJsBAX1jztw6AQFVWiTt64EBRchvk
    8LBAX+3ecCHQQF1dn29J8EBZoI5/ssBAUxEjAQBgQFCSqGSIYEBfcNAQkVBAUxAwQBAQAAMEAwMTANBglghkgBZQME
    AgEFAAQg0OOzPGMp0WEOE7pTYR4ONLpTLUpd553VCBCQ+ebhDaoECG1hY3NhbHQ4AgEB
    """,
    """
    MIIBEQIBAzCByQYJKoZIhvcNAQcBoIG7BIG4MIG1MIGyBgkqhkiG9w0BBwGggaQEgaEwgZ4wgZsGCyqGSIb3DQEMCg
    ECoIGLMIGIMGQGCSqGSIb3DQEFDTBXMDYGCSqGSIb3DQEFDDApJBQEEgYJKoZIhvcNAQUMMAUEAAIBAQIDD0JBMAwG
    CCqGSIb3DQIJBQAwHQYJYIZIAWUDBAEqBBAHBwcHBwcHBwcHBwcHBwcHBCARERERERERERERERERERERERERERERER
    ERERERERERETBAMDEwDQYJYIZIAWUDBAIBBQAEIEbazBP7A9shnImLLPVWN5ay1PH8pPS5Ka/EL4pNfTyHBAhtYWNz
    YWx0OAIBAQ==
    """,
  ]

  /// A file whose key is derived by scrypt.
  private static let scrypt =
    """
    MIIDPgIBAzCCAvUGCSqGSIb3DQEHAaCCAuYEggLiMIIC3jCCAtoGCSqGSIb3DQEHAaCCAssEggLHMIICwzCCAQsGCy
    qGSIb3DQEMCgECoIHnMIHkME8GCSqGSIb3DQEFDTBCMCEGCSsGAQQB2kcECzAUBAjUFrKBK+YjgQICBAACAQECAQEw
    HQYJYIZIAWUDBAEqBBCozmeOfnmPi1JZy54hpPuYBIGQIj5LmALtEdjRwJCRa6F2sm2VlbgbN75dGtoSvwu+0rGKgj
    K4Y/ZSOTP6LwldrNYau3jHfkuOHpsH3zb+lw/V1mtjR9aoXlYZWJwpyOGHefT3uQpDDJ6948wr3dtwH8Ijez0wNwSe
    3HJQ3O+IPuBPeFPRUsP7aweieCCTIYltiapcFVLg/vvu+VW7EgDgqGGuMRIwEAYJKoZIhvcNAQkVMQMEAQEwggGwBg
    sqhkiG9w0BDAoBA6CCAYswggGHBgoqhkiG9w0BCRYBoIIBdwSCAXMwggFvMIIBFaADAgECAhQxU+tOngBW04BxJg5X
    dP0pK/QaKjAKBggqhkjOPQQDAjAMMQowCAYDVQQDDAF4MCAXDTI2MTEyOTE2MDIyOVoYDzIxMjYxMTA1MTYwMjI5Wj
    AMMQowCAYDVQQDDAF4MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEaXEPyy1SAqMEHyI/xJo571R/Swcmqe5Zt190
    U8oMGYIa7f8DMG6shT9KlpLPSIwBMMv8dp8e8een1t8xkOuM+KNTMFEwHQYDVR0OBBYEFKc9+fZKTmfOPIjZrCOeLB
    oRYH6mMB8GA1UdIwQYMBaAFKc9+fZKTmfOPIjZrCOeLBoRYH6mMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwID
    SAAwRQIhALc2c9r0O6ImTg8wdq4lX4olrB67Qifyjq4NjBLzo8ZSAiACbPWPO3DoVWiTt64XIb5PC/7d5wId1dn29J
    +aCOf7LDESMBAGCSqGSIb3DQEJFTEDBAEBMEAwMTANBglghkgBZQMEAgEFAAQgZ2tFgtDw3l50uBFUj2eW1TRHW3u7
    8AN4PCFlxZZMu7gECG1hY3NhbHQ4AgEB
    """

  @Test(arguments: modest)
  func `a key in any part of a PKCS#12 file is read`(file: String) throws {
    #expect(Self.code(of: try Self.bytes(file), "secret") == nil)
  }

  @Test(arguments: greedy)
  func `hidden iteration counts of a PKCS#12 file are found`(file: String) throws {
    let bytes = try Self.bytes(file)
    let error = #expect(throws: SecretError.self) {
      try PKCS12File(bytes).open(password: "secret")
    }
    #expect(error?.code == .unsupported)
    #expect(error?.description == "the PKCS #12 file requires more than 1000000 iterations")
  }

  @Test func `a key derivation without iterations is rejected`() throws {
    let bytes = try Self.bytes(Self.scrypt)
    let error = #expect(throws: SecretError.self) {
      try PKCS12File(bytes).open(password: "secret")
    }
    #expect(error?.code == .unsupported)
    #expect(error?.description.hasSuffix("such as scrypt") == true)
  }

  @Test(arguments: [
    (PKCS12Samples.expired, "it expired at 2021-01-01T00:00:00Z"),
    (PKCS12Samples.future, "it is not valid before 2040-01-01T00:00:00Z"),
  ])
  func `a certificate states why it is invalid`(sample: String, reason: String) throws {
    let identity = try PKCS12File(Self.bytes(sample)).open(password: PKCS12Samples.password)
    #expect(identity.certificates.first?.invalidReason(at: 1_767_225_600) == reason)
  }
}
