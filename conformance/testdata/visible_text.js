() => {
  // The text of a page as a person sees it: boxes that stand under each other are lines, boxes that stand beside
  // each other are parted by two spaces, icons are their names in brackets. Font-independent, unlike pixels.
  const HIDDEN = { opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true };
  const inlineLike = (display) => display.startsWith('inline') || display === 'contents' || display.startsWith('ruby');

  // Boxes that are clipped to nothing are for those who hear the page.
  const clipped = (element) => {
    const box = element.getBoundingClientRect();
    const style = getComputedStyle(element);
    return style.position === 'absolute' && box.width <= 1 && box.height <= 1;
  };

  const nameOf = (element) => {
    const icon = element.tagName.toLowerCase() === 'svg' || element.getAttribute('role') === 'img';
    return icon ? element.getAttribute('aria-label') ?? element.querySelector('title')?.textContent ?? '' : null;
  };

  // A piece is text and the box it stands in.
  const textOf = (element) => {
    const parts = [];
    let before = null;
    let after = '';
    for (const node of element.childNodes) {
      if (node.nodeType === Node.TEXT_NODE) {
        const keeps = getComputedStyle(element).whiteSpace.startsWith('pre');
        parts.push(after, keeps ? node.data : node.data.replace(/[ \t\r\n]+/g, ' '));
        after = '';
        if (node.data.trim()) before = null;
        continue;
      }
      if (node.nodeType !== Node.ELEMENT_NODE) continue;
      if (node.tagName === 'BR') parts.push('\n');
      if (!node.checkVisibility(HIDDEN) && getComputedStyle(node).display !== 'contents') continue;
      if (clipped(node)) continue;
      const name = nameOf(node);
      if (name !== null) {
        parts.push(after, name ? '[' + name + '] ' : '');
        after = '';
        continue;
      }
      const text = textOf(node);
      if (!text.trim()) continue;
      if (inlineLike(getComputedStyle(node).display)) {
        parts.push(after, text);
        after = '';
        continue;
      }
      const box = node.getBoundingClientRect();
      const beside = before && box.top < before.bottom && before.top < box.bottom && box.left >= before.right - 1;
      parts.push(before ? (beside ? '  ' : '\n') : parts.some((p) => p.trim()) ? '\n' : '', text.trim());
      after = '\n';
      before = box;
    }
    return parts.join('');
  };

  return textOf(document.body)
    .split('\n')
    .map((line) => line.replace(/\s+$/, '').replace(/^ +/, ''))
    .join('\n')
    .replace(/\n{2,}/g, '\n')
    .trim();
}
