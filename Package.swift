// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// Settings shared by every Swift target of ours: the strictest checks the compiler offers, as
/// errors.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

/// The same plus strict memory safety; for every module that holds no C pointers.
let strictAndSafe: [SwiftSetting] = strict + [.strictMemorySafety()]

let argumentParser = Target.Dependency.product(
    name: "ArgumentParser", package: "swift-argument-parser")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let histogram = Target.Dependency.product(name: "Histogram", package: "hdrhistogram-swift")

/// Modules that are products only so that the package in `Benchmarks` can link them; no interface
/// for others.
let linkedByBenchmarks = [
    "Bytes", "CEpoll", "CMalloc", "JSON", "LoadGenerator", "SceneDocument", "SceneFaces",
    "SceneModel", "SceneStore", "SceneWire", "SeededRandom", "TerminalViewer",
    "WebSocketTransport",
]

let package = Package(
    name: "SceneSync",
    products: [
        .executable(name: "scenesync", targets: ["scenesync"]),
        .library(name: "Cassowary", targets: ["Cassowary"]),
        .library(name: "AutoLayout", targets: ["AutoLayout"]),
        .library(name: "SceneClient", targets: ["SceneClient"]),
        .library(name: "SceneServer", targets: ["SceneServer"]),
        .library(name: "SceneSession", targets: ["SceneSession"]),
        .library(name: "WindowRoom", targets: ["WindowRoom"]),
    ] + linkedByBenchmarks.map { .library(name: $0, targets: [$0]) },
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
    ],
    targets: [
        // The engine.
        .systemLibrary(name: "CPrefetch"),
        .target(name: "Cassowary", dependencies: ["CPrefetch"], swiftSettings: strictAndSafe),
        // Geometry and the words of layout, shared by the engine, documents and the wire.
        .target(name: "LayoutValues", swiftSettings: strictAndSafe),
        .target(
            name: "ConstraintLanguage", dependencies: ["Bytes", "LayoutValues"],
            swiftSettings: strictAndSafe),
        .target(name: "CharacterWidth", swiftSettings: strictAndSafe),
        .target(name: "LineBreaking", swiftSettings: strictAndSafe),
        // Types and sizes of picture files.
        .target(name: "Pictures", swiftSettings: strictAndSafe),
        // Their pixels. The one module that knows libpng, libjpeg-turbo and libwebp.
        .systemLibrary(name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),
        .systemLibrary(
            name: "CTurboJPEG", pkgConfig: "libturbojpeg",
            providers: [.apt(["libturbojpeg0-dev"])]),
        .systemLibrary(name: "CWebP", pkgConfig: "libwebp", providers: [.apt(["libwebp-dev"])]),
        .target(
            name: "PicturePixels", dependencies: ["CPNG", "CTurboJPEG", "CWebP", "Pictures"],
            swiftSettings: strict),
        .target(
            name: "AutoLayout",
            dependencies: [
                "Cassowary", "CharacterWidth", "ConstraintLanguage", "CPrefetch", "LayoutValues",
                "LineBreaking",
            ],
            swiftSettings: strictAndSafe),

        // The scene and its session.
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "Deflate", dependencies: ["CZlib"], swiftSettings: strict),
        // Numbers and digests as bytes and as text, and JSON: below everything that speaks them.
        .target(name: "Bytes", swiftSettings: strictAndSafe),
        .target(name: "JSON", dependencies: ["Bytes"], swiftSettings: strictAndSafe),
        // Scenes and ops as values, and in JSON.
        .target(
            name: "SceneDocument",
            dependencies: ["Bytes", "ConstraintLanguage", "JSON", "LayoutValues"],
            swiftSettings: strictAndSafe),
        // What goes over a connection and into a journal: messages, codecs, frames, mirrors.
        .target(
            name: "SceneWire",
            dependencies: [
                "Bytes", "ConstraintLanguage", "Deflate", "JSON", "LayoutValues", "SceneDocument",
            ],
            swiftSettings: strictAndSafe),
        .target(
            name: "SceneModel",
            dependencies: [
                "AutoLayout", "ConstraintLanguage", "JSON", "SceneDocument", "SceneWire",
            ],
            swiftSettings: strictAndSafe),
        // A scene behind bytes and JSON. `./dev wasm` compiles it and all below it as one module.
        .target(
            name: "EngineModule",
            dependencies: [
                "AutoLayout", "Bytes", "JSON", "LayoutValues", "SceneDocument", "SceneModel",
                "SceneWire",
            ],
            exclude: ["CLibrary", "CMemory"], swiftSettings: strictAndSafe),
        // What people say about a scene: comments, locks, versions.
        .target(
            name: "Annotations",
            dependencies: [
                "Bytes", "Deflate", "JSON", "LayoutValues", "SceneDocument", "SceneWire",
            ],
            swiftSettings: strictAndSafe),
        .target(name: "Digests", dependencies: ["COpenSSL"], swiftSettings: strict),
        // The one module that knows HarfBuzz.
        .systemLibrary(
            name: "CHarfBuzz", pkgConfig: "harfbuzz", providers: [.apt(["libharfbuzz-dev"])]),
        .target(
            name: "Typefaces", dependencies: ["Bytes", "CHarfBuzz", "Digests"],
            swiftSettings: strict),
        .target(name: "Signatures", dependencies: ["COpenSSL"], swiftSettings: strict),
        .target(
            name: "SceneSession",
            dependencies: [
                "Annotations", "Bytes", "Digests", "JSON", "LayoutValues", "RoomNames",
                "SceneComparison", "SceneDocument", "SceneModel", "SceneWire",
            ],
            swiftSettings: strictAndSafe),
        // Which room a name denotes.
        .target(
            name: "RoomNames", dependencies: ["ConstraintLanguage"], swiftSettings: strictAndSafe),
        // Rooms that outlive a machine, without I/O.
        .target(
            name: "SceneCluster", dependencies: ["Bytes", "Digests", "RoomNames"],
            swiftSettings: strictAndSafe),
        // A node of a cluster as a journal of rooms, without I/O.
        .target(
            name: "ClusterJournal",
            dependencies: ["Bytes", "Deflate", "SceneCluster", "SceneWire"],
            swiftSettings: strictAndSafe),
        // Members of a room at other nodes than its owner, without I/O.
        .target(
            name: "SceneRelay", dependencies: ["SceneCluster", "SceneSession", "SceneWire"],
            swiftSettings: strictAndSafe),
        // The one module that knows NATS.
        .systemLibrary(name: "CNATS", pkgConfig: "libnats", providers: [.apt(["libnats-dev"])]),
        .target(
            name: "NATSEngine",
            dependencies: [
                "Bytes", "CNATS", "Essentials", "JSON", "SceneCluster", "Signatures", "Threads",
            ],
            swiftSettings: strict),
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .target(name: "SQLite", dependencies: ["CSQLite"], swiftSettings: strict),
        .target(
            name: "SceneStore",
            dependencies: [
                "Bytes", "ConstraintLanguage", "Digests", "Essentials", "JSON", "Pictures",
                "SceneWire", "SQLite",
            ],
            swiftSettings: strict),
        // The client's side of the protocol without I/O, below the transport: the simulation links
        // it too.
        .target(
            name: "SceneClientSession",
            dependencies: [
                "JSON", "SceneDocument", "SceneWire", "SeededRandom", "WebSocketAddress",
            ],
            swiftSettings: strictAndSafe),
        .target(name: "SeededRandom", swiftSettings: strictAndSafe),
        // A whole room, or a cluster, on virtual clocks, networks and disks; the tests and a hidden
        // command run it.
        .target(
            name: "SceneSimulation",
            dependencies: [
                "Annotations", "AutoLayout", "Bytes", "ClusterJournal", "JSON", "LayoutValues",
                "RoomNames", "SceneClientSession", "SceneCluster", "SceneDocument", "SceneModel",
                "SceneRelay", "SceneSession", "SceneStore", "SceneWire", "SeededRandom", "SQLite",
            ],
            swiftSettings: strictAndSafe),

        // The faces of documents: those that ship with the program, and an operator's.
        .target(
            name: "SceneFaces",
            dependencies: [
                "AutoLayout", "EmbeddedFiles", "LayoutValues", "SceneDocument", "SceneModel",
                "Typefaces",
            ],
            swiftSettings: strict),

        // Interface Builder's files as documents. The one module that knows expat.
        .systemLibrary(name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
        .target(
            name: "InterfaceBuilder",
            dependencies: [
                "CExpat", "ConstraintLanguage", "Essentials", "JSON", "LayoutValues",
                "SceneDocument",
            ],
            swiftSettings: strict),

        // What is wrong with a layout, on many devices.
        .target(
            name: "SceneLint",
            dependencies: [
                "AutoLayout", "ConstraintLanguage", "Essentials", "InterfaceBuilder", "JSON",
                "LayoutValues", "SceneDocument", "SceneModel",
            ],
            swiftSettings: strictAndSafe),
        // Two versions of a scene, in words and pictures.
        .target(
            name: "SceneComparison",
            dependencies: [
                "ConstraintLanguage", "Essentials", "JSON", "LayoutValues", "SceneDocument",
                "SceneModel",
            ],
            swiftSettings: strictAndSafe),

        // What would otherwise take Foundation whole, and with it ICU.
        .target(name: "Essentials", swiftSettings: strict),

        // The parts of a WebSocket URL, for the transport and for what has no transport.
        .target(name: "WebSocketAddress", swiftSettings: strictAndSafe),

        // The network.
        .systemLibrary(name: "CThreads"),
        .target(name: "Threads", dependencies: ["CThreads"], swiftSettings: strict),
        .systemLibrary(
            name: "CLibWebSockets", pkgConfig: "libwebsockets",
            providers: [.apt(["libwebsockets-dev"])]),
        .systemLibrary(
            name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CEpoll"),
        .systemLibrary(name: "CMalloc"),
        .target(name: "CStepRecord"),
        .target(
            name: "CTransportShims", dependencies: ["CLibWebSockets", "COpenSSL"],
            linkerSettings: [.linkedLibrary("ev")]),
        // One request at a time, for commands that administer a server.
        .target(
            name: "HTTPClient", dependencies: ["COpenSSL", "CTransportShims", "WebSocketAddress"],
            swiftSettings: strict),
        .target(
            name: "WebSocketTransport",
            dependencies: [
                "CLibWebSockets", "COpenSSL", "CTransportShims", "Essentials", "Threads",
                "WebSocketAddress",
            ],
            swiftSettings: strict),
        // The browser page and the examples, compressed into the program when it is built.
        .plugin(
            name: "EmbedFiles", capability: .buildTool, path: "Sources/EmbeddedFiles/plugin"),
        .target(
            name: "EmbeddedFiles", dependencies: ["Deflate"],
            exclude: ["embed", "fonts", "plugin", "symbols"],
            swiftSettings: strict, plugins: ["EmbedFiles"]),
        .target(
            name: "SceneServer",
            dependencies: [
                "Annotations", "Bytes", "ClusterJournal", "CMalloc", "ConstraintLanguage",
                "CStepRecord", "Deflate", "EmbeddedFiles",
                "Essentials", "JSON", "Pictures", "RoomNames", "SceneCluster", "SceneComparison",
                "SceneDocument", "SceneModel", "SceneRelay", "SceneSession", "SceneStore",
                "SceneWire",
                "Signatures", "Threads",
                "WebSocketAddress", "WebSocketTransport", logging,
            ],
            swiftSettings: strict),
        .target(
            name: "SceneClient",
            dependencies: [
                "SceneClientSession", "WebSocketAddress", "WebSocketTransport", logging,
            ],
            swiftSettings: strict),

        // The dialogues of the vectors, which the program carries.
        .plugin(
            name: "EmbedDialogues", capability: .buildTool, path: "protocol/vectors/plugin"),
        .target(
            name: "Conformance",
            dependencies: [
                "Bytes", "COpenSSL", "Essentials", "JSON", "SceneDocument", "SceneWire",
                "WebSocketTransport",
            ],
            swiftSettings: strict, plugins: ["EmbedDialogues"]),

        .target(
            name: "LoadGenerator",
            dependencies: [
                "CEpoll", "JSON", "SceneClientSession", "SceneWire", "WebSocketAddress",
                "WebSocketTransport", histogram,
            ],
            swiftSettings: strict),

        // A program's own window as a room, seen while the program runs.
        .target(
            name: "WindowRoom",
            dependencies: [
                "AutoLayout", "ConstraintLanguage", "SceneClient", "SceneServer", logging,
            ],
            swiftSettings: strict),
        // The rooms that `scenesync demo` serves: programs behind scenes, written as anybody would.
        .target(
            name: "Demo",
            dependencies: [
                "EmbeddedFiles", "Essentials", "SceneClient", "SceneServer", "SeededRandom",
                logging,
            ],
            swiftSettings: strict),

        // What people run.
        .target(
            name: "TerminalViewer",
            dependencies: [
                "Bytes", "CEpoll", "CharacterWidth", "ConstraintLanguage", "EmbeddedFiles", "JSON",
                "PicturePixels", "Pictures", "SceneClient", "SceneDocument", "SceneWire",
            ],
            path: "clients/terminal", swiftSettings: strict),
        .executableTarget(
            name: "scenesync",
            dependencies: [
                "Annotations", "AutoLayout", "Bytes", "Conformance", "ConstraintLanguage",
                "Deflate", "Demo", "EmbeddedFiles", "Essentials", "HTTPClient",
                "InterfaceBuilder", "JSON", "LoadGenerator", "NATSEngine", "Pictures", "RoomNames",
                "SceneClient", "SceneCluster", "SceneComparison", "SceneDocument",
                "SceneFaces", "SceneLint", "SceneModel", "SceneServer", "SceneSession",
                "SceneSimulation", "SceneStore", "SceneWire", "TerminalViewer", "Threads",
                "Typefaces",
                "WebSocketAddress", "WebSocketTransport", argumentParser, logging,
            ],
            swiftSettings: strict),

        // Speaks for the codec where other languages' are held against it; not part of the product.
        .executableTarget(
            name: "scenesync-wire", dependencies: ["Bytes", "JSON", "SceneDocument", "SceneWire"],
            path: "Sources/WireTool",
            swiftSettings: strict),

        // Prints what the engine answers to random calls, so that WebAssembly can be held against
        // it; not part of the product.
        .executableTarget(
            name: "scenesync-engine",
            dependencies: ["EngineModule", "JSON", "SceneTestSupport", "SeededRandom"],
            path: "Sources/EngineReference", swiftSettings: strict),

        // Tests, one folder per module.
        .systemLibrary(name: "CProcess", path: "Tests/CProcess"),
        .target(
            name: "SceneTestSupport",
            dependencies: [
                "Cassowary", "CMalloc", "CProcess", "SceneDocument", "SeededRandom", "Threads",
            ],
            path: "Tests/SceneTestSupport",
            swiftSettings: strictAndSafe),
        .testTarget(
            name: "CassowaryTests",
            dependencies: ["Cassowary", "SceneTestSupport", "SeededRandom"],
            exclude: ["Vectors"], swiftSettings: strict),
        .testTarget(
            name: "ConstraintLanguageTests",
            dependencies: ["ConstraintLanguage", "SeededRandom"],
            swiftSettings: strict),
        .testTarget(
            name: "AutoLayoutTests",
            dependencies: [
                "AutoLayout", "Cassowary", "CharacterWidth", "CMalloc", "ConstraintLanguage",
                "LayoutValues",
                "SceneTestSupport", "SeededRandom",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "DeflateTests", dependencies: ["Deflate", "SeededRandom"],
            swiftSettings: strict),
        .testTarget(name: "BytesTests", dependencies: ["Bytes"], swiftSettings: strict),
        .testTarget(
            name: "PicturesTests", dependencies: ["Pictures", "SeededRandom"],
            swiftSettings: strict),
        .testTarget(
            name: "PicturePixelsTests",
            dependencies: ["PicturePixels", "Pictures", "SeededRandom"],
            swiftSettings: strict),
        .testTarget(name: "JSONTests", dependencies: ["JSON"], swiftSettings: strict),
        .testTarget(
            name: "SceneDocumentTests",
            dependencies: [
                "ConstraintLanguage", "JSON", "LayoutValues", "SceneDocument", "SeededRandom",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "SceneWireTests",
            dependencies: [
                "ConstraintLanguage", "Deflate", "JSON", "LayoutValues", "SceneDocument",
                "SceneWire", "SeededRandom",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "SceneModelTests",
            dependencies: [
                "AutoLayout", "ConstraintLanguage", "JSON", "SceneDocument", "SceneFaces",
                "SceneModel",
                "SceneTestSupport", "SceneWire", "SeededRandom",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "EngineModuleTests", dependencies: ["EngineModule", "JSON"],
            swiftSettings: strict),
        .testTarget(
            name: "SceneSessionTests",
            dependencies: [
                "Annotations", "EngineModule", "JSON", "SceneDocument", "SceneModel",
                "SceneSession", "SceneTestSupport", "SceneWire", "SeededRandom",
            ],
            exclude: ["Conversations"], swiftSettings: strict),
        .testTarget(
            name: "SceneClusterTests", dependencies: ["Digests", "SceneCluster", "SeededRandom"],
            swiftSettings: strict),
        .testTarget(
            name: "ClusterJournalTests",
            dependencies: ["ClusterJournal", "SceneCluster", "SceneWire", "SeededRandom"],
            swiftSettings: strict),
        .testTarget(
            name: "SceneRelayTests",
            dependencies: [
                "JSON", "SceneCluster", "SceneDocument", "SceneModel", "SceneRelay", "SceneSession",
                "SceneTestSupport", "SceneWire", "SeededRandom",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "NATSEngineTests",
            dependencies: [
                "NATSEngine", "SceneCluster", "SceneTestSupport", "SeededRandom", "Threads",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "SceneSimulationTests",
            dependencies: ["SceneFaces", "SceneModel", "SceneSimulation", "SceneTestSupport"],
            swiftSettings: strict),
        .testTarget(name: "SQLiteTests", dependencies: ["SQLite"], swiftSettings: strict),
        .testTarget(
            name: "SceneStoreTests",
            dependencies: [
                "Pictures", "SceneStore", "SceneTestSupport", "SceneWire", "SeededRandom", "SQLite",
                "Threads",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "SignaturesTests", dependencies: ["COpenSSL", "Signatures"],
            swiftSettings: strict),
        .testTarget(
            name: "HTTPClientTests",
            dependencies: [
                "HTTPClient", "SceneTestSupport", "WebSocketAddress", "WebSocketTransport",
            ],
            swiftSettings: strict),
        .testTarget(name: "EssentialsTests", dependencies: ["Essentials"], swiftSettings: strict),
        .testTarget(name: "ThreadsTests", dependencies: ["Threads"], swiftSettings: strict),
        .testTarget(
            name: "WebSocketTransportTests",
            dependencies: ["SceneTestSupport", "WebSocketAddress", "WebSocketTransport"],
            swiftSettings: strict),
        .testTarget(
            name: "TypefacesTests", dependencies: ["EmbeddedFiles", "SeededRandom", "Typefaces"],
            exclude: ["Vectors"], swiftSettings: strict),
        .testTarget(
            name: "SceneFacesTests",
            dependencies: [
                "AutoLayout", "JSON", "LayoutValues", "SceneDocument", "SceneFaces", "SceneModel",
                "SceneWire", "SeededRandom", "Typefaces",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "InterfaceBuilderTests",
            dependencies: [
                "ConstraintLanguage", "InterfaceBuilder", "LayoutValues", "SceneDocument",
                "SceneModel", "SeededRandom",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "SceneLintTests", dependencies: ["InterfaceBuilder", "JSON", "SceneLint"],
            swiftSettings: strict),
        .testTarget(
            name: "SceneComparisonTests",
            dependencies: [
                "JSON", "SceneComparison", "SceneDocument", "SceneModel", "SceneTestSupport",
                "SeededRandom",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "LineBreakingTests", dependencies: ["LineBreaking"], exclude: ["Vectors"],
            swiftSettings: strict),
        .testTarget(
            name: "CharacterWidthTests", dependencies: ["CharacterWidth"],
            swiftSettings: strict),
        .testTarget(
            name: "SceneServerTests",
            dependencies: [
                "Bytes", "ClusterJournal", "EmbeddedFiles", "JSON", "SceneCluster",
                "SceneDocument", "SceneModel", "SceneServer", "SceneSession", "SceneStore",
                "SceneWire", "SeededRandom", "Threads", "WebSocketTransport", logging,
            ],
            exclude: ["MalformedTokens"], swiftSettings: strict),
        // What the browser page exports as code: the names that the code speaks, on our engine, and
        // the code itself.
        .target(
            name: "UIKit", dependencies: ["AutoLayout", "ConstraintLanguage"],
            path: "Tests/ExportedCode/UIKit", swiftSettings: strictAndSafe),
        .target(
            name: "SnapKit", dependencies: ["AutoLayout", "ConstraintLanguage", "UIKit"],
            path: "Tests/ExportedCode/SnapKit", swiftSettings: strictAndSafe),
        .target(
            name: "ExportedForUIKit", dependencies: ["UIKit"],
            path: "Tests/ExportedCode/ForUIKit",
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),
        .target(
            name: "ExportedForSnapKit", dependencies: ["SnapKit", "UIKit"],
            path: "Tests/ExportedCode/ForSnapKit",
            swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),
        .testTarget(
            name: "ExportedCodeTests",
            dependencies: [
                "AutoLayout", "ExportedForSnapKit", "ExportedForUIKit", "SceneDocument",
                "SceneModel", "UIKit",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "SceneClientSessionTests",
            dependencies: [
                "Conformance", "JSON", "SceneClientSession", "SceneDocument", "SceneWire",
                "SeededRandom", "WebSocketTransport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "SceneClientTests",
            dependencies: [
                "JSON", "SceneClient", "SceneServer", "SceneTestSupport", "SceneWire",
                "WebSocketTransport", logging,
            ],
            swiftSettings: strict),
        .testTarget(
            name: "WindowRoomTests",
            dependencies: ["AutoLayout", "SceneClient", "SeededRandom", "WindowRoom", logging],
            swiftSettings: strict),
        .testTarget(
            name: "DemoTests",
            dependencies: ["Demo", "SceneClient", "SceneServer", "SeededRandom", logging],
            swiftSettings: strict),
        .testTarget(
            name: "TerminalViewerTests",
            dependencies: [
                "CharacterWidth", "ConstraintLanguage", "JSON", "LayoutValues", "PicturePixels",
                "Pictures", "SceneClient", "SceneDocument", "SceneModel", "SceneWire",
                "SeededRandom", "TerminalViewer",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "LoadGeneratorTests",
            dependencies: ["LoadGenerator", "SceneDocument", "SceneWire"],
            swiftSettings: strict),
        .target(name: "CThreadSignal", path: "Tests/CThreadSignal"),
        // They run the program, which every build of the tests makes: a dependency would have them
        // compiled last, alone.
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "CThreadSignal", "JSON", "SceneClient", "SceneClientSession", "SceneDocument",
                "SceneModel", "SceneSession", "SceneStore", "SceneTestSupport", "SceneWire",
                "SeededRandom", "SQLite", "WebSocketTransport",
            ],
            exclude: ["EarlierJournal"], swiftSettings: strict),
    ]
)

// libFuzzer brings a `main` of its own, so its target exists only for `./dev fuzz`, which builds
// nothing else.
if ProcessInfo.processInfo.environment["SCENESYNC_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "scenesync-fuzz",
            dependencies: [
                "ConstraintLanguage", "InterfaceBuilder", "JSON", "LayoutValues", "LineBreaking",
                "SceneDocument", "SceneFaces", "SceneModel", "SceneWire", "Typefaces",
            ],
            path: "Tests/Fuzz", exclude: ["make_corpus.py"],
            swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])]))
}
