'use strict';
{
  // The inline half of Markdown: text to nodes, in time linear to its length.
  // Every search that could be made to start over again for each character has
  // a memory or a bound, named where it stands.

  /** Nodes inside nodes; deeper ones stay text. */
  const MAX_DEPTH = 10;

  /** Units of a link's address or title, so that a scan for its end is bounded. */
  const MAX_ADDRESS = 1000;

  /** @typedef {{type: string, value?: string, depth: number, children?: Item[], url?: string, char?: string, count?: number, size?: number, opens?: boolean, closes?: boolean}} Item */

  const PUNCTUATION = /[\p{P}\p{S}]/u;

  const ENTITIES = new Map(Object.entries({amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00A0'}));

  /**
   * @param {string} value
   * @returns {Item}
   */
  const text = (value) => ({type: 'text', value, depth: 0});

  /**
   * @param {string} type
   * @param {Item[]} children
   * @returns {Item}
   */
  function nest(type, children) {
    let depth = 0;
    for (const child of children) depth = Math.max(depth, child.depth);
    return {type, children, depth: depth + 1};
  }

  bb.markdown = {...bb.markdown, inline};

  /**
   * @param {string} s
   * @returns {Mdast[]}
   */
  function inline(s) {
    /** @type {Item[]} */
    const out = [];
    /** @type {{at: number, image: boolean}[]} */
    const brackets = [];
    const fences = backticks(s);
    let plain = 0;
    let i = 0;
    const flush = (/** @type {number} */ end) => {
      if (end > plain) out.push(text(s.slice(plain, end)));
    };
    /**
     * @param {number} end
     * @param {Item} [item]
     */
    const take = (end, item) => {
      flush(i);
      if (item) out.push(item);
      i = plain = end;
    };
    while (i < s.length) {
      const c = s[i];
      if (c === '\\') {
        const next = s[i + 1];
        if (next === '\n') take(i + 2, {type: 'break', depth: 0});
        else if (next && /[!-/:-@[-`{-~]/.test(next)) take(i + 2, text(next));
        else i++;
      } else if (c === '`') {
        const size = run(s, i);
        const end = fences(size, i + size);
        if (end < 0) i += size;
        else take(end + size, {type: 'code', value: code(s.slice(i + size, end)), depth: 0});
      } else if (c === '*' || c === '_' || c === '~') {
        const size = run(s, i);
        if (c === '~' && size !== 2) i += size;
        else take(i + size, delimiter(s, i, size));
      } else if (c === '!' && s[i + 1] === '[') {
        take(i + 2, text('!['));
        brackets.push({at: out.length - 1, image: true});
      } else if (c === '[') {
        take(i + 1, text('['));
        brackets.push({at: out.length - 1, image: false});
      } else if (c === ']') {
        const open = brackets.pop();
        const target = open && destination(s, i + 1);
        if (!open || !target) {
          i++;
          continue;
        }
        flush(i);
        const children = emphasis(out.splice(open.at + 1));
        out.pop();
        if (open.image) {
          out.push({type: 'image', url: target.url, value: plainText(children), depth: 0});
        } else {
          out.push({...nest('link', children), url: target.url});
          // A link holds no link, so no bracket before it can open one.
          brackets.length = 0;
        }
        i = plain = target.end;
      } else if (c === '<') {
        const match = /^<(https?:\/\/[^<>\s]+)>/i.exec(s.slice(i, i + MAX_ADDRESS));
        if (match) take(i + match[0].length, address(match[1]));
        else i++;
      } else if (c === '&') {
        const match = /^&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-z]{2,4}));/.exec(s.slice(i, i + 12));
        const value = match && entity(match);
        if (match && value) take(i + match[0].length, text(value));
        else i++;
      } else if (c === '\n') {
        const hard = s[i - 1] === ' ' && s[i - 2] === ' ';
        if (hard) take(i + 1, {type: 'break', depth: 0});
        else i++;
      } else if ((c === 'h' || c === 'H') && !/[\p{L}\p{N}]/u.test(s[i - 1] ?? '')) {
        const url = bare(s, i);
        if (url) take(i + url.length, address(url));
        else i++;
      } else {
        i++;
      }
    }
    flush(s.length);
    return emphasis(out);
  }

  /**
   * How often the character at i repeats.
   * @param {string} s
   * @param {number} i
   */
  function run(s, i) {
    let end = i + 1;
    while (s[end] === s[i]) end++;
    return end - i;
  }

  /**
   * Finds the closing run of a size at or after a place. All runs are listed
   * once by size, and each list is walked forward only.
   * @param {string} s
   */
  function backticks(s) {
    /** @type {Map<number, {at: number[], next: number}>} */
    const bySize = new Map();
    for (let i = s.indexOf('`'); i >= 0; i = s.indexOf('`', i)) {
      const size = run(s, i);
      const list = bySize.get(size) ?? {at: [], next: 0};
      list.at.push(i);
      bySize.set(size, list);
      i += size;
    }
    return (/** @type {number} */ size, /** @type {number} */ from) => {
      const list = bySize.get(size);
      if (!list) return -1;
      while (list.next < list.at.length && list.at[list.next] < from) list.next++;
      return list.at[list.next] ?? -1;
    };
  }

  /** @param {string} s */
  function code(s) {
    const line = s.replaceAll('\n', ' ');
    const padded = line.length > 2 && line.startsWith(' ') && line.endsWith(' ') && line.trim() !== '';
    return padded ? line.slice(1, -1) : line;
  }

  /** @param {RegExpExecArray} match */
  function entity(match) {
    if (match[3]) return ENTITIES.get(match[3]) ?? '';
    const code = match[1] ? Number(match[1]) : parseInt(match[2], 16);
    return code > 0 && code <= 0x10FFFF ? String.fromCodePoint(code) : '\uFFFD';
  }

  /**
   * @param {string} url
   * @returns {Item}
   */
  function address(url) {
    return {...nest('link', [text(url)]), url};
  }

  /**
   * An address that stands in the text as it is, without the punctuation that
   * ends the sentence around it.
   * @param {string} s
   * @param {number} i
   */
  function bare(s, i) {
    const match = /^https?:\/\/[^\s<>"'`[\]|\\]+/i.exec(s.slice(i, i + MAX_ADDRESS));
    if (!match) return '';
    let url = match[0];
    let open = 0;
    for (const c of url) open += c === '(' ? 1 : c === ')' ? -1 : 0;
    for (;;) {
      const last = url[url.length - 1];
      if (/[.,;:!?*_~]/.test(last)) url = url.slice(0, -1);
      else if (last === ')' && open < 0) {
        url = url.slice(0, -1);
        open++;
      } else break;
    }
    return /^https?:\/\/./i.test(url) ? url : '';
  }

  /**
   * "(address "title")" at i, or null.
   * @param {string} s
   * @param {number} i
   */
  function destination(s, i) {
    if (s[i] !== '(') return null;
    const part = s.slice(i + 1, i + 1 + MAX_ADDRESS);
    const match = /^\s*(?:<([^<>\n]*)>|([^\s<()]*(?:\([^\s()]*\)[^\s()]*)*))(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s*\)/.exec(part);
    if (!match) return null;
    const url = (match[1] ?? match[2] ?? '').replace(/\\([!-/:-@[-`{-~])/g, '$1');
    return {url, end: i + 1 + match[0].length};
  }

  /**
   * A run of emphasis characters and what CommonMark lets it do there.
   * @param {string} s
   * @param {number} i
   * @param {number} size
   * @returns {Item}
   */
  function delimiter(s, i, size) {
    const before = s[i - 1] ?? ' ';
    const after = s[i + size] ?? ' ';
    const space = [/\s/.test(before), /\s/.test(after)];
    const mark = [PUNCTUATION.test(before), PUNCTUATION.test(after)];
    const left = !space[1] && (!mark[1] || space[0] || mark[0]);
    const right = !space[0] && (!mark[0] || space[1] || mark[1]);
    const word = s[i] === '_';
    return {
      type: 'mark', char: s[i], count: size, size, depth: 0,
      opens: left && (!word || !right || mark[0]),
      closes: right && (!word || !left || mark[1]),
    };
  }

  /**
   * Pairs the runs of a list of items. Where a search for an opener failed is
   * remembered per kind of closer, so that no opener is looked at twice in vain.
   * @param {Item[]} items
   * @returns {Item[]}
   */
  function emphasis(items) {
    /** @type {Item[]} */
    const out = [];
    /** @type {number[]} places of openers in out */
    let openers = [];
    /** @type {Map<string, number>} */
    const floors = new Map();
    const lower = () => {
      for (const [kind, floor] of floors) if (floor > openers.length) floors.set(kind, openers.length);
    };
    for (const item of items) {
      if (item.type !== 'mark') {
        out.push(item);
        continue;
      }
      const closer = /** @type {Required<Item>} */ (item);
      const kind = `${closer.char}${closer.opens}${closer.size % 3}`;
      while (closer.closes && closer.count > 0) {
        let k = openers.length - 1;
        const floor = floors.get(kind) ?? 0;
        while (k >= floor && !pairs(/** @type {Required<Item>} */ (out[openers[k]]), closer)) k--;
        if (k < floor) {
          floors.set(kind, openers.length);
          break;
        }
        const at = openers[k];
        const opener = /** @type {Required<Item>} */ (out[at]);
        const inner = merge(out.splice(at + 1));
        openers.length = k + 1;
        const use = opener.count >= 2 && closer.count >= 2 ? 2 : 1;
        const node = nest(closer.char === '~' ? 'del' : use === 2 ? 'strong' : 'em', inner);
        if (node.depth > MAX_DEPTH) {
          // Too deep to draw: what is open stays text, and nothing is tried again.
          out.push(...inner);
          openers = [];
          lower();
          break;
        }
        opener.count -= use;
        closer.count -= use;
        if (opener.count === 0) {
          out.pop();
          openers.pop();
        }
        lower();
        out.push(node);
      }
      if (closer.count > 0) {
        if (closer.opens) openers.push(out.length);
        out.push(closer);
      }
    }
    return merge(out);
  }

  /**
   * @param {Required<Item>} opener
   * @param {Required<Item>} closer
   */
  function pairs(opener, closer) {
    if (opener.char !== closer.char) return false;
    const both = opener.closes || closer.opens;
    return !(both && (opener.size + closer.size) % 3 === 0 && (opener.size % 3 !== 0 || closer.size % 3 !== 0));
  }

  /**
   * Runs that paired with nothing are text, and text beside text is one.
   * @param {Item[]} items
   */
  function merge(items) {
    /** @type {Item[]} */
    const out = [];
    for (const item of items) {
      const value = item.type === 'mark' ? item.char?.repeat(item.count ?? 0) ?? '' : item.value ?? '';
      const last = out[out.length - 1];
      if (item.type !== 'text' && item.type !== 'mark') out.push(item);
      else if (last?.type === 'text') out[out.length - 1] = text(last.value + value);
      else if (value) out.push(text(value));
    }
    return out;
  }

  /**
   * @param {Item[]} items
   * @returns {string}
   */
  function plainText(items) {
    return items.map((item) => item.value ?? plainText(item.children ?? [])).join('');
  }
}
