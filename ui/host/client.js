'use strict';

/**
 * What the other files give: context.js, answers.js, channel.js, host.js and messages.js.
 * @typedef {object} Others
 * @property {string} SANDBOX
 * @property {any} Channel
 * @property {string[]} VARIABLES
 * @property {() => Record<string, string>} standardVariables
 * @property {(context: any) => string[]} contextFaults
 * @property {(host: any, method: string, params: any, signal: AbortSignal) => any} answers
 * @property {any} Host
 * @property {(tag: string, attributes?: Record<string, string>, ...children: (string | Node)[]) => HTMLElement} make
 * @property {(entry: {at: number, direction: string, message: any}, answered: string | undefined, since: number) => HTMLElement} messageRow
 * @property {(result: any, told: any, messages: any[]) => HTMLElement[]} modelText
 */

/** bbhost is everything this host has; no other global name is made. */
const bbhost = {
  .../** @type {Others} */ ({}),

  MIME_TYPE: 'text/html;profile=mcp-app',
  EXTENSION: 'io.modelcontextprotocol/ui',
  HOST_INFO: { name: 'bb-host', version: '1' },

  /**
   * RPCError is an error that stands in a JSON-RPC answer.
   */
  RPCError: class extends Error {
    /**
     * @param {number} code
     * @param {string} message
     * @param {any} [data]
     */
    constructor(code, message, data) {
      super(message);
      this.code = code;
      this.data = data;
    }
  },

  /**
   * Client speaks MCP, revision 2026-07-28, to the server behind this host. That revision has no
   * session: every request says who asks and what they can draw.
   */
  Client: class {
    /**
     * @param {{url?: string, views?: boolean}} [options] views false: a client that draws no views
     */
    constructor({ url = '/mcp', views = true } = {}) {
      this.url = url;
      this.views = views;
      this.lastID = 0;
      /**
       * What went between host and server, oldest first.
       * @type {{at: number, direction: string, message: any}[]}
       */
      this.log = [];
    }

    /** The members of _meta that every request carries. */
    get meta() {
      const extensions = this.views ? { [bbhost.EXTENSION]: { mimeTypes: [bbhost.MIME_TYPE] } } : {};
      return {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': bbhost.HOST_INFO,
        'io.modelcontextprotocol/clientCapabilities': { extensions },
      };
    }

    /**
     * request sends one request and gives its result.
     * @param {string} method
     * @param {Record<string, any>} [params]
     * @param {AbortSignal} [signal]
     * @returns {Promise<any>}
     */
    async request(method, params = {}, signal) {
      const id = ++this.lastID;
      const message = { jsonrpc: '2.0', id, method, params: { ...params, _meta: { ...params._meta, ...this.meta } } };
      /** @type {Record<string, string>} */
      const headers = {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        'MCP-Protocol-Version': '2026-07-28',
        'Mcp-Method': method,
      };
      const name = method === 'resources/read' ? params.uri : params.name;
      if (typeof name === 'string') {
        if (!/^[\x21-\x7e]+$/.test(name)) throw new bbhost.RPCError(-32602, 'this host calls by plain ASCII names only: ' + name);
        headers['Mcp-Name'] = name;
      }
      this.keep('host→server', message);
      const response = await fetch(this.url, { method: 'POST', headers, body: JSON.stringify(message), signal });
      const answer = await this.answer(response, id);
      if (answer.error) throw new bbhost.RPCError(answer.error.code, answer.error.message, answer.error.data);
      return answer.result;
    }

    /**
     * answer finds the answer to a request in the response to its post: the whole of it, or one event of a
     * stream in which notifications may come first.
     * @param {Response} response
     * @param {number} id
     * @returns {Promise<any>}
     */
    async answer(response, id) {
      const type = response.headers.get('Content-Type') ?? '';
      if (type.startsWith('text/event-stream') && response.body) {
        for await (const message of bbhost.events(response.body)) {
          this.keep('server→host', message);
          if (message.id === id && !message.method) return message;
        }
        throw new Error('the server ended its stream without an answer');
      }
      const text = await response.text();
      if (!type.startsWith('application/json')) throw new Error('HTTP ' + response.status + ': ' + text.trim());
      const message = JSON.parse(text);
      this.keep('server→host', message);
      return message;
    }

    /**
     * every reads a list to its end.
     * @param {string} method such as tools/list
     * @param {string} member the list's name in the result
     * @returns {Promise<any[]>}
     */
    async every(method, member) {
      const found = [];
      /** @type {string | undefined} */
      let cursor;
      do {
        const page = await this.request(method, cursor === undefined ? {} : { cursor });
        found.push(...page[member]);
        cursor = page.nextCursor;
      } while (cursor);
      return found;
    }

    /**
     * @param {string} direction
     * @param {any} message
     */
    keep(direction, message) {
      this.log.push({ at: performance.now(), direction, message });
    }
  },

  /**
   * events yields the JSON of each event of a server-sent stream.
   * @param {ReadableStream<Uint8Array>} body
   */
  async *events(body) {
    const reader = body.getReader();
    const decoder = new TextDecoder();
    let rest = '';
    for (;;) {
      const { done, value } = await reader.read();
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
      // An event ends with an empty line; lines end with LF, CRLF or CR. A CR at the very end may be half of a
      // CRLF, so it waits for the next piece.
      const events = rest.split(/\r\n\r\n|\n\n|\r\r(?!\n)/);
      rest = events.pop() ?? '';
      for (const event of events) {
        const data = event.split(/\r\n|\n|\r/).filter((line) => line.startsWith('data:'));
        const text = data.map((line) => line.slice(5).replace(/^ /, '')).join('\n');
        if (text) yield JSON.parse(text);
      }
      if (done) return;
    }
  },
};
