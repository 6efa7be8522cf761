'use client'
import type { ReactNode } from 'react'
import { unitLabels } from '@/app/_features/teams/permissions/unit-labels'
import styles from './access.module.css'
import { type ExplainedRepository, modeLabel } from './access-labels'
import type { AccessGroup } from './group-by-access'
import { Reason } from './reason'

interface AccessRowProps {
  access: AccessGroup
  subject: ExplainedRepository
}

/** Parts of the repository, how far somebody's rights on them go, and what gives them. */
export function AccessRow({ access: { units, mode, reasons }, subject }: AccessRowProps): ReactNode {
  return (
    <tr>
      <th scope="row">{units.map(unit => unitLabels[unit].name).join(', ')}</th>
      <td className={mode === 'none' ? styles.nothing : styles.mode}>{modeLabel(mode)}</td>
      <td>
        {reasons.length === 0 ? (
          <span className={styles.nothing}>nothing gives access</span>
        ) : (
          <ul>
            {reasons.map(reason => (
              <li key={reason.source === 'team' ? reason.team.id : reason.source}>
                <Reason reason={reason} subject={subject} />
              </li>
            ))}
          </ul>
        )}
      </td>
    </tr>
  )
}
