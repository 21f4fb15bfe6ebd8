'use strict';

{
  /**
   * make builds an element. Strings are text.
   * @param {string} tag
   * @param {Record<string, string>} [attributes]
   * @param {...(string | Node)} children
   */
  bbhost.make = (tag, attributes = {}, ...children) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  };

  /** @param {number} n */
  const size = (n) => (n < 1000 ? n + ' chars' : (n / 1000).toFixed(1) + 'k chars');

  /**
   * messageRow is one message of the log: direction and method, and its JSON when it is opened. The JSON is
   * written only then, because a result may be a hundred thousand characters.
   * @param {{at: number, direction: string, message: any}} entry
   * @param {string | undefined} answered the method of the request that a message answers
   * @param {number} since the clock's reading at the first message
   */
  bbhost.messageRow = ({ at, direction, message }, answered, since) => {
    const up = direction === 'view→host';
    const text = JSON.stringify(message, null, 2) ?? String(message);
    const failed = message?.error || message?.result?.isError || message?.params?.isError;
    const name = message?.method ?? (answered ? 'answer to ' + answered : 'answer');
    // What the name says already is not said again: a notification, an answer.
    const kind = failed ? 'error' : message?.method && 'id' in message ? 'request' : '';
    const { make } = bbhost;
    const row = make(
      'details',
      { class: (up ? 'up' : 'down') + (failed ? ' failed' : '') },
      make(
        'summary',
        {},
        make('span', { class: 'direction' }, up ? 'view' : 'host'),
        make('span', { class: 'method' }, name),
        make('span', { class: 'kind' }, kind),
        make('span', { class: 'size' }, size(text.length)),
        make('span', { class: 'at' }, '+' + ((at - since) / 1000).toFixed(3) + ' s'),
      ),
    );
    row.addEventListener('toggle', () => {
      if (row.childElementCount === 1) row.append(make('pre', { tabindex: '0' }, text));
    });
    return make('li', {}, row);
  };

  /**
   * modelText is what the model reads of a result, block by block, and what the view told it since.
   * @param {any} result
   * @param {any} told params of ui/update-model-context
   * @param {any[]} messages params of ui/message
   */
  bbhost.modelText = (result, told, messages) => {
    const { make } = bbhost;
    /** @param {any} block */
    const textOf = (block) => (block.type === 'text' ? block.text : '(' + block.type + ')');
    const parts = [];
    if (result) {
      const text = (result.content ?? []).map(textOf).join('\n\n');
      parts.push(make('p', { class: 'about' }, (result.isError ? 'An error, ' : 'The result of show, ') + text.length + ' characters'), make('pre', { tabindex: '0' }, text));
    }
    if (told) parts.push(make('p', { class: 'about' }, 'The view added, for the next turn'), make('pre', { tabindex: '0' }, (told.content ?? []).map(textOf).join('\n\n')));
    for (const message of messages) parts.push(make('p', { class: 'about' }, 'The view said, as the person'), make('pre', { tabindex: '0' }, message.content.map(textOf).join('\n\n')));
    return parts.length ? parts : [make('p', { class: 'none' }, 'Nothing yet.')];
  };
}
