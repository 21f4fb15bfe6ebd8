'use strict';
{
  // The page's one state, what changes it, and the drawing of it. Events come
  // from the host (through bridge.js), from the person (clicks and keys on what
  // has a data-action or a data-url), and from the clock.

  const {el, frame, words, text} = bb;

  /** Where a view's payload stands in the result's _meta. */
  const KEY = 'bb/view';

  /** After this long without a word the person is told (V7). */
  const WAIT_MS = 20_000;
  /** Ages are written in minutes. */
  const TICK_MS = 60_000;
  /** After this long statuses may be wrong (V46). */
  const STALE_MS = 24 * 60 * 60_000;
  /** Two clocks that differ by less are taken for one. */
  const SKEW_MS = 2 * 60_000;

  const root = /** @type {HTMLElement} */ (document.querySelector('main'));
  const live = /** @type {HTMLElement} */ (document.querySelector('[role=status]'));

  const state = {
    /** What is drawn: the payload, or the name of the state a view without one is in. */
    phase: 'waiting',
    /** @type {Payload | null} */
    payload: null,
    /** Between the reader's clock and the payload's. */
    offset: 0,
    /** What the host or the result said, for the states that quote it. */
    said: '',
    /** @type {Record<string, unknown>} the arguments of the call, as far as they are known */
    input: {},
    /** @type {Set<string>} */
    open: new Set(),
    /** @type {Map<string, number>} */
    steps: new Map(),
    closed: false,
    /** @type {{node: HTMLElement, link: Element, url: string} | null} an address the host did not open */
    notice: null,
  };

  const bridge = new bb.Bridge({
    context: () => {
      bb.theme.apply(bridge.context);
      draw();
    },
    input: (args) => {
      state.input = args;
      if (state.phase === 'waiting' || state.phase === 'late') {
        state.phase = 'waiting';
        wait();
        draw();
      }
    },
    result,
    cancelled: (reason) => {
      if (!state.payload) show('cancelled', reason);
    },
    refused: (why) => {
      if (state.phase === 'waiting' || state.phase === 'late') show('refused', why);
    },
    closed: () => {
      state.closed = true;
      window.clearTimeout(waiting);
      window.clearInterval(ticking);
      draw();
      announce(words.closed);
    },
  });

  /**
   * A result. One without data never takes the place of one that had some.
   * @param {Record<string, any>} params
   */
  function result(params) {
    const payload = params._meta?.[KEY];
    if (typeof payload === 'object' && payload !== null && typeof payload.version === 'number') {
      take(payload);
      return;
    }
    if (state.payload) return;
    const content = Array.isArray(params.content) ? params.content : [];
    const said = content.filter((block) => block?.type === 'text' && typeof block.text === 'string').map((block) => block.text).join('\n\n');
    show(params.isError === true ? 'error' : 'noData', said);
  }

  /** @param {Payload} payload */
  function take(payload) {
    if (payload.version > bb.VERSION) return show('tooNew');
    if (payload.version < bb.VERSION) return show('tooOld');
    if (!bb.views.has(payload.kind)) return show('unknownKind', String(payload.kind));
    // A stored result is older than its own clock says. The scenario's clock of
    // invented data has nothing to do with the reader's.
    const behind = Date.now() - payload.now;
    state.offset = payload.demo || behind < SKEW_MS ? -behind : 0;
    state.payload = payload;
    show('drawn');
    if (state.phase === 'drawn') announce(words.drawn(text.plain(root.querySelector('h1')?.textContent ?? '')));
  }

  /**
   * @param {string} phase
   * @param {string} [said]
   */
  function show(phase, said = '') {
    window.clearTimeout(waiting);
    if (phase !== 'drawn') state.payload = null;
    state.phase = phase;
    state.said = said;
    draw();
    if (phase !== 'drawn') announce(root.querySelector('h1')?.textContent ?? '');
  }

  let waiting = 0;

  function wait() {
    window.clearTimeout(waiting);
    waiting = window.setTimeout(() => show('late'), WAIT_MS);
  }

  const ticking = window.setInterval(() => {
    if (state.payload && !document.hidden) draw();
  }, TICK_MS);

  /** @returns {Context} */
  function context() {
    const payload = /** @type {Payload} */ (state.payload);
    const now = Date.now() + state.offset;
    const {timeZone} = bridge.context;
    return {
      now,
      zone: typeof timeZone === 'string' ? timeZone : undefined,
      full: bridge.mode() === 'fullscreen',
      modes: bridge.modes(),
      open: state.open,
      steps: state.steps,
      you: payload.as?.name,
      stale: now - payload.readAt > STALE_MS,
    };
  }

  /** Draws the state into the page. What can stay in place does. */
  function draw() {
    const full = bridge.mode() === 'fullscreen';
    layout(full);
    const selected = state.notice && window.getSelection()?.containsNode(state.notice.node, true);
    state.notice?.node.remove();
    const focused = document.activeElement?.getAttribute('data-key');
    bb.morph(root, el('div', null, state.closed ? el('p', {class: 'closed'}, bb.icon('info'), ' ', words.closed) : null, view()));
    if (focused && document.activeElement === document.body) focus(focused);
    clamp();
    if (state.closed) still();
    else if (state.notice) place(!!selected);
  }

  /** @returns {HTMLElement[]} */
  function view() {
    const {phase, payload} = state;
    if (!payload) return empty(phase);
    try {
      const c = context();
      root.classList.toggle('stale', c.stale);
      return /** @type {(payload: Payload, c: Context) => HTMLElement[]} */ (bb.views.get(payload.kind))(payload, c);
    } catch (error) {
      state.payload = null;
      state.phase = 'broken';
      state.said = error instanceof Error ? error.message : '';
      return empty('broken');
    }
  }

  /**
   * A view without data.
   * @param {string} phase
   * @returns {HTMLElement[]}
   */
  function empty(phase) {
    root.classList.remove('stale');
    const {said} = state;
    switch (phase) {
      case 'late': return frame.state({tone: 'clock', title: [words.late], lines: [subject(), words.lateText]});
      case 'noData': return frame.state({tone: 'info', title: words.noData, lines: [said ? words.noDataText : words.noDataEmpty], text: said});
      case 'error': return frame.state({tone: 'failed', title: words.error, lines: said ? [] : [words.errorEmpty], text: said, error: true});
      case 'cancelled': return frame.state({tone: 'cancelled', title: words.cancelled, lines: [words.cancelledText], text: said});
      case 'tooNew': return frame.state({tone: 'warning', title: words.tooNew, lines: [words.tooNewText]});
      case 'tooOld': return frame.state({tone: 'warning', title: words.tooOld, lines: [words.tooOldText]});
      case 'unknownKind': return frame.state({tone: 'warning', title: words.unknownKind, lines: [words.tooNewText], text: said});
      case 'broken': return frame.state({tone: 'warning', title: words.broken, lines: [words.brokenText], text: said});
      case 'refused': return frame.state({tone: 'warning', title: words.refused, lines: said ? [words.refusedText] : [], text: said});
      case 'alone': return frame.state({tone: 'info', title: words.alone, lines: [words.aloneText]});
      default: return frame.state({tone: 'clock', title: subject(), lines: [words.waitingText]});
    }
  }

  /** What is being read, from the arguments as far as they came. */
  function subject() {
    const {kind, project, repo, id} = state.input;
    /** @type {Leaf[]} */
    const out = [kind === 'pull_request' ? words.waitingPullRequest : kind === 'pull_requests' ? words.waitingPullRequests : words.waitingView];
    if (kind === 'pull_request' && (typeof id === 'number' || typeof id === 'string')) out.push(' ', text.draw(`#${id}`));
    if (typeof project === 'string' && typeof repo === 'string') out.push(` ${words.inPlace} `, ...frame.place({project, repo}));
    return out;
  }

  /**
   * The frame's own sizes. Inline the page is as tall as its content; fullscreen
   * it fills what the host gives.
   * @param {boolean} full
   */
  function layout(full) {
    const html = document.documentElement;
    html.dataset.mode = full ? 'full' : 'inline';
    const {height} = bridge.context.containerDimensions ?? {};
    if (full && typeof height === 'number') html.style.setProperty('--height', `${height}px`);
    else html.style.removeProperty('--height');
    for (const side of ['top', 'right', 'bottom', 'left']) {
      const inset = bridge.context.safeAreaInsets?.[side];
      if (typeof inset === 'number') html.style.setProperty(`--inset-${side}`, `${inset}px`);
      else html.style.removeProperty(`--inset-${side}`);
    }
  }

  /** Offers "Show more" where a text is longer than its lines. */
  function clamp() {
    const long = [...root.querySelectorAll('[data-clamp]')].map((node) => ({node, over: node.hasAttribute('data-cut') || node.scrollHeight > node.clientHeight + 1}));
    for (const {node, over} of long) {
      node.classList.toggle('over', over);
      find(`toggle-${node.getAttribute('data-clamp')}`)?.toggleAttribute('hidden', !over);
    }
  }

  /** After teardown nothing can be pressed that would do nothing. */
  function still() {
    root.classList.add('torn');
    for (const button of root.querySelectorAll('button')) button.disabled = true;
    for (const link of root.querySelectorAll('[data-url]')) {
      for (const name of ['data-url', 'role', 'tabindex', 'title']) link.removeAttribute(name);
      link.classList.remove('link');
    }
  }

  /**
   * @param {string} key
   * @returns {HTMLElement | null}
   */
  function find(key) {
    return root.querySelector(`[data-key="${CSS.escape(key)}"]`);
  }

  /** @param {string} key */
  function focus(key) {
    find(key)?.focus();
  }

  /** @param {string} sentence */
  function announce(sentence) {
    live.textContent = sentence;
  }

  /** @param {Event} event */
  function pressed(event) {
    const target = event.target instanceof Element ? event.target.closest('[data-action], [data-url]') : null;
    if (!target || state.closed) return;
    const url = target.getAttribute('data-url');
    if (url) follow(target, url);
    else act(target.getAttribute('data-action') ?? '', target.getAttribute('data-arg') ?? '');
  }

  /**
   * @param {string} action
   * @param {string} arg
   */
  function act(action, arg) {
    switch (action) {
      case 'toggle':
        if (!state.open.delete(arg)) state.open.add(arg);
        draw();
        break;
      case 'more': {
        const rows = root.querySelectorAll(`[data-key^="${arg}-"]`).length;
        state.steps.set(arg, (state.steps.get(arg) ?? 0) + 1);
        draw();
        focus(`${arg}-${rows}`);
        break;
      }
      case 'mode':
        void bridge.requestMode(arg);
        break;
    }
  }

  /**
   * Opens an address through the host. Where it does not open, the address
   * stands under its link, selected.
   * @param {Element} link
   * @param {string} url
   */
  async function follow(link, url) {
    const gone = () => {
      if (state.notice?.url !== url) return;
      state.notice.node.remove();
      state.notice = null;
    };
    gone();
    if (await bridge.openLink(url, gone) || state.closed) return;
    state.notice?.node.remove();
    const node = el('div', {class: 'notice', 'data-key': 'notice'}, el('span', null, words.linkRefused), ' ', el('code', {tabindex: 0, dir: 'ltr'}, text.draw(url)));
    state.notice = {node, link, url};
    place(true);
    announce(words.linkRefusedHeard);
  }

  /** @param {boolean} select */
  function place(select) {
    const {node, link} = /** @type {NonNullable<typeof state.notice>} */ (state.notice);
    const item = link.closest('li, section');
    const block = link.closest('table, pre, p, blockquote, .line, header');
    if (block && (!item || item.contains(block))) block.after(node);
    else (item ?? root).append(node);
    const code = node.querySelector('code');
    if (select && code) window.getSelection()?.selectAllChildren(code);
  }

  root.addEventListener('click', pressed);
  root.addEventListener('keydown', (event) => {
    const onLink = event.target instanceof Element && event.target.matches('[data-url]');
    if (onLink && event.key === 'Enter' && !event.isComposing) pressed(event);
  });
  root.addEventListener('focusin', (event) => {
    // What is cut off by its three lines can be reached by keyboard: it opens.
    const cut = event.target instanceof Element ? event.target.closest('.clamp.over') : null;
    if (!cut || !(event.target instanceof Element)) return;
    if (event.target.getBoundingClientRect().bottom <= cut.getBoundingClientRect().bottom) return;
    state.open.add(cut.getAttribute('data-clamp') ?? '');
    draw();
  });
  window.addEventListener('resize', clamp);
  document.addEventListener('visibilitychange', () => {
    if (state.payload && !document.hidden && !state.closed) draw();
  });

  bb.theme.apply({});
  if (window.parent === window) {
    show('alone');
  } else {
    draw();
    wait();
    bridge.connect();
  }
}
