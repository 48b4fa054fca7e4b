// Ops, properties, mirrors and events are a part of this module's interface: a program that imports
// SceneClient names them without a further import.
@_exported public import JSON
@_exported public import SceneDocument
@_exported public import SceneWire
