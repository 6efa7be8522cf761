'use client'
import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { useEffect, useSyncExternalStore, useTransition } from 'react'

// If a page is being fetched while the URL is changed in place or the page is refreshed again, the router
// reloads the document, possibly at a former URL. So the router does one of these at a time.
type Turn = (router: ReturnType<typeof useRouter>) => void
let take: ((turn: Turn) => void) | undefined
const waiting: Turn[] = []

/** The requested URL, until the router shows it. */
let asked: { pathname: string; search: URLSearchParams } | undefined
const listeners = new Set<() => void>()

function ask(address: typeof asked): void {
  asked = address
  for (const listener of listeners) listener()
}

function takeNext(): void {
  const begin = take
  if (!begin) return
  const turn = waiting.shift()
  if (turn) {
    take = undefined
    begin(turn)
  } else if (asked) ask(undefined)
}

/** Makes the router do one thing at a time. Every page renders it once. */
export function NavigationQueue(): null {
  const router = useRouter()
  const [isPending, start] = useTransition()
  useEffect(() => {
    if (isPending) return
    // At first, the effects that let the router listen run after this one.
    const timer = setTimeout(() => {
      take = turn => start(() => turn(router))
      takeNext()
    })
    return () => clearTimeout(timer)
  }, [isPending, router])
  return null
}

const refresh: Turn = router => router.refresh()

/** Fetches the route of the page again. */
export function refreshPage(): void {
  if (waiting.includes(refresh)) return
  waiting.push(refresh)
  takeNext()
}

type ChangeAddress = (
  how: 'pushState' | 'replaceState',
  /** Edits the last requested query parameters. */
  edit: (search: URLSearchParams) => void,
  /** State of the new entry in the browser's history. */
  state?: object,
) => void

/**
 * Returns the query parameters of the URL, and a function that changes them without fetching the page. The
 * returned parameters change immediately, and the URL follows. After `pushState`, the browser's Back button
 * returns to the previous URL.
 */
export function useAddress(): [search: URLSearchParams, change: ChangeAddress] {
  const pathname = usePathname()
  const shown = useSearchParams()
  const address = useSyncExternalStore(
    listen,
    () => asked,
    () => undefined,
  )
  const change: ChangeAddress = (how, edit, state) => {
    const { location, history } = window
    const search = new URLSearchParams(asked?.pathname === pathname ? asked.search : location.search)
    edit(search)
    waiting.push(() => {
      // The person may have left the page.
      if (location.pathname !== pathname) return
      history[how](state, '', search.size > 0 ? `${pathname}?${search}` : pathname)
    })
    ask({ pathname, search })
    takeNext()
  }
  return [address?.pathname === pathname ? address.search : shown, change]
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
