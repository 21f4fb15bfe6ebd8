'use strict';
{
  // What needs the person, never behind a press (V15). First what Bitbucket's
  // merge check returned, in its words and under its number (V42); then what
  // else there is, without a word about merging. A fact that a veto states is
  // said once, as the veto.

  const {el, icon, text, format, words} = bb;

  /** As many lines as fit above the fold; the worst stand first. */
  const MAX_LINES = 6;

  /** As many of a kind as are named; the rest are counted. */
  const MAX_NAMES = 2;

  /** @typedef {{icon: string, tone: string, content: Leaf[]}} Line */

  const DOT = ' · ';

  /**
   * @param {PullRequest} pr
   * @param {Payload} payload
   * @param {Context} c
   */
  bb.needs = function needs(pr, payload, c) {
    const builds = failedBuilds(pr, c);
    const said = new Set();
    const merge = pr.mergeCheck ? mergeLines(pr, builds, c, said) : [];
    const rest = pr.state === 'OPEN' ? otherLines(pr, builds, c, said) : closedLines(pr, c);
    for (const {part, why} of payload.unavailable ?? []) {
      rest.push({icon: 'info', tone: 'quiet', content: [`${words.couldNotRead} `, words.parts[part] ?? text.draw(part), why ? ': ' : '', text.draw(why ?? '')]});
    }
    if (!merge.length && !rest.length) {
      if (pr.state !== 'OPEN' || !pr.mergeCheck) return null;
      rest.push({icon: 'successful', tone: 'calm', content: [words.noIssues]});
    }
    return el('section', {class: 'needs', 'data-key': 'needs'},
      merge.length && pr.mergeCheck ? issues(pr.mergeCheck, merge, c) : el('h2', {class: 'vh'}, words.needs),
      others(rest, c.full ? Infinity : MAX_LINES - Math.min(merge.length, MAX_LINES)));
  };

  /**
   * @param {MergeCheck} check
   * @param {Line[]} lines
   * @param {Context} c
   */
  function issues(check, lines, c) {
    const shown = c.full ? lines : lines.slice(0, MAX_LINES);
    const whole = format.total(check.issues);
    const left = whole === undefined ? 0 : whole - shown.length;
    return el('div', {class: 'att'},
      el('h2', null, format.say(words.issues, check.issues)),
      el('ul', null, shown.map(row),
        left > 0 ? el('li', {class: 'quiet'}, format.plural(words.moreIssues, left)) : null));
  }

  /**
   * @param {Line[]} lines
   * @param {number} room
   */
  function others(lines, room) {
    if (!lines.length) return null;
    const shown = lines.length > room ? lines.slice(0, Math.max(room - 1, 0)) : lines;
    const left = lines.slice(shown.length);
    /** @type {Line[]} */
    const all = left.length ? [...shown, {icon: 'info', tone: '', content: [`${words.also} `, ...left.flatMap((l, k) => k ? [DOT, ...l.content] : l.content)]}] : shown;
    return el('ul', {class: 'also'}, all.map(row));
  }

  /** @param {Line} line */
  function row(line) {
    return el('li', {class: line.tone}, icon(line.icon), el('span', null, line.content));
  }

  /**
   * @param {PullRequest} pr
   * @param {Leaf[]} builds
   * @param {Context} c
   * @param {Set<string>} said gets the facts that the vetoes cover
   * @returns {Line[]}
   */
  function mergeLines(pr, builds, c, said) {
    const check = /** @type {MergeCheck} */ (pr.mergeCheck);
    /** @type {Line[]} */
    const lines = [];
    if (check.conflicted) lines.push({icon: 'failed', tone: 'bad', content: [el('strong', null, words.hasConflicts)]});
    for (const veto of check.vetoes ?? []) {
      const sent = `${veto.summary} ${veto.detail ?? ''}`;
      /** @type {Line} */
      const line = {icon: 'declined', tone: 'bad', content: []};
      /** @type {Leaf[]} */
      let extra = [];
      if (/\bbuilds?\b/i.test(sent)) {
        line.icon = 'failed';
        if (!said.has('builds')) extra = builds;
        said.add('builds');
      } else if (/\btasks?\b/i.test(sent)) {
        Object.assign(line, {icon: 'task', tone: ''});
        if (!said.has('tasks') && pr.openTasks && !sent.includes(format.number(format.known(pr.openTasks)))) extra = [format.say(words.openTasks, pr.openTasks)];
        said.add('tasks');
      } else if (/needs.work|changes requested|requested changes/i.test(sent)) {
        Object.assign(line, {icon: 'warning', tone: 'warn'});
        if (!said.has('changes')) extra = changesRequested(pr, c);
        said.add('changes');
      }
      const colon = veto.detail && !/[.:!?]\s*$/.test(veto.summary) ? ':' : '';
      line.content = [el('strong', null, text.draw(veto.summary), colon), veto.detail ? ' ' : '', text.draw(veto.detail ?? ''), extra.length ? DOT : '', ...extra];
      lines.push(line);
    }
    return lines;
  }

  /**
   * The worst first.
   * @param {PullRequest} pr
   * @param {Leaf[]} builds
   * @param {Context} c
   * @param {Set<string>} said
   * @returns {Line[]}
   */
  function otherLines(pr, builds, c, said) {
    const {mergeCheck: check, review, openTasks, pending} = pr;
    /** @type {Line[]} */
    const lines = [];
    const add = (/** @type {string} */ shape, /** @type {string} */ tone, /** @type {Leaf[]} */ content) => {
      if (content.length) lines.push({icon: shape, tone, content});
    };
    if (check?.outcome === 'UNKNOWN') add('warning', 'warn', [words.conflictsUnknown]);
    else if (check && !check.canMerge && !check.conflicted && !check.vetoes?.length) add('declined', 'bad', [words.refusedWithoutReason]);
    if (!said.has('builds')) add('failed', 'bad', builds);
    if (!said.has('changes')) add('warning', 'warn', changesRequested(pr, c));
    if (!said.has('tasks') && openTasks && format.known(openTasks)) add('task', '', [format.say(words.openTasks, openTasks)]);
    add('report', 'bad', failedReports(pr));
    if (pending && format.known(pending)) add('pending', 'info', [format.say(words.pending, pending)]);
    if (review?.waiting) add('review', 'info', [words.waiting]);
    if (review?.commitsSince) add('commit', 'info', [format.plural(words.sinceReview, review.commitsSince)]);
    return lines;
  }

  /**
   * @param {PullRequest} pr
   * @param {Context} c
   * @returns {Line[]}
   */
  function closedLines(pr, c) {
    if (!pr.closed) return [];
    const merged = pr.state === 'MERGED';
    const {at, by, commit, commitUrl} = pr.closed;
    /** @type {Leaf[]} */
    const content = [by ? merged ? words.mergedBy : words.declinedBy : words[pr.state] ?? text.draw(pr.state), ' '];
    if (by) content.push(bb.frame.name(by, c), ' ');
    content.push(bb.frame.age(at, c));
    if (commit) content.push(` ${words.inCommit} `, el('code', null, bb.frame.link(commitUrl, format.short(commit))));
    /** @type {Line[]} */
    const lines = [{icon: merged ? 'merged' : 'declined', tone: merged ? 'ok' : 'bad', content}];
    if (pr.pending && format.known(pr.pending)) lines.push({icon: 'pending', tone: 'info', content: [format.say(words.pending, pr.pending)]});
    return lines;
  }

  /**
   * Names, the rest counted: "A, B and 3 more failed builds".
   * @param {Leaf[][]} names
   * @param {Count | undefined} all
   * @param {Plural} more
   * @returns {Leaf[]}
   */
  function named(names, all, more) {
    const shown = names.slice(0, MAX_NAMES);
    const whole = format.total(all);
    const left = whole === undefined ? (format.known(all) > shown.length ? {knownSoFar: format.known(all) - shown.length} : null)
      : whole > shown.length ? {total: whole - shown.length} : null;
    return shown.flatMap((n, k) => {
      const last = k === shown.length - 1 && !left;
      return [k === 0 ? '' : last ? ` ${words.and} ` : ', ', ...n];
    }).concat(left ? [shown.length ? ` ${words.and} ` : '', format.say(more, left)] : []);
  }

  /**
   * @param {PullRequest} pr
   * @param {Context} c
   * @returns {Leaf[]}
   */
  function failedBuilds({builds}, c) {
    if (!builds) return [];
    const failed = (builds.items ?? []).filter((b) => b.state === 'FAILED');
    const n = builds.states?.failed ?? 0;
    if (!failed.length && !n) return [];
    const all = builds.statesComplete ? {total: n} : {knownSoFar: n};
    const names = failed.map((b) => [bb.frame.link(b.url, text.draw(b.name))]);
    if (names.length && n <= MAX_NAMES) {
      const when = failed.length === 1 && failed[0].updated ? [' ', bb.frame.age(failed[0].updated, c)] : [];
      return [...named(names, all, words.moreFailed), ` ${words.failed}`, ...when];
    }
    return named(names, all, names.length ? words.moreFailed : words.failedBuilds);
  }

  /**
   * @param {PullRequest} pr
   * @param {Context} c
   * @returns {Leaf[]}
   */
  function changesRequested({reviewers}, c) {
    const all = reviewers?.changesRequested;
    if (!format.known(all)) return [];
    const who = (reviewers.items ?? []).filter((r) => r.status === 'NEEDS_WORK');
    if (who.length === 1 && format.total(all) === 1) {
      const since = who[0].commitsSince ? `, ${format.commitsAgo(who[0].commitsSince)}` : '';
      return [bb.frame.name(who[0].person, c, true), ` ${words.requestedChanges}${since}`];
    }
    const names = who.map((r, k) => [bb.frame.name(r.person, c, k === 0)]);
    const few = format.total(all) !== undefined && format.known(all) <= MAX_NAMES;
    return [...named(names, all, words.moreRequested), few ? ` ${words.requestedChanges}` : ''];
  }

  /**
   * @param {PullRequest} pr
   * @returns {Leaf[]}
   */
  function failedReports({failedReports: reports, failedReportCount: all}) {
    if (!format.known(all)) return [];
    const names = (reports ?? []).map((r) => [bb.frame.link(r.url, text.draw(r.title))]);
    const few = names.length > 0 && format.total(all) !== undefined && format.known(all) <= MAX_NAMES;
    return [`${words.insights} `, ...named(names, all, names.length ? words.moreReports : words.failedReports), few ? ` ${words.failed}` : ''];
  }
}
