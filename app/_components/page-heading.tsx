import type { ReactNode } from 'react'
import styles from './page-heading.module.css'

interface PageHeadingProps {
  title: string
  /** One sentence on what the page is for. */
  children?: ReactNode
  actions?: ReactNode
}

export function PageHeading({ title, children, actions }: PageHeadingProps): ReactNode {
  return (
    <div className={styles.heading}>
      <div className={styles.row}>
        <h1 className={styles.title}>{title}</h1>
        {actions ? <div className={styles.actions}>{actions}</div> : null}
      </div>
      {children ? <p className={styles.lead}>{children}</p> : null}
    </div>
  )
}
