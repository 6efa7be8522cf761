'use client'
import type { Icon } from '@primer/octicons-react'
import NextLink from 'next/link'
import type { ReactNode } from 'react'
import styles from './tabs.module.css'

export interface Tab {
  href: string
  label: string
  Icon: Icon
  current: boolean
  /** A number, or words for one that is not known exactly. */
  count?: number | string | undefined
}

/** The parts of one thing, each a page; where they do not fit a line, they take another. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }): ReactNode {
  return (
    <nav aria-label={label} className={styles.tabs}>
      <ul className={styles.list}>
        {tabs.map(({ href, label, Icon: Visual, current, count }) => (
          <li key={href} className={styles.tab}>
            <NextLink
              href={href}
              prefetch={false}
              className={styles.link}
              aria-current={current ? 'page' : undefined}
            >
              <span className={styles.visual}>
                <Visual />
              </span>
              <span className={styles.label} data-label={label}>
                {label}
              </span>
              {count === undefined ? null : (
                <span className={styles.count}>{count.toLocaleString('en-US')}</span>
              )}
            </NextLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}
