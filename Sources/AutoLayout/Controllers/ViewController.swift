/// Owns a root view and is told when it is loaded, laid out, shown and taken away. Apple,
/// `UIViewController`.
///
/// The calls come in this order: `loadView`, `viewDidLoad`, `viewWillAppear`,
/// `viewWillLayoutSubviews`, `viewDidLayoutSubviews`, `viewDidAppear`, `viewWillDisappear`,
/// `viewDidDisappear`. Loading happens once, appearing each time; the layout pair stands directly
/// around the root view's own `layoutSubviews` and comes at least once between will- and
/// did-appear.
open class ViewController {
    /// A name for diagnostics; also that of the view that `loadView` makes.
    public let identifier: String

    /// The size that `loadView` gives the view, in points; a window that shows the controller sets
    /// its own.
    public var initialViewSize = Size.zero

    /// The controller that this one is a child of.
    public private(set) var parent: ViewController? {
        get { weakParent.object }
        set { weakParent.object = newValue }
    }
    private var weakParent = Weak<ViewController>(nil)
    /// The controllers whose views lie in this one's, in the order in which they were added.
    public private(set) var children: [ViewController] = []

    private var loadedView: View?
    private var appearance = Appearance.disappeared

    /// How far the view has come onto the screen.
    private enum Appearance {
        case disappeared
        case appearing
        case appeared
        case disappearing
    }

    /// Makes a controller; its view is loaded at its first use.
    public init(identifier: String = "") {
        self.identifier = identifier
    }

    deinit { loadedView?.viewController = nil }

    // MARK: The view

    /// The root view, loaded on first use.
    public var view: View {
        get {
            if let loadedView { return loadedView }
            loadView()
            // An override that sets no view leaves the plain one, as UIKit does without a nib.
            let view = loadedView ?? makePlainView()
            loadedView = view
            view.viewController = self
            takeMinimumMargins()
            viewDidLoad()
            return view
        }
        set {
            loadedView?.viewController = nil
            loadedView = newValue
            newValue.viewController = self
            takeMinimumMargins()
        }
    }

    /// The root view if it was loaded; unlike `view` it loads nothing.
    public var viewIfLoaded: View? { loadedView }

    /// Whether the root view was loaded.
    public var isViewLoaded: Bool { loadedView != nil }

    private func makePlainView() -> View {
        let view = View(
            frame: Rect(origin: .zero, size: initialViewSize), identifier: identifier)
        view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        return view
    }

    // MARK: Overriding

    /// Makes the root view and sets `view`. The base implementation makes a plain one that fills
    /// what holds it.
    open func loadView() {
        view = makePlainView()
    }

    /// Called once, when the view was loaded. No superview has placed it yet.
    open func viewDidLoad() {}

    /// Called before the view is shown.
    open func viewWillAppear() {}

    /// Called when the view was laid out and drawn for the first time since it will-appeared.
    open func viewDidAppear() {}

    /// Called before the view is taken away.
    open func viewWillDisappear() {}

    /// Called when the view was taken away.
    open func viewDidDisappear() {}

    /// Called in the root view's place in the update-constraints pass. Call `super`, which calls
    /// the view's own `updateConstraints`, last.
    open func updateViewConstraints() {
        loadedView?.updateConstraints()
    }

    /// Called directly after the root view's `updateProperties`. Call `super`. Apple,
    /// `UIViewController.updateProperties()`.
    open func updateProperties() {
        loadedView?.marks.reachedBaseImplementation = true
    }

    /// The traits in force: those of the root view's superview (as of iOS 17), whatever the parent
    /// controller's are.
    public var traitCollection: TraitCollection {
        guard let view = loadedView else { return TraitCollection() }
        return (view.superview ?? view).traitCollection
    }

    /// The least margins that the system wants of the root view, in points: sideways 16 where the
    /// width is compact and 20 where it is regular; none up and down, and none where no device says
    /// how wide it is. Apple, `UIViewController.systemMinimumLayoutMargins`; the numbers are those
    /// of its guidelines.
    public var systemMinimumLayoutMargins: EdgeInsets {
        let margin: Double =
            switch loadedView?.currentTraits.horizontalSizeClass {
            case .compact: 16
            case .regular: 20
            case .unspecified, nil: 0
            }
        return EdgeInsets(top: 0, leading: margin, bottom: 0, trailing: margin)
    }

