import type { ReactNode } from 'react'
import styles from './choice-group.module.css'

/** Choices that belong together under one heading. */
export function ChoiceGroup({ legend, children }: { legend: string; children: ReactNode }): ReactNode {
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>{legend}</legend>
      {children}
    </fieldset>
  )
}
