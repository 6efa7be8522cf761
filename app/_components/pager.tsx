'use client'
import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { type MouseEvent, type ReactNode, useEffect, useEffectEvent } from 'react'
import { isPlainClick } from '@/app/_lib/plain-click'
import { ChevronLeftIcon, ChevronRightIcon } from './icons'
import styles from './pager.module.css'

interface PagerProps {
  /** Accessible name of the pager. */
  label: string
  page: number
  limit: number
  total: number
  /** Turns to another page on the client. Without it, the pager navigates. */
  onTurn?: (page: number) => void
  /** Called with the last page if the current one is past the end of the list. */
  onPastEnd?: (lastPage: number) => void
}

/** Pager of a list. The page number is part of the URL, so that it can be bookmarked and shared. */
export function Pager({ label, page, limit, total, onTurn, onPastEnd }: PagerProps): ReactNode {
  const router = useRouter()
  const pathname = usePathname()
  const search = useSearchParams()
  const pageCount = Math.max(1, Math.ceil(total / limit))

  const hrefOf = (target: number): string => {
    const params = new URLSearchParams(search)
    if (target > 1) params.set('page', String(target))
    else params.delete('page')
    return params.size > 0 ? `${pathname}?${params}` : pathname
  }

  const turnBack = useEffectEvent((lastPage: number) => {
    if (onPastEnd) onPastEnd(lastPage)
    else router.replace(hrefOf(lastPage))
  })
  // The last item of the last page was deleted, or the URL is outdated.
  const isPastEnd = page > pageCount
  useEffect(() => {
    if (isPastEnd) turnBack(pageCount)
  }, [isPastEnd, pageCount])

  if (pageCount === 1) return null
  const current = Math.min(page, pageCount)
  // Attributes of a link to a page.
  const to = (target: number) => ({
    href: hrefOf(target),
    className: styles.step,
    onClick: (event: MouseEvent) => {
      if (!isPlainClick(event)) return
      event.preventDefault()
      if (onTurn) onTurn(target)
      else router.push(hrefOf(target))
    },
  })
  const missing = { 'aria-hidden': true, 'aria-disabled': true, className: styles.step } as const
  return (
    <nav aria-label={label} className={styles.pager}>
      <div className={styles.steps}>
        <a rel="prev" {...(current > 1 ? { ...to(current - 1), 'aria-label': 'Previous page' } : missing)}>
          <ChevronLeftIcon />
          Previous
        </a>
        {shownPages(current, pageCount).map(shown =>
          shown < 0 ? (
            <span key={shown} className={styles.gap}>
              …
            </span>
          ) : (
            // biome-ignore lint/a11y/useAriaPropsSupportedByRole: it has an address
            <a
              key={shown}
              {...to(shown)}
              aria-label={`Page ${shown}`}
              aria-current={shown === current ? 'page' : undefined}
            >
              {shown}
            </a>
          ),
        )}
        <a
          rel="next"
          {...(current < pageCount ? { ...to(current + 1), 'aria-label': 'Next page' } : missing)}
        >
          Next
          <ChevronRightIcon />
        </a>
      </div>
    </nav>
  )
}

const around = 2

/**
 * Returns the pages to link to: the first, the last, and those around the current one. A negative number stands for
 * the pages that are left out there, and is not used for one page, which takes no more space.
 */
export function shownPages(current: number, count: number): number[] {
  // The row keeps its length while the viewer turns the pages.
  const start = Math.min(Math.max(current - around - 1, 2), Math.max(count - 2 * around - 3, 2))
  const end = Math.max(Math.min(current + around + 1, count - 1), Math.min(2 * around + 4, count - 1))
  const middle = Array.from({ length: Math.max(0, end - start + 1) }, (_, index) => start + index)
  if (start > 2) middle[0] = -1
  if (end < count - 1) middle[middle.length - 1] = -2
  return count < 2 ? [1] : [1, ...middle, count]
}
