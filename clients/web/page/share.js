// Links, exports and imports.
import { $, h, toast } from "./dom.js";
import { can } from "./room.js";
import { loadSymbols } from "./symbols.js";
import { toSnapKit, toUIKit } from "./uikit.js";
import { toConstraintLayout, toSVG } from "./export.js";

/** Saves a text or a blob as a file. */
function download(name, content, type = "text/plain") {
  const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

export class Share {
  constructor(app) { this.app = app; }

  link(token) { return `${new URL(this.app.room.room, location.href)}${token ? `#token=${encodeURIComponent(token)}` : ""}`; }

  async open() {
    // Where the server does not answer, what is known has to do.
    await Promise.race([this.app.room.requestDocument(), new Promise((done) => { setTimeout(done, 2000); })]);
    const { app } = this, { room } = app, dialog = $("dialog"), hasDocument = room.document !== undefined;
    const address = h("input", { type: "text", readonly: true, value: this.link(""), "aria-label": "Link to this room", onfocus: ({ target }) => target.select() });
    const token = h("input", { type: "text", placeholder: "a token, from scenesync token", autocomplete: "off", spellcheck: "false", "aria-label": "Token to put into the link", oninput: () => { address.value = this.link(token.value.trim()); } });
    const copy = h("button", { class: "main", text: "Copy link", onclick: async () => {
      try {
        await navigator.clipboard.writeText(address.value);
        toast("Copied.");
      } catch {
        address.focus();
        toast("Your browser does not let pages copy: the link is selected.");
      }
    } });
    const sizeOf = (id) => (room.mirror.numbers.has(id) ? room.mirror.frame(room.mirror.numbers.get(id)).slice(2).map((value) => value / room.unit) : [0, 0]);
    const name = room.room, save = (title, needsDocument, body) => h("button", { text: title, disabled: needsDocument && !hasDocument, onclick: body });
    const file = h("input", { type: "file", accept: ".json,.storyboard,.xib,application/json", hidden: true, onchange: ({ target }) => { if (target.files[0]) this.take(target.files[0]); } });
    dialog.replaceChildren(
      h("h2", { text: "Link" }), h("div", { class: "line" }, address, copy), token,
      h("p", { class: "note", text: "A viewer's token lets people watch, an editor's lets them change. The token stands behind the #, which browsers send to nobody, and leaves the address as soon as the page has read it." }),
      h("h2", { text: "Take away" }),
      h("div", { class: "pins" },
        save("Document", true, () => download(`${name}.json`, JSON.stringify(room.document, null, 2), "application/json")),
        save("SVG", false, () => this.svg(name)),
        save("PNG", false, () => this.png(name)),
        save("Last minute, a page", false, () => this.lastMinute(name)),
        save("UIKit, Swift", true, () => download(`${name}.swift`, toUIKit(room.document, sizeOf))),
        save("SnapKit, Swift", true, () => download(`${name}-snapkit.swift`, toSnapKit(room.document, sizeOf))),
        save("ConstraintLayout, XML", true, () => download(`${name}.xml`, toConstraintLayout(room.document), "application/xml"))),
      h("h2", { text: "Bring" }),
      h("div", { class: "line" }, h("button", { text: "Open a document…", disabled: !room.mayEdit, onclick: () => file.click() }), file, h("span", { class: "note", text: "or drop one, or a .storyboard or .xib, anywhere on the page. It takes this scene's place, for everybody." })),
      h("h2", { text: "You" }),
      h("div", { class: "line" }, h("input", { type: "text", value: room.name, maxlength: 40, "aria-label": "Your name, as others see it", onchange: ({ target }) => this.rename(target.value) }),
        h("input", { type: "color", value: room.color, "aria-label": "Your colour", onchange: ({ target }) => this.rename(room.name, target.value) }),
        h("span", { class: "grow" }), h("button", { text: "Close", onclick: () => dialog.close() })),
    );
    if (!room.has(can.inspect)) dialog.append(h("p", { class: "note", text: "This server does not hand out documents." }));
    dialog.showModal();
  }

  rename(name, color = this.app.room.color) {
    const { room } = this.app;
    Object.assign(room, { name: name.trim() || room.name, color });
    localStorage.setItem("scenesync-name", room.name);
    localStorage.setItem("scenesync-color", color);
    room.sayWhereIAm();
  }

  /** The scene with its pictures and faces in it. */
  async svg(name) {
    const { room, joining: { token } } = this.app, pictures = new Map(), faces = new Map();
    const views = room.mirror.preorder(), used = views.filter(({ content: { face, lines } }) => face && lines.length);
    const chooser = used.length ? new (await import("./faces.js")).Faces() : undefined;
    for (const { content: { face } } of used) {
      for (const hash of chooser.chain(face.weight, face.files)) faces.set(hash, { ...face.files.find((file) => file.hash === hash) });
    }
    for (const { content: { look } } of views) if (look?.image) pictures.set(look.image.hash, "");
    for (const hash of pictures.keys()) pictures.set(hash, await this.data(`blobs/${hash}`, token) ?? "");
    for (const [hash, face] of faces) face.data = await this.data(`fonts/${hash}`);
    const hasSymbols = room.mirror.preorder().some(({ content: { look } }) => look?.symbol);
    const symbols = hasSymbols ? await loadSymbols((path) => fetch(path)) : undefined;
    download(`${name}.svg`, toSVG(room, pictures, symbols, [...faces.values()].filter(({ data }) => data)), "image/svg+xml");
  }

  /** A file of the server as a URL that holds it; undefined where it cannot be had. */
  async data(path, token) {
    const answer = await fetch(path, token ? { headers: { authorization: `Bearer ${token}` } } : {}).catch(() => undefined);
    if (!answer?.ok) return undefined;
    const bytes = new Uint8Array(await answer.arrayBuffer());
    return `data:${answer.headers.get("content-type")};base64,${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))}`;
  }

  /** The scene alone, at two pixels a point. */
  async png(name) {
    const { room } = this.app, { Stage } = await import("./stage.js"), canvas = document.createElement("canvas"), picture = new Stage(canvas);
    const [, , width, height] = room.mirror.frame(room.mirror.root).map((value) => value / room.unit);
    picture.resize(Math.max(1, Math.round(2 * width)), Math.max(1, Math.round(2 * height)), 2);
    picture.rebuild(room.mirror, room.welcome);
    picture.token = this.app.joining.token;
    await picture.paintWhole(Number(room.mirror.tick) + 1e6);
    canvas.toBlob((blob) => download(`${name}.png`, blob));
  }

  /** The last minute as a page that plays it. */
  async lastMinute(name) {
    try {
      const page = await this.app.recorder?.page();
      if (page) download(`${name}.html`, page, "text/html");
      else toast("Nothing is recorded yet: try again in a moment.", "bad");
    } catch (error) {
      toast(`The recording could not be made: ${error.message}.`, "bad");
    }
  }

  // --- Dropping a document -------------------------------------------------------------------------------------------

  /** Replaces the scene with a document, or with a scene of an Interface Builder file. */
  async take(file, scene) {
    const { room } = this.app, isInterface = /\.(storyboard|xib)$/i.test(file.name);
    if (!room.mayEdit) return toast("Only editors may replace the scene.", "bad");
    const most = room.welcome.limits.messageBytes, tooLarge = `${file.name} is larger than this server takes.`;
    if (!isInterface && file.size > most) return toast(tooLarge, "bad");
    let document;
    try {
      if (isInterface) {
        const found = await this.convert(file, scene);
        if (scene === undefined && found.scenes.length > 1) return this.choose(file, found);
        document = found.document;
        if (JSON.stringify(document).length > most) return toast(tooLarge, "bad");
      } else document = JSON.parse(await file.text());
    } catch (error) {
      return toast(isInterface ? error.message : `${file.name} is no JSON: ${error.message}`, "bad");
    }
    if (document === null || typeof document !== "object" || document.scene !== 1) return toast(`${file.name} is no scene document.`, "bad");
    $("dialog").close();
    this.app.select([]);
    const result = await room.send([{ op: "setScene", ...document }]);
    if (result.outcome === "committed") toast(`${file.name} is the scene now.`);
    return result;
  }

  /** A file as the server reads it: its scenes, and one of them as a document. */
  async convert(file, scene) {
    const { joining: { room, token } } = this.app, query = new URLSearchParams({ name: file.name, ...(scene !== undefined && { scene }) });
    const headers = token ? { authorization: `Bearer ${token}` } : {};
    const answer = await fetch(`convert/${room}?${query}`, { method: "POST", body: file, headers }).catch(() => {
      throw new Error("The server does not answer: drop the file again when it is back.");
    });
    if (answer.ok) return answer.json();
    if (answer.status === 404) throw new Error("This server reads no files of Interface Builder.");
    throw new Error(answer.status === 413 ? `${file.name} is larger than this server takes.` : (await answer.text()).trim());
  }

  /** Asks which of a file's scenes is meant. */
  choose(file, { scene, scenes }) {
    const dialog = $("dialog");
    dialog.replaceChildren(
      h("h2", { text: `Scenes of ${file.name}` }),
      h("div", { class: "pins" }, ...scenes.map(({ id, title }) => h("button", { text: title, class: id === scene ? "main" : "", onclick: () => this.take(file, id) }))),
      h("div", { class: "line" }, h("span", { class: "grow" }), h("button", { text: "Close", onclick: () => dialog.close() })),
    );
    if (!dialog.open) dialog.showModal();
  }
}
