import type { ReactNode } from 'react'
import styles from './page-heading.module.css'
import { PageLink } from './page-link'

interface PageHeadingProps {
  title: string
  /** Level of the heading. 2 on pages whose main heading is the repository's name. */
  level?: 1 | 2
  /** One-sentence introduction. */
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
  /** Steps from the top level down to the current page or its parent. */
  steps: readonly { href: string; label: string }[]
}

/** Breadcrumbs. */
export function Trail({ steps }: TrailProps): ReactNode {
  return (
    <nav aria-label="Breadcrumbs" className={styles.trail}>
      <ol className={styles.steps}>
        {steps.map(({ href, label }, index) => (
          <li key={href} className={styles.step}>
            <PageLink
              href={href}
              className={styles.link}
              aria-current={index === steps.length - 1 ? 'page' : undefined}
            >
              {label}
            </PageLink>
          </li>
        ))}
      </ol>
    </nav>
  )
}
