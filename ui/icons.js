'use strict';
{
  // Our own drawings on a 16 × 16 grid, in Bitbucket's metaphors. Discs are
  // filled with the colour of the text around them and carry their sign in the
  // background's colour, so one contrast pair covers both.

  /** @typedef {[tag: string, props: Props]} Shape */

  const LINE = {fill: 'none', stroke: 'currentColor', 'stroke-width': 1.5, 'stroke-linecap': 'round', 'stroke-linejoin': 'round'};

  /**
   * @param {string} d
   * @returns {Shape}
   */
  const line = (d) => ['path', {...LINE, d}];

  /**
   * @param {string} d
   * @returns {Shape}
   */
  const sign = (d) => ['path', {...LINE, class: 'sign', 'stroke-width': 2, d}];

  /** @type {Shape} */
  const DISC = ['circle', {cx: 8, cy: 8, r: 7, fill: 'currentColor'}];

  /** @type {Shape} */
  const RING = ['circle', {...LINE, cx: 8, cy: 8, r: 6.25}];

  /** @type {Map<string, Shape[]>} */
  const ICONS = new Map(Object.entries({
    failed: [DISC, sign('M8 4.5v4M8 11.4v.1')],
    successful: [DISC, sign('M5 8.3l2.2 2.2L11.2 6')],
    inprogress: [['circle', {...LINE, cx: 8, cy: 8, r: 6, 'stroke-width': 2, class: 'faint'}], ['path', {...LINE, 'stroke-width': 2, d: 'M8 2a6 6 0 1 1-5.2 3'}]],
    cancelled: [RING, line('M4 12l8-8')],
    unknown: [RING, line('M6.2 6.4a1.9 1.9 0 1 1 2.6 1.9c-.6.3-.8.6-.8 1.2M8 11.6v.1')],
    warning: [['path', {...LINE, fill: 'currentColor', d: 'M8 2.2L14.4 13.4H1.6z'}], ['path', {...LINE, class: 'sign', d: 'M8 6.4v3.2M8 11.7v.1'}]],
    task: [['rect', {...LINE, x: 2.25, y: 2.25, width: 11.5, height: 11.5, rx: 2.5}]],
    done: [['rect', {...LINE, x: 2.25, y: 2.25, width: 11.5, height: 11.5, rx: 2.5}], line('M5 8.2l2.1 2.1L11 6')],
    comment: [line('M2.5 3.5h11v7.5H8L5 13.7V11H2.5z')],
    pending: [['path', {...LINE, 'stroke-dasharray': '2.2 2.2', d: 'M2.5 3.5h11v7.5H8L5 13.7V11H2.5z'}]],
    commit: [['circle', {...LINE, cx: 8, cy: 8, r: 2.75}], line('M1.2 8h3.9M10.9 8h3.9')],
    review: [line('M1.5 8s2.4-4.3 6.5-4.3S14.5 8 14.5 8s-2.4 4.3-6.5 4.3S1.5 8 1.5 8z'), ['circle', {...LINE, cx: 8, cy: 8, r: 1.9}]],
    report: [line('M3.5 1.8h6l3 3v9.4h-9zM9.3 2v3h3M5.8 8h4.4M5.8 10.8h4.4')],
    merged: [['circle', {...LINE, cx: 4.5, cy: 3.7, r: 1.7}], ['circle', {...LINE, cx: 4.5, cy: 12.3, r: 1.7}], ['circle', {...LINE, cx: 11.7, cy: 8.6, r: 1.7}], line('M4.5 5.4v5.2M4.5 5.6c.4 2 2.6 3 5.4 3')],
    declined: [RING, line('M5.7 5.7l4.6 4.6M10.3 5.7l-4.6 4.6')],
    info: [RING, line('M8 7.4v3.8M8 4.7v.1')],
    clock: [RING, line('M8 4.6V8l2.3 1.6')],
    to: [line('M2 8h11.5M10 4.6L13.5 8 10 11.4')],
    external: [line('M6.5 3H3v10h10V9.5M9.3 2.7h4v4M13 3L7.6 8.4')],
    expand: [line('M9.5 2.5h4v4M13.3 2.7L9.4 6.6M6.5 13.5h-4v-4M2.7 13.3l3.9-3.9')],
    collapse: [line('M13.5 6.5h-4v-4M9.7 6.3l3.8-3.8M2.5 9.5h4v4M6.3 9.7l-3.8 3.8')],
    changes: [DISC, sign('M4.8 8h6.4')],
  }));

  /**
   * An icon. With a label it is named for those who hear it; without one it is
   * decoration beside its word.
   * @param {string} name
   * @param {string} [label]
   */
  bb.icon = function icon(name, label) {
    const shapes = ICONS.get(name) ?? [];
    /** @type {Props} */
    const props = {class: `ic i-${name}`, viewBox: '0 0 16 16', width: 16, height: 16};
    if (label) Object.assign(props, {role: 'img', 'aria-label': label});
    else props['aria-hidden'] = 'true';
    return bb.el('svg', props, shapes.map(([tag, shape]) => bb.el(tag, shape)));
  };
}
