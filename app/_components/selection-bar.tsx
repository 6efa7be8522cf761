'use client'
import type { ReactNode } from 'react'
import type { Selection } from '@/app/_lib/use-selection'
import { Button } from './primer'
import styles from './work-list.module.css'

export interface SelectionBarProps {
  selection: Pick<Selection<unknown>, 'selected' | 'isFull' | 'clear'>
  /** Number of selected rows on the current page. */
  here: number
  /** Actions for the selected rows. */
  children: ReactNode
}

/** Shows how many rows of a list are selected, with the actions for them. */
export function SelectionBar({ selection, here, children }: SelectionBarProps): ReactNode {
  return (
    <fieldset className={styles.selected} aria-label="Actions for the selected rows">
      <span>{textOf(selection, here)}</span>
      {children}
      <Button size="small" variant="invisible" onClick={selection.clear}>
        Clear
      </Button>
    </fieldset>
  )
}

function textOf({ selected, isFull }: SelectionBarProps['selection'], here: number): string {
  const elsewhere = selected.length - here
  return [
    `${selected.length} selected`,
    ...(isFull ? ['the maximum'] : []),
    ...(elsewhere > 0 ? [`${elsewhere} on other pages`] : []),
  ].join(', ')
}
