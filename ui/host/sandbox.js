'use strict';

/*
 * The sandbox proxy: an origin of its own between host and view. It loads the view, by URL and under the policy
 * of its resource, and forwards what the two say to each other. Messages named ui/notifications/sandbox-* are
 * between host and proxy; no other side sees them.
 */
(() => {
  const HOST = document.documentElement.dataset.host ?? '';
  const OWN = 'ui/notifications/sandbox-';
  /** @type {HTMLIFrameElement | undefined} */
  let view;

  /**
   * @param {string} name
   * @param {object} params
   */
  const tellHost = (name, params) => window.parent.postMessage({ jsonrpc: '2.0', method: OWN + name, params }, HOST);

  /**
   * load brings the view's page to this origin and mounts it. The page is posted first, because a frame can be
   * given a policy only by the response it is loaded from.
   * @param {{html: string, csp?: object, sandbox?: string, permissions?: Record<string, object>, theme?: string}} params
   */
  async function load({ html, csp, sandbox = 'allow-scripts allow-same-origin', permissions = {}, theme }) {
    const response = await fetch('/views', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ html, csp }) });
    if (!response.ok) throw new Error((await response.text()).trim());
    const { url, policy } = await response.json();
    tellHost('loading', { policy });
    view?.remove();
    view = document.createElement('iframe');
    view.title = 'View';
    view.setAttribute('sandbox', sandbox);
    view.setAttribute('allow', allow(permissions));
    colour(theme);
    view.src = url;
    document.body.append(view);
  }

  /**
   * allow is the iframe attribute that grants what the resource asked for.
   * @param {Record<string, object>} permissions
   */
  function allow(permissions) {
    const features = { camera: 'camera', microphone: 'microphone', geolocation: 'geolocation', clipboardWrite: 'clipboard-write' };
    return Object.entries(features).filter(([name]) => permissions[name]).map(([, feature]) => feature).join('; ');
  }

  /**
   * colour gives this page the view's colour scheme: a browser paints an opaque backdrop behind a frame whose
   * scheme differs from the page around it.
   * @param {string | undefined} theme
   */
  function colour(theme) {
    document.documentElement.style.colorScheme = theme ?? '';
  }

  window.addEventListener('message', ({ source, origin, data }) => {
    const method = typeof data === 'object' && data !== null ? String(data.method ?? '') : '';
    if (source === window.parent && origin === HOST) {
      if (method === OWN + 'resource-ready') load(data.params).catch((problem) => tellHost('load-failed', { reason: problem.message }));
      else if (method === OWN + 'theme') colour(data.params.theme);
      else if (!method.startsWith(OWN)) view?.contentWindow?.postMessage(data, '*');
    } else if (view && source === view.contentWindow && !method.startsWith(OWN)) {
      window.parent.postMessage(data, HOST);
    }
  });
  tellHost('proxy-ready', {});
})();
