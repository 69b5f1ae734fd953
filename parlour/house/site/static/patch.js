// Makes one tree like another, but keeps elements with the same data-key, with their focus and their motion.
/** @type {(node: Node | null) => string | undefined} */
const keyOf = (node) => /** @type {Partial<HTMLElement> | null} */ (node)?.dataset?.key;
const MINE = new Set(["open"]); // attributes that belong to the person

/** @type {(html: string) => DocumentFragment} */
export function parse(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content;
}

// Builds the new version of `base` from its changed parts: see pages/changes.py. The arguments stay unchanged.
/** @type {(base: Element, pieces: string) => Element} */
export function expand(base, pieces) {
  /** @type {Map<string | undefined, Element>} */
  const kept = new Map();
  for (const tree of [base, ...parse(pieces).children]) {
    for (const node of [tree, ...tree.querySelectorAll("[data-key]")]) {
      if (node.localName !== "k") kept.set(keyOf(node), node);
    }
  }
  /** @type {(node: Node) => Node} */
  const whole = (node) => {
    const made = node.cloneNode(false);
    for (const child of node.childNodes) made.appendChild(whole(kept.get(keyOf(child)) ?? child));
    return made;
  };
  return /** @type {Element} */ (whole(kept.get(keyOf(base)) ?? base));
}

/** @type {(root: Element, fresh: Element) => void} */
export function patch(root, fresh) {
  const focused = document.activeElement?.dataset?.key;
  const kept = new Map();
  for (const node of root.querySelectorAll("[data-key]")) kept.set(keyOf(node), node);
  morph(root, fresh, kept);
  if (focused && keyOf(document.activeElement) !== focused) {
    root.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }
}

// Whether an element is a line of words, in which other words move what follows them.
/** @type {(node: Element) => boolean} */
const isLine = (node) => !node.querySelector("[data-key], button, input, select, textarea")
  && [...node.childNodes].some((one) => one.nodeType === Node.TEXT_NODE && one.nodeValue?.trim());

/** @type {(old: Element, fresh: Element, kept: Map<string | undefined, Element>) => void} */
function morph(old, fresh, kept) {
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name) && !MINE.has(name)) old.removeAttribute(name);
  if (isLine(fresh) && old.textContent !== fresh.textContent && !old.contains(document.activeElement)) {
    return old.replaceChildren(...fresh.cloneNode(true).childNodes); // other words are new, and not the same in another place
  }
  /** @type {ChildNode | null} */
  let last = null;
  for (const wanted of fresh.childNodes) {
    /** @type {ChildNode | null} */
    const next = last ? last.nextSibling : old.firstChild;
    const key = keyOf(wanted);
    /** @type {ChildNode | null | undefined} */
    let node = key ? kept.get(key) : next && !keyOf(next) ? next : null;
    if (!node || node.nodeName !== wanted.nodeName || node.contains(old)) node = /** @type {ChildNode} */ (wanted.cloneNode(false));
    if (node !== next) old.insertBefore(node, next);
    if (node.nodeType === Node.ELEMENT_NODE) morph(/** @type {Element} */ (node), /** @type {Element} */ (wanted), kept);
    else if (node.nodeValue !== wanted.nodeValue) node.nodeValue = wanted.nodeValue;
    last = node;
  }
  for (let after; (after = last ? last.nextSibling : old.firstChild); ) after.remove();
}
