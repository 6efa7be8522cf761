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
      <div className={styles.row}>
        <Title className={styles.title}>{title}</Title>
        {actions ? <div className={styles.actions}>{actions}</div> : null}
      </div>
      {children ? <p className={styles.lead}>{children}</p> : null}
    </div>
  )
}
