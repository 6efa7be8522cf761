'use client'
import { type ReactNode, useEffect, useRef } from 'react'
import type { Icon } from '@/app/_components/icons'
import { PageLink } from './page-link'
import styles from './tabs.module.css'

export interface Tab {
  href: string
  label: string
  Icon: Icon
  current: boolean
  /** A number, or text if the exact number is unknown. */
  count?: number | string | undefined
}

/** Tabs that link to the pages of a repository, team, or similar. The row scrolls if it is too long. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }): ReactNode {
  const list = useRef<HTMLUListElement>(null)
  const here = tabs.find(({ current }) => current)?.href
  useEffect(() => {
    const tab = here === undefined ? null : list.current?.querySelector('[aria-current]')?.parentElement
    if (!tab || !list.current) return
    const { offsetLeft, clientWidth } = list.current
    list.current.scrollLeft = tab.offsetLeft - offsetLeft - (clientWidth - tab.clientWidth) / 2
  }, [here])
  return (
    <nav aria-label={label} className={styles.tabs}>
      <ul ref={list} className={styles.list}>
        {tabs.map(({ href, label, Icon: Visual, current, count }) => (
          <li key={href} className={styles.tab}>
            <PageLink href={href} className={styles.link} aria-current={current ? 'page' : undefined}>
              <span className={styles.visual}>
                <Visual />
              </span>
              <span className={styles.label} data-label={label}>
                {label}
              </span>
              {count === undefined ? null : (
                <span className={styles.count}>{count.toLocaleString('en-US')}</span>
              )}
            </PageLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}
