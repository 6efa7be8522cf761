'use client'
import { CheckIcon } from '@primer/octicons-react'
import type { ReactNode } from 'react'
import { Radio } from '@/app/_components/primer'
import type { Choice } from './permission-draft'
import { modeLabels } from './unit-labels'
import styles from './unit-matrix.module.css'

interface UnitCellProps {
  group: string
  name: string
  mode: Choice
  isChosen: boolean
  isPossible: boolean
  onChoose: ((mode: Choice) => void) | undefined
}

/** One choice: to be made, only shown, or not there to be made. */
export function UnitCell({ group, name, mode, isChosen, isPossible, onChoose }: UnitCellProps): ReactNode {
  if (!isPossible) {
    return (
      <span className={styles.impossible}>
        <span aria-hidden>–</span>
        <span className="visually-hidden">Not possible</span>
      </span>
    )
  }
  if (!onChoose) {
    return <span className={styles.shown}>{isChosen ? <CheckIcon aria-label="Yes" /> : null}</span>
  }
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the kit's radio button is the control
    <label className={styles.hit}>
      <span className="visually-hidden">{`${name}: ${modeLabels[mode].toLowerCase()}`}</span>
      <Radio name={group} value={mode} checked={isChosen} onChange={() => onChoose(mode)} />
    </label>
  )
}
