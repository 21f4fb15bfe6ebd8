'use strict';

{
  const INITIALIZE = 'ui/initialize';
  const INITIALIZED = 'ui/notifications/initialized';

  /** Messages named so are between host and sandbox proxy. */
  bbhost.SANDBOX = 'ui/notifications/sandbox-';

  /**
   * Channel is the JSON-RPC between a host and the view in its frame: what may be sent when, what was said, and
   * what broke the order. A host gives it the frame and takes what the view asks (answer), what it says (hear) and
   * what the sandbox proxy says (fromProxy).
   */
  bbhost.Channel = class extends EventTarget {
    constructor() {
      super();
      /** @type {HTMLIFrameElement | undefined} */
      this.frame = undefined;
      this.sandboxURL = '';
      /**
       * Every message between host and view, oldest first; at is on this page's clock, in ms.
       * @type {{at: number, direction: 'view→host' | 'host→view', message: any}[]}
       */
      this.log = [];
      /**
       * What the view did that the specification does not allow.
       * @type {{at: number, what: string, message: any}[]}
       */
      this.faults = [];
      /** @type {'none' | 'loading' | 'asked' | 'answered' | 'initialized' | 'ended'} How far the view is. */
      this.stage = 'none';
      /** @type {any[]} What waits until the view is initialized. */
      this.queue = [];
      /** @type {Map<number, {resolve: (v: any) => void, reject: (e: any) => void}>} */
      this.asked = new Map();
      this.lastID = 0;
      this.listener = (/** @type {MessageEvent} */ event) => this.receive(event);
      window.addEventListener('message', this.listener);
    }

    /**
     * request asks the view something and gives its result.
     * @param {string} method
     * @param {any} [params]
     * @param {any} [id] the next number unless given
     */
    request(method, params, id = ++this.lastID) {
      return new Promise((resolve, reject) => {
        this.asked.set(id, { resolve, reject });
        this.send({ jsonrpc: '2.0', id, method, ...(params && { params }) });
      });
    }

    /**
     * @param {string} method
     * @param {any} params
     */
    notify(method, params) {
      this.send({ jsonrpc: '2.0', method, params });
    }

    /**
     * send puts a message on its way: at once when the view is initialized, or when it is an answer.
     * @param {any} message
     */
    send(message) {
      if (message.method && this.stage !== 'initialized') {
        if (this.stage !== 'ended') this.queue.push(message);
        return;
      }
      this.post(message);
    }

    /**
     * post sends anything whatever, now.
     * @param {any} message
     */
    post(message) {
      this.keep('host→view', message);
      this.frame?.contentWindow?.postMessage(message, this.sandboxOrigin);
    }

    get sandboxOrigin() {
      return new URL(this.sandboxURL).origin;
    }

    /**
     * @param {string} name
     * @param {object} params
     */
    tellProxy(name, params) {
      this.frame?.contentWindow?.postMessage({ jsonrpc: '2.0', method: bbhost.SANDBOX + name, params }, this.sandboxOrigin);
    }

    /**
     * @param {'view→host' | 'host→view'} direction
     * @param {any} message
     */
    keep(direction, message) {
      const entry = { at: performance.now(), direction, message: structuredClone(message) };
      this.log.push(entry);
      this.dispatchEvent(new CustomEvent('entry', { detail: entry }));
    }

    /**
     * @param {string} what
     * @param {any} message
     */
    fault(what, message) {
      this.faults.push({ at: performance.now(), what, message });
    }

    /** @param {MessageEvent} event */
    receive({ source, origin, data }) {
      if (!this.frame || source !== this.frame.contentWindow || origin !== this.sandboxOrigin) return;
      if (typeof data?.method === 'string' && data.method.startsWith(bbhost.SANDBOX)) return this.fromProxy(data);
      this.keep('view→host', data);
      if (typeof data !== 'object' || data === null || data.jsonrpc !== '2.0') return this.fault('a message that is not JSON-RPC', data);
      if (typeof data.method !== 'string') return this.settle(data);
      this.order(data);
      if ('id' in data) this.answer(data);
      else this.hear(data);
    }

    /**
     * order holds a message against the order of the handshake.
     * @param {any} message
     */
    order(message) {
      const { method } = message;
      if (this.stage === 'ended') this.fault(method + ' after teardown', message);
      else if (method === INITIALIZE) {
        if (this.stage !== 'loading') this.fault('a second ' + INITIALIZE, message);
      } else if (method === INITIALIZED) {
        if (this.stage !== 'answered') this.fault(this.stage === 'initialized' ? 'a second ' + INITIALIZED : INITIALIZED + ' before the answer to ' + INITIALIZE, message);
      } else if (this.stage !== 'initialized') this.fault(method + ' before ' + INITIALIZED, message);
    }

    /**
     * settle takes a view's answer to a request of this host.
     * @param {any} message
     */
    settle(message) {
      const waiting = this.asked.get(message.id);
      if (!waiting) return this.fault('an answer to nothing', message);
      this.asked.delete(message.id);
      if (message.error) waiting.reject(new bbhost.RPCError(message.error.code, message.error.message, message.error.data));
      else waiting.resolve(message.result);
    }

    /** @param {any} _message a request of the view's */
    answer(_message) {}

    /** @param {any} _message a notification of the view's */
    hear(_message) {}

    /** @param {any} _message of the sandbox proxy's */
    fromProxy(_message) {}
  };
}
