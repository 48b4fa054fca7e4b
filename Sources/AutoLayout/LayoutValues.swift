// Geometry, priorities and the options of views are a part of this module's interface: a program
// that imports AutoLayout names `Rect` and `Axis` without a further import.
@_exported public import LayoutValues
