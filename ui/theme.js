'use strict';
{
  // Colours. The page has a palette of its own for light and dark (page.css).
  // The host's style variables replace it group by group, and only where every
  // pair of text and background that the page draws with them measures enough
  // contrast, as the browser resolves them in this very document.

  /** WCAG 2.2, 1.4.3: text. */
  const TEXT = 4.5;
  /** WCAG 2.2, 1.4.11: signs that are no text, such as the ring of the focus. */
  const SIGN = 3;

  /** @typedef {[r: number, g: number, b: number, a: number]} Colour */
  /** @typedef {Map<string, string>} Palette our names and their values */
  /** @typedef {[ours: string, ...theirs: string[]]} Names */

  /**
   * The grounds: our name, then the host's in order of preference. Without the
   * first nothing of the group is taken.
   * @type {Names[]}
   */
  const GROUNDS = [
    ['--bg', '--color-background-primary'],
    ['--bg2', '--color-background-secondary', '--color-background-primary'],
    ['--bg3', '--color-background-tertiary', '--color-background-secondary', '--color-background-primary'],
  ];

  /**
   * The texts on them, each the first of the host's that can be read on the
   * grounds it stands on: hosts make their third text fainter than that.
   * @type {{names: Names, on: string[]}[]}
   */
  const TEXTS = [
    {names: ['--fg', '--color-text-primary'], on: ['--bg', '--bg2', '--bg3']},
    {names: ['--fg2', '--color-text-secondary', '--color-text-primary'], on: ['--bg', '--bg2', '--bg3']},
    {names: ['--fg3', '--color-text-tertiary', '--color-text-secondary', '--color-text-primary'], on: ['--bg', '--bg2']},
  ];

  /** @type {Names} */
  const LINES = ['--line', '--color-border-secondary', '--color-border-primary'];

  /**
   * The groups that mean something, each a text colour and a tint under it.
   * @type {{text: string, tint: string, theirs: string}[]}
   */
  const MEANINGS = [
    {text: '--bad', tint: '--badbg', theirs: 'danger'},
    {text: '--warn', tint: '--warnbg', theirs: 'warning'},
    {text: '--ok', tint: '--okbg', theirs: 'success'},
    {text: '--info', tint: '--infobg', theirs: 'info'},
  ];

  const OWN = ['--bg', '--bg2', '--bg3', '--fg', '--fg2', '--fg3', '--line', '--link', '--ring', '--mut', '--mutbg',
    ...MEANINGS.flatMap((m) => [m.text, m.tint])];

  /** What is not a colour and cannot make a text unreadable. */
  const PLAIN = [['--sans', '--font-sans'], ['--mono', '--font-mono']];

  const media = window.matchMedia('(prefers-color-scheme: dark)');

  /** @type {Record<string, any>} */
  let last = {};
  media.addEventListener('change', () => apply(last));

  bb.theme = {apply};

  /**
   * Takes over what the host's context says about colours.
   * @param {Record<string, any>} context
   */
  function apply(context) {
    last = context;
    const root = document.documentElement;
    const dark = context.theme === 'dark' || (context.theme !== 'light' && media.matches);
    root.dataset.theme = dark ? 'dark' : 'light';
    for (const name of OWN) root.style.removeProperty(name);
    const theirs = new Map(Object.entries(context.styles?.variables ?? {}));
    for (const [ours, name] of PLAIN) {
      const value = theirs.get(name);
      root.style.removeProperty(ours);
      if (typeof value === 'string' && window.CSS.supports('font-family', value)) {
        root.style.setProperty(ours, `${value}, ${window.getComputedStyle(root).getPropertyValue(ours)}`);
      }
    }
    if (theirs.size === 0) return;
    for (const [name, value] of choose(theirs, root)) root.style.setProperty(name, value);
  }

  /**
   * The host's colours that can be used.
   * @param {Map<string, unknown>} theirs
   * @param {HTMLElement} root
   * @returns {Palette}
   */
  function choose(theirs, root) {
    const probe = new Probe(root);
    const own = new Map(OWN.map((name) => [name, probe.own(name)]));
    return withMeanings(own, surface(theirs, probe), theirs, probe) ?? withMeanings(own, new Map(), theirs, probe) ?? new Map();
  }

  /**
   * The host's grounds and texts; empty when one of them cannot be read.
   * @param {Map<string, unknown>} theirs
   * @param {Probe} probe
   * @returns {Palette}
   */
  function surface(theirs, probe) {
    /** @type {Palette} */
    const out = new Map();
    /**
     * @param {Names} names
     * @param {(value: string) => boolean} [fits]
     */
    const take = ([ours, ...candidates], fits = () => true) => {
      const value = candidates.map((name) => probe.colour(theirs.get(name))).find((v) => v && fits(v));
      if (value) out.set(ours, value);
      return !!value;
    };
    const whole = GROUNDS.every((names) => take(names)) &&
      TEXTS.every(({names, on}) => take(names, (value) => readable([['text', ...on]], new Map([...out, ['text', value]]), probe)));
    if (!whole) return new Map();
    take(LINES);
    return out;
  }

  /**
   * The groups that mean something on a given surface: the host's where they
   * are readable on it, ours where they are not. Null when ours are not either.
   * @param {Palette} own
   * @param {Palette} ground
   * @param {Map<string, unknown>} theirs
   * @param {Probe} probe
   */
  function withMeanings(own, ground, theirs, probe) {
    const palette = new Map([...own, ...ground]);
    for (const {text, tint, theirs: meaning} of MEANINGS) {
      const pairs = [[text, '--bg', '--bg2', tint]];
      const both = new Map([...palette, [text, probe.colour(theirs.get(`--color-text-${meaning}`))], [tint, probe.colour(theirs.get(`--color-background-${meaning}`))]]);
      const fits = readable(pairs, both, probe);
      if (fits) for (const name of [text, tint]) palette.set(name, both.get(name) ?? '');
      else if (!readable(pairs, palette, probe)) return null;
    }
    // Links have the colour of what informs, and the ring its own, or theirs.
    const links = [['--link', '--bg', '--bg2', '--bg3']];
    const link = new Map([...palette, ['--link', palette.get('--info') ?? '']]);
    if (ground.size && readable(links, link, probe)) palette.set('--link', link.get('--link') ?? '');
    if (!readable(links, palette, probe)) return null;
    const ring = probe.colour(theirs.get('--color-ring-primary'));
    if (ring && probe.contrast(ring, palette.get('--bg') ?? '') >= SIGN) palette.set('--ring', ring);
    if (probe.contrast(palette.get('--ring') ?? '', palette.get('--bg') ?? '') < SIGN) palette.set('--ring', palette.get('--fg') ?? '');
    if (ground.size) {
      palette.set('--mut', palette.get('--fg2') ?? '');
      palette.set('--mutbg', palette.get('--bg3') ?? '');
    }
    return palette;
  }

  /**
   * @param {string[][]} pairs
   * @param {Palette} palette
   * @param {Probe} probe
   */
  function readable(pairs, palette, probe) {
    return pairs.every(([text, ...backgrounds]) => backgrounds.every((b) => probe.contrast(palette.get(text) ?? '', palette.get(b) ?? '', palette.get('--bg')) >= TEXT));
  }

  /** Resolves colours as this document does: light-dark(), names, any space. */
  class Probe {
    /** @param {HTMLElement} root */
    constructor(root) {
      this.palette = window.getComputedStyle(root);
      this.element = bb.el('span', {hidden: true});
      root.append(this.element);
      this.computed = window.getComputedStyle(this.element);
      /** @type {Map<string, Colour>} */
      this.seen = new Map();
      const canvas = document.createElement('canvas');
      canvas.width = canvas.height = 1;
      this.canvas = canvas.getContext('2d', {willReadFrequently: true});
      // The element is needed for this task only.
      queueMicrotask(() => this.element.remove());
    }

    /** @param {string} name */
    own(name) {
      return this.colour(this.palette.getPropertyValue(name).trim());
    }

    /**
     * The value as the document resolves it, or '' if it is no colour.
     * @param {unknown} value
     */
    colour(value) {
      if (typeof value !== 'string' || /var\(|currentcolor|inherit|initial|unset|revert/i.test(value)) return '';
      this.element.style.removeProperty('color');
      this.element.style.setProperty('color', value);
      return this.element.style.getPropertyValue('color') ? this.computed.color : '';
    }

    /**
     * @param {string} resolved
     * @returns {Colour}
     */
    rgba(resolved) {
      const known = this.seen.get(resolved);
      if (known) return known;
      /** @type {Colour} */
      let out = [0, 0, 0, 0];
      const plain = /^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)$/.exec(resolved);
      if (plain) {
        out = [Number(plain[1]), Number(plain[2]), Number(plain[3]), Number(plain[4] ?? 1)];
      } else if (this.canvas && resolved) {
        this.canvas.clearRect(0, 0, 1, 1);
        this.canvas.fillStyle = resolved;
        this.canvas.fillRect(0, 0, 1, 1);
        const [r, g, b, a] = this.canvas.getImageData(0, 0, 1, 1).data;
        out = [r, g, b, a / 255];
      }
      this.seen.set(resolved, out);
      return out;
    }

    /**
     * The contrast of a text on a background; what is translucent is laid over
     * what is below it.
     * @param {string} text
     * @param {string} background
     * @param {string} [below]
     */
    contrast(text, background, below = background) {
      if (!text || !background) return 0;
      const under = over(this.rgba(background), over(this.rgba(below), [255, 255, 255, 1]));
      const [a, b] = [luminance(over(this.rgba(text), under)), luminance(under)];
      return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    }
  }

  /**
   * @param {Colour} top
   * @param {Colour} bottom opaque
   * @returns {Colour}
   */
  function over([r, g, b, a], [R, G, B]) {
    return [r * a + R * (1 - a), g * a + G * (1 - a), b * a + B * (1 - a), 1];
  }

  /** @param {Colour} colour */
  function luminance([r, g, b]) {
    const [R, G, B] = [r, g, b].map((v) => v / 255).map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * R + 0.7152 * G + 0.0722 * B;
  }
}
