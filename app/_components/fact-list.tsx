import type { ReactNode } from 'react'
import styles from './fact-list.module.css'

/** A bordered grid of facts. */
export function FactList({ children }: { children: ReactNode }): ReactNode {
  return <dl className={styles.list}>{children}</dl>
}

interface FactProps {
  term: string
  /** Tooltip, for example with the unrounded number. */
  title?: string
  /** Whether the fact spans the whole row. */
  wide?: boolean
  children: ReactNode
}

export function Fact({ term, title, wide = false, children }: FactProps): ReactNode {
  return (
    <div className={wide ? styles.wide : undefined}>
      <dt>{term}</dt>
      <dd title={title}>{children}</dd>
    </div>
  )
}
