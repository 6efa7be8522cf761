import type { ReactNode } from 'react'
import styles from './fact-list.module.css'

/** A bordered grid of facts about one thing. */
export function FactList({ children }: { children: ReactNode }): ReactNode {
  return <dl className={styles.list}>{children}</dl>
}

interface FactProps {
  term: string
  /** What the pointer shows, such as the exact number. */
  title?: string
  /** Gives it a row of its own. */
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
