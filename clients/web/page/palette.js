// What can be added: a view of a kind in the middle of what is selected, held by constraints.
import { toast } from "./dom.js";

const LOOKS = {
  view: { background: "#3b4261", border: "rounded" }, label: { text: "Label" }, stack: { axis: "vertical", spacing: 8 },
  image: { background: "#565f89" }, scroll: { border: "single" },
};

export async function add(app, kind) {
  const { room } = app;
  // Those that wait for the server have their names already.
  const isAdded = (id) => room.log.some(({ ops, result }) => result === undefined && ops.some((each) => each.op === "addView" && each.id === id));
  let count = 1;
  while (room.mirror.numbers.has(`${kind}-${count}`) || isAdded(`${kind}-${count}`)) count++;
  const id = `${kind}-${count}`, [chosen = "root"] = app.selection, container = room.mirror.view(chosen);
  const parent = ["label", "image"].includes(container?.content.kind) ? room.mirror.views.get(container.parent).id : chosen;
  const isArranged = ["stack", "flow"].includes(room.mirror.view(parent)?.content.kind);
  const ops = [{ op: "addView", id, parent, kind, ...LOOKS[kind] }];
  const hold = (name, rule) => ops.push({ op: "addConstraint", id: `${id}-${name}`, rule });
  if (!isArranged) {
    hold("x", `${id}.centerX == ${parent}.centerX`);
    hold("y", `${id}.centerY == ${parent}.centerY`);
  }
  if (kind !== "label" && kind !== "stack") {
    hold("width", `${id}.width == 96`);
    hold("height", `${id}.height == 64`);
  }
  const result = await room.send(ops);
  if (result.outcome === "committed") {
    room.requestDocument();
    app.selectSoon(id);
  } else toast(result.message, "bad");
}
