public import LayoutValues
public import SceneDocument

/// How a scene is converted.
public struct ConversionOptions: Sendable {
    /// Where the sizes of texts and other content come from.
    public enum ContentSizes: Sendable {
        /// From the frames that Xcode stored: the scene lies as in Xcode's canvas. Variations are
        /// resolved for the canvas's device, and placeholder constraints are in force.
        case stored
        /// From the texts, measured where the scene is laid out: for other devices, languages and
        /// text sizes. Variations are kept.
        case measured
    }

    /// Where the sizes of content come from.
    public var contentSizes = ContentSizes.measured
    /// Views without content that are given the size that Xcode stored, by their names: such a size
    /// exists in the canvas alone.
    public var sizedAsStored: Set<String> = []
    /// The texts of another language, by object and key.
    public var strings: LocalizedStrings?
    /// Whether devices are added besides the canvas.
    public var addsDevices = true
    /// Whether lists have their cells, and containers the scenes that are embedded in them. Each of
    /// these is a scene of its own as well.
    public var hasContents = false
    /// Colours and sizes of images of the asset catalogues beside the file.
    public var assets = AssetCatalog()
    /// The width of text in points: the text, its size and how heavy it is. Without it the stored
    /// width of a button stands for that of its title.
    public var measureWidth: (@Sendable (String, Double, FontWeight) -> Double)?

    /// Creates the standard options.
    public init() {}
}

/// A scene of a file as a document, and where everything of it stands in the file.
public struct InterfaceConversion: Sendable {
    /// Where something stands.
    public struct Origin: Sendable {
        /// The element.
        public var element: XMLElement
        /// The author's name for it.
        public var name: String
    }

    /// The scene.
    public var scene: InterfaceScene
    /// The document.
    public var document: SceneDocument
    /// The elements of views, by the document's names.
    public var views: [String: Origin] = [:]
    /// The elements of constraints, by the document's names.
    public var constraints: [String: Origin] = [:]
    /// The name of the root's view in the document.
    public var rootID: String
    /// The frames that Xcode stored, by the names of the views, but that of the root.
    public var storedFrames: [String: Rect] = [:]
    /// Views whose frame and autoresizing mask place them.
    public var placedByFrame: Set<String> = []
    /// Views that Xcode itself marked: `misplaced` or `ambiguous`.
    public var marks: [String: Set<String>] = [:]
    /// Views whose size on the canvas is one that only Xcode gives.
    public var canvasSized: [String: String] = [:]
    /// Views without a content size of their own: their sizes follow constraints, or the canvas
    /// alone.
    public var unsizedViews: Set<String> = []
    /// Views in hidden members of stacks, whose frames mean nothing.
    public var hidden: Set<String> = []
    /// Constraints that name something outside of the scene.
    public var dangling: [(element: XMLElement, id: String)] = []
    /// What was read in another way than it was meant, or left out.
    public var notes: [ConversionNote] = []
    /// Whether a symbol of the system is in the scene; its alignment insets are not known.
    public var hasSymbols = false

    /// Converts a scene.
    ///
    /// - Throws: `InterfaceError` for a scene without a size or with more than a document may have.
    public init(
        _ scene: InterfaceScene, options: ConversionOptions = ConversionOptions()
    ) throws(InterfaceError) {
        let assembly = try SceneAssembly(scene, options)
        self = assembly.conversion
    }

    init(scene: InterfaceScene, document: SceneDocument, rootID: String) {
        self.scene = scene
        self.document = document
        self.rootID = rootID
    }
}
