'use client'
import { useEffect } from 'react'

/** Asks before a page with unsaved changes is closed or left through a link. */
export function useUnsavedWarning(unsaved: boolean): void {
  useEffect(() => {
    if (!unsaved) return
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    // Before the router's own handler, which would go on without asking.
    document.addEventListener('click', askAtLink, { capture: true })
    return () => {
      window.removeEventListener('beforeunload', ask)
      document.removeEventListener('click', askAtLink, { capture: true })
    }
  }, [unsaved])
}

function askAtLink(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a[href]') : null
  const opensElsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0
  if (!link || opensElsewhere || window.confirm('Leave without saving your changes?')) return
  event.preventDefault()
  event.stopPropagation()
}
