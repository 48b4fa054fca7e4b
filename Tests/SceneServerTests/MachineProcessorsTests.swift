import Testing

@testable import SceneServer

@Suite("Threads by the number of processors")
struct MachineProcessorsTests {
    @Test(
        "a control group's share counts where it is less",
        arguments: [
            (8, "max 100000\n", 8), (8, "200000 100000\n", 2), (8, "150000 100000\n", 2),
            (8, "1600000 100000\n", 8), (8, "1000 100000\n", 1), (8, "", 8), (8, "200000\n", 8),
            (8, "200000 0\n", 8), (8, "-1 100000\n", 8), (8, "no numbers\n", 8), (0, "", 1),
            (8, "0 100000\n", 1),
        ])
    func share(runnable: Int, quota: String, count: Int) {
        #expect(MachineProcessors(runnable: runnable, quota: quota).count == count)
    }

    @Test(
        "every thread has a processor, as far as there are any",
        arguments: [
            (1, 1, 1), (2, 1, 1), (3, 1, 2), (4, 1, 3), (8, 2, 6), (16, 4, 12), (24, 6, 16),
            (64, 8, 16), (1024, 8, 16),
        ])
    func threads(processors: Int, loops: Int, scenes: Int) {
        let machine = MachineProcessors(runnable: processors, quota: "")
        #expect(machine.loopThreads == loops)
        #expect(machine.sceneThreads == scenes)
    }
}
