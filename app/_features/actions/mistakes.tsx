import type { ReactNode } from 'react'
import { visibleLine } from '@/app/_lib/visible-text'
import styles from './actions.module.css'

/** List of what is wrong with a workflow, each with its line and column. */
export function Mistakes({ mistakes }: { mistakes: readonly string[] }): ReactNode {
  return (
    <ul className={styles.mistakes}>
      {mistakes.map(mistake => (
        <li key={mistake} dir="auto">
          {visibleLine(mistake)}
        </li>
      ))}
    </ul>
  )
}
