import NextLink from 'next/link'
import type { ReactNode } from 'react'
import styles from './trail.module.css'

interface TrailProps {
  /** From the top down to the page itself, or to what it belongs to. */
  steps: readonly { href: string; label: string }[]
}

/** The way back up. */
export function Trail({ steps }: TrailProps): ReactNode {
  return (
    <nav aria-label="Breadcrumbs">
      <ol className={styles.steps}>
        {steps.map(({ href, label }, index) => (
          <li key={href} className={styles.step}>
            <NextLink
              href={href}
              prefetch={false}
              className={styles.link}
              aria-current={index === steps.length - 1 ? 'page' : undefined}
            >
              {label}
            </NextLink>
          </li>
        ))}
      </ol>
    </nav>
  )
}
