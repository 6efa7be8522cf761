'use client'
import { usePathname, useSearchParams } from 'next/navigation'
import { type ReactNode, useEffect, useState } from 'react'
import styles from './navigation-progress.module.css'

// A page that leads back to where one is does not change the address, so nothing else tells that it came.
const longestMs = 15_000

/** A line on top of the window from the moment a link is followed until its page is here, unless that is at once. */
export function NavigationProgress(): ReactNode {
  const address = `${usePathname()}?${useSearchParams()}`
  const [left, setLeft] = useState<{ address: string; href: string }>()

  useEffect(() => {
    // By now the router has prevented what it does itself; every other link is the browser's, which shows that.
    const follow = (event: MouseEvent): void => {
      const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null
      if (!link || !event.defaultPrevented) return
      const { origin, pathname, search, href } = link
      const here = window.location
      if (origin === here.origin && pathname + search !== here.pathname + here.search) {
        setLeft({ address, href })
      }
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
    if (!left) return
    const over = setTimeout(() => setLeft(undefined), longestMs)
    return () => clearTimeout(over)
  }, [left])

  if (left?.address !== address) return null
  return <div key={left.href} role="progressbar" aria-label="The page is loading" className={styles.line} />
}
