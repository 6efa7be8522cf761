/**
 * Where the keyboard goes on once the row around this element has left its list: the row that follows, the one before,
 * or the page. Somebody who has moved elsewhere meanwhile stays there.
 */
export function nextRowFocus(element: Element): () => void {
  const row = element.closest('li, tr')
  const neighbour = row?.nextElementSibling ?? row?.previousElementSibling
  return () => {
    if (document.activeElement !== document.body) return
    const next = neighbour?.isConnected ? neighbour.querySelector<HTMLElement>('a[href], button') : undefined
    const target = next ?? document.getElementById('main')
    target?.focus()
  }
}
