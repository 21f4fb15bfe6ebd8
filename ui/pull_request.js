'use strict';
{
  // The card of one pull request.

  const {el, icon, text, format, words} = bb;

  const STEP = 10;
  const FIRST_REVIEWERS = 10;
  const FIRST_BUILDS = 5;
  /** Discs in the closed line; the others are a number. */
  const DISCS = 5;
  /** Approvals that are named; more are only counted. */
  const NAMED = 2;

  /** @type {[state: keyof BuildStates, icon: string, tone: string][]} */
  const STATES = [
    ['failed', 'failed', 'bad'], ['inProgress', 'inprogress', 'info'], ['successful', 'successful', 'ok'],
    ['cancelled', 'cancelled', 'quiet'], ['unknown', 'unknown', 'quiet'], ['other', 'unknown', 'quiet'],
  ];

  bb.views.set('pull_request', render);

  /**
   * @param {Payload} payload
   * @param {Context} c
   */
  function render(payload, c) {
    const pr = payload.pullRequest;
    if (!pr) throw new TypeError('payload without its pull request');
    const header = bb.frame.header({
      mark: [bb.frame.lozenge(pr.state), pr.draft ? bb.frame.mark(words.draft, 'mut') : null],
      title: [text.draw(pr.title), ' ', el('span', {class: 'id'}, `#${pr.id}`)],
      meta: [
        el('span', null, el('strong', null, bb.frame.name(pr.author, c, true)), ' · ', bb.frame.link(pr.place.url, bb.frame.place(pr.place)), ' · ', `${words.updated} `, bb.frame.age(pr.updated, c)),
        ' ', bb.frame.branches(pr.source, pr.target, pr.place),
      ],
      url: pr.url, payload,
    }, c);
    return [header,
      el('div', {class: 'cols', 'data-key': 'cols'},
        el('div', {class: 'side', 'data-key': 'side', tabindex: c.full ? 0 : null, role: c.full ? 'region' : null, 'aria-label': c.full ? words.needs : null},
          bb.needs(pr, payload, c), reviewers(pr, c), builds(pr, payload, c)),
        el('div', {class: 'body', 'data-key': 'body', tabindex: c.full ? 0 : null, role: c.full ? 'region' : null, 'aria-label': c.full ? words.activity : null},
          description(pr, c), pr.activity ? bb.activity(pr.activity, pr, c) : null))];
  }

  /**
   * One line, and what it opens.
   * @param {string} key
   * @param {string} title
   * @param {Child} content
   * @param {HTMLElement | null} button
   * @param {Child} opened
   */
  function section(key, title, content, button, opened) {
    return el('section', {class: 'fold', 'data-key': key},
      el('div', {class: 'line'}, el('h2', null, title), el('div', {class: 'c'}, content), button),
      opened);
  }

  /**
   * @param {PullRequest} pr
   * @param {Context} c
   */
  function reviewers({reviewers: all}, c) {
    const items = all?.items ?? [];
    const none = !items.length && !format.known(all?.count);
    if (none) return section('reviewers', words.reviewers, el('span', {class: 'quiet'}, words.noReviewers), null, null);
    const open = c.full || c.open.has('reviewers');
    const step = FIRST_REVIEWERS + STEP * (c.steps.get('reviewers') ?? 0);
    const shown = c.full ? items : items.slice(0, step);
    const discs = items.slice(0, DISCS);
    const others = format.others(discs.length, all.count);
    const approved = [format.total(all.approved), format.total(all.count)];
    const sum = approved[0] === undefined || approved[1] === undefined ? '' : words.approved(format.number(approved[0]), format.number(approved[1]));
    const line = [
      el('span', {class: 'discs'}, discs.map((r) => bb.frame.disc(r.person, c, r.status)), others ? el('span', {class: 'quiet'}, others) : null),
      el('span', null, sum, approvals(items, approved[0], c)),
    ];
    const label = open ? words.hide : format.show(Math.min(items.length, FIRST_REVIEWERS), all.count);
    return section('reviewers', words.reviewers, line, bb.frame.toggle('reviewers', label, c, words.reviewers), open ? [
      el('ul', {class: 'people'}, shown.map((r, k) => person(r, k, c))),
      footer('reviewers', shown.length, items.length, all.count, words.reviewersShown, c, null),
    ] : null);
  }

  /**
   * Who approved, and how many commits ago, where they are few.
   * @param {Reviewer[]} items
   * @param {number | undefined} whole
   * @param {Context} c
   * @returns {Leaf[]}
   */
  function approvals(items, whole, c) {
    const named = items.filter((r) => r.status === 'APPROVED');
    if (whole === undefined || whole > NAMED || named.length < whole) return [];
    return named.flatMap((r) => [' · ', bb.frame.name(r.person, c), r.commitsSince ? `, ${format.commitsAgo(r.commitsSince)}` : '']);
  }

  /**
   * @param {Reviewer} r
   * @param {number} k
   * @param {Context} c
   */
  function person(r, k, c) {
    const word = r.status === 'APPROVED' || r.status === 'NEEDS_WORK' ? words[r.status] : '';
    const since = word && r.commitsSince ? `, ${format.commitsAgo(r.commitsSince)}` : '';
    const badge = r.status === 'APPROVED' ? 'ok' : r.status === 'NEEDS_WORK' ? 'warn' : 'quiet';
    return el('li', {'data-key': `reviewers-${k}`, tabindex: -1},
      bb.frame.disc(r.person, c), bb.frame.link(r.person.url, bb.frame.name(r.person, c, true)), el('span', {class: badge}, word, el('span', {class: 'quiet'}, since)));
  }

  /**
   * @param {PullRequest} pr
   * @param {Payload} payload
   * @param {Context} c
   */
  function builds({builds: all, url}, payload, c) {
    if (!all) return null;
    const items = all.items ?? [];
    const short = format.short(all.commit);
    const commit = el('span', {class: 'quiet'}, `${words.for} `, bb.frame.link(all.commitUrl, short));
    if (!items.length && !format.known(all.count)) {
      return section('builds', words.builds, el('span', {class: 'quiet'}, words.noBuilds(short)), null, null);
    }
    const open = c.full || c.open.has('builds');
    const shown = c.full ? items : items.slice(0, FIRST_BUILDS + STEP * (c.steps.get('builds') ?? 0));
    const counts = STATES.flatMap(([state, shape, tone]) => {
      const n = all.states?.[state] ?? 0;
      if (!n) return [];
      const count = all.statesComplete ? {total: n} : {knownSoFar: n};
      return [el('span', {class: 'count'}, el('span', {class: tone}, icon(shape)), format.say(words.stateCounts[state], count)), ' '];
    });
    const label = open ? words.hide : format.show(Math.min(items.length, FIRST_BUILDS), all.count);
    const whole = bb.webAddress(url) && format.total(all.count) !== items.length ? bb.frame.link(`${url}/builds`, words.allBuilds) : null;
    return section('builds', words.builds, [counts, commit], bb.frame.toggle('builds', label, c, words.builds), open ? [
      el('ul', {class: 'builds'}, items.length ? shown.map((b, k) => build(b, k, c)) : null),
      footer('builds', shown.length, items.length, all.count, words.buildsShown, c, whole),
    ] : null);
  }

  /**
   * @param {Build} b
   * @param {number} k
   * @param {Context} c
   */
  function build(b, k, c) {
    const {shape, tone, word} = bb.frame.build(b.state);
    const facts = [b.number ? text.draw(words.buildNumber(b.number)) : null, b.duration ? format.duration(b.duration) : null, b.tests ? format.tests(b.tests) : null].filter(Boolean);
    return el('li', {'data-key': `builds-${k}`, tabindex: -1},
      el('span', {class: tone}, icon(shape)),
      el('span', {class: 'name'}, bb.frame.link(b.url, text.draw(b.name)), b.parent ? el('span', {class: 'quiet parent'}, text.draw(b.parent)) : null),
      el('span', {class: 'quiet facts'}, facts.map((f, i) => i ? [' · ', f] : f)),
      el('span', {class: 'when'}, text.draw(word), b.updated ? [' ', bb.frame.age(b.updated, c)] : null));
  }

  /**
   * How much of an opened list is drawn, and the way to the rest.
   * @param {string} list
   * @param {number} drawn
   * @param {number} carried
   * @param {Count} count
   * @param {Plural} word
   * @param {Context} c
   * @param {HTMLElement | null} whole Bitbucket's page of all of it
   */
  function footer(list, drawn, carried, count, word, c, whole) {
    const said = format.showing(drawn, carried, count, word);
    if (!said && drawn >= carried) return null;
    return el('p', {class: 'foot'}, el('span', {class: 'quiet'}, said), drawn < carried ? bb.frame.more(list, c) : whole);
  }

  /**
   * @param {PullRequest} pr
   * @param {Context} c
   */
  function description(pr, c) {
    const source = pr.description ?? '';
    if (!source.trim()) return el('section', {class: 'sec desc', 'data-key': 'description'}, el('h2', {class: 'vh'}, words.description), el('p', {class: 'quiet'}, words.noDescription));
    const whole = c.full || c.open.has('description');
    return el('section', {class: 'sec desc long', 'data-key': 'description'},
      el('h2', {class: 'vh'}, words.description),
      bb.frame.prose(source, 'description', c, words.description),
      pr.descriptionCut && whole ? el('p', {class: 'quiet'}, bb.frame.link(pr.url, format.plural(words.cut, pr.descriptionCut))) : null);
  }
}
