//# allFunctionsCalledOnLoad
// Shows what is wrong with the file that the room is a preview of (`scenesync open`), for as long as it is wrong. The last good
// picture stays below.
import { h } from "./dom.js";

/** Milliseconds between two looks; the server is on this machine. */
const INTERVAL = 300;

export class Preview {
  constructor() {
    this.element = h("output", { id: "preview", role: "alert", hidden: true });
    document.body.append(this.element);
    this.look();
  }

  async look() {
    try {
      const headers = { authorization: `Bearer ${globalThis.joining.token}` };
      const response = await fetch("preview.json", { headers });
      // No preview: this address was not made by `open`.
      if (response.status === 404) return;
      const { problem } = await response.json();
      this.show(problem);
    } catch {
      // The server is gone, which the page says already.
    }
    setTimeout(() => this.look(), INTERVAL);
  }

  show(problem) {
    // An alert is read out whenever its text is set.
    if (this.element.textContent !== (problem ?? "")) this.element.textContent = problem ?? "";
    this.element.hidden = problem === null;
  }
}
