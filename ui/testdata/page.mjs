// Loads the page's scripts, in page.html's order and up to the one named, into a
// context of its own with as much of a browser as they touch.
import {readFileSync} from 'node:fs';
import vm from 'node:vm';

const folder = new URL('../', import.meta.url);
const read = (name) => readFileSync(new URL(name, folder), 'utf8');

export const scripts = [...read('page.html').matchAll(/<script src="([^"]+)"/g)].map((m) => m[1]);

class Node {
  constructor(nodeName) {
    this.nodeName = nodeName;
    this.childNodes = [];
    this.attributes = new Map();
    this.classList = {add: (name) => this.setAttribute('class', `${this.getAttribute('class') ?? ''} ${name}`.trim())};
  }
  append(child) { this.childNodes.push(typeof child === 'string' ? Object.assign(new Node('#text'), {nodeValue: child}) : child); }
  setAttribute(name, value) { this.attributes.set(name, value); }
  getAttribute(name) { return this.attributes.get(name) ?? null; }
}

/** The text of a drawn node. */
export const textOf = (node) => node.nodeName === '#text' ? node.nodeValue : node.childNodes.map(textOf).join('');

/** All drawn nodes of a name. */
export const all = (node, name) => [...(node.nodeName === name ? [node] : []), ...node.childNodes.flatMap((child) => all(child, name))];

export function load(last, globals = {}) {
  const context = vm.createContext({
    Intl, URL, Node,
    document: {createElement: (name) => new Node(name), createElementNS: (_, name) => new Node(name)},
    ...globals,
  });
  for (const name of scripts.slice(0, scripts.indexOf(last) + 1)) vm.runInContext(read(name), context, {filename: name});
  return vm.runInContext('bb', context);
}

/** Objects of another context have other prototypes; their JSON does not. */
export const plain = (value) => JSON.parse(JSON.stringify(value));
