'use strict';

{
  const INITIALIZE = 'ui/initialize';
  const INITIALIZED = 'ui/notifications/initialized';
  /** A frame begins this high, as hosts' frames do, and follows what the view reports. */
  const FIRST_HEIGHT_PX = 200;
  /** How long a view may take over its teardown. Hosts were seen waiting 0.25 to 1.5 s. */
  const TEARDOWN_MS = 1500;

  /**
   * What can be asked of a host. Everything is as a well-behaved host has it unless it is set.
   * @typedef {object} HostOptions
   * @property {HTMLElement} [container] where the view is put; the body
   * @property {string} [sandboxURL] the proxy's page; as /config.json says
   * @property {boolean} [views] false: the client does not declare that it draws views
   * @property {'light' | 'dark'} [theme] left out when null
   * @property {'standard' | Record<string, string>} [variables] style variables; none
   * @property {number} [width] of the frame; 720
   * @property {number} [maxHeight] the flexible height's limit; 5000
   * @property {number} [height] a fixed height instead
   * @property {string[]} [displayModes] the modes that are announced and granted; inline and fullscreen
   * @property {Record<string, object>} [capabilities] instead of the usual ones
   * @property {Record<string, any>} [context] members of the host context, over the usual ones; null leaves one out
   * @property {boolean} [lax] sends contexts the specification does not allow, instead of refusing to
   * @property {string} [protocolVersion] that is answered; 2026-01-26
   * @property {string} [sandbox] the view's sandbox attribute; "allow-scripts allow-same-origin"
   * @property {Record<string, 'never' | {result?: any, error?: any}>} [answers] by method of a view's request:
   *   the answer instead of the real one
   * @property {Record<string, number>} [delays] by method of a view's request: ms before it is answered
   * @property {boolean} [withholdInput] sends no tool-input
   * @property {boolean} [withholdResult] sends no tool-result
   * @property {boolean} [dropMeta] sends the result without its _meta
   * @property {boolean} [follow] false: the frame keeps its height
   */

  /**
   * Host is one conversation's worth of host: it calls show, mounts the view and answers it. It sends nothing to
   * the view before the view is initialized, and never a context that a view on the reference SDK would refuse.
   *
   * Events: entry (detail: a log entry), mode, size, link, told (the model was told), ended.
   */
  bbhost.Host = class extends bbhost.Channel {
    /** @param {HostOptions} [options] */
    constructor(options = {}) {
      super();
      this.options = { theme: 'light', width: 720, maxHeight: 5000, displayModes: ['inline', 'fullscreen'], sandbox: 'allow-scripts allow-same-origin', ...options };
      this.container = options.container ?? document.body;
      this.client = new bbhost.Client({ views: options.views !== false });
      /** @type {string[]} The addresses the view asked to open. */
      this.links = [];
      /** @type {any} What the view last told the model; null: nothing. */
      this.modelContext = null;
      /** @type {any[]} What the view put into the conversation. */
      this.messages = [];
      /** @type {{width?: number, height?: number}[]} The sizes the view reported. */
      this.sizes = [];
      /** @type {any[]} What the view logged. */
      this.logged = [];
      /** @type {any[]} The server's tools. */
      this.tools = [];
      /** @type {any} The result of the show call. */
      this.result = null;
      /** The view's policy, as the sandbox says. */
      this.policy = '';
      this.mode = 'inline';
      /** @type {any} The params of the view's ui/initialize. */
      this.view = null;
      /** Settles when the view said that it is initialized. */
      this.initialized = new Promise((resolve) => (this.onInitialized = resolve));
      /** @type {Map<any, AbortController>} The view's requests that are not answered yet, by id. */
      this.pending = new Map();
    }

    /** How many of the view's requests are not answered yet. */
    get inFlight() {
      return this.pending.size;
    }

    /** connect learns where the sandbox is and what the server offers. */
    async connect() {
      if (!this.sandboxURL) this.sandboxURL = this.options.sandboxURL ?? (await (await fetch('/config.json')).json()).sandbox;
      if (!this.tools.length) this.tools = await this.client.every('tools/list', 'tools');
    }

    /**
     * show makes one show call as a model would, and draws it. It settles when the result went to the view.
     * @param {Record<string, any>} args
     */
    async show(args) {
      await this.connect();
      const tool = this.tools.find((t) => t.name === 'show');
      if (!tool) throw new Error('the server has no tool show');
      const uri = tool._meta?.ui?.resourceUri ?? tool._meta?.['ui/resourceUri'];
      if (typeof uri !== 'string' || !uri.startsWith('ui://')) throw new Error('show names no view: ' + uri);
      this.tool = tool;
      const calling = this.client.request('tools/call', { name: 'show', arguments: args });
      // A call that fails while the view is still loading is answered below.
      calling.catch(() => {});
      await this.mount(await this.readView(uri));
      await this.initialized;
      if (!this.options.withholdInput) this.notify('ui/notifications/tool-input', { arguments: args });
      try {
        this.result = await calling;
      } catch (problem) {
        this.cancel(/** @type {Error} */ (problem).message);
        throw problem;
      }
      if (!this.options.withholdResult) this.deliver(this.result);
      return this.result;
    }

    /**
     * readView reads a view's page and what its resource asks for.
     * @param {string} uri
     * @returns {Promise<{html: string, csp?: any, permissions?: any}>}
     */
    async readView(uri) {
      const { contents } = await this.client.request('resources/read', { uri });
      const content = contents[0];
      if (content?.mimeType !== bbhost.MIME_TYPE) throw new Error(uri + ' is of type ' + content?.mimeType + ', not ' + bbhost.MIME_TYPE);
      const html = content.text ?? new TextDecoder().decode(Uint8Array.from(atob(content.blob), (c) => c.charCodeAt(0)));
      // The content's own word wins; a listed one is the default.
      const ui = content._meta?.ui ?? (await this.client.every('resources/list', 'resources')).find((r) => r.uri === uri)?._meta?.ui;
      return { html, csp: ui?.csp, permissions: ui?.permissions };
    }

    /**
     * mount puts a page into the sandbox. It settles when the page is on its way; initialized tells the rest.
     * @param {{html: string, csp?: any, permissions?: any}} page
     */
    async mount(page) {
      await this.connect();
      this.page = page;
      this.stage = 'loading';
      this.frame = document.createElement('iframe');
      this.frame.className = 'view';
      this.frame.title = 'View';
      this.frame.setAttribute('sandbox', 'allow-scripts allow-same-origin');
      this.layOut();
      this.container.append(this.frame);
      const loading = new Promise((resolve, reject) => (this.onProxy = { resolve, reject }));
      this.frame.src = this.sandboxURL;
      await loading;
    }

    /** layOut gives the frame its size. */
    layOut() {
      const { width, height, theme } = this.options;
      if (!this.frame) return;
      this.container.dataset.mode = this.mode;
      const inline = this.mode === 'inline';
      this.frame.style.inlineSize = inline ? width + 'px' : '';
      this.frame.style.blockSize = inline ? (height ?? this.frameHeight ?? FIRST_HEIGHT_PX) + 'px' : '';
      this.frame.style.colorScheme = theme ?? '';
    }

    /** The container's dimensions as the view is told them. */
    get dimensions() {
      if (this.mode !== 'inline') {
        const box = this.frame?.getBoundingClientRect() ?? this.container.getBoundingClientRect();
        return { width: Math.round(box.width), height: Math.round(box.height) };
      }
      const { width, height, maxHeight } = this.options;
      return { width, ...(height ? { height } : maxHeight ? { maxHeight } : {}) };
    }

    get styles() {
      const { variables } = this.options;
      return variables ? { variables: variables === 'standard' ? bbhost.standardVariables() : variables } : undefined;
    }

    /** The host context as it now is. */
    get context() {
      return this.fit({
        toolInfo: this.tool && { tool: this.tool },
        theme: this.options.theme ?? undefined,
        styles: this.styles,
        displayMode: this.mode,
        availableDisplayModes: this.options.displayModes,
        containerDimensions: this.dimensions,
        locale: 'en-US',
        timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
        userAgent: bbhost.HOST_INFO.name,
        platform: 'web',
        deviceCapabilities: { touch: matchMedia('(pointer: coarse)').matches, hover: matchMedia('(hover: hover)').matches },
        ...this.options.context,
      });
    }

    /**
     * fit leaves out what is not set, and refuses a context no view should get.
     * @param {Record<string, any>} context
     */
    fit(context) {
      const set = Object.fromEntries(Object.entries(context).filter(([, value]) => value !== undefined && value !== null));
      const faults = this.options.lax ? [] : bbhost.contextFaults(set);
      if (faults.length) throw new Error('host context: ' + faults.join('; '));
      return set;
    }

    get capabilities() {
      const sandbox = { ...(this.page?.csp && { csp: this.page.csp }), ...(this.page?.permissions && { permissions: this.page.permissions }) };
      return this.options.capabilities ?? { openLinks: {}, serverTools: {}, serverResources: {}, logging: {}, updateModelContext: { text: {} }, message: { text: {} }, sandbox };
    }

    /**
     * change changes options while a view is there and tells it what follows from them.
     * @param {Partial<HostOptions>} options any of theme, variables, width, height, maxHeight, displayModes, context
     */
    change(options) {
      Object.assign(this.options, options);
      this.layOut();
      /** @type {Record<string, any>} */
      const changed = { ...options.context };
      if ('theme' in options) {
        changed.theme = options.theme;
        this.tellProxy('theme', { theme: options.theme });
      }
      if ('variables' in options) changed.styles = this.styles ?? { variables: {} };
      if ('displayModes' in options) changed.availableDisplayModes = options.displayModes;
      if ('width' in options || 'height' in options || 'maxHeight' in options) changed.containerDimensions = this.dimensions;
      this.notify('ui/notifications/host-context-changed', this.fit(changed));
    }

    /**
     * setMode draws the view in another mode, if host and view both have it, and gives the mode that then holds.
     * @param {string} mode
     */
    setMode(mode) {
      const declared = this.view?.appCapabilities?.availableDisplayModes;
      if (mode === this.mode || !this.options.displayModes?.includes(mode) || (declared && !declared.includes(mode))) return this.mode;
      this.mode = mode;
      this.layOut();
      this.notify('ui/notifications/host-context-changed', this.fit({ displayMode: mode, containerDimensions: this.dimensions }));
      this.dispatchEvent(new CustomEvent('mode', { detail: mode }));
      return mode;
    }

    /**
     * deliver hands a result to the view.
     * @param {any} result
     */
    deliver(result) {
      const { _meta, ...rest } = result;
      this.notify('ui/notifications/tool-result', this.options.dropMeta || _meta === undefined ? rest : result);
    }

    /**
     * cancel tells the view that its call was cancelled.
     * @param {string} [reason]
     */
    cancel(reason) {
      this.notify('ui/notifications/tool-cancelled', reason === undefined ? {} : { reason });
    }

    /**
     * teardown says good-bye to the view, waits for its answer, and takes the frame away unless it is to be
     * watched further. It gives the answer, or null when none came.
     * @param {{reason?: string, keep?: boolean, wait?: number}} [how]
     */
    async teardown({ reason, keep = false, wait = TEARDOWN_MS } = {}) {
      let answer = null;
      if (this.stage === 'initialized') {
        const late = new Promise((resolve) => setTimeout(resolve, wait, null));
        answer = await Promise.race([this.request('ui/resource-teardown', reason === undefined ? {} : { reason }), late]).catch(() => null);
      }
      this.stage = 'ended';
      for (const controller of this.pending.values()) controller.abort();
      if (!keep) this.close();
      this.dispatchEvent(new CustomEvent('ended'));
      return answer;
    }

    /** close takes the frame away without a word, as some hosts do, and listens no more. */
    close() {
      this.stage = 'ended';
      this.frame?.remove();
      window.removeEventListener('message', this.listener);
      delete this.container.dataset.mode;
    }

    /** ping asks the view whether it is there. */
    ping() {
      return this.request('ping');
    }

    /** @param {any} message */
    fromProxy({ method, params }) {
      const name = method.slice(bbhost.SANDBOX.length);
      if (name === 'proxy-ready') this.tellProxy('resource-ready', { ...this.page, sandbox: this.options.sandbox, theme: this.options.theme });
      if (name === 'load-failed') this.onProxy?.reject(new Error('the sandbox did not load the view: ' + params.reason));
      if (name === 'loading') {
        this.policy = params.policy;
        this.onProxy?.resolve(undefined);
      }
    }

    /**
     * answer answers a view's request, for real or as the options say.
     * @param {any} message
     */
    async answer(message) {
      const { id, method, params } = message;
      const controller = new AbortController();
      this.pending.set(id, controller);
      const canned = this.options.answers?.[method];
      if (canned === 'never') return;
      if (method === INITIALIZE && this.stage === 'loading') this.stage = 'asked';
      const delay = this.options.delays?.[method];
      if (delay) await new Promise((resolve) => setTimeout(resolve, delay));
      let outcome;
      try {
        outcome = canned ?? { result: await bbhost.answers(this, method, params, controller.signal) };
      } catch (problem) {
        const { code = -32603, message: text, data } = /** @type {any} */ (problem);
        outcome = { error: { code: Number.isInteger(code) ? code : -32603, message: text, ...(data !== undefined && { data }) } };
      }
      this.pending.delete(id);
      if (this.stage === 'ended' || controller.signal.aborted) return;
      if (method === INITIALIZE && outcome.result && this.stage === 'asked') {
        this.stage = 'answered';
        this.view = params;
      }
      this.post({ jsonrpc: '2.0', id, ...outcome });
    }

    /**
     * hear takes a view's notification.
     * @param {any} message
     */
    hear({ method, params = {} }) {
      if (method === INITIALIZED && this.stage === 'answered') {
        this.stage = 'initialized';
        for (const waiting of this.queue.splice(0)) this.post(waiting);
        this.onInitialized?.(undefined);
      }
      if (method === 'ui/notifications/size-changed') this.resize(params);
      if (method === 'ui/notifications/request-teardown') this.teardown();
      if (method === 'notifications/message') this.logged.push(params);
      if (method === 'notifications/cancelled') this.pending.get(params.requestId)?.abort();
    }

    /**
     * resize lets the frame follow a flexible height.
     * @param {{width?: number, height?: number}} size
     */
    resize(size) {
      this.sizes.push(size);
      if (typeof size.height === 'number' && this.mode === 'inline' && !this.options.height && this.options.follow !== false) {
        this.frameHeight = Math.min(size.height, this.options.maxHeight ?? Infinity);
        this.layOut();
      }
      this.dispatchEvent(new CustomEvent('size', { detail: size }));
    }
  };
}
