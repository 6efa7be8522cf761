'use client'
import { usePathname, useSearchParams } from 'next/navigation'
import type { ReactNode } from 'react'
import styles from './cursor-pager.module.css'
import { ButtonLink } from './links'

interface CursorPagerProps {
  /** Accessible name of the navigation. */
  label: string
  /** Cursor of this page. Undefined for the first page. */
  cursor: number | undefined
  /** Cursor of the next page. Null if there is none. */
  next: number | null
}

/** Pager for a list that grows at its start, with links to older items and back to the newest. */
export function CursorPager({ label, cursor, next }: CursorPagerProps): ReactNode {
  const pathname = usePathname()
  const search = useSearchParams()
  const hrefOf = (target: number | undefined): string => {
    const params = new URLSearchParams(search)
    params.delete('cursor')
    if (target !== undefined) params.set('cursor', String(target))
    return params.size > 0 ? `${pathname}?${params}` : pathname
  }
  if (cursor === undefined && next === null) return null
  return (
    <nav aria-label={label} className={styles.pager}>
      {cursor === undefined ? null : <ButtonLink href={hrefOf(undefined)}>Newest</ButtonLink>}
      {next === null ? null : <ButtonLink href={hrefOf(next)}>Older</ButtonLink>}
    </nav>
  )
}
