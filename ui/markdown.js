'use strict';
{
  // The block half of Markdown: lines to nodes. Containers are parsed by
  // parsing their lines again without the marker, so the depth that is followed
  // bounds the work: deeper ones are text. HTML is text everywhere.

  const MAX_DEPTH = 8;

  /** Units that are read; a payload's text is shorter, so this is for hosts that hand over anything. */
  const MAX_LENGTH = 60_000;

  const BLANK = /^\s*$/;
  const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;
  const HEADING = /^ {0,3}(#{1,6})(?:[ \t]|$)/;
  const RULE = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
  const QUOTE = /^ {0,3}> ?/;
  const ITEM = /^( {0,3})([-+*]|(\d{1,9})[.)])(?: |$)/;
  const INDENTED = /^ {4}/;
  const UNDERLINE = /^ {0,3}(=+|-+)[ \t]*$/;
  const TASK = /^\[([ xX])\] +/;
  const CELLS = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;

  bb.markdown = {...bb.markdown, parse};

  /**
   * @param {string} s
   * @returns {Mdast[]}
   */
  function parse(s) {
    const whole = s.length <= MAX_LENGTH;
    const lines = s.slice(0, MAX_LENGTH).replaceAll('\r\n', '\n').replaceAll('\r', '\n').split('\n');
    const nodes = blocks(lines.map(untab), 0);
    if (!whole) nodes.push({type: 'cut'});
    return nodes;
  }

  /** @param {string} line */
  function untab(line) {
    return line.replace(/^[ \t]+/, (space) => space.replaceAll('\t', '    '));
  }

  /**
   * @param {string[]} lines
   * @param {number} depth
   * @returns {Mdast[]}
   */
  function blocks(lines, depth) {
    /** @type {Mdast[]} */
    const out = [];
    const deep = depth >= MAX_DEPTH;
    let i = 0;
    while (i < lines.length) {
      const line = lines[i];
      if (BLANK.test(line)) {
        i++;
        continue;
      }
      const [node, next] = fence(lines, i) ?? indented(lines, i) ?? heading(lines, i) ?? rule(lines, i) ??
        (deep ? null : quote(lines, i, depth) ?? list(lines, i, depth)) ?? table(lines, i) ?? paragraph(lines, i, deep);
      out.push(node);
      i = next;
    }
    return out;
  }

  /** @typedef {[node: Mdast, next: number]} Block */

  /**
   * @param {string[]} lines
   * @param {number} i
   * @returns {Block | null}
   */
  function fence(lines, i) {
    const open = FENCE.exec(lines[i]);
    if (!open || (open[1][0] === '`' && open[2].includes('`'))) return null;
    const indent = lines[i].indexOf(open[1]);
    const body = [];
    let j = i + 1;
    for (; j < lines.length; j++) {
      const close = FENCE.exec(lines[j]);
      if (close && close[1][0] === open[1][0] && close[1].length >= open[1].length && BLANK.test(close[2])) break;
      body.push(lines[j].slice(Math.min(indent, lines[j].search(/[^ ]|$/))));
    }
    return [{type: 'pre', value: body.join('\n'), language: open[2].trim().split(/\s/)[0]}, j + 1];
  }

  /**
   * @param {string[]} lines
   * @param {number} i
   * @returns {Block | null}
   */
  function indented(lines, i) {
    if (!INDENTED.test(lines[i])) return null;
    const body = [];
    let j = i;
    while (j < lines.length && (INDENTED.test(lines[j]) || BLANK.test(lines[j]))) body.push(lines[j++].slice(4));
    return [{type: 'pre', value: body.join('\n').replace(/\n+$/, ''), language: ''}, j];
  }

  /**
   * @param {string[]} lines
   * @param {number} i
   * @returns {Block | null}
   */
  function heading(lines, i) {
    const match = HEADING.exec(lines[i]);
    if (!match) return null;
    let title = lines[i].slice(match[0].length).trim();
    const closing = title.length - trimEnd(title, '#').length;
    if (closing && /(?:^|\s)$/.test(title.slice(0, -closing).slice(-1))) title = trimEnd(title, '#').trim();
    return [{type: 'heading', level: match[1].length, children: bb.markdown.inline(title)}, i + 1];
  }

  /**
   * @param {string} s
   * @param {string} char
   */
  function trimEnd(s, char) {
    let end = s.length;
    while (end > 0 && s[end - 1] === char) end--;
    return s.slice(0, end);
  }

  /**
   * @param {string[]} lines
   * @param {number} i
   * @returns {Block | null}
   */
  function rule(lines, i) {
    return RULE.test(lines[i]) ? [{type: 'rule'}, i + 1] : null;
  }

  /**
   * @param {string[]} lines
   * @param {number} i
   * @param {number} depth
   * @returns {Block | null}
   */
  function quote(lines, i, depth) {
    if (!QUOTE.test(lines[i])) return null;
    const body = [];
    let j = i;
    for (; j < lines.length; j++) {
      const marker = QUOTE.exec(lines[j]);
      if (marker) body.push(lines[j].slice(marker[0].length));
      else if (lazy(lines, j)) body.push(lines[j]);
      else break;
    }
    return [{type: 'quote', children: blocks(body, depth + 1)}, j];
  }

  /**
   * Whether line j goes on with the paragraph before it though its container's
   * marker is missing.
   * @param {string[]} lines
   * @param {number} j
   */
  function lazy(lines, j) {
    return !BLANK.test(lines[j]) && !BLANK.test(lines[j - 1].replace(QUOTE, '')) && !interrupts(lines[j]);
  }

  /** @param {string} line */
  function interrupts(line) {
    if (FENCE.test(line) || HEADING.test(line) || RULE.test(line) || QUOTE.test(line)) return true;
    const item = ITEM.exec(line);
    return !!item && line.length > item[0].length && (item[3] === undefined || item[3] === '1');
  }

  /**
   * @param {string[]} lines
   * @param {number} i
   * @param {number} depth
   * @returns {Block | null}
   */
  function list(lines, i, depth) {
    const first = ITEM.exec(lines[i]);
    if (!first) return null;
    const ordered = first[3] !== undefined;
    const sign = first[2].slice(-1);
    const items = [];
    let j = i;
    while (j < lines.length) {
      const marker = ITEM.exec(lines[j]);
      if (!marker || (marker[3] !== undefined) !== ordered || marker[2].slice(-1) !== sign || RULE.test(lines[j])) break;
      const [item, next] = listItem(lines, j, marker, depth);
      items.push(item);
      j = next;
    }
    return items.length ? [{type: 'list', ordered, start: Number(first[3] ?? 1), items}, j] : null;
  }

  /**
   * @param {string[]} lines
   * @param {number} i
   * @param {RegExpExecArray} marker
   * @param {number} depth
   * @returns {Block}
   */
  function listItem(lines, i, marker, depth) {
    const rest = lines[i].slice(marker[1].length + marker[2].length);
    const space = rest.search(/[^ ]|$/);
    const width = marker[1].length + marker[2].length + (space >= 1 && space <= 4 ? space : 1);
    let head = lines[i].slice(width);
    const task = TASK.exec(head);
    if (task) head = head.slice(task[0].length);
    const body = [head];
    let j = i + 1;
    for (; j < lines.length; j++) {
      const line = lines[j];
      if (BLANK.test(line)) {
        // A blank line stays inside when something of the item follows it.
        let k = j;
        while (k < lines.length && BLANK.test(lines[k])) k++;
        if (k === lines.length || lines[k].search(/[^ ]/) < width) {
          j = k;
          break;
        }
        for (; j < k; j++) body.push('');
        j--;
      } else if (line.search(/[^ ]/) >= width) {
        body.push(line.slice(width));
      } else if (!ITEM.test(line) && lazy(lines, j)) {
        body.push(line);
      } else break;
    }
    return [{type: 'item', task: task ? task[1] !== ' ' : undefined, children: blocks(body, depth + 1)}, j];
  }

  /**
   * @param {string[]} lines
   * @param {number} i
   * @returns {Block | null}
   */
  function table(lines, i) {
    const head = lines[i];
    const under = lines[i + 1];
    if (!under || !head.includes('|') || !under.includes('-') || !CELLS.test(under)) return null;
    const align = cells(under).map((c) => c.endsWith(':') ? (c.startsWith(':') ? 'center' : 'right') : '');
    const names = cells(head);
    if (names.length !== align.length) return null;
    const rows = [];
    let j = i + 2;
    for (; j < lines.length && !BLANK.test(lines[j]) && !interrupts(lines[j]); j++) {
      const row = cells(lines[j]);
      rows.push(align.map((_, k) => bb.markdown.inline(row[k] ?? '')));
    }
    return [{type: 'table', align, head: names.map((n) => bb.markdown.inline(n)), rows}, j];
  }

  /** @param {string} line */
  function cells(line) {
    const s = line.trim();
    const out = [];
    let cell = '';
    for (let i = s[0] === '|' ? 1 : 0; i < s.length; i++) {
      if (s[i] === '\\' && s[i + 1] === '|') cell += s[++i];
      else if (s[i] === '|') {
        out.push(cell.trim());
        cell = '';
      } else cell += s[i];
    }
    if (cell.trim() || s[s.length - 1] !== '|') out.push(cell.trim());
    return out;
  }

  /**
   * @param {string[]} lines
   * @param {number} i
   * @param {boolean} deep
   * @returns {Block}
   */
  function paragraph(lines, i, deep) {
    const body = [lines[i].trimStart()];
    let j = i + 1;
    for (; j < lines.length && !BLANK.test(lines[j]); j++) {
      const under = UNDERLINE.exec(lines[j]);
      if (under) {
        return [{type: 'heading', level: under[1][0] === '=' ? 1 : 2, children: bb.markdown.inline(body.join('\n').trim())}, j + 1];
      }
      if (!deep && interrupts(lines[j])) break;
      body.push(lines[j].trimStart());
    }
    return [{type: 'paragraph', children: bb.markdown.inline(body.join('\n').trimEnd())}, j];
  }
}
