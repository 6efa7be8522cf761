/** Where the keyboard is, and what is near it. */
interface Place {
  element: Element
  /** What is around it and near it, best first: the rows of its list that follow, those before, what they are all in. */
  near: readonly Element[]
  /** The dialog or menu that it is in, and where the keyboard was before that opened. */
  overlay: { element: Element; before: Place | undefined } | undefined
}

const overlays = '[role=dialog], [role=alertdialog], [role=menu]'
const focusable =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), [tabindex="0"]'

/**
 * Keeps the keyboard on the page: when what it is in goes, whoever removed it, it goes on to the row that follows, to the
 * one before, to what has taken its place, or else to the content of the page. Returns how to stop.
 */
export function keepFocus(): () => void {
  let place: Place | undefined
  let isDue = false

  const remember = ({ target }: FocusEvent): void => {
    if (target instanceof Element) place = placeOf(target, place)
  }
  const look = (): void => {
    if (isDue || !place || isUsable(place.element)) return
    isDue = true
    // Dialogs, forms and new rows that want the keyboard for themselves have taken it by then.
    requestAnimationFrame(() => {
      isDue = false
      if (place && !isUsable(place.element) && document.activeElement === document.body) moveOn(place)
    })
  }
  // Somebody who leaves it for nothing else, by a click beside it, is not to be brought back later.
  const leave = ({ target }: FocusEvent): void => {
    requestAnimationFrame(() => {
      const isLeft = place?.element === target && isUsable(place.element)
      if (isLeft && document.activeElement === document.body) place = undefined
    })
  }

  const observer = new MutationObserver(look)
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] })
  document.addEventListener('focusin', remember)
  document.addEventListener('focusout', leave)
  return () => {
    observer.disconnect()
    document.removeEventListener('focusin', remember)
    document.removeEventListener('focusout', leave)
  }
}

const isUsable = (element: Element): boolean => element.isConnected && !element.matches(':disabled')

function placeOf(element: Element, former: Place | undefined): Place {
  const row = element.closest('li, tr')
  const rows = [...(row?.parentElement?.children ?? [])]
  const at = row ? rows.indexOf(row) : 0
  const overlay = element.closest(overlays)
  const before = overlay && overlay === former?.overlay?.element ? former.overlay.before : former
  return {
    element,
    near: [...rows.slice(at + 1), ...rows.slice(0, at).reverse(), ...around(element, overlay)],
    overlay: overlay ? { element: overlay, before } : undefined,
  }
}

/** What an element is in, from the inside out, up to the overlay or the content of the page that it is part of. */
function around(element: Element, overlay: Element | null): Element[] {
  const parent = element.parentElement
  if (!parent || parent.id === 'main' || parent === document.body) return []
  return parent === overlay ? [parent] : [parent, ...around(parent, overlay)]
}

function moveOn({ near, overlay }: Place): void {
  const there = near.filter(({ isConnected }) => isConnected)
  const next = there
    .map(element => element.querySelector<HTMLElement>(focusable))
    .find(found => found !== null)
  const before = overlay?.before
  if (next) next.focus()
  else if (before && isUsable(before.element)) (before.element as HTMLElement).focus()
  else if (before) moveOn(before)
  else document.getElementById('main')?.focus({ preventScroll: true })
}
