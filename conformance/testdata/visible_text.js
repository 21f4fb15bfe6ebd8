() => {
  // The text of a page as a person sees it: boxes that stand under each other are lines, boxes that stand beside
  // each other are parted by two spaces, icons are their names in brackets. What is hidden, clipped away or only
  // for those who hear the page is left out. It depends on the layout, but not on where a font breaks its lines.
  const HIDDEN = { opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true };
  const EVERYTHING = { top: -Infinity, bottom: Infinity, left: -Infinity, right: Infinity };

  const isInline = (style) => style.display.startsWith('inline') || style.display === 'contents';
  const isOut = (box, clip) => box.top + 2 >= clip.bottom || box.bottom <= clip.top || box.left + 2 >= clip.right || box.right <= clip.left;
  const isOnlyHeard = (box, style) => style.position === 'absolute' && box.width <= 1 && box.height <= 1;
  const within = (clip, box) => ({
    top: Math.max(clip.top, box.top),
    bottom: Math.min(clip.bottom, box.bottom),
    left: Math.max(clip.left, box.left),
    right: Math.min(clip.right, box.right),
  });

  const iconName = (element) => {
    const icon = element.tagName.toLowerCase() === 'svg' || element.getAttribute('role') === 'img';
    return icon ? element.getAttribute('aria-label') ?? element.querySelector('title')?.textContent ?? '' : null;
  };

  // The pieces an element is made of: text, the box it stands in, and whether it has lines of its own.
  const pieces = (element, style, clip) => {
    const found = [];
    const keeps = style.whiteSpace.startsWith('pre');
    for (const node of element.childNodes) {
      if (node.nodeType === Node.TEXT_NODE) {
        const range = document.createRange();
        range.selectNodeContents(node);
        const box = range.getBoundingClientRect();
        const text = keeps ? node.data : node.data.replace(/[ \t\r\n]+/g, ' ');
        if (text.trim() && isOut(box, clip)) continue;
        found.push({ text, box, block: false });
      } else if (node.nodeType === Node.ELEMENT_NODE) {
        const own = getComputedStyle(node);
        const box = node.getBoundingClientRect();
        if (node.tagName === 'BR') found.push({ text: '\n', box, block: false });
        if (own.display === 'none' || (own.display !== 'contents' && !node.checkVisibility(HIDDEN))) continue;
        if (isOnlyHeard(box, own) || (own.display !== 'contents' && isOut(box, clip))) continue;
        const name = iconName(node);
        // What a person can scroll to is not clipped away.
        const inner = [own.overflowX, own.overflowY].some((o) => o === 'hidden' || o === 'clip') ? within(clip, box) : own.overflowY === 'visible' ? clip : EVERYTHING;
        const text = name === null ? joined(pieces(node, own, inner)) : name && '[' + name + ']';
        if (text.trim()) found.push({ text, box, block: !isInline(own), icon: name !== null });
      }
    }
    return found;
  };

  const joined = (all) => {
    // Space beside a box is layout, not text.
    const kept = all.filter((p, i) => p.text.trim() || p.text.includes('\n') || !(all[i - 1]?.block || all[i + 1]?.block));
    let text = '';
    kept.forEach((piece, i) => {
      const before = kept[i - 1];
      if (before && (before.block || piece.block)) {
        const beside = before.box.top < piece.box.bottom && piece.box.top < before.box.bottom && piece.box.left >= before.box.right - 1;
        text += beside ? (before.icon ? ' ' : '  ') : '\n';
      } else if (before?.icon && !/^\s/.test(piece.text)) text += ' ';
      // A margin parts what stands on one line.
      else if (before && piece.box.left - before.box.right > 2 && before.box.bottom > piece.box.top && !/\s$/.test(text) && !/^\s/.test(piece.text)) text += '  ';
      text += piece.block ? piece.text.trim() : piece.text;
    });
    return text;
  };

  return joined(pieces(document.body, getComputedStyle(document.body), EVERYTHING))
    .split('\n')
    .map((line) => line.replace(/\s+$/, '').replace(/^ +/, ''))
    .join('\n')
    .replace(/\n{2,}/g, '\n')
    .trim();
}
