'use client'
import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { lazy, type ReactNode, Suspense, useEffect, useEffectEvent } from 'react'

// Loaded on demand, because most lists have a single page.
const Pagination = lazy(async () => ({ default: (await import('./pagination')).Pagination }))

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
  return (
    <Suspense>
      <Pagination
        aria-label={label}
        pageCount={pageCount}
        currentPage={Math.min(page, pageCount)}
        hrefBuilder={hrefOf}
        showPages={{ narrow: false }}
        onPageChange={(event, target) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return
          event.preventDefault()
          if (onTurn) onTurn(target)
          else router.push(hrefOf(target))
        }}
      />
    </Suspense>
  )
}
