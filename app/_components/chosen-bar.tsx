'use client'
import type { ReactNode } from 'react'
import type { Selection } from '@/app/_lib/use-selection'
import { Button } from './primer'
import styles from './work-list.module.css'

export interface ChosenBarProps {
  selection: Pick<Selection<unknown>, 'chosen' | 'isFull' | 'clear'>
  /** How many of them are on the page of the list that is shown. */
  here: number
  /** What can be done with them. */
  children: ReactNode
}

/** Tells how much of a list is chosen, and what can be done with it. */
export function ChosenBar({ selection, here, children }: ChosenBarProps): ReactNode {
  return (
    <fieldset className={styles.chosen} aria-label="Actions for the selected rows">
      <span>{textOf(selection, here)}</span>
      {children}
      <Button size="small" variant="invisible" onClick={selection.clear}>
        Clear
      </Button>
    </fieldset>
  )
}

function textOf({ chosen, isFull }: ChosenBarProps['selection'], here: number): string {
  const elsewhere = chosen.length - here
  return [
    `${chosen.length} chosen`,
    ...(isFull ? ['the most at once'] : []),
    ...(elsewhere > 0 ? [`${elsewhere} on other pages`] : []),
  ].join(', ')
}
