import type { ReactNode } from 'react'
import styles from './skip-link.module.css'

export function SkipLink(): ReactNode {
  return (
    <a href="#main" className={styles.skip}>
      Skip to content
    </a>
  )
}
