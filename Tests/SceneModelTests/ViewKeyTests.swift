import SceneDocument
import Testing

@testable import SceneModel

@Suite("Keys of views")
struct ViewKeyTests {
    @Test("the order of setting names each key that a view takes by itself once")
    func order() {
        #expect(ViewKey.setAlone.count == Set(ViewKey.setAlone).count)
        #expect(Set(ViewKey.setAlone) == Set(ViewKey.allCases.filter { $0.stage == .alone }))
    }
}
