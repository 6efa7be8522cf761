'use client'
import type { PrefetchKind } from 'next/dist/client/components/router-reducer/router-reducer-types'
import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { type ReactNode, useEffect, useState } from 'react'
import styles from './navigation-progress.module.css'

// A page that leads back to where one is does not change the address, so nothing else tells that it came.
const longestMs = 15_000

// From here on what is shown fades, as it is about to go.
const slowMs = 500

// Whoever only passes over a link does not mean it.
const hoverMs = 65

// Without the enumeration, which would bring its module into every page.
const full = { kind: 'full' as PrefetchKind }

/**
 * Shows at once that a link was followed, on the link itself and with a line on top of the window, until its page is here.
 * The page before stays until then.
 */
export function NavigationProgress(): ReactNode {
  const address = `${usePathname()}?${useSearchParams()}`
  const [left, setLeft] = useState<{ address: string; link: HTMLAnchorElement }>()
  const isLeaving = left?.address === address
  usePrefetch()

  useEffect(() => {
    // By now the router has prevented what it does itself; every other link is the browser's, which shows that.
    const follow = (event: MouseEvent): void => {
      const link = linkAt(event)
      if (!link || !event.defaultPrevented) return
      // Not with the next rendering, which the router's own work may hold up.
      link.dataset.pending = ''
      setLeft({ address, link })
    }
    const stay = (): void => setLeft(undefined)
    window.addEventListener('click', follow)
    window.addEventListener('popstate', stay)
    return () => {
      window.removeEventListener('click', follow)
      window.removeEventListener('popstate', stay)
    }
  }, [address])

  useEffect(() => {
    if (!left || !isLeaving) return
    const { link } = left
    const main = document.getElementById('main')
    link.dataset.pending = ''
    const slow = setTimeout(() => main?.setAttribute('aria-busy', 'true'), slowMs)
    const over = setTimeout(() => setLeft(undefined), longestMs)
    return () => {
      delete link.dataset.pending
      main?.removeAttribute('aria-busy')
      clearTimeout(slow)
      clearTimeout(over)
    }
  }, [left, isLeaving])

  if (!isLeaving) return null
  return (
    <div key={left.link.href} role="progressbar" aria-label="The page is loading" className={styles.line} />
  )
}

/** The link to another page of this site that an event is about. */
function linkAt({ target }: Event): HTMLAnchorElement | undefined {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null
  if (!link || link.target || link.origin !== window.location.origin) return undefined
  return link.pathname + link.search === window.location.pathname + window.location.search ? undefined : link
}

/** Fetches the page of a link in a navigation, or of one that looks like a button, as soon as somebody is about to follow it. */
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
      // The press itself is answered first.
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
