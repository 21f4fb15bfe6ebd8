'use strict';
{
  // A list of pull requests: a repository's, or the reader's own.

  const {el, icon, text, format, words} = bb;

  const FIRST = 10;
  const STEP = 10;
  const DISCS = 3;

  /** @type {Record<string, string>} */
  const TITLES = {REVIEWER: words.toReview, PARTICIPANT: words.participating};

  bb.views.set('pull_requests', render);

  /**
   * @param {Payload} payload
   * @param {Context} c
   */
  function render(payload, c) {
    const list = payload.pullRequests;
    if (!list) throw new TypeError('payload without its pull requests');
    const items = list.items ?? [];
    const shown = c.full ? items : items.slice(0, FIRST + STEP * (c.steps.get('rows') ?? 0));
    const header = bb.frame.header({
      mark: bb.frame.lozenge(list.state),
      title: list.place ? [`${words.listIn} `, ...bb.frame.place(list.place)] : TITLES[list.role ?? ''] ?? words.yours,
      meta: null, url: list.url, payload,
    }, c);
    const unavailable = (payload.unavailable ?? []).map(({part, why}) =>
      el('li', {class: 'quiet'}, icon('info'), el('span', null, `${words.couldNotRead} `, words.parts[part] ?? text.draw(part), why ? ': ' : '', text.draw(why ?? ''))));
    return [header,
      unavailable.length ? el('ul', {class: 'also'}, unavailable) : null,
      items.length ? el('ul', {class: 'lst', 'data-key': 'rows'}, shown.map((row, k) => item(row, k, list, c))) : empty(list),
      items.length ? footer(list, shown.length, c) : null].filter((node) => node !== null);
  }

  /**
   * @param {Row} row
   * @param {number} k
   * @param {PullRequests} list
   * @param {Context} c
   */
  function item(row, k, list, c) {
    return el('li', {'data-key': `rows-${k}`, tabindex: -1},
      el('span', {class: 'who'}, bb.frame.disc(row.author, c, '')),
      el('div', {class: 'what'},
        el('h2', {dir: 'auto'}, bb.frame.link(row.url, text.draw(row.title)), marks(row, list)),
        el('div', {class: 'ref'}, list.place ? null : [...bb.frame.place(row.place), ' '], `#${row.id} · `, bb.frame.branches(row.source, row.target, row.place))),
      el('span', {class: 'rev'}, people(row, c)),
      number('com', 'comment', row.comments, words.comments),
      number('tsk', 'task', row.openTasks, words.openTasks),
      el('span', {class: 'bld'}, build(row.build)),
      el('span', {class: 'upd'}, bb.frame.age(row.updated, c)));
  }

  /**
   * @param {Row} row
   * @param {PullRequests} list
   * @returns {Leaf[]}
   */
  function marks(row, list) {
    const out = [
      row.state !== list.state ? bb.frame.lozenge(row.state) : null,
      row.draft ? bb.frame.mark(words.draft, 'mut') : null,
      row.conflicted ? bb.frame.mark(words.conflict, 'bad') : null,
    ].filter((m) => m !== null);
    return out.flatMap((m) => [' ', m]);
  }

  /**
   * @param {Row} row
   * @param {Context} c
   */
  function people({reviewers, reviewerCount}, c) {
    const shown = (reviewers ?? []).slice(0, DISCS);
    const others = format.others(shown.length, reviewerCount);
    const names = (reviewers ?? []).slice(DISCS).map((r) => text.plain(r.person.displayName)).join(', ');
    return [el('span', {class: 'discs'}, shown.map((r) => bb.frame.disc(r.person, c, r.status))), others ? el('span', {class: 'quiet', title: names || null}, others) : null];
  }

  /**
   * A number of Bitbucket's with its icon; zero is not drawn.
   * @param {string} cell
   * @param {string} shape
   * @param {number | undefined} n
   * @param {Plural} word
   */
  function number(cell, shape, n, word) {
    if (!n) return el('span', {class: cell});
    const said = format.plural(word, n);
    return el('span', {class: cell, title: said}, icon(shape), el('span', {'aria-hidden': 'true'}, format.number(n)), el('span', {class: 'vh'}, said));
  }

  /** @param {string | undefined} state */
  function build(state) {
    if (!state) return null;
    const {shape, tone, word} = bb.frame.build(state);
    const said = `${words.buildIs} ${text.plain(word)}`;
    return el('span', {class: tone, title: said}, icon(shape, said));
  }

  /** @param {PullRequests} list */
  function empty(list) {
    const none = list.start ? words.nothingHere : words.none[list.state] ?? words.none.ALL;
    return el('section', {class: 'empty', 'data-key': 'empty'},
      el('p', null, none, list.place && !list.start ? [` ${words.inPlace} `, ...bb.frame.place(list.place)] : null, '.'),
      bb.webAddress(list.url) ? el('p', null, bb.frame.link(list.url, words.noneNext)) : null);
  }

  /**
   * @param {PullRequests} list
   * @param {number} drawn
   * @param {Context} c
   */
  function footer(list, drawn, c) {
    const carried = list.items.length;
    const said = format.showing(drawn, carried, list.count, words.pullRequestsShown, list.start) || format.say(words.pullRequestsShown, list.count);
    const rest = drawn < carried ? bb.frame.more('rows', c)
      : format.total(list.count) !== (list.start ?? 0) + carried ? bb.frame.link(list.url, words.noneNext) : null;
    return el('footer', {class: 'ft', 'data-key': 'footer'}, el('span', null, said), rest);
  }
}
