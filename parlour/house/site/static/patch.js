// Makes one tree like another, but keeps elements with the same data-key, with their focus and their motion.
/** @type {(node: Node | null) => string | undefined} */
const keyOf = (node) => /** @type {Partial<HTMLElement> | null} */ (node)?.dataset?.key;
const MINE = new Set(["open", "style"]); // attributes that belong to the person, and to scripts
const FOCUSABLE = ":is(a, button, input, select, textarea, summary, [tabindex])";

// What scripts gave the focused element as its stop of Tab stays too: without it the browser would ask whether the element can
// still have the focus, and lay out the half-changed page to find out.
/** @type {(node: Element, name: string) => boolean} */
const mine = (node, name) => MINE.has(name) || (name === "tabindex" && node === document.activeElement);

/** @type {(html: string) => DocumentFragment} */
export function parse(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content;
}

// Builds the new version of `base` from its changed parts: see pages/changes.py. The arguments stay unchanged. The browser
// copies what has nothing new in it, as a whole.
/** @type {(base: Element, pieces: string) => Element} */
export function expand(base, pieces) {
  /** @type {Map<string | undefined, Element>} */
  const kept = new Map([base, ...base.querySelectorAll("[data-key]")].map((node) => [keyOf(node), node]));
  /** @type {Set<Node>} */
  const mixed = new Set(); // what has something new in it, or something kept
  /** @type {(node?: Node | null) => void} */
  const mix = (node) => {
    for (let one = node?.parentNode; one && !mixed.has(one); one = one.parentNode) mixed.add(one);
  };
  for (const tree of parse(pieces).children) {
    for (const node of [tree, ...tree.querySelectorAll("[data-key]")]) {
      mix(node.localName === "k" ? node : kept.get(keyOf(node)));
      if (node.localName !== "k") kept.set(keyOf(node), node);
    }
  }
  /** @type {(node: Node) => Node} */
  const whole = (node) => {
    const made = node.cloneNode(!mixed.has(node));
    if (mixed.has(node)) for (const child of node.childNodes) made.appendChild(whole(kept.get(keyOf(child)) ?? child));
    return made;
  };
  return /** @type {Element} */ (whole(kept.get(keyOf(base)) ?? base));
}

/** @type {(root: Element, fresh: Element) => void} */
export function patch(root, fresh) {
  const focus = /** @type {HTMLElement | null} */ (document.activeElement), focused = focus?.dataset?.key, kept = new Map();
  // An element that goes loses the focus before anything changes: later the browser would lay the page out for it.
  if (focused && root.contains(focus) && fresh.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.nodeName !== focus?.nodeName) focus?.blur();
  for (const node of root.querySelectorAll("[data-key]")) kept.set(keyOf(node), node);
  morph(root, fresh, kept);
  if (focused && keyOf(document.activeElement) !== focused) {
    // Not a piece that was a button: to find out that it takes no focus, the browser would lay the page out.
    root.querySelector(`${FOCUSABLE}[data-key="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }
}

// Whether an element is a line of words, in which other words move what follows them.
/** @type {(node: Element) => boolean} */
const isLine = (node) => !node.querySelector("[data-key], button, input, select, textarea")
  && [...node.childNodes].some((one) => one.nodeType === Node.TEXT_NODE && one.nodeValue?.trim());

// Removes the children that do not stay in `old`; were they removed last, all that follow would be moved, and drawn anew.
// What stays elsewhere is still among the elements that are kept. A piece that becomes a button keeps what is in it.
/** @type {(old: Element, fresh: Element, kept: Map<string | undefined, Element>) => void} */
function leave(old, fresh, kept) {
  const stay = new Map([...fresh.children].map((node) => [keyOf(node), node]));
  for (const node of [...old.children]) {
    const key = keyOf(node), wanted = key && stay.get(key);
    if (key && !wanted) node.remove();
    if (!wanted || wanted.nodeName === node.nodeName) continue;
    const made = /** @type {Element} */ (wanted.cloneNode(false));
    made.append(...node.childNodes);
    node.replaceWith(made);
    kept.set(key, made);
  }
}

/** @type {(old: Element, fresh: Element, kept: Map<string | undefined, Element>) => void} */
function morph(old, fresh, kept) {
  if (old.isEqualNode(fresh)) return;
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name) && !mine(old, name)) old.removeAttribute(name);
  if (isLine(fresh) && old.textContent !== fresh.textContent && !old.contains(document.activeElement)) {
    return old.replaceChildren(...fresh.cloneNode(true).childNodes); // other words are new, and not the same in another place
  }
  leave(old, fresh, kept);
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
