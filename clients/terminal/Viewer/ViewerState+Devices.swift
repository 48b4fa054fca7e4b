import SceneWire

/// Selects the devices on which the scene is watched.
extension ViewerState {
    /// Requests the device if it, or its size, has changed.
    mutating func askForDevice() {
        guard scene == nil || has(Capability.devices) else { return }
        // Lines that come and go below change no device.
        let layout = ScreenLayout(
            size: size, hasPrompt: false, hasMessage: false, hasTimeline: false,
            hasPanel: panel != nil, hasBeside: devices.beside != nil)
        if let request = devices.takeMainRequest(in: layout.scene) { ask(.device(request)) }
        guard scene != nil, let area = layout.beside,
            let request = devices.takeBesideRequest(in: area)
        else { return }
        ask(.beside(request))
    }

    /// Watches the scene on the next device beside this one; after the last on this one only.
    mutating func cycleBeside(now: Double) {
        guard has(Capability.devices) else {
            return say("this server has one device for all", .warning, now)
        }
        devices.cycleBeside()
        navigation = Navigation(zoom: nil)
        guard devices.beside != nil else { return ask(.beside(nil)) }
        if layout.beside == nil {
            say("the terminal is too small for two devices", .warning, now)
        }
    }

    /// Watches the scene on the next device.
    mutating func cycleDevice(now: Double) {
        guard has(Capability.devices) else {
            return say("this server has one device for all", .warning, now)
        }
        devices.cycleMain()
        navigation = Navigation(zoom: nil)
        say("device: \(devices.main.text)", .accent, now, seconds: 3)
    }
}
