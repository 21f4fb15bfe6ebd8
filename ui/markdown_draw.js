'use strict';
{
  // Draws parsed Markdown. Every string in it is text by others.

  const {el} = bb;

  bb.markdown = {
    ...bb.markdown,
    draw: (s) => blocks(bb.markdown.parse(s), {levels: []}),
  };

  /** @typedef {{levels: number[]}} Outline the levels of the headings that are open */

  /**
   * @param {Mdast[]} nodes
   * @param {Outline} outline
   * @returns {HTMLElement[]}
   */
  function blocks(nodes, outline) {
    return nodes.map((node) => block(node, outline));
  }

  /**
   * @param {Mdast} node
   * @param {Outline} outline
   * @returns {HTMLElement}
   */
  function block(node, outline) {
    switch (node.type) {
      case 'heading': return el(`h${rank(outline, node.level)}`, {dir: 'auto'}, inlines(node.children));
      case 'rule': return el('hr');
      case 'pre': return el('pre', {dir: 'auto'}, el('code', null, bb.text.draw(node.value)));
      case 'quote': return el('blockquote', null, blocks(node.children, outline));
      case 'list': return el(node.ordered ? 'ol' : 'ul', node.ordered && node.start !== 1 ? {start: node.start} : null, node.items.map((/** @type {Mdast} */ item) => listItem(item, outline)));
      case 'table': return table(node);
      case 'cut': return el('p', {class: 'quiet'}, bb.words.tooLong);
      default: return el('p', {dir: 'auto'}, inlines(node.children));
    }
  }

  /**
   * The page's heading for one in the text: below the section's own (a second)
   * and never more than one deeper than the one before.
   * @param {Outline} outline
   * @param {number} level
   */
  function rank({levels}, level) {
    while (levels.length && levels[levels.length - 1] >= level) levels.pop();
    levels.push(level);
    return Math.min(2 + levels.length, 6);
  }

  /**
   * @param {Mdast} item
   * @param {Outline} outline
   */
  function listItem(item, outline) {
    if (item.task === undefined) return el('li', null, blocks(item.children, outline));
    const box = item.task ? bb.icon('done', bb.words.checked) : bb.icon('task', bb.words.unchecked);
    return el('li', {class: 'box'}, box, el('div', null, blocks(item.children, outline)));
  }

  /** @param {Mdast} node */
  function table({head, rows, align}) {
    const row = (/** @type {string} */ tag, /** @type {Mdast[][]} */ cells) =>
      el('tr', null, cells.map((cell, k) => el(tag, {dir: 'auto', class: align[k] || null}, inlines(cell))));
    return el('table', null, el('thead', null, row('th', head)), el('tbody', null, rows.map((/** @type {Mdast[][]} */ r) => row('td', r))));
  }

  /**
   * @param {Mdast[]} nodes
   * @param {boolean} [inLink] a link holds no link
   * @returns {Leaf[]}
   */
  function inlines(nodes, inLink = false) {
    return nodes.flatMap((node) => inline(node, inLink));
  }

  /**
   * @param {Mdast} node
   * @param {boolean} inLink
   * @returns {Leaf | Leaf[]}
   */
  function inline(node, inLink) {
    switch (node.type) {
      case 'code': return el('code', null, bb.text.draw(node.value));
      case 'em': return el('em', null, inlines(node.children, inLink));
      case 'strong': return el('strong', null, inlines(node.children, inLink));
      case 'del': return el('del', null, inlines(node.children, inLink));
      case 'break': return el('br');
      case 'link': return link(node.url, inlines(node.children, true), inLink);
      case 'image': return link(node.url, [bb.words.image, ' ', bb.text.draw(node.value || node.url)], inLink);
      default: return bb.text.draw(node.value);
    }
  }

  /**
   * A link to a web address. Any other address is not opened: it is shown.
   * @param {string} url
   * @param {Leaf[]} label
   * @param {boolean} inLink
   */
  function link(url, label, inLink) {
    if (inLink) return label;
    if (bb.webAddress(url)) return bb.frame.link(url, label);
    return url ? [...label, ' (', bb.text.draw(url), ')'] : label;
  }
}
