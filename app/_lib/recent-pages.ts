import { renderedFor } from './viewer'

const kinds = ['repository', 'organization', 'team', 'person', 'settings'] as const

/** A page that the viewer can return to. */
export interface RecentPage {
  kind: (typeof kinds)[number]
  text: string
  href: string
}

const prefix = 'guildhall.places.'
const most = 8

/** Maximum time in milliseconds to wait for a page to load. */
const longestWait = 15_000

/** Returns the pages that the viewer last visited, newest first. Empty if the browser stores nothing. */
export function recentPages(): RecentPage[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(prefix + renderedFor()) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isPage) : []
  } catch {
    return []
  }
}

export function rememberPage({ kind, text, href }: RecentPage): void {
  storePages([{ kind, text, href }, ...recentPages().filter(page => page.href !== href)].slice(0, most))
}

/** Forgets a page that is being opened if it turns out that the page no longer exists. */
export function forgetIfDeleted(href: string): void {
  const observer = new MutationObserver(() => {
    if (window.location.pathname !== href || !document.querySelector('[data-gone]')) return
    storePages(recentPages().filter(page => page.href !== href))
  })
  observer.observe(document.body, { childList: true, subtree: true })
  setTimeout(() => observer.disconnect(), longestWait)
}

function storePages(pages: readonly RecentPage[]): void {
  try {
    localStorage.setItem(prefix + renderedFor(), JSON.stringify(pages))
  } catch {
    // The storage is full or unavailable. Nothing depends on it.
  }
}

/** Removes the recent pages of people who used this browser and are no longer signed in. */
export function forgetOthers(): void {
  try {
    const others = Object.keys(localStorage).filter(
      key => key.startsWith(prefix) && key !== prefix + renderedFor(),
    )
    for (const key of others) localStorage.removeItem(key)
  } catch {
    // The storage is unavailable, so nothing was stored either.
  }
}

// Whatever else writes to the storage, entries can only link to pages of this site.
function isPage(kept: unknown): kept is RecentPage {
  if (typeof kept !== 'object' || kept === null) return false
  const { kind, text, href } = kept as Record<string, unknown>
  const isKnown = kinds.some(known => known === kind) && typeof text === 'string'
  return isKnown && typeof href === 'string' && /^\/(?![/\\])/.test(href)
}
