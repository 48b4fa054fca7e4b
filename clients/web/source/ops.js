// --- Ops (LANGUAGE section 8) ----------------------------------------------------------------------------------------

const op = (name) => (id, fields = {}) => ({ op: name, id, ...fields });

/** Makers of ops: `ops.setConstraint("w", { constant: 3 })`; each takes the subject's id and further keys. */
export const ops = Object.fromEntries(
  ["addView", "removeView", "moveView", "setView", "resetView", "addGuide", "addConstraint", "removeConstraint",
   "setConstraint", "activateSet", "deactivateSet", "setContentOffset", "setNeedsUpdateConstraints", "updateConstraintsIfNeeded", "setNeedsLayout",
   "layoutIfNeeded", "setNeedsDisplay", "sizeToFit", "setNeedsUpdateProperties", "updatePropertiesIfNeeded"].map((name) => [name, op(name)]),
);
ops.setScene = (document) => ({ op: "setScene", ...document });
ops.setViewport = (fields) => ({ op: "setViewport", ...fields });
ops.animate = (duration, list, fields = {}) => ({ op: "animate", duration, ops: list, ...fields });
