/** Where the keyboard is, and what is near it. */
interface FocusPosition {
  element: Element
  /** The path of the page that it is on. */
  page: string
  /** The other rows of its list, best first: those that follow, then those before. */
  rows: readonly Element[]
  /** The way from the content of the page to its list, and its row there, to find what has taken their places. */
  way: readonly number[] | undefined
  at: number
  /** How many of what can have the keyboard come after it in its row, where rows have what can be done at the end. */
  fromEnd: number
  /** What its list is in, from the inside out. */
  around: readonly Element[]
  /** The dialog or menu that it is in, and where the keyboard was before that opened. */
  overlay: { element: Element; before: FocusPosition | undefined } | undefined
}

let isKept = false

const overlays = '[role=dialog], [role=alertdialog], [role=menu]'
const focusable =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), summary, [contenteditable], [tabindex="0"]'

/**
 * Keeps the keyboard on the page: when what it is in goes, whoever removed it, it goes on to the row that follows, to the
 * one before, to what has taken its place, or else to the content of the page. On another page it begins at the content.
 * Takes what had the keyboard when the person began to use the page, and the path of that page.
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
    // Dialogs, forms and new rows that want the keyboard for themselves have taken it by then.
    requestAnimationFrame(() => {
      isDue = false
      if (!position || isUsable(position.element) || document.activeElement !== document.body) return
      moveOn(position)
      movedTo = document.activeElement
    })
  }
  // Somebody who leaves it for nothing else, by a click beside it, is not to be brought back later.
  const leave = (): void => {
    requestAnimationFrame(() => {
      if (position && isUsable(position.element) && document.activeElement === document.body)
        position = undefined
    })
  }
  // A key that is still held down must not press what the keyboard went on to.
  const holdBack = (event: KeyboardEvent): void => {
    if (event.repeat && event.target === movedTo) event.preventDefault()
    else movedTo = undefined
  }

  const observer = new MutationObserver(look)
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] })
  document.addEventListener('focusin', ({ target }) => remember(target))
  // The browser takes it out of what is hidden, a moment after that.
  document.addEventListener('focusout', look)
  document.addEventListener('pointerdown', leave)
  document.addEventListener('keydown', holdBack)

  remember(first)
  if (document.activeElement !== first) remember(document.activeElement)
  look()
  if (page !== window.location.pathname && document.activeElement === document.body) focusContent()
}

// Whether it is drawn is asked last, as the browser may have to lay out the page to tell.
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

/** Where the keyboard was before this overlay opened, or another one on top of it. */
function positionBefore(overlay: Element, former: FocusPosition | undefined): FocusPosition | undefined {
  for (let position = former; position?.overlay; position = position.overlay.before) {
    if (position.overlay.element === overlay) return position.overlay.before
  }
  return former
}

/** What an element is in, from the inside out, up to the overlay or the content of the page that it is part of. */
function around(element: Element, overlay: Element | null): Element[] {
  const parent = element.parentElement
  if (!parent || parent.id === 'main' || parent === document.body) return []
  return parent === overlay ? [parent] : [parent, ...around(parent, overlay)]
}

/** By which child each part of the content of the page leads to this one. */
function wayTo(element: Element): number[] | undefined {
  const parent = element.parentElement
  if (element.id === 'main') return []
  const before = parent ? wayTo(parent) : undefined
  return parent && before ? [...before, [...parent.children].indexOf(element)] : undefined
}

/** The rows of the list that has taken the place of one that was drawn anew, from the one at the same place on. */
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

// Enter pressed once more must neither destroy something else nor leave the page.
const isHarmless = (element: Element): boolean => !element.matches('[data-variant=danger], nav *')

/** What can have the keyboard in the first part that is still on the page and has such. */
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
