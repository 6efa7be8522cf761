'use client'
import type { ReactNode } from 'react'
import { type AccessMode, lowest } from '@/server/access/access-mode'
import type { Unit } from '@/server/access/units'
import { type Choice, choices, isPossible } from './permission-draft'
import { UnitCell } from './unit-cell'
import { modeLabels, unitLabels } from './unit-labels'
import styles from './unit-matrix.module.css'

type UnitRowProps = {
  /** One of its radio buttons is chosen at most; arrow keys move between them. */
  group: string
  chosen: AccessMode | undefined
  /** What is saved, where it differs. */
  was?: AccessMode | undefined
  onChoose: ((mode: Choice) => void) | undefined
} & ({ unit: Unit; name?: undefined } | { unit?: undefined; name: string })

export function UnitRow({ group, unit, name, chosen, was, onChoose }: UnitRowProps): ReactNode {
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
