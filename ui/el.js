'use strict';
{
  // Everything the page draws is built here, from names this file knows. A
  // string is always text: there is no way from a string to an element, a
  // style, an address or a handler.

  const SVG = 'http://www.w3.org/2000/svg';

  const TAGS = new Set(('a article aside b bdi blockquote br button code del div em footer h1 h2 h3 h4 h5 h6 header hr ' +
    'li main ol p pre section span strong table tbody td th thead time tr ul').split(' '));

  const SVG_TAGS = new Set(['svg', 'g', 'path', 'circle', 'rect']);

  const PROPS = new Set(('class title role lang dir hidden tabindex datetime start colspan ' +
    'viewBox d cx cy r x y rx width height fill stroke stroke-width stroke-linecap stroke-linejoin stroke-dasharray').split(' '));

  /** @param {string} name */
  function allowed(name) {
    return PROPS.has(name) || /^(?:aria|data)-[a-z]+$/.test(name);
  }

  /**
   * An element with its attributes and children.
   * @param {string} tag
   * @param {Props | null} [props] true is an empty attribute; false and null leave it out
   * @param {...Child} children strings and numbers become text
   */
  bb.el = function el(tag, props, ...children) {
    const svg = SVG_TAGS.has(tag);
    if (!svg && !TAGS.has(tag)) throw new TypeError(`el: no element ${tag}`);
    const element = svg ? document.createElementNS(SVG, tag) : document.createElement(tag);
    if (tag === 'button') element.setAttribute('type', 'button');
    for (const [name, value] of Object.entries(props ?? {})) {
      if (!allowed(name)) throw new TypeError(`el: no property ${name}`);
      if (value === null || value === undefined || value === false) continue;
      if (typeof value === 'function' || typeof value === 'object') throw new TypeError(`el: property ${name} is no text`);
      element.setAttribute(name, value === true ? '' : String(value));
    }
    append(element, children);
    return /** @type {HTMLElement} */ (element);
  };

  /**
   * @param {Element} element
   * @param {Child} child
   */
  function append(element, child) {
    if (child === null || child === undefined || child === false) return;
    if (typeof child === 'object' && !(child instanceof Node)) {
      for (const one of child) append(element, one);
    } else {
      element.append(typeof child === 'object' ? child : String(child));
    }
  }

  /** @param {Node | null} node */
  function keyOf(node) {
    return node instanceof Element ? node.getAttribute('data-key') : null;
  }

  /**
   * Makes target's children equal to fresh's and keeps every node that can stay,
   * so that focus, selection and scroll survive a redraw. Nodes with a data-key
   * are found again wherever they went.
   * @param {Element} target
   * @param {Node} fresh
   */
  bb.morph = function morph(target, fresh) {
    /** @type {Map<string, Element>} */
    const keyed = new Map();
    for (const child of target.children) {
      const key = keyOf(child);
      if (key) keyed.set(key, child);
    }
    let old = target.firstChild;
    for (const node of [...fresh.childNodes]) {
      const key = keyOf(node);
      /** @type {Node | null | undefined} */
      const match = key ? keyed.get(key) : keyOf(old) ? null : old;
      if (!match || match.nodeName !== node.nodeName) {
        target.insertBefore(node, old);
        continue;
      }
      if (key) keyed.delete(key);
      if (match === old) old = old.nextSibling;
      else target.insertBefore(match, old);
      if (match instanceof Element && node instanceof Element) {
        attributes(match, node);
        morph(match, node);
      } else if (match.nodeValue !== node.nodeValue) {
        match.nodeValue = node.nodeValue;
      }
    }
    while (old) {
      const next = old.nextSibling;
      target.removeChild(old);
      old = next;
    }
  };

  /**
   * @param {Element} old
   * @param {Element} fresh
   */
  function attributes(old, fresh) {
    for (const name of old.getAttributeNames()) {
      if (!fresh.hasAttribute(name)) old.removeAttribute(name);
    }
    for (const name of fresh.getAttributeNames()) {
      const value = /** @type {string} */ (fresh.getAttribute(name));
      if (old.getAttribute(name) !== value) old.setAttribute(name, value);
    }
  }
}
