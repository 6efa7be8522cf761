import type { ReactNode } from 'react'
import styles from './label.module.css'

interface LabelProps {
  variant?: 'secondary' | 'accent' | 'success' | 'attention' | 'severe' | 'danger'
  children: ReactNode
}

/** Short framed text, such as the visibility of a repository. */
export function Label({ variant, children }: LabelProps): ReactNode {
  return (
    <span className={styles.label} data-variant={variant}>
      {children}
    </span>
  )
}
