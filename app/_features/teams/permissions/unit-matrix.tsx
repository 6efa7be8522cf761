'use client'
import { CheckIcon } from '@primer/octicons-react'
import { type ReactNode, useId } from 'react'
import { Radio } from '@/app/_components/primer'
import { type AccessMode, lowest } from '@/server/access/access-mode'
import { type Unit, units } from '@/server/access/units'
import {
  type Choice,
  choices,
  isPossible,
  type PermissionDraft,
  sharedChoice,
  withAll,
  withUnit,
} from './permission-draft'
import { modeLabels, unitLabels } from './summaries'
import styles from './unit-matrix.module.css'

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

type UnitRowProps = {
  /** One of its radio buttons is chosen at most; arrow keys move between them. */
  group: string
  chosen: AccessMode | undefined
  /** What is saved, where it differs. */
  was?: AccessMode | undefined
  onChoose: ((mode: Choice) => void) | undefined
} & ({ unit: Unit; name?: undefined } | { unit?: undefined; name: string })

function UnitRow({ group, unit, name, chosen, was, onChoose }: UnitRowProps): ReactNode {
  const words = unit ? unitLabels[unit] : { name, about: '' }
  const shown = chosen && lowest(chosen, 'admin')
  return (
    <tr>
      <th scope="row">
        <span className={styles.name}>{words.name}</span>
        {was ? <span className={styles.was}>Was {modeLabels[was].toLowerCase()}</span> : null}
        {words.about && !was ? <span className={styles.about}>{words.about}</span> : null}
      </th>
      {choices.map(mode => (
        <td key={mode} className={was && shown === mode ? `${styles.cell} ${styles.changed}` : styles.cell}>
          <UnitCell
            group={group}
            name={words.name}
            mode={mode}
            isChosen={shown === mode}
            isPossible={!unit || isPossible(unit, mode)}
            onChoose={onChoose}
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
  isChosen: boolean
  isPossible: boolean
  onChoose: ((mode: Choice) => void) | undefined
}

/** One choice: to be made, only shown, or not there to be made. */
function UnitCell({ group, name, mode, isChosen, isPossible, onChoose }: UnitCellProps): ReactNode {
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
