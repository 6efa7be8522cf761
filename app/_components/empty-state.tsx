import type { ReactNode } from 'react'
import type { Icon } from '@/app/_components/icons'
import styles from './empty-state.module.css'

interface EmptyStateProps {
  icon: Icon
  title: string
  children?: ReactNode
  action?: ReactNode
}

/** Empty state of a list or page: a title, a sentence, and an action. */
export function EmptyState({ icon: Visual, title, children, action }: EmptyStateProps): ReactNode {
  return (
    <div className={styles.empty}>
      <span className={styles.visual}>
        <Visual size={24} />
      </span>
      <h2 className={styles.title}>{title}</h2>
      {children ? <div className={styles.text}>{children}</div> : null}
      {action}
    </div>
  )
}
