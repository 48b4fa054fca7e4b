import AutoLayout
import LayoutValues

/// Measures a scene's text: as it was measured first, and what is new in the program's faces.
final class SceneTextMeasurer: TextMeasurer {
    private let model: Unowned<SceneModel>
    private let makeFaces: () -> any TextMeasurer
    private var faces: (any TextMeasurer)?
    /// Whether a face of the scene is not here, so that another one stands for it.
    private let isFitted: Bool

    init(
        of model: SceneModel, isFitted: Bool, _ makeFaces: @escaping () -> any TextMeasurer
    ) {
        self.model = Unowned(model)
        self.makeFaces = makeFaces
        self.isFitted = isFitted
    }

    private var measurer: any TextMeasurer {
        if let faces { return faces }
        let made = makeFaces()
        faces = made
        return made
    }

    func advance(of word: Substring, weight: FontWeight) -> TextAdvance {
        let key = MeasuredText.Key(weight: weight, word: String(word))
        if let known = model.object.measuredText.advance(of: key) { return known }
        var advance = measurer.advance(of: word, weight: weight)
        if isFitted { advance.isFitted = true }
        return model.object.measuredText.note(advance, of: key)
    }

    func lineMetrics(weight: FontWeight) -> LineMetrics {
        if let known = model.object.measuredText.lineMetrics(weight) { return known }
        let metrics = measurer.lineMetrics(weight: weight)
        model.object.measuredText.note(metrics, of: weight)
        return metrics
    }
}
