'use client'
import { type ReactNode, useId } from 'react'
import { units } from '@/server/access/units'
import { choices, type PermissionDraft, sharedChoice, withAll, withUnit } from './permission-draft'
import { modeLabels } from './unit-labels'
import styles from './unit-matrix.module.css'
import { UnitRow } from './unit-row'

interface UnitMatrixProps {
  draft: PermissionDraft
  /** What is saved, to mark what differs; nothing is marked without. */
  saved?: PermissionDraft
  /** Left out where the matrix is only shown. */
  onChange?: (draft: PermissionDraft) => void
}

/** One row for each part of a repository, one choice in each row. */
export function UnitMatrix({ draft, saved, onChange }: UnitMatrixProps): ReactNode {
  const id = useId()
  const shared = sharedChoice(draft.modes)
  return (
    <table className={styles.matrix}>
      <caption className="visually-hidden">Access to each part of a repository</caption>
      <thead>
        <tr>
          <th scope="col">Part</th>
          {choices.map(mode => (
            <th key={mode} scope="col" className={styles.column}>
              {modeLabels[mode]}
            </th>
          ))}
        </tr>
      </thead>
      {onChange ? (
        <tbody className={styles.all}>
          <UnitRow
            group={`${id}all`}
            name="Set all"
            chosen={shared}
            onChoose={mode => onChange(withAll(draft, mode))}
          />
        </tbody>
      ) : null}
      <tbody>
        {units.map(unit => (
          <UnitRow
            key={unit}
            group={`${id}${unit}`}
            unit={unit}
            chosen={draft.modes[unit]}
            was={saved && saved.modes[unit] !== draft.modes[unit] ? saved.modes[unit] : undefined}
            onChoose={onChange ? mode => onChange(withUnit(draft, unit, mode)) : undefined}
          />
        ))}
      </tbody>
    </table>
  )
}
