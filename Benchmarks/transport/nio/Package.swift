// swift-tools-version: 6.2
import PackageDescription

/// A package of its own, so that nobody needs SwiftNIO who does not measure against it.
let package = Package(
    name: "nio-server",
    dependencies: [.package(url: "https://github.com/apple/swift-nio", exact: "2.101.2")],
    targets: [
        .executableTarget(
            name: "nio-server",
            dependencies: ["NIOCore", "NIOPosix", "NIOHTTP1", "NIOWebSocket"].map {
                .product(name: $0, package: "swift-nio")
            },
            path: "Sources",
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)])
    ]
)
