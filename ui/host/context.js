'use strict';

{
  const COLOURS = ['primary', 'secondary', 'tertiary', 'inverse', 'ghost', 'info', 'danger', 'success', 'warning', 'disabled'];
  const RINGS = ['primary', 'secondary', 'inverse', 'info', 'danger', 'success', 'warning'];
  const TEXTS = ['xs', 'sm', 'md', 'lg'];
  const HEADINGS = ['xs', 'sm', 'md', 'lg', 'xl', '2xl', '3xl'];

  /**
   * @param {string} before
   * @param {string[]} names
   * @param {string} [after]
   */
  const each = (before, names, after = '') => names.map((name) => before + name + after);

  /** The style variables a host may send: the complete list of the specification, 76 names. */
  bbhost.VARIABLES = [
    ...each('--color-background-', COLOURS),
    ...each('--color-text-', COLOURS),
    ...each('--color-border-', COLOURS),
    ...each('--color-ring-', RINGS),
    ...each('--font-', ['sans', 'mono']),
    ...each('--font-weight-', ['normal', 'medium', 'semibold', 'bold']),
    ...each('--font-text-', TEXTS, '-size'),
    ...each('--font-heading-', HEADINGS, '-size'),
    ...each('--font-text-', TEXTS, '-line-height'),
    ...each('--font-heading-', HEADINGS, '-line-height'),
    ...each('--border-radius-', ['xs', 'sm', 'md', 'lg', 'xl', 'full']),
    '--border-width-regular',
    ...each('--shadow-', ['hairline', 'sm', 'md', 'lg']),
  ];

  // A host with a look of its own, so that one sees at once whether a view follows it: warm paper and serifs by
  // day, pine at night. Text and background of each pair measure 4.5:1 or better; a test holds that.
  const PAPER = {
    background: ['#fbf5e9', '#f3ead8', '#eaddc4', '#33261a', '#fbf5e9', '#e3ebf2', '#f8e0da', '#e3edd3', '#f9e6b8', '#efe6d5'],
    text: ['#33261a', '#5c4a38', '#66533f', '#fbf5e9', '#5c4a38', '#1f4f7a', '#96281b', '#3c5f1e', '#724a00', '#6b5d4d'],
    border: ['#8f7a5f', '#d9c9ad', '#e6dac4', '#33261a', '#fbf5e9', '#1f4f7a', '#96281b', '#3c5f1e', '#724a00', '#d9c9ad'],
    ring: ['#7a3e00', '#8f7a5f', '#fbf5e9', '#1f4f7a', '#96281b', '#3c5f1e', '#724a00'],
  };
  const PINE = {
    background: ['#10231d', '#173028', '#1f3d33', '#e9f2ec', '#10231d', '#12344a', '#47211f', '#1c4028', '#413310', '#1a2b26'],
    text: ['#e4efe8', '#b4c9be', '#a3bbaf', '#10231d', '#b4c9be', '#9ccdf0', '#ffb3a8', '#a4e0ae', '#f0d080', '#97aca2'],
    border: ['#628576', '#2c4a3f', '#244036', '#e9f2ec', '#10231d', '#9ccdf0', '#ffb3a8', '#a4e0ae', '#f0d080', '#2c4a3f'],
    ring: ['#f0d080', '#628576', '#10231d', '#9ccdf0', '#ffb3a8', '#a4e0ae', '#f0d080'],
  };

  /**
   * standardVariables is a full set of style variables: every name, each colour as light-dark() as hosts are
   * advised to send them, so that one set serves both themes.
   * @returns {Record<string, string>}
   */
  bbhost.standardVariables = () => {
    /** @type {Record<string, string>} */
    const set = {};
    for (const [group, names] of Object.entries({ background: COLOURS, text: COLOURS, border: COLOURS, ring: RINGS })) {
      const light = PAPER[/** @type {keyof typeof PAPER} */ (group)];
      const dark = PINE[/** @type {keyof typeof PINE} */ (group)];
      names.forEach((name, i) => (set['--color-' + group + '-' + name] = 'light-dark(' + light[i] + ', ' + dark[i] + ')'));
    }
    set['--font-sans'] = 'Georgia, "Liberation Serif", "DejaVu Serif", serif';
    set['--font-mono'] = '"Liberation Mono", "DejaVu Sans Mono", ui-monospace, monospace';
    Object.assign(set, { '--font-weight-normal': '400', '--font-weight-medium': '500', '--font-weight-semibold': '600', '--font-weight-bold': '700' });
    const sizes = { text: [11, 12, 14, 16], heading: [12, 14, 16, 18, 22, 26, 32] };
    TEXTS.forEach((name, i) => {
      set['--font-text-' + name + '-size'] = sizes.text[i] + 'px';
      set['--font-text-' + name + '-line-height'] = '1.5';
    });
    HEADINGS.forEach((name, i) => {
      set['--font-heading-' + name + '-size'] = sizes.heading[i] + 'px';
      set['--font-heading-' + name + '-line-height'] = '1.25';
    });
    ['2px', '3px', '4px', '6px', '8px', '999px'].forEach((size, i) => {
      set['--border-radius-' + ['xs', 'sm', 'md', 'lg', 'xl', 'full'][i]] = size;
    });
    set['--border-width-regular'] = '1px';
    set['--shadow-hairline'] = '0 0 0 1px rgb(0 0 0 / 0.08)';
    set['--shadow-sm'] = '0 1px 2px rgb(0 0 0 / 0.12)';
    set['--shadow-md'] = '0 2px 6px rgb(0 0 0 / 0.14)';
    set['--shadow-lg'] = '0 6px 18px rgb(0 0 0 / 0.18)';
    return set;
  };

  const MODES = ['inline', 'fullscreen', 'pip'];

  /**
   * contextFaults says what in a host context, whole or partial, would make a view built on the reference SDK
   * refuse it: one sentence each. A host that sends such a context sends it on purpose.
   * @param {any} context
   * @returns {string[]}
   */
  bbhost.contextFaults = (context) => {
    /** @type {string[]} */
    const faults = [];
    /**
     * @param {boolean} fine
     * @param {string} fault
     */
    const want = (fine, fault) => {
      if (!fine) faults.push(fault);
    };
    /** @param {any} value */
    const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
    /** @type {Record<string, (value: any) => void>} */
    const members = {
      theme: (v) => want(v === 'light' || v === 'dark', 'theme is neither light nor dark'),
      displayMode: (v) => want(MODES.includes(v), 'displayMode is none of ' + MODES.join(', ')),
      availableDisplayModes: (v) => want(Array.isArray(v) && v.every((mode) => MODES.includes(mode)), 'availableDisplayModes has an unknown mode'),
      platform: (v) => want(['web', 'desktop', 'mobile'].includes(v), 'platform is none of web, desktop, mobile'),
      locale: (v) => want(typeof v === 'string', 'locale is no string'),
      timeZone: (v) => want(typeof v === 'string', 'timeZone is no string'),
      userAgent: (v) => want(typeof v === 'string', 'userAgent is no string'),
      containerDimensions: (v) =>
        want(isObject(v) && ['width', 'height', 'maxWidth', 'maxHeight'].every((k) => v[k] === undefined || Number.isFinite(v[k])), 'containerDimensions has a member that is no number'),
      safeAreaInsets: (v) => want(isObject(v) && ['top', 'right', 'bottom', 'left'].every((k) => Number.isFinite(v[k])), 'safeAreaInsets lacks a side'),
      toolInfo: (v) => want(isObject(v) && isObject(v.tool) && typeof v.tool.name === 'string' && isObject(v.tool.inputSchema), 'toolInfo lacks a tool with name and inputSchema'),
      styles: (v) => {
        want(isObject(v), 'styles is no object');
        for (const [name, value] of Object.entries(v?.variables ?? {})) {
          want(bbhost.VARIABLES.includes(name), 'unknown style variable ' + name);
          want(typeof value === 'string', 'style variable ' + name + ' is no string');
        }
      },
    };
    if (!isObject(context)) return ['the context is no object'];
    for (const [name, value] of Object.entries(context)) members[name]?.(value);
    return faults;
  };
}
