'use client'
import { type ReactNode, useId, useState } from 'react'
import { CheckIcon, ChevronDownIcon, ChevronRightIcon } from '@/app/_components/icons'
import { Button, Radio } from '@/app/_components/primer'
import { type AccessMode, lowest } from '@/server/access/access-mode'
import type { Unit } from '@/server/access/units'
import { type Choice, choices, isPossible, type PermissionDraft, withAll, withUnit } from './permission-draft'
import { modeLabels, unitLabels, unitsInUse, unitsUnused } from './summaries'
import styles from './unit-matrix.module.css'

interface UnitMatrixProps {
  draft: PermissionDraft
  /** The saved permissions, to mark the rows that differ. If absent, no row is marked. */
  saved?: PermissionDraft
  /** Called with the new draft. Absent if the matrix is read-only. */
  onChange?: (draft: PermissionDraft) => void
}

/** Table with a row for each part of a repository, in which one access mode can be selected. */
export function UnitMatrix({ draft, saved, onChange }: UnitMatrixProps): ReactNode {
  const id = useId()
  const [isMore, setMore] = useState(false)
  const Chevron = isMore ? ChevronDownIcon : ChevronRightIcon
  const rowOf = (unit: Unit): ReactNode => (
    <UnitRow
      key={unit}
      group={`${id}${unit}`}
      unit={unit}
      selected={draft.modes[unit]}
      was={saved && saved.modes[unit] !== draft.modes[unit] ? saved.modes[unit] : undefined}
      onSelect={onChange ? mode => onChange(withUnit(draft, unit, mode)) : undefined}
    />
  )
  return (
    <>
      {onChange ? (
        <fieldset className={styles.all} aria-label="Set all parts">
          <span className={styles.about}>Set all to</span>
          {choices.map(mode => (
            <Button key={mode} size="small" onClick={() => onChange(withAll(draft, mode))}>
              {modeLabels[mode]}
            </Button>
          ))}
        </fieldset>
      ) : null}
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
        <tbody>{unitsInUse.map(rowOf)}</tbody>
        <tbody>
          <tr>
            <th scope="rowgroup" colSpan={choices.length + 1}>
              <button
                type="button"
                className={styles.more}
                aria-expanded={isMore}
                onClick={() => setMore(!isMore)}
              >
                <Chevron />
                <span className={styles.name}>More ({unitsUnused.length})</span>
              </button>
              {isMore ? (
                <span className={styles.about}>
                  These aren’t used yet. They’re stored for Gitea API clients but have no effect here.
                </span>
              ) : null}
            </th>
          </tr>
          {isMore ? unitsUnused.map(rowOf) : null}
        </tbody>
      </table>
    </>
  )
}

interface UnitRowProps {
  /** Name of the row's radio group: at most one button is selected, and arrow keys move between them. */
  group: string
  unit: Unit
  selected: AccessMode
  /** The saved mode, if it differs. */
  was?: AccessMode | undefined
  onSelect: ((mode: Choice) => void) | undefined
}

function UnitRow({ group, unit, selected, was, onSelect }: UnitRowProps): ReactNode {
  const labels = unitLabels[unit]
  const shown = lowest(selected, 'admin')
  return (
    <tr>
      <th scope="row">
        <span className={styles.name}>{labels.name}</span>
        {was ? <span className={styles.was}>Was {modeLabels[was].toLowerCase()}</span> : null}
        {was ? null : <span className={styles.about}>{labels.about}</span>}
      </th>
      {choices.map(mode => (
        <td key={mode} className={was && shown === mode ? `${styles.cell} ${styles.changed}` : styles.cell}>
          <UnitCell
            group={group}
            name={labels.name}
            mode={mode}
            isSelected={shown === mode}
            isPossible={isPossible(unit, mode)}
            onSelect={onSelect}
          />
        </td>
      ))}
    </tr>
  )
}

interface UnitCellProps {
  group: string
  name: string
  mode: Choice
  isSelected: boolean
  isPossible: boolean
  onSelect: ((mode: Choice) => void) | undefined
}

/** Cell for one mode in a row: a radio button, a read-only mark, or a dash if the mode is not available. */
function UnitCell({ group, name, mode, isSelected, isPossible, onSelect }: UnitCellProps): ReactNode {
  if (!isPossible) {
    return (
      <span className={styles.impossible}>
        <span aria-hidden>–</span>
        <span className="visually-hidden">Not available</span>
      </span>
    )
  }
  if (!onSelect) {
    return <span className={styles.shown}>{isSelected ? <CheckIcon aria-label="Yes" /> : null}</span>
  }
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the kit's radio button is the control
    <label className={styles.hit}>
      <span className="visually-hidden">{`${name}: ${modeLabels[mode].toLowerCase()}`}</span>
      <Radio name={group} value={mode} checked={isSelected} onChange={() => onSelect(mode)} />
    </label>
  )
}
