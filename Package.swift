// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "sluice",
  products: [],
  dependencies: [],
  targets: [
    .target(name: "JSON"),
    .target(name: "Transfer", dependencies: ["JSON"]),
    .target(name: "Policy", dependencies: ["JSON", "Transfer"]),
    .testTarget(name: "JSONTests", dependencies: ["JSON"]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets where [.regular, .executable, .test].contains(target.type) {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .enableUpcomingFeature("MemberImportVisibility"),
      .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ]
}
