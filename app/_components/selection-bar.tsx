'use client'
import type { ReactNode } from 'react'
import type { Selection } from '@/app/_lib/use-selection'
import { Button } from './primer'
import styles from './work-list.module.css'

export interface SelectionBarProps {
  selection: Pick<Selection<unknown>, 'selected' | 'isFull' | 'clear'>
  /** How many of them are on the page of the list that is shown. */
  here: number
  /** What can be done with them. */
  children: ReactNode
}

/** Tells how much of a list is chosen, and what can be done with it. */
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
    `${selected.length} chosen`,
    ...(isFull ? ['the most at once'] : []),
    ...(elsewhere > 0 ? [`${elsewhere} on other pages`] : []),
  ].join(', ')
}
