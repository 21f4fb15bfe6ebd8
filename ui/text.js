'use strict';
{
  // Text by others is drawn as it is, in a direction of its own, and nothing in
  // it is hidden: a character that cannot be seen or that turns the direction
  // of its neighbours is drawn as its code point (V47).

  // What is marked: controls, bidi controls, zero widths, fillers, separators of
  // lines and paragraphs, variation selectors, tags, lone surrogates.
  const INVISIBLE = '[\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F\\u00AD\\u034F\\u061C\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F\\u200B-\\u200F\\u2028-\\u202E\\u2060-\\u206F\\u2800\\u3164\\uFE00-\\uFE0F\\uFEFF\\uFFA0\\uFFF9-\\uFFFB\\u{1D173}-\\u{1D17A}\\u{E0000}-\\u{E0FFF}\\p{Cs}]';

  /** Nearly every text has none, and is not looked at twice. */
  const SUSPECT = new RegExp(`${INVISIBLE}|\\p{M}{7}`, 'u');

  /** Scripts whose letters joiners stand between. */
  const JOINING = 'Arabic Syriac Mongolian Devanagari Bengali Gujarati Gurmukhi Kannada Khmer Malayalam Oriya Sinhala Tamil Telugu'.split(' ').map((script) => `\\p{Script=${script}}`).join('');

  // The first four are not marked: joiners inside emoji and inside scripts that
  // need them, and selectors after emoji and ideographs do what they are for.
  const HIDDEN = new RegExp([
    '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\uFE0F])\\u200D(?=\\p{Extended_Pictographic})',
    `(?<=[${JOINING}\\p{M}])[\\u200C\\u200D](?=\\p{L})`,
    '(?<=[\\p{Emoji}\\p{Extended_Pictographic}])\\uFE0F',
    '(?<=\\p{Script=Han})[\\uFE00-\\uFE0F\\u{E0100}-\\u{E01EF}]',
    `(${INVISIBLE}+)`,
    // Combining marks beyond what any script stacks.
    '(?<=\\p{M}{6})(\\p{M}+)',
  ].join('|'), 'gu');

  /**
   * The text in pieces: strings to draw and code points to mark.
   * @param {string} s
   * @returns {(string | Mark)[]}
   */
  function pieces(s) {
    if (!SUSPECT.test(s)) return s ? [s] : [];
    /** @type {(string | Mark)[]} */
    const out = [];
    let from = 0;
    for (const match of s.matchAll(HIDDEN)) {
      const run = match[1] ?? match[2];
      if (run === undefined) continue;
      if (match.index > from) out.push(s.slice(from, match.index));
      from = match.index + run.length;
      const [first, ...rest] = run;
      const code = 'U+' + /** @type {number} */ (first.codePointAt(0)).toString(16).toUpperCase().padStart(4, '0');
      out.push({code: rest.every((c) => c === first) ? code : code + '…', times: rest.length + 1});
    }
    if (from < s.length) out.push(s.slice(from));
    return out;
  }

  /** @param {Mark} mark */
  function label(mark) {
    return mark.code + (mark.times > 1 ? bb.words.times(bb.format.number(mark.times)) : '');
  }

  bb.text = {
    pieces,
    plain: (s) => pieces(s).map((p) => typeof p === 'string' ? p : `[${label(p)}]`).join(''),
    draw: (s) => bb.el('bdi', null, pieces(s).map((p) => typeof p === 'string' ? p
      : bb.el('span', {class: 'cp', title: bb.words.invisible}, label(p)))),
  };

  /**
   * An address as it is opened and shown, or '' for anything but http and
   * https. One with a user name in it is refused too: it reads as another host.
   * @param {unknown} url
   */
  bb.webAddress = function webAddress(url) {
    if (typeof url !== 'string' || !/^https?:\/\//i.test(url)) return '';
    try {
      const u = new URL(url);
      return (u.protocol === 'https:' || u.protocol === 'http:') && !u.username && !u.password ? u.href : '';
    } catch {
      return '';
    }
  };
}
