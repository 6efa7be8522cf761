'use client'
import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { useEffect, useSyncExternalStore, useTransition } from 'react'

// The router loads the whole document anew, at an address that may be a former one, when a page that it fetches meets a change
// of the address in place or is fetched twice at once. So it is asked for one of these at a time.
type Turn = (router: ReturnType<typeof useRouter>) => void
let take: ((turn: Turn) => void) | undefined
const waiting: Turn[] = []

/** An address that the router does not show yet. */
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

/** Sees to it that the router is asked for one thing at a time. There is one on every page. */
export function NavigationQueue(): null {
  const router = useRouter()
  const [isPending, start] = useTransition()
  useEffect(() => {
    if (isPending) return
    // At first the effects that let the router listen come after this one.
    const timer = setTimeout(() => {
      take = turn => start(() => turn(router))
      takeNext()
    })
    return () => clearTimeout(timer)
  }, [isPending, router])
  return null
}

const refresh: Turn = router => router.refresh()

/** Fetches what the page shows anew. */
export function refreshPage(): void {
  if (waiting.includes(refresh)) return
  waiting.push(refresh)
  takeNext()
}

type ChangeAddress = (
  how: 'pushState' | 'replaceState',
  /** Edits what the address was last changed to. */
  edit: (search: URLSearchParams) => void,
  /** Goes with the entry of the history. */
  state?: object,
) => void

/**
 * What the address says after its path, and what changes it without asking the server for the page again. A change shows at
 * once; the address follows. After `pushState` the browser's way back leads to the address before.
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
      // It may be another page's by now.
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
