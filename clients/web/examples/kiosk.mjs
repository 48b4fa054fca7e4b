// A kiosk: products in a list, a basket with a sum, and a button that orders.
//
//   node kiosk.mjs ws://127.0.0.1:7070/kiosk
import process from "node:process";
import { Scene, button, label, ops, row } from "../scene.js";

const PRODUCTS = [["Espresso", 220], ["Cappuccino", 310], ["Green tea", 250], ["Croissant", 190], ["Apple pie", 340], ["Water", 150]];
const price = (cents) => (cents / 100).toFixed(2);

/** The products, and the basket below them or, where there is room, beside them. What does not fit is scrolled. */
function document() {
  const lists = [["products", "What we have"], ["basket", "Basket"]];
  return ops.setScene({
    scene: 1, viewport: { width: 390, height: 844 },
    views: [
      ...lists.flatMap(([name, title]) => [
        { id: `${name}-title`, kind: "label", text: title, role: "heading", foreground: "#3a78c2" },
        { id: `${name}-place`, kind: "scroll", scrolls: "each" },
        // Fingers need more room between the lines.
        { id: name, parent: `${name}-place`, kind: "stack", axis: "vertical", role: "list", label: title, variations: [{ when: "idiom == phone", spacing: 28 }] },
      ]),
      { id: "sum", kind: "label", text: "0.00", role: "status", label: "Sum" },
      { id: "order", kind: "button", text: "Order", events: ["tap"], enabled: false },
    ],
    constraints: [
      ...lists.flatMap(([name]) => [
        ...["top", "bottom", "leading", "trailing"].map((edge) => `${name}.${edge} == ${name}-place.content.${edge}`),
        `${name}.width == ${name}-place.viewport.width`,
      ]),
      "basket-title.leading == basket-place.leading", "V:[basket-title]-[basket-place]-[sum]-|", "order.centerY == sum.centerY",
      "basket-place.leading == sum.leading", "basket-place.trailing == order.trailing", "order.trailing == root.margins.trailing",
      "products-title.top == root.margins.top", "products-title.leading == root.margins.leading",
      "products-place.leading == root.margins.leading", "products-place.top == products-title.bottom + 8",
    ],
    sets: {
      narrow: { when: "root.width < 600", constraints: [
        "products-place.trailing == root.margins.trailing", "sum.leading == root.margins.leading",
        "products-place.height == basket-place.height", "basket-title.top == products-place.bottom + 8",
      ] },
      wide: { when: "root.width >= 600", constraints: [
        "products-place.bottom == root.margins.bottom", "basket-title.top == root.margins.top",
        "basket-place.leading == products-place.trailing + 24", "basket-place.width == products-place.width",
      ] },
    },
  });
}

/** One line of a list: a text, and a button at its end. */
const line = (text, title, name, id) =>
  row([label(text, { hugging: [250, 251] }), button(title, { id, label: name, hugging: [251, 250] })], { role: "listitem" });

const scene = await Scene.connect(process.argv[2]);
await scene.apply(document());
await scene.batch((batch) => {
  PRODUCTS.forEach(([name, cents], number) => batch.view("products").append(line(`${name}  ${price(cents)}`, "Add", `Add ${name}`, `add-${number}`)));
});
const basket = PRODUCTS.map(() => 0);
let orders = 0, lines = [];

/** The basket as it is now. */
const show = (status) => scene.batch((batch) => {
  const sum = basket.reduce((total, count, number) => total + count * PRODUCTS[number][1], 0);
  for (const { id } of lines) batch.view(id).remove();
  lines = PRODUCTS.flatMap(([name, cents], number) => {
    const count = basket[number];
    return count > 0 ? [line(`${count} × ${name}  ${price(count * cents)}`, "Less", `One ${name} less`, `less-${number}`)] : [];
  });
  for (const each of lines) batch.view("basket").append(each);
  batch.view("sum").set({ text: status ?? price(sum) });
  batch.view("order").set({ enabled: sum > 0 });
});

for (const list of ["products", "basket"]) {
  scene.on("tap", list, async ({ view }) => {
    const [kind, number] = view.split("-");
    basket[number] += kind === "add" ? 1 : -1;
    await show();
  });
}
scene.on("tap", "order", async () => {
  basket.fill(0);
  await show(`Order ${++orders}: thank you`);
});

await scene.handlesAll();
console.log("open");
