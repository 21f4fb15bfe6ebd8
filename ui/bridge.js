'use strict';
{
  // The view's side of MCP Apps: JSON-RPC with the host through the parent
  // window. It listens before it speaks, speaks ui/initialize first and nothing
  // else before its answer, gives every request a time-out, and is silent for
  // ever once it was torn down.

  const PROTOCOL = '2026-01-26';

  /** The display modes this page can draw. */
  const MODES = ['inline', 'fullscreen'];

  /** As long as the page waits for anything before it says so (V7). */
  const INITIALIZE_MS = 20_000;
  /** A host may ask the person first, so these are answered at a person's pace. */
  const LINK_MS = 15_000;
  const MODE_MS = 15_000;

  /** Changes of the height that a host following it may cause by itself. */
  const SAME_HEIGHT_PX = 2;

  const METHOD_NOT_FOUND = {code: -32601, message: 'Method not found'};

  /** @typedef {{resolve: (result: Record<string, any>) => void, reject: (why: Error) => void, timer: number, late?: (result: Record<string, any>) => void}} Pending */

  /**
   * @param {unknown} value
   * @returns {Record<string, any>}
   */
  function object(value) {
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  }

  bb.Bridge = class Bridge {
    /** @param {Handlers} on */
    constructor(on) {
      this.on = on;
      /** @type {Record<string, any>} */
      this.context = Object.create(null);
      /** @type {Record<string, any>} */
      this.capabilities = {};
      this.closed = false;
      this.initialized = false;
      /** @type {(() => void)[] | null} what came before the answer to ui/initialize; null once it may be handled */
      this.early = [];
      /** @type {Map<number, Pending>} */
      this.pending = new Map();
      this.lastID = 0;
      this.height = 0;
      this.frame = 0;
      /** @type {ResizeObserver | null} */
      this.sizes = null;
      this.receive = this.receive.bind(this);
      this.close = this.close.bind(this);
    }

    connect() {
      window.addEventListener('message', this.receive);
      window.addEventListener('pagehide', this.close);
      const params = {
        appInfo: {name: 'bb view', version: String(bb.VERSION)},
        appCapabilities: {availableDisplayModes: MODES},
        protocolVersion: PROTOCOL,
      };
      this.request('ui/initialize', params, INITIALIZE_MS, (result) => this.start(result))
        .then((result) => this.start(result), (why) => {
          if (this.closed) return;
          this.on.refused(why.message);
          this.release();
        });
    }

    /**
     * The handshake's end. Members are read defensively: hosts answer in more
     * shapes than one, and none of them is worth refusing.
     * @param {Record<string, any>} result
     */
    start(result) {
      if (this.closed) return;
      this.initialized = true;
      this.capabilities = object(result.hostCapabilities);
      Object.assign(this.context, object(result.hostContext));
      this.notify('ui/notifications/initialized', {});
      this.sizes = new ResizeObserver(() => this.measure());
      this.sizes.observe(document.body);
      this.on.context();
      this.release();
    }

    /** Handles what came early, in its order. */
    release() {
      const early = this.early ?? [];
      this.early = null;
      for (const handle of early) handle();
    }

    /** Stops everything, for good. */
    close() {
      if (this.closed) return;
      this.closed = true;
      window.removeEventListener('message', this.receive);
      window.removeEventListener('pagehide', this.close);
      for (const {timer} of this.pending.values()) window.clearTimeout(timer);
      this.pending.clear();
      this.sizes?.disconnect();
      window.cancelAnimationFrame(this.frame);
      this.on.closed();
    }

    /** @param {MessageEvent} event */
    receive(event) {
      if (this.closed || event.source !== window.parent) return;
      const message = object(event.data);
      if (message.jsonrpc !== '2.0') return;
      const {id, method} = message;
      if (typeof method !== 'string') {
        this.answered(message);
      } else if (typeof id === 'number' || typeof id === 'string') {
        this.asked(id, method);
      } else if (this.early) {
        this.early.push(() => this.notified(method, object(message.params)));
      } else {
        this.notified(method, object(message.params));
      }
    }

    /** @param {Record<string, any>} message */
    answered({id, result, error}) {
      const pending = this.pending.get(id);
      if (!pending) return;
      this.pending.delete(id);
      window.clearTimeout(pending.timer);
      if (error || object(result).isError === true) {
        pending.reject(new Error(String(object(error).message ?? '')));
      } else if (pending.timer) {
        pending.resolve(object(result));
      } else {
        pending.late?.(object(result));
      }
    }

    /**
     * @param {number | string} id
     * @param {string} method
     */
    asked(id, method) {
      switch (method) {
        case 'ping':
          this.post({id, result: {}});
          break;
        case 'ui/resource-teardown':
          this.post({id, result: {}});
          this.close();
          break;
        default:
          this.post({id, error: METHOD_NOT_FOUND});
      }
    }

    /**
     * @param {string} method
     * @param {Record<string, any>} params
     */
    notified(method, params) {
      if (this.closed) return;
      switch (method) {
        case 'ui/notifications/tool-input':
          this.on.input(object(params.arguments), false);
          break;
        case 'ui/notifications/tool-input-partial':
          this.on.input(object(params.arguments), true);
          break;
        case 'ui/notifications/tool-result':
          this.on.result(params);
          break;
        case 'ui/notifications/tool-cancelled':
          this.on.cancelled(typeof params.reason === 'string' ? params.reason : '');
          break;
        case 'ui/notifications/host-context-changed':
          this.merge(params);
          break;
      }
    }

    /**
     * A member that comes replaces the one that was there, whole.
     * @param {Record<string, any>} context
     */
    merge(context) {
      Object.assign(this.context, context);
      // Some hosts keep the height of the mode before until they hear of one.
      if ('displayMode' in context || 'containerDimensions' in context) this.height = 0;
      this.on.context();
      this.measure();
    }

    /**
     * @param {string} method
     * @param {object} params
     * @param {number} ms
     * @param {(result: Record<string, any>) => void} [late] takes an answer that came after the time-out
     * @returns {Promise<Record<string, any>>}
     */
    request(method, params, ms, late) {
      return new Promise((resolve, reject) => {
        if (this.closed) {
          reject(new Error('closed'));
          return;
        }
        const id = ++this.lastID;
        /** @type {Pending} */
        const pending = {resolve, reject, timer: 0, late};
        pending.timer = window.setTimeout(() => {
          pending.timer = 0;
          if (!late) this.pending.delete(id);
          reject(new Error(bb.words.noHostAnswer));
        }, ms);
        this.pending.set(id, pending);
        this.post({id, method, params});
      });
    }

    /**
     * @param {string} method
     * @param {object} params
     */
    notify(method, params) {
      this.post({method, params});
    }

    /** @param {object} message */
    post(message) {
      if (!this.closed) window.parent.postMessage({jsonrpc: '2.0', ...message}, '*');
    }

    /** The display modes that the host offers and this page can draw. */
    modes() {
      const offered = this.context.availableDisplayModes;
      return Array.isArray(offered) ? MODES.filter((mode) => offered.includes(mode)) : [];
    }

    mode() {
      return typeof this.context.displayMode === 'string' ? this.context.displayMode : 'inline';
    }

    /**
     * Asks for a display mode and takes the one that the host says holds.
     * @param {string} mode
     * @returns {Promise<boolean>} whether it is the one asked for
     */
    async requestMode(mode) {
      if (!this.modes().includes(mode)) return false;
      const take = (/** @type {Record<string, any>} */ result) => {
        if (!MODES.includes(result.mode)) return false;
        if (result.mode !== this.mode()) this.merge({displayMode: result.mode});
        return result.mode === mode;
      };
      try {
        return take(await this.request('ui/request-display-mode', {mode}, MODE_MS, take));
      } catch {
        return false;
      }
    }

    /**
     * Opens an address through the host, the only way there is.
     * @param {string} url
     * @param {() => void} late called when it was opened after all
     * @returns {Promise<boolean>}
     */
    async openLink(url, late) {
      const address = bb.webAddress(url);
      if (!address || !this.capabilities.openLinks) return false;
      try {
        await this.request('ui/open-link', {url: address}, LINK_MS, late);
        return true;
      } catch {
        return false;
      }
    }

    /** Reports the body's own height, at most once a frame, inline only. */
    measure() {
      if (this.closed || this.frame || !this.initialized) return;
      this.frame = window.requestAnimationFrame(() => {
        this.frame = 0;
        if (this.closed || this.mode() !== 'inline') return;
        const height = Math.ceil(document.body.getBoundingClientRect().height);
        if (height < 1 || Math.abs(height - this.height) < SAME_HEIGHT_PX) return;
        this.height = height;
        this.notify('ui/notifications/size-changed', {height});
      });
    }
  };
}
