// swift-tools-version: 6.1
import Foundation
import PackageDescription

// The commit that programs report as theirs, from `scripts/revision.sh`.
let revision = Context.environment["SLUICE_REVISION"].flatMap { $0.isEmpty ? nil : $0 }

extension Target {
  /// Returns the targets of a layer of Sources. A target imports targets of its own layer and of the layers below
  /// (`scripts/targets.py`). A target's tests follow it.
  static func floor(_ name: String, _ targets: [Target]) -> [Target] {
    for target in targets where target.type != .test && target.path == nil {
      target.path = "Sources/\(name)/\(target.name)"
      if target.type != .system { target.exclude.append("README.md") }
    }
    return targets
  }

  /// Returns a static executable, whose processes use little memory and need no runtime library.
  static func guest(
    name: String, dependencies: [Dependency] = [], path: String? = nil, exclude: [String] = []
  ) -> Target {
    .executableTarget(
      name: name, dependencies: dependencies, path: path, exclude: exclude,
      linkerSettings: [.unsafeFlags(["-static-executable", "-Xlinker", "--gc-sections"])])
  }
}

let foundations = Target.floor(
  "Foundations",
  [
    .target(name: "Encodings"),
    .testTarget(name: "EncodingsTests", dependencies: ["Encodings", "TestSupport"]),
    .target(
      name: "Output", dependencies: ["Encodings"],
      resources: ["elements.js", "filter.js", "look.css"].map { .embedInCode($0) }),
    .testTarget(name: "OutputTests", dependencies: ["Encodings", "Output", "TestSupport"]),
    .target(name: "Predicates"),
    .testTarget(
      name: "PredicatesTests",
      dependencies: ["Activation", "Declarations", "Predicates", "TestSupport", "UniformTypes"]),
  ])

