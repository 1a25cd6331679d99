// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "source-tools",
  products: [.executable(name: "sluice-code", targets: ["sluice-code"])],
  dependencies: [
    .package(name: "sluice", path: ".."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/swiftlang/swift-syntax", exact: "602.0.0"),
  ],
  targets: [
    // MARK: Reading
    .target(
      name: "SwiftSources",
      dependencies: [
        .product(name: "Output", package: "sluice"),
        .product(name: "SwiftDiagnostics", package: "swift-syntax"),
        .product(name: "SwiftParser", package: "swift-syntax"),
        .product(name: "SwiftParserDiagnostics", package: "swift-syntax"),
        .product(name: "SwiftSyntax", package: "swift-syntax"),
      ]),
    .testTarget(
      name: "SwiftSourcesTests",
      dependencies: ["SwiftSources", .product(name: "Output", package: "sluice")]),

    // MARK: Commands
    .target(
      name: "Adaptation",
      dependencies: [
        "SwiftSources", .product(name: "Output", package: "sluice"),
        .product(name: "SwiftSyntax", package: "swift-syntax"),
      ]),
    .testTarget(
      name: "AdaptationTests",
      dependencies: [
        "Adaptation", "SwiftSources", .product(name: "Output", package: "sluice"),
      ],
      exclude: ["Golden"]),
    .target(
      name: "IntuneLint",
      dependencies: [
        "SwiftSources", .product(name: "Output", package: "sluice"),
        .product(name: "SwiftSyntax", package: "swift-syntax"),
      ],
      resources: ["intune-api.tsv", "changes.tsv"].map { .embedInCode("Resources/\($0)") }),
    .testTarget(
      name: "IntuneLintTests",
      dependencies: [
        "IntuneLint", "SwiftSources", .product(name: "Output", package: "sluice"),
      ]),

    // MARK: Program
    .executableTarget(
      name: "sluice-code",
      dependencies: [
        "Adaptation", "IntuneLint", "SwiftSources",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Output", package: "sluice"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  ]
}
