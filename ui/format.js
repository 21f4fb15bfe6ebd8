'use strict';
{
  // Numbers, times and counts as a person reads them, and every sentence that
  // holds a number. Only Count.total is a total: a list's length never is.

  const words = bb.words;

  const MINUTE = 60_000;
  const HOUR = 60 * MINUTE;
  const DAY = 24 * HOUR;

  /** A commit's short id, as long as Bitbucket's. */
  const SHORT_ID = 11;

  /**
   * A whole number in groups of three. By hand: a browser takes about 20 ms to
   * make its first number format, which the first paint would wait for.
   * @param {number} n
   */
  function number(n) {
    return String(Math.round(n)).replace(/\B(?=(\d{3})+$)/g, ',').replace('-', '−');
  }

  /** @param {Count | null | undefined} c */
  function total(c) {
    return typeof c?.total === 'number' ? c.total : undefined;
  }

  /** @param {Count | null | undefined} c */
  function known(c) {
    return total(c) ?? c?.knownSoFar ?? 0;
  }

  /**
   * A count and its word: "2 open tasks", or "at least 2 open tasks".
   * @param {Plural} word
   * @param {Count} c
   */
  function say(word, c) {
    const n = known(c);
    return word(n, total(c) === undefined ? words.atLeast(number(n)) : number(n));
  }

  /**
   * How much of a list is drawn; nothing when it is all of it. How many rows
   * are drawn is said beside a total only.
   * @param {number} drawn rows drawn
   * @param {number} carried rows the payload has
   * @param {Count} c the whole
   * @param {Plural} word
   * @param {number} [start] rows left out before the first
   */
  function showing(drawn, carried, c, word, start = 0) {
    const whole = total(c);
    if (whole === undefined) {
      const n = number(known(c));
      return drawn < carried ? words.readMore(n) : words.shownMore(n);
    }
    if (start > 0) return words.showingRange(number(start + 1), number(start + drawn), word(whole, number(whole)));
    return drawn < whole ? words.showingOf(number(drawn), word(whole, number(whole))) : '';
  }

  /**
   * @param {number} drawn rows that opening draws
   * @param {Count} c
   */
  function show(drawn, c) {
    const whole = total(c);
    if (whole === undefined) return words.show;
    return drawn < whole ? words.showNOf(number(drawn), number(whole)) : words.showN(number(whole));
  }

  /**
   * "+7" for those of a whole that are not drawn.
   * @param {number} drawn
   * @param {Count} c
   */
  function others(drawn, c) {
    const whole = total(c);
    return whole !== undefined && whole > drawn ? words.plus(number(whole - drawn)) : '';
  }

  /** @type {Map<string, Intl.DateTimeFormat>} */
  const zones = new Map();

  /** @param {string | undefined} zone */
  function formatter(zone) {
    const key = zone ?? '';
    let f = zones.get(key);
    if (!f) {
      /** @type {Intl.DateTimeFormatOptions} */
      const options = {year: 'numeric', month: 'numeric', day: 'numeric', weekday: 'long', hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23', timeZoneName: 'short'};
      try {
        f = new Intl.DateTimeFormat('en-GB', {...options, timeZone: zone});
      } catch {
        // A zone the browser does not know: its own is the next best.
        f = new Intl.DateTimeFormat('en-GB', options);
      }
      zones.set(key, f);
    }
    return f;
  }

  /**
   * @param {number} ms
   * @param {string | undefined} zone
   */
  function parts(ms, zone) {
    const p = new Map(formatter(zone).formatToParts(ms).map(({type, value}) => [type, value]));
    /** @param {Intl.DateTimeFormatPartTypes} type */
    const get = (type) => p.get(type) ?? '';
    return {
      day: String(Number(get('day'))),
      month: words.months[Number(get('month')) - 1],
      year: get('year'),
      clock: `${get('hour')}:${get('minute')}`,
      second: get('second'),
      weekday: get('weekday'),
      zone: get('timeZoneName'),
    };
  }

  /**
   * "14:32" today in the reader's zone, otherwise with its day, and with its
   * year when that is another one.
   * @param {number} ms
   * @param {number} now
   * @param {string} [zone]
   */
  function time(ms, now, zone) {
    const t = parts(ms, zone);
    const n = parts(now, zone);
    if (t.year !== n.year) return `${t.day} ${t.month} ${t.year}, ${t.clock}`;
    if (t.month !== n.month || t.day !== n.day) return `${t.day} ${t.month}, ${t.clock}`;
    return t.clock;
  }

  /**
   * @param {number} ms
   * @param {string} [zone]
   */
  function full(ms, zone) {
    const t = parts(ms, zone);
    return `${t.weekday} ${t.day} ${t.month} ${t.year}, ${t.clock}:${t.second} ${t.zone}`;
  }

  /**
   * "12 mins ago", in Bitbucket's steps; a week and older is a date.
   * @param {number} ms
   * @param {number} now
   * @param {string} [zone]
   */
  function age(ms, now, zone) {
    const passed = now - ms;
    if (passed < MINUTE) return words.justNow;
    if (passed < HOUR) return plural(words.minutesAgo, Math.floor(passed / MINUTE));
    if (passed < DAY) return plural(words.hoursAgo, Math.floor(passed / HOUR));
    if (passed < 2 * DAY) return words.yesterday;
    if (passed < 7 * DAY) return plural(words.daysAgo, Math.floor(passed / DAY));
    const t = parts(ms, zone);
    return `${t.day.padStart(2, '0')} ${t.month} ${t.year}`;
  }

  /**
   * @param {Plural} word
   * @param {number} n
   */
  function plural(word, n) {
    return word(n, number(n));
  }

  /** @param {number} ms */
  function duration(ms) {
    const seconds = Math.round(ms / 1000);
    if (seconds < 60) return words.seconds(number(seconds));
    const minutes = Math.floor(seconds / 60);
    if (minutes < 60) return [words.minutes(number(minutes)), seconds % 60 ? words.seconds(number(seconds % 60)) : ''].join(' ').trim();
    return [words.hours(number(Math.floor(minutes / 60))), minutes % 60 ? words.minutes(number(minutes % 60)) : ''].join(' ').trim();
  }

  /** @param {BuildTests} tests */
  function tests(tests) {
    const said = [];
    if (tests.failed) said.push(words.testsFailed(number(tests.failed)));
    if (tests.successful) said.push(words.testsPassed(number(tests.successful)));
    if (tests.skipped) said.push(words.testsSkipped(number(tests.skipped)));
    return said.length ? `${words.tests} ${said.join(', ')}` : '';
  }

  /** @param {string} name */
  function initials(name) {
    const letters = name.split(/[\s,._-]+/u).map((part) => /[\p{L}\p{N}]/u.exec(part)?.[0] ?? '').filter(Boolean);
    const [first = '?'] = letters;
    return (first + (letters.length > 1 ? letters[letters.length - 1] : '')).toLocaleUpperCase('en');
  }

  bb.format = {
    number, total, known, say, plural, showing, age, time, full, duration, tests, show, others, initials,
    commitsAgo: (n) => plural(words.commitsAgo, n),
    short: (id) => id.slice(0, SHORT_ID),
  };
}
