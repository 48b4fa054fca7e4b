// Documents and messages are made of these values: a program that imports SceneDocument names them
// without a further import.
@_exported public import LayoutValues
