import NextLink from 'next/link'
import type { ReactNode } from 'react'
import styles from './page-heading.module.css'

interface PageHeadingProps {
  title: string
  /** Of the heading; 2 below one that names what the page belongs to. */
  level?: 1 | 2
  /** One sentence on what the page is for. */
  children?: ReactNode
  actions?: ReactNode
}

export function PageHeading({ title, level = 1, children, actions }: PageHeadingProps): ReactNode {
  const Title = level === 1 ? 'h1' : 'h2'
  return (
    <div className={styles.heading}>
      <div className={styles.text}>
        <Title className={styles.title}>{title}</Title>
        {children ? <p className={styles.lead}>{children}</p> : null}
      </div>
      {actions ? <div className={styles.actions}>{actions}</div> : null}
    </div>
  )
}

interface TrailProps {
  /** From the top down to the page itself, or to what it belongs to. */
  steps: readonly { href: string; label: string }[]
}

/** The way back up. */
export function Trail({ steps }: TrailProps): ReactNode {
  return (
    <nav aria-label="Breadcrumbs" className={styles.trail}>
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
