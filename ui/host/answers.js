'use strict';

{
  const MODES = ['inline', 'fullscreen', 'pip'];

  /**
   * @param {boolean} fine
   * @param {string} what
   */
  const want = (fine, what) => {
    if (!fine) throw new bbhost.RPCError(-32602, what);
  };
  /** @param {any} value */
  const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

  /**
   * What this host answers a view, by method. A function throws what is to be an error.
   * @type {Record<string, (host: any, params: any, signal: AbortSignal) => any>}
   */
  const ANSWERS = {
    'ui/initialize'(host, { appInfo, appCapabilities, protocolVersion }) {
      want(typeof appInfo?.name === 'string' && typeof appInfo?.version === 'string', 'appInfo wants name and version');
      want(isObject(appCapabilities), 'appCapabilities is missing');
      want(typeof protocolVersion === 'string', 'protocolVersion is missing');
      const modes = appCapabilities.availableDisplayModes;
      want(modes === undefined || (Array.isArray(modes) && modes.every((mode) => MODES.includes(mode))), 'availableDisplayModes has an unknown mode');
      return { protocolVersion: host.options.protocolVersion ?? '2026-01-26', hostInfo: bbhost.HOST_INFO, hostCapabilities: host.capabilities, hostContext: host.context };
    },

    ping: () => ({}),

    'ui/open-link'(host, { url }) {
      want(typeof url === 'string', 'url is no string');
      if (!URL.canParse(url) || !['http:', 'https:'].includes(new URL(url).protocol)) throw new bbhost.RPCError(-32000, 'only http and https addresses are opened');
      host.links.push(url);
      host.dispatchEvent(new CustomEvent('link', { detail: url }));
      return {};
    },

    'ui/message'(host, { role, content }) {
      want(role === 'user' && Array.isArray(content), 'want role user and an array as content');
      host.messages.push({ role, content });
      host.dispatchEvent(new CustomEvent('told'));
      return {};
    },

    'ui/update-model-context'(host, params) {
      want(params.content === undefined || Array.isArray(params.content), 'content is no array');
      want(params.structuredContent === undefined || isObject(params.structuredContent), 'structuredContent is no object');
      host.modelContext = params;
      host.dispatchEvent(new CustomEvent('told'));
      return {};
    },

    'ui/request-display-mode'(host, { mode }) {
      want(MODES.includes(mode), 'unknown mode ' + mode);
      return { mode: host.setMode(mode) };
    },

    // Only what the server offers to views goes through; where a tool does not say, it is offered to both.
    'tools/call'(host, params, signal) {
      want(typeof params.name === 'string' && params.arguments !== null, 'want a name and, if any, arguments as an object');
      const tool = host.tools.find((/** @type {any} */ t) => t.name === params.name);
      if (!tool) throw new bbhost.RPCError(-32602, 'unknown tool ' + params.name);
      const visibility = tool._meta?.ui?.visibility ?? ['model', 'app'];
      if (!visibility.includes('app')) throw new bbhost.RPCError(-32000, 'the tool ' + params.name + ' is for the model, not for views');
      return host.client.request('tools/call', params, signal);
    },

    'resources/read'(host, params, signal) {
      want(typeof params.uri === 'string', 'want a uri');
      return host.client.request('resources/read', params, signal);
    },
  };

  /** The capability a host announces for each method that needs one. What is not announced is not there. */
  const NEEDS = {
    'ui/open-link': 'openLinks',
    'ui/message': 'message',
    'ui/update-model-context': 'updateModelContext',
    'tools/call': 'serverTools',
    'resources/read': 'serverResources',
  };

  /**
   * answers gives the result of a view's request.
   * @param {any} host
   * @param {string} method
   * @param {any} params
   * @param {AbortSignal} signal
   */
  bbhost.answers = (host, method, params, signal) => {
    const answer = Object.hasOwn(ANSWERS, method) ? ANSWERS[method] : undefined;
    const need = NEEDS[/** @type {keyof typeof NEEDS} */ (method)];
    if (!answer || (need && !host.capabilities[need])) throw new bbhost.RPCError(-32601, 'Method not found');
    return answer(host, params ?? {}, signal);
  };
}
