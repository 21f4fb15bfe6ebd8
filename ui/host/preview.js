'use strict';

/*
 * The preview: a person picks a call and a look; the host makes the call and draws its view. The settings stand
 * in the address, so that a reload or a link shows the same.
 */
(async () => {
  const { make } = bbhost;
  /** The arguments that have their own field; the others stand under "More arguments". */
  const MAIN = ['kind', 'project', 'repo', 'id'];
  const LOOKS = ['width', 'mode', 'theme', 'variables'];

  /** @param {string} name @returns {any} */
  const part = (name) => document.querySelector('[data-part=' + name + ']');
  /** @type {HTMLFormElement} */
  const form = part('controls');
  /** @type {any} The form's controls by name. */
  const controls = form.elements;
  const { examples, real, caption } = await (await fetch('/config.json')).json();
  /** @type {any} */
  let host;

  part('real').hidden = !real;
  part('caption').textContent = caption;

  /** @param {string} problem */
  function say(problem) {
    part('problem').textContent = problem;
    part('problem').hidden = !problem;
  }

  /**
   * field is a control for one argument of show, as its schema describes it.
   * @param {string} name
   * @param {any} schema
   */
  function field(name, schema) {
    let control;
    if (schema.enum) control = make('select', { name: 'arg.' + name }, make('option', { value: '' }, '–'), ...schema.enum.map((/** @type {any} */ v) => make('option', { value: String(v) }, String(v).replaceAll('_', ' '))));
    else control = make('input', { name: 'arg.' + name, type: schema.type === 'integer' ? 'number' : 'text', autocomplete: 'off', spellcheck: 'false', ...(schema.type === 'integer' && { min: '0' }) });
    control.dataset.type = schema.type ?? 'string';
    control.title = schema.description ?? '';
    return make('label', { class: 'field ' + name }, name, control);
  }

  /** @returns {any[]} */
  const argumentControls = () => [...form.elements].filter((control) => /** @type {any} */ (control).name.startsWith('arg.'));

  /** The arguments as they stand in the fields. */
  function args() {
    /** @type {Record<string, any>} */
    const set = {};
    for (const { name, value, dataset } of argumentControls()) {
      if (value !== '') set[name.slice(4)] = dataset.type === 'integer' ? Number(value) : dataset.type === 'boolean' ? value === 'true' : value;
    }
    return set;
  }

  /** @param {Record<string, any>} values */
  function fill(values) {
    for (const control of argumentControls()) control.value = values[control.name.slice(4)] ?? '';
  }

  function looks() {
    return Object.fromEntries(LOOKS.map((name) => [name, controls[name].value]));
  }

  /** remember puts the settings into the address. */
  function remember() {
    history.replaceState(null, '', '#' + new URLSearchParams({ ...looks(), call: JSON.stringify(args()) }));
  }

  /** recall takes them from there; a first visit has the first example and the browser's own theme. */
  function recall() {
    const before = new URLSearchParams(location.hash.slice(1));
    for (const name of LOOKS) if (before.has(name)) controls[name].value = before.get(name);
    if (!before.has('theme') && matchMedia('(prefers-color-scheme: dark)').matches) controls.theme.value = 'dark';
    let call = examples[0]?.arguments ?? {};
    try {
      call = JSON.parse(before.get('call') ?? '') ?? call;
    } catch {
      // No call in the address, or one that somebody mistyped.
    }
    fill(call);
    matchExample();
  }

  /** matchExample names the example that the fields are, if they are one. */
  function matchExample() {
    const sorted = (/** @type {any} */ o) => JSON.stringify(Object.entries(o).sort());
    const now = sorted(args());
    const i = examples.findIndex((/** @type {any} */ e) => sorted(e.arguments) === now);
    part('example').value = i < 0 ? '' : String(i);
  }

  /** look gives the page the host's theme, which is the page's own. */
  function look() {
    document.documentElement.dataset.theme = controls.theme.value;
  }

  function drawModel() {
    part('model').replaceChildren(...bbhost.modelText(host.result, host.modelContext, host.messages));
  }

  /** @param {{at: number, direction: string, message: any}} entry */
  function drawMessage(entry) {
    const list = part('messages');
    const { message } = entry;
    const other = entry.direction === 'view→host' ? 'host→view' : 'view→host';
    const request = message?.method ? undefined : host.log.find((/** @type {any} */ e) => e.direction === other && e.message?.method && e.message.id === message?.id);
    const atEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - 4;
    list.append(bbhost.messageRow(entry, request?.message.method, host.log[0].at));
    if (atEnd) list.scrollTop = list.scrollHeight;
    part('count').textContent = String(host.log.length);
  }

  /** @param {string} url */
  function drawLink(url) {
    part('linksSection').hidden = false;
    part('links').prepend(make('li', {}, make('a', { href: url, target: '_blank', rel: 'noopener noreferrer' }, url)));
  }

  /** show makes the call that the fields hold, in a new view. */
  async function show() {
    say('');
    await host?.teardown();
    for (const name of ['messages', 'links']) part(name).replaceChildren();
    part('linksSection').hidden = true;
    const { width, mode, theme, variables } = looks();
    const now = new bbhost.Host({ container: part('seat'), width: Number(width), theme, variables: variables || undefined });
    host = now;
    drawModel();
    now.addEventListener('entry', (/** @type {any} */ { detail }) => now === host && drawMessage(detail));
    now.addEventListener('told', drawModel);
    now.addEventListener('link', (/** @type {any} */ { detail }) => drawLink(detail));
    now.addEventListener('mode', (/** @type {any} */ { detail }) => {
      controls.mode.value = detail;
      remember();
    });
    remember();
    try {
      now.initialized.then(() => now === host && now.setMode(mode));
      await now.show(args());
    } catch (problem) {
      if (now === host) say(/** @type {Error} */ (problem).message);
    }
    if (now === host) drawModel();
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    matchExample();
    show();
  });
  form.addEventListener('change', ({ target }) => {
    const { name } = /** @type {any} */ (target);
    if (name === 'example') {
      const example = examples[Number(controls.example.value)];
      if (controls.example.value === '' || !example) return;
      fill(example.arguments);
      show();
      return;
    }
    if (name === 'width') host?.change({ width: Number(controls.width.value) });
    if (name === 'theme') host?.change({ theme: controls.theme.value });
    if (name === 'variables') host?.change({ variables: controls.variables.value || undefined });
    if (name === 'mode' && host) controls.mode.value = host.setMode(controls.mode.value);
    look();
    remember();
  });
  part('leave').addEventListener('click', () => {
    host.setMode('inline');
    controls.mode.value = 'inline';
  });
  window.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && host?.mode === 'fullscreen') part('leave').click();
  });

  part('example').append(...examples.map((/** @type {any} */ e, /** @type {number} */ i) => make('option', { value: String(i) }, e.title)), make('option', { value: '' }, 'Another call'));
  try {
    const tools = await new bbhost.Client().every('tools/list', 'tools');
    const schema = tools.find((tool) => tool.name === 'show')?.inputSchema.properties ?? {};
    for (const name of new Set([...MAIN.filter((one) => one in schema), ...Object.keys(schema)])) {
      const main = MAIN.includes(name);
      if (!main) part('more').hidden = false;
      part(main ? 'fields' : 'moreFields').append(field(name, schema[name]));
    }
    recall();
    look();
    await show();
  } catch (problem) {
    look();
    say('The server does not answer: ' + /** @type {Error} */ (problem).message);
  }
})();
