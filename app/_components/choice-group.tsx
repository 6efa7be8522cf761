import type { ReactNode } from 'react'
import styles from './form.module.css'

interface ChoiceGroupProps {
  legend: string
  /** The id of what is wrong with the choice, if anything is. */
  describedBy?: string | undefined
  children: ReactNode
}

/** Choices that belong together under one heading. */
export function ChoiceGroup({ legend, describedBy, children }: ChoiceGroupProps): ReactNode {
  return (
    <fieldset className={styles.group} aria-describedby={describedBy}>
      <legend className={styles.legend}>{legend}</legend>
      {children}
    </fieldset>
  )
}
