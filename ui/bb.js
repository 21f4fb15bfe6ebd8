'use strict';

// The page's one global name, and what each file gives the others under it.
// Files are plain scripts and run in page.html's order; each keeps the rest of
// its names in a block of its own.

/** @typedef {Node | string | number | null | undefined | false} Leaf */
/** @typedef {Leaf | readonly Child[]} Child what el() takes as a child; lists are flattened */
/** @typedef {Record<string, string | number | boolean | null | undefined>} Props */

/**
 * What a view knows beside its payload. A view is drawn from the two alone.
 * @typedef {object} Context
 * @property {number} now the payload's clock, running on
 * @property {string | undefined} zone IANA time zone of the reader
 * @property {boolean} full everything is drawn: the view is fullscreen
 * @property {string[]} modes the display modes the host offers
 * @property {Set<string>} open what the person opened, by key
 * @property {Map<string, number>} steps how often the person asked for more, by list
 * @property {string | undefined} you the login of the reader
 * @property {boolean} stale older than a day
 */

/** @typedef {(n: number, text: string) => string} Plural a word that follows a number */

/** @typedef {{code: string, times: number}} Mark a code point drawn by its number */

/** @typedef {{type: string, [name: string]: any}} Mdast a node of parsed Markdown */

/**
 * @typedef {object} Format
 * @property {(n: number) => string} number
 * @property {(c: Count | null | undefined) => number | undefined} total
 * @property {(c: Count | null | undefined) => number} known at least so many; 0 when nothing is known
 * @property {(word: Plural, c: Count) => string} say
 * @property {(word: Plural, n: number) => string} plural a number Bitbucket sent, and its word
 * @property {(drawn: number, carried: number, c: Count, word: Plural, start?: number) => string} showing
 * @property {(ms: number, now: number, zone?: string) => string} age
 * @property {(ms: number, now: number, zone?: string) => string} time
 * @property {(ms: number, zone?: string) => string} full
 * @property {(ms: number) => string} duration
 * @property {(tests: BuildTests) => string} tests
 * @property {(n: number) => string} commitsAgo
 * @property {(drawn: number, c: Count) => string} show the label of a button that opens a list
 * @property {(drawn: number, c: Count) => string} others "+7"
 * @property {(id: string) => string} short a commit's short id
 * @property {(name: string) => string} initials
 */

/**
 * @typedef {object} Handlers what the bridge tells the page
 * @property {() => void} context the host's context changed, or the handshake is done
 * @property {(args: Record<string, unknown>, partial: boolean) => void} input
 * @property {(result: Record<string, any>) => void} result
 * @property {(reason: string) => void} cancelled
 * @property {(why: string) => void} refused the host refused the view, or did not answer
 * @property {() => void} closed
 */

/**
 * @typedef {object} BridgeLike
 * @property {Record<string, any>} context
 * @property {boolean} closed
 * @property {() => void} connect
 * @property {() => void} close
 * @property {() => string[]} modes
 * @property {() => string} mode
 * @property {(mode: string) => Promise<boolean>} requestMode
 * @property {(url: string, late: () => void) => Promise<boolean>} openLink
 */

/**
 * @typedef {object} Frame parts that every view is made of
 * @property {(options: {mark: Child, title: Child, meta: Child, url: string, payload: Payload}, c: Context) => HTMLElement} header
 * @property {(options: {tone: string, title: Child, lines?: Child[], text?: string, error?: boolean}) => HTMLElement[]} state
 * @property {(state: string) => HTMLElement} lozenge
 * @property {(word: string, tone: string) => HTMLElement} mark
 * @property {(state: string) => {shape: string, tone: string, word: string}} build
 * @property {(p: Person, c: Context, start?: boolean) => Leaf} name "You" or "you", or the name
 * @property {(p: Person, c: Context, status?: string) => HTMLElement} disc
 * @property {(url: string | undefined, label: Child, name?: string) => HTMLElement} link
 * @property {(place: Place) => Leaf[]} place
 * @property {(source: Ref, target: Ref, home: Place) => HTMLElement} branches
 * @property {(ms: number, c: Context) => HTMLElement} age
 * @property {(key: string, label: string, c: Context, name?: string) => HTMLElement | null} toggle
 * @property {(list: string, c: Context) => HTMLElement} more
 * @property {(source: string, key: string, c: Context, said?: string) => (HTMLElement | null)[]} prose
 */

/**
 * @typedef {object} Namespace
 * @property {number} VERSION the payload's version this page draws
 * @property {(tag: string, props?: Props | null, ...children: Child[]) => HTMLElement} el
 * @property {(target: Element, fresh: Node) => void} morph
 * @property {(name: string, label?: string) => HTMLElement} icon
 * @property {Record<string, any>} words
 * @property {Format} format
 * @property {{pieces: (s: string) => (string | Mark)[], draw: (s: string) => HTMLElement, plain: (s: string) => string}} text
 * @property {{inline: (s: string) => Mdast[], parse: (s: string) => Mdast[], draw: (s: string) => HTMLElement[]}} markdown
 * @property {(url: unknown) => string} webAddress the address if it is http or https, otherwise ''
 * @property {{apply: (context: Record<string, any>) => void}} theme
 * @property {new (on: Handlers) => BridgeLike} Bridge
 * @property {Frame} frame
 * @property {Map<string, (payload: Payload, c: Context) => HTMLElement[]>} views by kind
 * @property {(pr: PullRequest, payload: Payload, c: Context) => HTMLElement | null} needs what needs the person
 * @property {(a: Activities, pr: PullRequest, c: Context) => HTMLElement} activity
 */

const bb = /** @type {Namespace} */ ({VERSION: 1, views: new Map()});
