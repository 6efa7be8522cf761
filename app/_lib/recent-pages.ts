import { renderedFor } from './viewer'

const kinds = ['repository', 'organization', 'team', 'person', 'settings'] as const

/** A page that can be gone to. */
export interface RecentPage {
  kind: (typeof kinds)[number]
  text: string
  href: string
}

const prefix = 'guildhall.places.'
const most = 8

/** Milliseconds in which a page comes, or does not. */
const longestWait = 15_000

/** The pages where the viewer was last, newest first; none where the browser keeps nothing. */
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

/** Forgets a page that is being opened if its page, once it comes, says that there is nothing. */
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
    // Full, or closed to pages: nothing depends on it.
  }
}

/** Forgets where others were who used this browser and are not signed in anymore. */
export function forgetOthers(): void {
  try {
    const others = Object.keys(localStorage).filter(
      key => key.startsWith(prefix) && key !== prefix + renderedFor(),
    )
    for (const key of others) localStorage.removeItem(key)
  } catch {
    // Closed to pages, so nothing was kept either.
  }
}

// Whatever else writes there, it leads to nothing but pages of this site.
function isPage(kept: unknown): kept is RecentPage {
  if (typeof kept !== 'object' || kept === null) return false
  const { kind, text, href } = kept as Record<string, unknown>
  const isKnown = kinds.some(known => known === kind) && typeof text === 'string'
  return isKnown && typeof href === 'string' && /^\/(?![/\\])/.test(href)
}
