'use client'
import { useEffect, useId } from 'react'

/** What would be lost if the page were left now, with the question to ask first. */
const unsavedForms = new Map<string, string>()
/** The page that would be left. */
let address = ''
/** Where it stands in the history of the tab, in browsers that tell. */
let position: number | undefined
/** A step in the history is being taken back: its event is still to come. */
let isReturning = false

/**
 * Asks before a page with unsaved changes is closed, or left through a link or the browser's buttons for back and
 * forward.
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

/** Whether something would be lost if the page were left now. */
export const hasUnsavedChanges = (): boolean => unsavedForms.size > 0

/** Leaves without asking from now on: everything is saved, or the person has said that it need not be. */
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
  // Before the router's own handlers, which would go on without asking.
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

// The browser has gone already when this is called; who stays is brought back before the router has noticed.
function askAtHistory(event: PopStateEvent): void {
  if (isReturning) {
    isReturning = false
    event.stopImmediatePropagation()
    return
  }
  if (unsavedForms.size === 0) return
  const now = positionNow()
  // Another part of the same page.
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

/** Browsers without the Navigation API do not tell; there, every step counts as one back. */
const positionNow = (): number | undefined => window.navigation?.currentEntry?.index

// Once for every page, while the code loads: what listens on the window is called in the order it was added, and the
// router adds its own listener when the page comes to life. The providers of all pages import this file.
if (typeof window !== 'undefined') window.addEventListener('popstate', askAtHistory)
