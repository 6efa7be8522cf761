'use client'
import type { PrefetchKind } from 'next/dist/client/components/router-reducer/router-reducer-types'
import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react'
import { isPlainClick } from '@/app/_lib/plain-click'
import styles from './navigation-progress.module.css'

// A page that redirects back to the current one does not change the URL, so nothing else indicates that it
// has loaded.
const longestMs = 15_000

// After this time, the old page fades, because it is about to be replaced.
const slowMs = 500

// The pointer often merely passes over a link for less than this time.
const hoverMs = 65

// Importing the enum would bring its module into every page.
const full = { kind: 'full' as PrefetchKind }

/**
 * Marks a followed link, and shows a line at the top of the window, until the new page is shown. The old page
 * remains visible until then.
 */
export function NavigationProgress(): ReactNode {
  const address = `${usePathname()}?${useSearchParams()}`
  const [left, setLeft] = useState<{ address: string; link: HTMLAnchorElement }>()
  const isLeaving = left?.address === address
  const isOnline = useSyncExternalStore(onNetworkChange, readOnline, () => true)
  usePageLinks()
  usePrefetch()

  useEffect(() => {
    // At this point, the default action of links that the router follows is prevented. For all others, the
    // browser shows the progress.
    const follow = (event: MouseEvent): void => {
      const link = linkAt(event)
      if (!link || !event.defaultPrevented) return
      // Set directly, because the router's own work may delay the next rendering.
      link.dataset.pending = ''
      setLeft({ address, link })
    }
    window.addEventListener('click', follow)
    return () => {
      window.removeEventListener('click', follow)
      setLeft(undefined)
    }
  }, [address])

  useEffect(() => {
    const stay = (): void => setLeft(undefined)
    window.addEventListener('popstate', stay)
    return () => window.removeEventListener('popstate', stay)
  }, [])

  useEffect(() => {
    if (!left || !isLeaving) return
    const { link } = left
    const main = document.getElementById('main')
    link.dataset.pending = ''
    const slow = setTimeout(() => main?.setAttribute('aria-busy', 'true'), slowMs)
    // The router repeats the request when the network is back, however long that takes.
    const over = isOnline ? setTimeout(() => setLeft(undefined), longestMs) : undefined
    return () => {
      delete link.dataset.pending
      main?.removeAttribute('aria-busy')
      clearTimeout(slow)
      clearTimeout(over)
    }
  }, [left, isLeaving, isOnline])

  if (!isLeaving) return null
  return (
    <>
      <div key={left.link.href} role="progressbar" aria-label="Loading page" className={styles.line} />
      {isOnline ? null : (
        <p role="alert" className={styles.offline}>
          You are offline. The page opens when you are back online.
        </p>
      )}
    </>
  )
}

const readOnline = (): boolean => navigator.onLine

function onNetworkChange(changed: () => void): () => void {
  for (const type of ['online', 'offline']) window.addEventListener(type, changed)
  return () => {
    for (const type of ['online', 'offline']) window.removeEventListener(type, changed)
  }
}

/** Returns the link that the event's target is part of, if it leads to another page of this site. */
function linkAt({ target }: Event): HTMLAnchorElement | undefined {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null
  if (!link || link.target || link.origin !== window.location.origin) return undefined
  return link.pathname + link.search === window.location.pathname + window.location.search ? undefined : link
}

/** Lets the router follow each `PageLink`. */
function usePageLinks(): void {
  const router = useRouter()
  useEffect(() => {
    const follow = (event: MouseEvent): void => {
      const link = event.target instanceof Element ? event.target.closest('a[data-page]') : null
      const href = link?.getAttribute('href')
      if (!href || event.defaultPrevented || !isPlainClick(event)) return
      event.preventDefault()
      router.push(href)
    }
    document.addEventListener('click', follow)
    return () => document.removeEventListener('click', follow)
  }, [router])
}

/**
 * Prefetches the page of a navigation link or of a link that looks like a button when the viewer is about to
 * follow it.
 */
function usePrefetch(): void {
  const router = useRouter()
  useEffect(() => {
    let timer: NodeJS.Timeout | undefined
    const fetchPage = (event: Event): void => {
      const link = linkAt(event)
      if (link?.closest('nav, [data-ahead]')) router.prefetch(link.pathname + link.search, full)
    }
    const cancel = (): void => clearTimeout(timer)
    const fetchAfter = (event: Event): void => {
      cancel()
      // The press itself must be handled first.
      timer = setTimeout(fetchPage, event.type === 'pointerdown' ? 0 : hoverMs, event)
    }
    document.addEventListener('pointerover', fetchAfter)
    document.addEventListener('pointerdown', fetchAfter)
    document.addEventListener('click', cancel)
    return () => {
      cancel()
      document.removeEventListener('pointerover', fetchAfter)
      document.removeEventListener('pointerdown', fetchAfter)
      document.removeEventListener('click', cancel)
    }
  }, [router])
}
