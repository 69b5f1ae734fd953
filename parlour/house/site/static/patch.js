// Makes one tree like another, but keeps elements with the same data-key, with their focus and their motion.
const keyOf = (node) => node.dataset?.key;
const MINE = new Set(["open"]); // attributes that belong to the person

export function parse(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content;
}

// Builds the new version of `base` from its changed parts: see pages/changes.py. The arguments stay unchanged.
export function expand(base, pieces) {
  const kept = new Map();
  for (const tree of [base, ...parse(pieces).children]) {
    for (const node of [tree, ...tree.querySelectorAll("[data-key]")]) {
      if (node.localName !== "k") kept.set(keyOf(node), node);
    }
  }
  const whole = (node) => {
    const made = node.cloneNode(false);
    for (const child of node.childNodes) made.append(whole(kept.get(keyOf(child)) ?? child));
    return made;
  };
  return whole(kept.get(keyOf(base)));
}

export function patch(root, fresh) {
  const focused = document.activeElement?.dataset?.key;
  const kept = new Map();
  for (const node of root.querySelectorAll("[data-key]")) kept.set(keyOf(node), node);
  morph(root, fresh, kept);
  if (focused && keyOf(document.activeElement) !== focused) {
    root.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }
}

function morph(old, fresh, kept) {
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name) && !MINE.has(name)) old.removeAttribute(name);
  let last = null;
  for (const wanted of fresh.childNodes) {
    const next = last ? last.nextSibling : old.firstChild;
    const key = keyOf(wanted);
    let node = key ? kept.get(key) : next && !keyOf(next) ? next : null;
    if (!node || node.nodeName !== wanted.nodeName || node.contains(old)) node = wanted.cloneNode(false);
    if (node !== next) old.insertBefore(node, next);
    if (node.nodeType === Node.ELEMENT_NODE) morph(node, wanted, kept);
    else if (node.data !== wanted.data) node.data = wanted.data;
    last = node;
  }
  while ((last ? last.nextSibling : old.firstChild)) (last ? last.nextSibling : old.firstChild).remove();
}
