'use strict';
{
  // A pull request's activity, newest first, in Bitbucket's words (V18).

  const {el, icon, text, format, words} = bb;

  /** Entries of a first inline draw: with a comment one is about as tall as two without. */
  const FIRST = 2;
  const FIRST_WITH_COMMENT = 1;
  const STEP = 10;

  /**
   * @param {Activities} a
   * @param {PullRequest} pr
   * @param {Context} c
   */
  bb.activity = function activity(a, pr, c) {
    const items = a.items ?? [];
    const first = items.slice(0, FIRST).some((i) => i.comment) ? FIRST_WITH_COMMENT : FIRST;
    const shown = c.full ? items : items.slice(0, first + STEP * (c.steps.get('activity') ?? 0));
    const older = a.more && shown.length === items.length && bb.webAddress(a.url);
    return el('section', {class: 'sec', 'data-key': 'activity'},
      el('h2', null, words.activity),
      shown.length ? el('ol', {class: 'acts'}, shown.map((item, k) => entry(item, k, pr, c))) : el('p', {class: 'quiet'}, words.noActivity),
      shown.length < items.length ? bb.frame.more('activity', c) : null,
      older ? el('p', {class: 'under'}, bb.frame.link(a.url, words.older)) : null);
  };

  /**
   * @param {Activity} item
   * @param {number} k
   * @param {PullRequest} pr
   * @param {Context} c
   */
  function entry(item, k, pr, c) {
    return el('li', {'data-key': `activity-${k}`, tabindex: -1},
      bb.frame.disc(item.who, c),
      el('div', {class: 'b'},
        el('p', {class: 'did'}, el('strong', null, bb.frame.name(item.who, c, true)), ' ', sentence(item, pr, c), ' · ',
          bb.frame.link(item.comment?.url ?? item.url, bb.frame.age(item.at, c)), replies(item.comment, c)),
        item.comment ? thread(item.comment, c) : null,
        item.added ? commits(item.added) : null));
  }

  /**
   * What somebody did, after their name.
   * @param {Activity} item
   * @param {PullRequest} pr
   * @param {Context} c
   * @returns {Leaf[]}
   */
  function sentence(item, pr, c) {
    switch (item.action) {
      case 'OPENED': return [words.opened];
      case 'COMMENTED': return item.anchor ? placed(item.anchor) : [words.commented];
      case 'APPROVED': return [words.approvedIt];
      case 'UNAPPROVED': return [words.unapprovedIt];
      case 'REVIEWED': return [words.requestedChanges];
      case 'RESCOPED': return rescoped(item);
      case 'UPDATED': return updated(item, c);
      case 'MERGED': return item.commit ? [`${words.mergedIt} ${words.inCommit} `, commit(item.commit)] : [words.mergedIt];
      case 'DECLINED': return [words.declinedIt];
      case 'REOPENED': return [words.reopenedIt];
      case 'AUTO_MERGE_REQUESTED': return [words.autoMergeRequested];
      case 'AUTO_MERGE_CANCELLED': return [words.autoMergeCancelled];
      default: return [text.draw(words.otherAction(item.action))];
    }
  }

  /**
   * @param {Anchor} anchor
   * @returns {Leaf[]}
   */
  function placed(anchor) {
    return [
      `${words.commentedOn} `, bb.frame.link(anchor.url, text.draw(anchor.path)),
      anchor.line ? ` ${words.line(format.number(anchor.line))}` : '',
      anchor.outdated ? ' ' : '', anchor.outdated ? bb.frame.mark(words.outdated, 'mut') : '',
    ];
  }

  /**
   * @param {Activity} item
   * @returns {Leaf[]}
   */
  function rescoped({added, removed}) {
    const said = [];
    if (added && format.known(added.count)) said.push(`${words.added} ${format.say(words.commits, added.count)}`);
    if (removed && format.known(removed.count)) said.push(`${words.removed} ${format.say(words.commits, removed.count)}`);
    return [said.join(` ${words.and} `) || words.changedTarget];
  }

  /**
   * @param {Activity} item
   * @param {Context} c
   * @returns {Leaf[]}
   */
  function updated({addedReviewers, removedReviewers, draft}, c) {
    /** @type {Leaf[]} */
    const out = [];
    for (const [verb, people] of /** @type {[string, Person[]][]} */ ([[words.added, addedReviewers ?? []], [words.removed, removedReviewers ?? []]])) {
      if (!people.length) continue;
      if (out.length) out.push(` ${words.and} `);
      out.push(`${verb} `);
      people.forEach((p, k) => out.push(k === 0 ? '' : k === people.length - 1 ? ` ${words.and} ` : ', ', bb.frame.name(p, c)));
      out.push(` ${words.addedReviewers(people.length)}`);
    }
    if (draft !== undefined && draft !== null) {
      if (out.length) out.push(` ${words.and} `);
      out.push(draft ? words.toDraft : words.toReady);
    }
    return out.length ? out : [words.updatedIt];
  }

  /** @param {Commit} one */
  function commit(one) {
    return el('code', null, bb.frame.link(one.url, one.short));
  }

  /** @param {Commits} list */
  function commits({items, count}) {
    if (!items?.length) return null;
    const showing = format.showing(items.length, items.length, count, words.commitsShown);
    return el('ul', {class: 'commits'},
      items.map((one) => el('li', null, commit(one), ' ', text.draw(one.subject))),
      showing ? el('li', {class: 'quiet'}, showing) : null);
  }

  /**
   * A thread. A resolved one is a line that opens; replies are one press away
   * inline, so that an entry keeps its shape.
   * @param {Remark} root
   * @param {Context} c
   */
  function thread(root, c) {
    const key = `thread-${root.id}`;
    const open = c.full || c.open.has(key);
    if (root.resolved && !open) {
      return el('p', {class: 'resolved'}, icon('done'), ' ', root.task ? words.resolvedTask : words.resolvedThread, ' ', bb.frame.toggle(key, words.show, c, words.resolvedThread));
    }
    const answers = root.replies ?? [];
    const cut = root.repliesCut ?? 0;
    return el('div', {class: 'thread'},
      comment(root, c),
      open && answers.length ? el('ul', {class: 'replies'}, answers.map((r) => el('li', null, bb.frame.disc(r.author, c),
        el('div', {class: 'b'}, el('p', {class: 'did'}, el('strong', null, bb.frame.name(r.author, c, true)), ' · ', bb.frame.link(r.url, bb.frame.age(r.created, c))), comment(r, c))))) : null,
      open && cut ? el('p', {class: 'quiet'}, format.plural(words.repliesCut, cut)) : null);
  }

  /**
   * @param {Remark} one
   * @param {Context} c
   */
  function comment(one, c) {
    const key = `comment-${one.id}`;
    const whole = c.full || c.open.has(key);
    const marks = [
      one.pending ? bb.frame.mark(words.pendingComment, 'info') : null,
      one.pending ? el('span', {class: 'quiet'}, words.onlyYou) : null,
      one.task && one.resolved ? bb.frame.mark(words.resolved, 'ok') : null,
      one.edited ? el('span', {class: 'quiet'}, words.edited) : null,
      one.cut && whole ? el('span', {class: 'quiet'}, format.plural(words.cut, one.cut)) : null,
    ].filter(Boolean);
    return el('div', {class: 'comment'},
      one.task ? icon(one.resolved ? 'done' : 'task', one.resolved ? words.resolvedTask : words.openTask) : null,
      el('div', {class: 'b long'},
        bb.frame.prose(one.text ?? '', key, c),
        marks.length ? el('p', {class: 'marks'}, marks) : null));
  }

  /**
   * The button for what of a thread is not drawn yet.
   * @param {Remark | undefined} root
   * @param {Context} c
   * @returns {Leaf[]}
   */
  function replies(root, c) {
    if (!root || c.full) return [];
    const key = `thread-${root.id}`;
    const open = c.open.has(key);
    if (root.resolved) return open ? [' · ', bb.frame.toggle(key, words.hide, c, words.resolvedThread)] : [];
    if (!root.replies?.length && !root.repliesCut) return [];
    return [' · ', bb.frame.toggle(key, open ? words.hideReplies : words.showReplies, c)];
  }
}