let system = Target.floor(
  "System",
  [
    .systemLibrary(
      name: "CUV", pkgConfig: "libuv-static", providers: [.apt(["libuv1-dev"])]),
    .systemLibrary(
      name: "CProtobufC", pkgConfig: "libprotobuf-c", providers: [.apt(["libprotobuf-c-dev"])]),
    .systemLibrary(
      name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(
      name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(
      name: "CEdit", pkgConfig: "libedit", providers: [.apt(["libedit-dev"])]),
    .systemLibrary(
      name: "CLua", pkgConfig: "lua5.4", providers: [.apt(["liblua5.4-dev"])]),
    .systemLibrary(
      name: "CSeccomp", pkgConfig: "libseccomp", providers: [.apt(["libseccomp-dev"])]),
    .target(name: "CCrypto", dependencies: ["COpenSSL"]),
    .target(name: "CMessages", dependencies: ["CProtobufC"]),
    .target(name: "CScript", dependencies: ["CLua"], linkerSettings: [.linkedLibrary("m")]),
    .target(
      name: "CRevision",
      cSettings: revision.map { [.define("SLUICE_REVISION", to: "\"\($0)\"")] }),
    .target(name: "CLinux"),
    .target(name: "EventLoop", dependencies: ["CLinux", "CUV"]),
    .testTarget(name: "EventLoopTests", dependencies: ["EventLoop", "TestSupport"]),
    .target(name: "Cryptography", dependencies: ["CCrypto"]),
    .testTarget(
      name: "CryptographyTests", dependencies: ["CCrypto", "Cryptography", "TestSupport"]),
  ])

let model = Target.floor(
  "Model",
  [
    .target(name: "Model", dependencies: ["Encodings"]),
    .testTarget(
      name: "ModelTests", dependencies: ["Encodings", "Model", "TestSupport"], exclude: ["Golden"]),
    .target(name: "UniformTypes"),
    .testTarget(name: "UniformTypesTests", dependencies: ["UniformTypes"]),
    .target(name: "Wire", dependencies: ["CMessages", "CProtobufC", "Encodings", "Model"]),
    .testTarget(name: "WireTests", dependencies: ["Model", "TestSupport", "Wire"]),
    .target(name: "FileProtection", dependencies: ["Cryptography", "Model"]),
    .testTarget(
      name: "FileProtectionTests",
      dependencies: ["Cryptography", "FileProtection", "Model", "TestSupport"]),
    .target(name: "Secrets", dependencies: ["CCrypto", "Cryptography", "Model"]),
    .testTarget(
      name: "SecretsTests", dependencies: ["Model", "Secrets", "TestSupport"]),
  ])

let rules = Target.floor(
  "Rules",
  [
    .target(name: "GraphDocuments", dependencies: ["Encodings", "Model", "Output"]),
    .testTarget(
      name: "GraphDocumentsTests", dependencies: ["Encodings", "GraphDocuments", "Output"]),
    .target(
      name: "Directory",
      dependencies: [
        "Encodings", "GraphDocuments", "Model", "Output", "Predicates",
        .product(name: "BitCollections", package: "swift-collections"),
      ]),
    .testTarget(
      name: "DirectoryTests",
      dependencies: [
        "Directory", "Encodings", "GraphDocuments", "Output", "TestSupport",
        .product(name: "BitCollections", package: "swift-collections"),
      ]),
    .target(
      name: "Policy", dependencies: ["Encodings", "GraphDocuments", "Model", "Output"]),
    .testTarget(
      name: "PolicyTests",
      dependencies: [
        "Encodings", "GraphDocuments", "Model", "Policy", "PolicySupport", "TestSupport",
      ]),
    .target(
      name: "AppConfiguration",
      dependencies: ["Bundle", "Encodings", "GraphDocuments", "Model", "Output"]),
    .testTarget(
      name: "AppConfigurationTests",
      dependencies: ["AppConfiguration", "Encodings", "GraphDocuments", "Model"]),
    .target(
      name: "Enrollment",
      dependencies: ["Directory", "Encodings", "GraphDocuments", "Model", "Output"]),
    .testTarget(
      name: "EnrollmentTests",
      dependencies: [
        "Directory", "Encodings", "Enrollment", "GraphDocuments", "Model", "TestSupport",
      ]),
    .target(name: "Activation", dependencies: ["Output", "Predicates", "UniformTypes"]),
    .testTarget(
      name: "ActivationTests",
      dependencies: ["Activation", "Predicates", "TestSupport", "UniformTypes"]),
    .target(
      name: "Bundle",
      dependencies: [
        "Activation", "CExpat", "Cryptography", "Encodings", "Output", "Predicates",
        "UniformTypes",
      ]),
    .testTarget(
      name: "BundleTests",
      dependencies: [
        "Activation", "Bundle", "Cryptography", "Encodings", "Output", "Predicates", "TestSupport",
        "UniformTypes",
      ],
      exclude: ["Golden"]),
    .target(
      name: "Declarations",
      dependencies: ["Bundle", "Cryptography", "Encodings", "Model", "Output", "Predicates"]),
    .testTarget(
      name: "DeclarationsTests",
      dependencies: [
        "Bundle", "Cryptography", "Declarations", "Encodings", "Model", "Predicates", "TestSupport",
      ]),
  ])

let device = Target.floor(
  "Device",
  [
    .target(
      name: "Host",
      dependencies: [
        "Activation", "AppConfiguration", "Bundle", "CLinux", "Cryptography", "CSeccomp",
        "Declarations", "Encodings", "Enrollment", "EventLoop", "FileProtection",
        "GraphDocuments", "Model", "Policy", "Predicates", "Secrets", "UniformTypes", "Wire",
        .product(name: "DequeModule", package: "swift-collections"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    .testTarget(
      name: "HostTests",
      dependencies: [
        "AppConfiguration", "Cryptography", "Declarations", "Encodings", "Enrollment",
        "EventLoop", "FileProtection", "GraphDocuments", "Host", "Model", "Policy", "Secrets",
        "TestSupport", "Wire",
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),
  ])

let guest = Target.floor(
  "Guest",
  [
    .target(
      name: "SluiceKit",
      dependencies: ["Encodings", "EventLoop", "FileProtection", "Model", "UniformTypes", "Wire"]),
    .testTarget(
      name: "SluiceKitTests", dependencies: ["Model", "SluiceKit", "TestSupport", "Wire"]),
    .target(name: "SluiceDispatch", dependencies: ["SluiceKit"]),
    .testTarget(
      name: "SluiceDispatchTests", dependencies: ["SluiceDispatch", "SluiceKit", "TestSupport"]),
    .target(name: "ManagedApp", dependencies: ["Model", "SluiceKit"]),
    .target(
      name: "ManagedAppTLS",
      dependencies: [
        "ManagedApp", "Model",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ]),
    .testTarget(
      name: "ManagedAppTLSTests",
      dependencies: [
        "ManagedAppTLS", "TestSupport",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ]),
    .target(name: "Scripting", dependencies: ["CScript", "Model", "SluiceKit", "Wire"]),
    .testTarget(
      name: "ScriptingTests", dependencies: ["Scripting", "SluiceKit", "TestSupport", "Wire"]),
  ])

let tools = Target.floor(
  "Tools",
  [
    .target(
      name: "Scenario",
      dependencies: [
        "Activation", "Encodings", "Model", "Output", "Wire",
        .product(name: "Yams", package: "Yams"),
      ]),
    .testTarget(
      name: "ScenarioTests",
      dependencies: ["Activation", "Encodings", "Model", "Scenario", "TestSupport", "Wire"],
      exclude: ["Golden"]),
    .target(
      name: "Analysis",
      dependencies: [
        "Activation", "Cryptography", "Encodings", "GraphDocuments", "Model", "Output", "Policy",
        "UniformTypes",
      ]),
    .testTarget(
      name: "AnalysisTests",
      dependencies: [
        "Activation", "Analysis", "Encodings", "GraphDocuments", "Model", "Output", "Policy",
        "PolicySupport", "TestSupport", "UniformTypes",
      ],
      exclude: ["Golden"]),
    .target(
      name: "FieldKit",
      dependencies: ["Analysis", "Encodings", "Model", "Output", "Policy", "Scenario"]),
    .testTarget(
      name: "FieldKitTests",
      dependencies: [
        "Analysis", "FieldKit", "GraphDocuments", "Model", "Output", "Policy", "TestSupport",
      ]),
    .target(
      name: "Tenants",
      dependencies: [
        "Analysis", "AppConfiguration", "Directory", "Encodings", "Enrollment", "GraphDocuments",
        "Model", "Output", "Policy",
      ]),
    .testTarget(
      name: "TenantsTests",
      dependencies: [
        "Analysis", "AppConfiguration", "Directory", "Encodings", "Enrollment", "GraphDocuments",
        "Model", "Output", "Policy", "Tenants", "TestSupport",
      ]),
    .target(
      name: "Leaks",
      dependencies: ["Analysis", "Encodings", "Model", "Output", "Policy", "Scenario"]),
    .testTarget(
      name: "LeaksTests",
      dependencies: [
        "Analysis", "GraphDocuments", "Leaks", "Model", "Output", "Policy", "PolicySupport",
        "TestSupport",
      ]),
    .target(
      name: "Reports",
      dependencies: ["Cryptography", "CZlib", "Encodings", "Model", "Output", "Scenario"],
      resources: [
        "page.css", "data.js", "page.js", "layout.js", "map.js", "live.js", "leaks.js", "time.js",
        "views.js",
      ].map { .embedInCode("Page/\($0)") }),
    .testTarget(
      name: "ReportsTests",
      dependencies: ["Encodings", "Model", "Reports", "Scenario", "TestSupport"]),
    .target(
      name: "Specification", dependencies: ["Bundle", "Encodings", "Output", "Predicates"]),
    .testTarget(
      name: "SpecificationTests",
      dependencies: ["Bundle", "Encodings", "Output", "Specification", "TestSupport"],
      exclude: ["Golden"]),
    .target(
      name: "Simulation",
      dependencies: [
        "Activation", "Analysis", "AppConfiguration", "Bundle", "Declarations", "Directory",
        "Encodings", "Enrollment", "EventLoop", "GraphDocuments", "Host", "Model", "Output",
        "Policy", "Scenario", "Secrets", "Tenants", "UniformTypes", "Wire",
      ]),
    .testTarget(
      name: "SimulationTests",
      dependencies: [
        "Analysis", "Encodings", "Host", "Model", "Policy", "Scenario", "Simulation",
        "SimulationSupport", "TestSupport",
      ]),
    .target(
      name: "Replay",
      dependencies: [
        "Encodings", "GraphDocuments", "Host", "Model", "Output", "Policy", "Scenario",
        "Simulation",
      ]),
    .testTarget(
      name: "ReplayTests",
      dependencies: [
        "Activation", "Analysis", "Bundle", "Encodings", "FieldKit", "Model", "Policy",
        "PolicySupport", "Replay", "Scenario", "Simulation", "SimulationSupport", "TestSupport",
        "UniformTypes",
      ]),
    .target(
      name: "Conformance",
      dependencies: [
        "Activation", "Bundle", "Encodings", "EventLoop", "GraphDocuments", "Host", "Leaks",
        "Model", "Output", "Policy", "Reports", "Scenario", "Simulation", "UniformTypes", "Wire",
      ]),
    .testTarget(
      name: "ConformanceTests",
      dependencies: ["Conformance", "Policy", "Simulation", "TestSupport"]),
    .target(name: "DeviceClient", dependencies: ["Encodings"]),
    .target(
      name: "SluiceTesting", dependencies: ["DeviceClient", "Encodings", "Model"]),
    .testTarget(
      name: "SluiceTestingTests",
      dependencies: ["DeviceClient", "Encodings", "Model", "SluiceTesting", "TestSupport"]),
    .target(
      name: "DeviceControl",
      dependencies: [
        "Declarations", "DeviceClient", "Encodings", "Enrollment", "EventLoop", "Host", "Model",
        "Output", "PageServer", "Reports", "Scenario", "Simulation",
      ]),
    .testTarget(
      name: "DeviceControlTests",
      dependencies: ["DeviceControl", "Encodings", "PageServer", "Simulation", "TestSupport"]),
    .target(
      name: "Distribution",
      dependencies: [
        "CMessages", "Conformance", "CProtobufC", "Cryptography", "Encodings", "EventLoop",
        "Host", "Model", "Output", "Replay", "Scenario", "Secrets", "Simulation", "Wire",
        .product(name: "DequeModule", package: "swift-collections"),
        .product(name: "HeapModule", package: "swift-collections"),
      ]),
    .testTarget(
      name: "DistributionTests",
      dependencies: [
        "Conformance", "Cryptography", "Distribution", "Encodings", "EventLoop", "Host", "Model",
        "Output", "Replay", "Scenario", "Simulation", "TestSupport", "Wire",
      ]),
    .target(
      name: "PageServer",
      dependencies: ["Encodings", "EventLoop"]),
    .target(
      name: "Studio",
      dependencies: [
        "Activation", "Analysis", "Encodings", "GraphDocuments", "Model", "Output", "PageServer",
        "Policy", "Predicates", "Scenario", "Tenants", "UniformTypes",
      ],
      resources: ["studio.css", "device.js", "studio.js"].map { .embedInCode("Page/\($0)") }),
    .testTarget(
      name: "StudioTests",
      dependencies: [
        "Analysis", "Encodings", "GraphDocuments", "Leaks", "Model", "Output", "Policy",
        "PolicySupport", "Scenario", "Studio", "Tenants", "TestSupport",
      ]),
  ])

let programs = Target.floor(
  "Programs",
  [
    .executableTarget(
      name: "sluice",
      dependencies: [
        "Activation", "Analysis", "AppConfiguration", "Bundle", "CEdit", "CLinux", "Conformance",
        "CRevision", "DeviceClient", "DeviceControl", "Directory", "Distribution", "Encodings",
        "EventLoop", "FieldKit", "GraphDocuments", "Host", "Leaks", "Model", "Output", "Policy",
        "Replay", "Reports", "Scenario", "Simulation", "Specification", "Studio", "Tenants",
        "UniformTypes",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Rainbow", package: "Rainbow"),
      ],
      linkerSettings: [
        .unsafeFlags(["-Xlinker", "--icf=safe"], .when(configuration: .release))
      ]),
    .guest(
      name: "sluice-guest",
      dependencies: ["CLinux", "FileProtection", "Model", "Scripting", "SluiceKit", "Wire"]),
    .executableTarget(name: "sluice-launch", dependencies: ["CLinux"]),
    .executableTarget(
      name: "sluice-server",
      dependencies: [
        "CLinux", "Encodings",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
        .product(name: "NIOTLS", package: "swift-nio"),
      ]),

    .executableTarget(
      name: "sluice-link",
      dependencies: [
        "Encodings", "EventLoop",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
        .product(name: "NIOTLS", package: "swift-nio"),
      ]),
  ])

let examples: [Target] = [
  .guest(
    name: "note-keeper", dependencies: ["SluiceKit"], path: "examples/NoteKeeper.app",
    exclude: ["Info.plist", "entitlements.plist"]),
  .executableTarget(
    name: "landmarks",
    dependencies: [
      "ManagedApp", "ManagedAppTLS", "SluiceKit",
      .product(name: "NIOCore", package: "swift-nio"),
      .product(name: "NIOHTTP1", package: "swift-nio"),
      .product(name: "NIOPosix", package: "swift-nio"),
      .product(name: "NIOSSL", package: "swift-nio-ssl"),
      .product(name: "NIOTLS", package: "swift-nio"),
    ],
    path: "examples/Landmarks.app", exclude: ["Info.plist"]),
  .guest(
    name: "save-note", dependencies: ["SluiceKit"], path: "plugins/SaveNote.appex",
    exclude: ["Info.plist", "entitlements.plist"]),
  .guest(
    name: "shout", dependencies: ["SluiceKit"], path: "plugins/Shout.appex",
    exclude: ["Info.plist", "entitlements.plist"]),
]

let testPrograms: [Target] = [
  .guest(
    name: "policy-probe", dependencies: ["Model", "SluiceKit"],
    path: "Tests/PolicyProbe"),
  .guest(name: "file-probe", dependencies: ["SluiceKit"], path: "Tests/FileProbe"),
  .guest(
    name: "program-runner", path: "Tests/ProgramRunner"),
  .guest(
    name: "sharing-probe", dependencies: ["SluiceKit"], path: "Tests/SharingProbe"),
  .executableTarget(
    name: "file-writer", dependencies: ["FileProtection"], path: "Tests/FileWriter"),
  .executableTarget(
    name: "dispatch-guest", dependencies: ["SluiceDispatch", "SluiceKit"],
    path: "Tests/DispatchGuest"),
  .executableTarget(name: "hostile-guest", path: "Tests/HostileGuests"),
  .executableTarget(
    name: "escape-attempts", dependencies: ["CLinux"], path: "Tests/EscapeAttempts"),
  .executableTarget(
    name: "fuzz-guest-messages", dependencies: ["Model", "Wire"], path: "Tests/Fuzz"),
]

let benchmarks: [Target] = [
  .executableTarget(
    name: "file-bench", dependencies: ["Cryptography", "FileProtection", "Model"],
    path: "Benchmarks/Sources/file-bench"),
  .executableTarget(
    name: "sluice-bench",
    dependencies: [
      "Analysis", "AppConfiguration", "Encodings", "EventLoop", "GraphDocuments", "Host", "Model",
      "Policy", "Wire",
      .product(name: "ArgumentParser", package: "swift-argument-parser"),
    ],
    path: "Benchmarks/Sources/sluice-bench"),
  .executableTarget(
    name: "activation-bench", dependencies: ["Activation", "UniformTypes"],
    path: "Benchmarks/Sources/activation-bench"),
  .executableTarget(
    name: "sheet-bench", dependencies: ["Activation", "Analysis", "Model", "Policy"],
    path: "Benchmarks/Sources/sheet-bench"),
  .executableTarget(
    name: "managed-bench",
    dependencies: ["Declarations", "Host", "Model", "Policy", "Secrets", "Wire"],
    path: "Benchmarks/Sources/managed-bench"),

  .executableTarget(
    name: "link-bench",
    dependencies: [
      "Distribution", "Encodings", "EventLoop", "Host", "Model", "Simulation",
      .product(name: "NIOCore", package: "swift-nio"),
      .product(name: "NIOPosix", package: "swift-nio"),
      .product(name: "NIOSSL", package: "swift-nio-ssl"),
      .product(name: "NIOTLS", package: "swift-nio"),
    ],
    path: "Benchmarks/Sources/link-bench"),
]

let testSupport: [Target] = [
  .testTarget(
    name: "CommandTests", dependencies: ["Encodings", "Host", "Model", "TestSupport", "Wire"]),
  .target(name: "TestSupport", dependencies: ["CLinux"], path: "Tests/Support"),
  .target(
    name: "PolicySupport", dependencies: ["Model", "Policy", "TestSupport"],
    path: "Tests/PolicySupport"),
  .target(
    name: "SimulationSupport", dependencies: ["Scenario", "Simulation", "TestSupport"],
    path: "Tests/SimulationSupport"),
]

let package = Package(
  name: "sluice",
  products: [
    .executable(name: "sluice", targets: ["sluice"]),
    .library(name: "SluiceKit", targets: ["SluiceKit", "Wire"]),
    .library(name: "SluiceDispatch", targets: ["SluiceDispatch"]),
    .library(name: "SluiceTesting", targets: ["SluiceTesting"]),
    .library(name: "UniformTypes", targets: ["UniformTypes"]),
    .library(name: "Output", targets: ["Encodings", "Output"]),
    .library(name: "ManagedApp", targets: ["ManagedApp"]),
    .library(name: "ManagedAppTLS", targets: ["ManagedAppTLS"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    .package(url: "https://github.com/onevcat/Rainbow", from: "4.2.2"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
  ],
  targets: foundations + system + model + rules + device + guest + tools + programs + examples
    + testPrograms + benchmarks + testSupport,
  swiftLanguageModes: [.v6]
)

// CI treats warnings as errors. Other builds do not, so a toolchain with further warnings can still build. Only debug
// builds are checked: static programs are release builds of modules that the tests also build.
let strictness: [SwiftSetting] =
  Context.environment["SLUICE_STRICT"] == nil
  ? [] : [.unsafeFlags(["-warnings-as-errors"], .when(configuration: .debug))]

for target in package.targets where [.regular, .executable, .test].contains(target.type) {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .enableUpcomingFeature("MemberImportVisibility"),
      .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ] + strictness
}

// Targets that decide and route are optimised for speed, targets that read, draw and print for size.
let compact: Set = ["sluice", "AppConfiguration", "Bundle", "Declarations", "Enrollment"]

for target in package.targets
where compact.contains(target.name) || target.path?.hasPrefix("Sources/Tools/") == true {
  target.swiftSettings?.append(.unsafeFlags(["-Osize"], .when(configuration: .release)))
}

// Packages that depend on Sluice find these products in `share/sluice` of an installation or a clone, which has no tests.
// Their first build fetches and compiles no more than they need: nothing for debuggers, which takes most of the time, and
// nothing optimised.
let isForDependents =
  !FileManager.default.fileExists(atPath: "\(Context.packageDirectory)/Tests")
  && Context.environment["SLUICE_ONLY"] == nil
let installed = isForDependents ? ["ManagedApp", "SluiceKit", "SluiceTesting", "UniformTypes"] : []

for target in package.targets where isForDependents {
  target.swiftSettings?.append(
    .unsafeFlags(["-Xfrontend", "-gnone"], .when(configuration: .debug)))
}

// Tests draw requests, rules and worlds by the thousand, so the modules that decide them are optimised in every build.
let deciding: Set = [
  "Encodings", "Predicates", "Model", "Wire", "GraphDocuments", "Policy", "Activation",
  "Leaks",
]

for target in package.targets where !isForDependents && deciding.contains(target.name) {
  target.swiftSettings?.append(.unsafeFlags(["-O"], .when(configuration: .debug)))
}

// Parts that a build can leave out: `SLUICE_WITHOUT=tls,benchmarks,tests`. BoringSSL takes minutes to compile.
let parts = [
  "tls": [
    "ManagedAppTLS", "ManagedAppTLSTests", "sluice-server", "sluice-link", "landmarks",
    "link-bench",
  ],
  "benchmarks": [
    "file-bench", "sluice-bench", "activation-bench", "sheet-bench", "managed-bench", "link-bench",
  ],
  "tests": package.targets.filter { $0.type == .test || $0.path?.hasPrefix("Tests/") == true }
    .map(\.name),
]
let without = (Context.environment["SLUICE_WITHOUT"] ?? "").split(separator: ",").map(String.init)

for part in without {
  guard let names = parts[part] else { fatalError("SLUICE_WITHOUT: there is no part `\(part)`") }
  package.targets.removeAll { names.contains($0.name) }
  package.products.removeAll { names.contains($0.name) }
}
if !without.contains("tls") {
  package.dependencies += [
    .package(url: "https://github.com/apple/swift-nio", from: "2.80.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
  ]
}

// `SLUICE_ONLY=PolicyTests,EnrollmentTests` builds these targets and their dependencies.
let only =
  Context.environment["SLUICE_ONLY"]?.split(separator: ",").map(String.init) ?? installed
if !only.isEmpty {
  let targets = Dictionary(uniqueKeysWithValues: package.targets.map { ($0.name, $0) })
  var needed: Set<String> = []
  var found = only
  while let name = found.popLast() {
    guard needed.insert(name).inserted, let target = targets[name] else { continue }
    found += target.dependencies.compactMap {
      if case .byNameItem(let name, _) = $0 { name } else { nil }
    }
  }
  package.targets.removeAll { !needed.contains($0.name) }
  package.products.removeAll { !installed.contains($0.name) }
}
if !installed.isEmpty { package.dependencies = [] }