    /// Whether the root view's margins are at least the system's, which is so by default; otherwise
    /// its own count alone. Apple, `UIViewController.viewRespectsSystemMinimumLayoutMargins`.
    public var viewRespectsSystemMinimumLayoutMargins = true {
        didSet { takeMinimumMargins() }
    }

    /// Has the root view's margins follow the width of its device.
    func takeMinimumMargins() {
        loadedView?.setMinimumMargins(
            viewRespectsSystemMinimumLayoutMargins ? systemMinimumLayoutMargins : .zero)
    }

    /// Asks for `updateProperties` of the root view and the controller in the next cycle.
    public func setNeedsUpdateProperties() { loadedView?.setNeedsUpdateProperties() }

    /// Calls what is pending of `updateProperties` in the root view's subtree, now.
    public func updatePropertiesIfNeeded() { loadedView?.updatePropertiesIfNeeded() }

    /// Called directly before the root view's `layoutSubviews`.
    open func viewWillLayoutSubviews() {}

    /// Called directly after the root view's `layoutSubviews`: subviews have their frames, those
    /// below them not yet.
    open func viewDidLayoutSubviews() {}

    /// Called before the window's viewport takes another size, as on a rotation. Call `super`,
    /// which tells the children.
    open func viewWillTransition(to size: Size) {
        for child in children { child.viewWillTransition(to: size) }
    }

    /// Called before the controller gets a parent, or (`nil`) leaves it.
    open func willMove(toParent parent: ViewController?) {}

    /// Called when the controller got a parent, or (`nil`) left it.
    open func didMove(toParent parent: ViewController?) {}

    // MARK: Children

    /// Makes a controller a child, so that it appears and disappears with this one. Its view is the
    /// caller's to add.
    ///
    /// A child of another controller moves.
    ///
    /// - Throws: `LayoutError.hierarchyCycle` when the child is this controller or one above it.
    public func addChild(_ child: ViewController) throws(LayoutError) {
        var above: ViewController? = self
        while let controller = above {
            guard controller !== child else { throw .hierarchyCycle(child.identifier) }
            above = controller.parent
        }
        child.removeFromParent()
        child.willMove(toParent: self)
        child.parent = self
        children.append(child)
        child.didMove(toParent: self)
        switch appearance {
        case .appearing: child.willAppear()
        case .appeared:
            // It is shown by the next cycle, which also tells that it appeared.
            child.willAppear()
            pendingChildren = true
        case .disappeared, .disappearing: break
        }
    }

    /// Takes the controller from its parent. Its view is the caller's to remove.
    public func removeFromParent() {
        guard let parent else { return }
        willMove(toParent: nil)
        willDisappear()
        parent.children.removeAll { $0 === self }
        self.parent = nil
        didDisappear()
        didMove(toParent: nil)
    }

    // MARK: Driven by the window

    private var pendingChildren = false

    /// Whether the next cycle has to tell that a view appeared.
    var isAppearing: Bool {
        appearance == .appearing || pendingChildren || children.contains { $0.isAppearing }
    }

    func enter(_ window: Window) {
        if !isViewLoaded { initialViewSize = window.viewportSize }
        let view = view
        willAppear()
        view.translatesFrame = true
        view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        view.frame = Rect(origin: .zero, size: window.viewportSize)
        do {
            try window.addSubview(view)
        } catch {
            window.ensureEngine().report(.error(error))
        }
    }

    func leaveWindow() {
        willDisappear()
        loadedView?.removeFromSuperview()
        didDisappear()
    }

    /// Tells that the views appeared, children first, after the cycle that showed them.
    func finishAppearing() {
        guard isAppearing else { return }
        pendingChildren = false
        for child in children { child.finishAppearing() }
        guard appearance == .appearing else { return }
        appearance = .appeared
        viewDidAppear()
    }

    private func willAppear() {
        guard appearance == .disappeared else { return }
        appearance = .appearing
        viewWillAppear()
        for child in children { child.willAppear() }
    }

    private func willDisappear() {
        guard appearance == .appearing || appearance == .appeared else { return }
        appearance = .disappearing
        viewWillDisappear()
        for child in children { child.willDisappear() }
    }

    private func didDisappear() {
        guard appearance == .disappearing else { return }
        for child in children { child.didDisappear() }
        appearance = .disappeared
        viewDidDisappear()
    }
}
