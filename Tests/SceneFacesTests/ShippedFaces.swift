import SceneFaces
import SceneModel
import Testing

/// Runs tests with the faces of the program. They are not registered, which tests of other suites
/// would see in the midst of their work.
struct ShippedFaces: SuiteTrait, TestScoping {
    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await RegisteredFaces.withLibrary(FaceFolder.shippedAlone) { try await function() }
    }
}

extension Trait where Self == ShippedFaces {
    /// With the faces of the program.
    static var shippedFaces: Self { Self() }
}
