/** The focused element and its surroundings. */
interface FocusPosition {
  element: Element
  /** Path of the page. */
  page: string
  /** The other rows of its list in order of preference: the following rows, then the preceding ones. */
  rows: readonly Element[]
  /**
   * Child indexes from the content of the page to the list, and the index of the row, to find a list that was rendered
   * again.
   */
  way: readonly number[] | undefined
  at: number
  /** Number of focusable elements after it in its row, because rows have their buttons at the end. */
  fromEnd: number
  /** The elements that contain it, from the inside out. */
  around: readonly Element[]
  /** The dialog or menu that contains it, and the focus before that opened. */
  overlay: { element: Element; before: FocusPosition | undefined } | undefined
}

let isKept = false

const overlays = '[role=dialog], [role=alertdialog], [role=menu]'
const focusable =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), summary, [contenteditable], [tabindex="0"]'

/**
 * Keeps the keyboard focus on the page. If the focused element is removed or disabled, the focus moves to the
 * following row, the preceding row, the element that replaced it, or the content of the page. On another page, it
 * moves to the content.
 * @param first The focused element when the person started to use the page.
 * @param page Path of that page.
 */
export function restoreFocus(first: Element | null, page: string): void {
  if (isKept) return
  isKept = true
  let position: FocusPosition | undefined
  let isDue = false
  let movedTo: Element | null | undefined

  const remember = (target: EventTarget | null): void => {
    if (target instanceof Element && target !== document.body) position = positionOf(target, position)
  }
  const look = (): void => {
    if (isDue || !position || isUsable(position.element)) return
    isDue = true
    // By then, dialogs, forms, and new rows that want the focus have taken it.
    requestAnimationFrame(() => {
      isDue = false
      if (!position || isUsable(position.element) || document.activeElement !== document.body) return
      moveOn(position)
      movedTo = document.activeElement
    })
  }
  // If a person gives up the focus by clicking elsewhere, it is not restored later.
  const leave = (): void => {
    requestAnimationFrame(() => {
      if (position && isUsable(position.element) && document.activeElement === document.body)
        position = undefined
    })
  }
  // A key that is still held down must not activate the newly focused element.
  const holdBack = (event: KeyboardEvent): void => {
    if (event.repeat && event.target === movedTo) event.preventDefault()
    else movedTo = undefined
  }

  const observer = new MutationObserver(look)
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] })
  document.addEventListener('focusin', ({ target }) => remember(target))
  // Browsers remove the focus from a hidden element shortly after it is hidden.
  document.addEventListener('focusout', look)
  document.addEventListener('pointerdown', leave)
  document.addEventListener('keydown', holdBack)

  remember(first)
  if (document.activeElement !== first) remember(document.activeElement)
  look()
  if (page !== window.location.pathname && document.activeElement === document.body) focusContent()
}

// Checked last, because the browser may have to lay out the page.
const isUsable = (element: Element): boolean =>
  element.isConnected &&
  !element.matches(':disabled') &&
  (element === document.activeElement || isDrawn(element))

const isDrawn = (element: Element): boolean => element.getClientRects().length > 0

function positionOf(element: Element, former: FocusPosition | undefined): FocusPosition {
  const row = element.closest('li, tr')
  const rows = [...(row?.parentElement?.children ?? [])]
  const at = row ? rows.indexOf(row) : 0
  const overlay = element.closest(overlays)
  return {
    element,
    page: window.location.pathname,
    rows: [...rows.slice(at + 1), ...rows.slice(0, at).reverse()],
    way: row?.parentElement ? wayTo(row.parentElement) : undefined,
    at,
    fromEnd: row
      ? all(row)
          .toReversed()
          .indexOf(element as HTMLElement)
      : 0,
    around: around(element, overlay),
    overlay: overlay ? { element: overlay, before: positionBefore(overlay, former) } : undefined,
  }
}

/** Returns the focus before this overlay, or one on top of it, opened. */
function positionBefore(overlay: Element, former: FocusPosition | undefined): FocusPosition | undefined {
  for (let position = former; position?.overlay; position = position.overlay.before) {
    if (position.overlay.element === overlay) return position.overlay.before
  }
  return former
}

/** Returns the ancestors of an element, from the inside out, up to its overlay or the content of the page. */
function around(element: Element, overlay: Element | null): Element[] {
  const parent = element.parentElement
  if (!parent || parent.id === 'main' || parent === document.body) return []
  return parent === overlay ? [parent] : [parent, ...around(parent, overlay)]
}

/** Returns the child indexes that lead from the content of the page to an element. */
function wayTo(element: Element): number[] | undefined {
  const parent = element.parentElement
  if (element.id === 'main') return []
  const before = parent ? wayTo(parent) : undefined
  return parent && before ? [...before, [...parent.children].indexOf(element)] : undefined
}

/** Returns the rows of a list that replaced the one that contained the focus, starting at the same index. */
function rowsInstead({ way, at }: FocusPosition): Element[] {
  let list: Element | null | undefined = document.getElementById('main')
  for (const index of way ?? []) list = list?.children[index]
  const rows = way && list ? [...list.children].filter(child => child.matches('li, tr')) : []
  return [...rows.slice(at), ...rows.slice(0, at).reverse()]
}

function moveOn(position: FocusPosition): void {
  const { rows, fromEnd, around, overlay } = position
  if (position.page !== window.location.pathname) {
    focusContent()
    return
  }
  const inRow = (row: Element): HTMLElement | undefined => all(row).at(-1 - fromEnd) ?? all(row)[0]
  const next =
    first(rows, inRow) ??
    first(rowsInstead(position), inRow) ??
    first(around, part => all(part).find(isHarmless))
  const before = overlay?.before
  if (next) next.focus()
  else if (before && isUsable(before.element)) (before.element as HTMLElement).focus()
  else if (before) moveOn(before)
  else focusContent()
}

const focusContent = (): void => document.getElementById('main')?.focus({ preventScroll: true })

const all = (part: Element): HTMLElement[] =>
  [...part.querySelectorAll<HTMLElement>(focusable)].filter(isDrawn)

// Pressing Enter again must neither delete something nor leave the page.
const isHarmless = (element: Element): boolean => !element.matches('[data-variant=danger], nav *')

/** Returns the focusable element of the first part that is still on the page and has one. */
function first(
  parts: readonly Element[],
  pick: (part: Element) => HTMLElement | undefined,
): HTMLElement | undefined {
  for (const part of parts) {
    const found = part.isConnected ? pick(part) : undefined
    if (found) return found
  }
  return undefined
}
