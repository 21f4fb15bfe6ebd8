'use strict';
{
  // What every view is made of: the header, the states a view can be in, people,
  // links, branches. Nothing here holds a handler: main.js hears clicks on what
  // has a data-url or a data-action.

  const {el, icon, text, format, words} = bb;

  /** As many colours of discs as page.css has. */
  const DISC_COLOURS = 8;

  /** Units that fill three lines at any width, addresses of links included. */
  const THREE_LINES = 4000;

  /** @type {Map<string, [shape: string, tone: string]>} */
  const BUILDS = new Map(Object.entries({
    FAILED: ['failed', 'bad'], INPROGRESS: ['inprogress', 'info'], SUCCESSFUL: ['successful', 'ok'], CANCELLED: ['cancelled', 'quiet'], UNKNOWN: ['unknown', 'quiet'],
  }));

  /** @type {Record<string, string>} */
  const TONES = {OPEN: 'info', MERGED: 'ok', DECLINED: 'bad', ALL: 'mut'};

  /**
   * @param {string} word
   * @param {string} tone
   */
  function mark(word, tone) {
    return el('span', {class: `loz ${tone}`}, word);
  }

  /** @param {string} state */
  function lozenge(state) {
    return typeof words[state] === 'string' ? mark(words[state], TONES[state] ?? 'mut') : el('span', {class: 'loz mut'}, text.draw(state));
  }

  /**
   * How a state of builds is drawn; one of a later Bitbucket is called as sent.
   * @param {string} state
   */
  function build(state) {
    const [shape, tone] = BUILDS.get(state) ?? ['unknown', 'quiet'];
    return {shape, tone, word: BUILDS.has(state) ? words[state] : state};
  }

  /**
   * @param {Person} p
   * @param {Context} c
   * @param {boolean} [start] at the start of a sentence
   */
  function name(p, c, start = false) {
    if (c.you && p.name === c.you) return start ? words.You : words.you;
    return text.draw(p.displayName || p.name || '?');
  }

  /**
   * A disc with initials. With a status, even an empty one, it is named; without
   * one it is decoration beside a name.
   * @param {Person} p
   * @param {Context} c
   * @param {string} [status]
   */
  function disc(p, c, status) {
    const full = p.displayName || p.name || '?';
    let sum = 0;
    for (const char of p.name || full) sum = (sum * 31 + (char.codePointAt(0) ?? 0)) % 65521;
    const badge = status === 'APPROVED' ? el('span', {class: 'bdg ok'}, icon('successful'))
      : status === 'NEEDS_WORK' ? el('span', {class: 'bdg warn'}, icon('changes')) : null;
    const said = [c.you && p.name === c.you ? `${text.plain(full)} (${words.you})` : text.plain(full), words[status ?? '']].filter((s) => typeof s === 'string').join(', ');
    const props = status === undefined ? {'aria-hidden': 'true'} : {role: 'img', 'aria-label': said, title: said};
    return el('span', {class: `av c${sum % DISC_COLOURS}`, ...props}, format.initials(full), badge);
  }

  /**
   * A link that the host opens. What is no web address is not a link.
   * @param {string | undefined} url
   * @param {Child} label
   * @param {string} [said] its name, where the label is an icon
   */
  function link(url, label, said) {
    const address = bb.webAddress(url);
    if (!address) return el('span', null, label);
    return el('a', {class: 'link', role: 'link', tabindex: 0, 'data-url': address, title: said ?? text.plain(address), 'aria-label': said}, label);
  }

  /**
   * "ORCH / catalogue"
   * @param {Place} p
   * @returns {Leaf[]}
   */
  function place(p) {
    return [text.draw(p.project), ' / ', text.draw(p.repo)];
  }

  /**
   * @param {Ref} ref
   * @param {Place} home
   */
  function branch(ref, home) {
    const {place: p} = ref;
    const elsewhere = p && (p.project !== home.project || p.repo !== home.repo);
    const chip = link(ref.url, [elsewhere ? [...place(p), ': '] : null, text.draw(ref.name)]);
    chip.classList.add('chip');
    return chip;
  }

  /**
   * @param {Ref} source
   * @param {Ref} target
   * @param {Place} home
   */
  function branches(source, target, home) {
    return el('span', {class: 'branches'}, branch(source, home), ' ', icon('to', words.to), ' ', branch(target, home));
  }

  /**
   * @param {number} ms
   * @param {Context} c
   */
  function age(ms, c) {
    return el('time', {datetime: new Date(ms).toISOString(), title: format.full(ms, c.zone)}, format.age(ms, c.now, c.zone));
  }

  /**
   * The button that opens and closes what it names; nothing where everything is
   * open already.
   * @param {string} key
   * @param {string} label
   * @param {Context} c
   * @param {string} [said]
   */
  function toggle(key, label, c, said) {
    if (c.full) return null;
    const open = c.open.has(key);
    return el('button', {class: 'text', 'data-action': 'toggle', 'data-arg': key, 'data-key': `toggle-${key}`, 'aria-expanded': String(open), 'aria-label': said ? `${label}: ${said}` : null}, label);
  }

  /**
   * @param {string} list
   * @param {Context} c
   */
  function more(list, c) {
    return el('button', {class: 'text under', 'data-action': 'more', 'data-arg': list, 'data-key': `more-${list}`, hidden: c.full}, words.more);
  }

  /**
   * Markdown, three lines of it until the person asks for all. main.js shows the
   * button where the text is longer than its lines.
   * @param {string} source
   * @param {string} key
   * @param {Context} c
   * @param {string} [said]
   */
  function prose(source, key, c, said) {
    const whole = c.full || c.open.has(key);
    const button = toggle(key, whole ? words.showLess : words.showMore, c, said);
    if (whole) return [el('div', {class: 'md'}, bb.markdown.draw(source)), button];
    button?.setAttribute('hidden', '');
    const cut = source.length > THREE_LINES;
    return [el('div', {class: 'md clamp', 'data-clamp': key, 'data-cut': cut}, bb.markdown.draw(cut ? source.slice(0, THREE_LINES) : source)), button];
  }

  /**
   * @param {{mark: Child, title: Child, meta: Child, url: string, payload: Payload}} options
   * @param {Context} c
   */
  function header({mark: lozenges, title, meta, url, payload}, c) {
    const as = payload.as ? ` ${words.as} ${text.plain(payload.as.displayName || payload.as.name || '')}` : '';
    const read = el('time', {class: 'read', datetime: new Date(payload.readAt).toISOString(), title: `${words.read} ${format.full(payload.readAt, c.zone)}${as}`},
      `${words.read} ${format.time(payload.readAt, c.now, c.zone)}`);
    const out = link(url, icon('external'), words.openInBitbucket);
    out.classList.add('square');
    out.setAttribute('data-key', 'open');
    return el('header', {class: 'head'},
      el('div', {class: 'top'},
        el('div', {class: 'marks'}, lozenges),
        el('h1', {dir: 'auto'}, title),
        el('div', {class: 'tools'},
          payload.demo ? el('span', {class: 'demo', title: words.demoWhy}, words.demo, el('span', {class: 'wide'}, ` ${words.demoData}`)) : null,
          c.stale ? mark(words.outOfDate, 'warn') : null,
          read,
          bb.webAddress(url) ? out : null,
          modeButton(c))),
      meta ? el('div', {class: 'where'}, meta) : null);
  }

  /** @param {Context} c */
  function modeButton(c) {
    const [mode, name, shape] = c.full ? ['inline', words.leaveFullscreen, 'collapse'] : ['fullscreen', words.fullscreen, 'expand'];
    if (!c.modes.includes(mode)) return null;
    return el('button', {class: 'square', 'data-action': 'mode', 'data-arg': mode, 'data-key': 'mode', 'aria-label': name, title: name}, icon(shape));
  }

  /**
   * A view that has nothing to draw says why, and what to do.
   * @param {{tone: string, title: Child, lines?: Child[], text?: string, error?: boolean}} options
   */
  function state({tone, title, lines = [], text: said, error}) {
    return [el('section', {class: `state ${error ? 'wrong' : ''}`},
      icon(tone),
      el('div', null,
        el('h1', null, title),
        lines.map((line) => el('p', null, line)),
        said ? el('div', {class: 'said', dir: 'auto'}, text.draw(said)) : null))];
  }

  bb.frame = {header, state, lozenge, mark, build, name, disc, link, place, branches, age, toggle, more, prose};
}
