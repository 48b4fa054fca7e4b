// --- Ops (LANGUAGE section 8) ----------------------------------------------------------------------------------------

const op = (name) => (id, fields = {}) => ({ op: name, id, ...fields });

/** Makers of ops: `ops.setConstraint("w", { constant: 3 })`; each takes the subject's id and further keys. */
export const ops = {
  // --- scripts/op_tables.py writes what follows from protocol/ops.json ---
  ...Object.fromEntries([
    "addView", "removeView", "moveView", "setView", "resetView", "addGuide", "addConstraint", "removeConstraint",
    "setConstraint", "activateSet", "deactivateSet", "setContentOffset", "setNeedsUpdateConstraints",
    "updateConstraintsIfNeeded", "setNeedsLayout", "layoutIfNeeded", "setNeedsDisplay", "sizeToFit",
    "setNeedsUpdateProperties", "updatePropertiesIfNeeded"
  ].map((name) => [name, op(name)])),
  setScene: (document) => ({ op: "setScene", ...document }),
  setViewport: (fields) => ({ op: "setViewport", ...fields }),
  animate: (duration, ops, fields = {}) => ({ op: "animate", duration, ops, ...fields }),
  // --- end of what scripts/op_tables.py writes ---
};
