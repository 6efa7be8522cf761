'use client'
import { useEffect, useId } from 'react'

/** Unsaved forms by ID, with the question to ask before leaving. */
const unsavedForms = new Map<string, string>()
/** URL of the page with unsaved changes. */
let address = ''
/** Position of that page in the tab's history, in browsers that report it. */
let position: number | undefined
/** Whether a history step is being reverted and its event is still to come. */
let isReturning = false

/**
 * Asks before a page with unsaved changes is closed or left through a link or the browser's Back and Forward
 * buttons.
 */
export function useUnsavedWarning(unsaved: boolean, question = 'Leave without saving your changes?'): void {
  const id = useId()
  useEffect(() => {
    if (!unsaved) return
    if (unsavedForms.size === 0) listen()
    unsavedForms.set(id, question)
    return () => forget(id)
  }, [unsaved, id, question])
}

/** Whether leaving the page now would lose something. */
export const hasUnsavedChanges = (): boolean => unsavedForms.size > 0

/** Stops asking, because everything is saved or the viewer has agreed to leave. */
export function stopAsking(): void {
  for (const id of unsavedForms.keys()) forget(id)
}

function forget(id: string): void {
  if (unsavedForms.delete(id) && unsavedForms.size === 0) endListening()
}

function listen(): void {
  address = currentAddress()
  position = positionNow()
  window.addEventListener('beforeunload', askBeforeUnload)
  // In the capture phase, because the router's own handlers would navigate without asking.
  document.addEventListener('click', askAtLink, { capture: true })
}

function endListening(): void {
  window.removeEventListener('beforeunload', askBeforeUnload)
  document.removeEventListener('click', askAtLink, { capture: true })
}

const askBeforeUnload = (event: BeforeUnloadEvent): void => event.preventDefault()

function askAtLink(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null
  const opensElsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0
  if (!link || opensElsewhere || isWithinPage(link) || confirmLeaving()) return
  event.preventDefault()
  event.stopPropagation()
}

const confirmLeaving = (): boolean => window.confirm([...new Set(unsavedForms.values())].join('\n'))

const isWithinPage = ({ hash, origin, pathname, search }: HTMLAnchorElement): boolean =>
  hash !== '' && origin === window.location.origin && pathname + search === address

// The browser has already changed the URL when this is called. If the viewer stays, the step is reverted
// before the router notices.
function askAtHistory(event: PopStateEvent): void {
  if (isReturning) {
    isReturning = false
    event.stopImmediatePropagation()
    return
  }
  if (unsavedForms.size === 0) return
  const now = positionNow()
  // The step led to another part of the same page.
  if (currentAddress() === address) {
    position = now
    return
  }
  if (confirmLeaving()) {
    stopAsking()
    return
  }
  event.stopImmediatePropagation()
  isReturning = true
  const isForward = position !== undefined && now !== undefined && now > position
  window.history.go(isForward ? -1 : 1)
}

const currentAddress = (): string => window.location.pathname + window.location.search

/** Position in the history. Without the Navigation API it is undefined, and every step counts as one back. */
const positionNow = (): number | undefined => window.navigation?.currentEntry?.index

// Runs once for every page while the code loads: window listeners are called in the order in which they were
// added, and the router adds its own during hydration. The providers of all pages import this file.
if (typeof window !== 'undefined') window.addEventListener('popstate', askAtHistory)
