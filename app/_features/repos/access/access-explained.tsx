'use client'
import { CheckCircleFillIcon, NoEntryFillIcon } from '@primer/octicons-react'
import type { ReactNode } from 'react'
import { QuietLink } from '@/app/_components/links'
import { unitLabels } from '@/app/_features/teams/permissions/summaries'
import { teamPath } from '@/app/_lib/paths'
import type { AccessExplanation } from '@/server/repos/schema'
import styles from './access.module.css'
import { type AccessReason, type ExplainedRepository, modeLabel, reasonLabel } from './access-labels'
import { type AccessGroup, groupByAccess, pushAnswer } from './explanation'

interface AccessExplainedProps {
  explanation: AccessExplanation
  subject: ExplainedRepository
  /** It is about who reads it. */
  isOwn?: boolean
}

/** The short answer whether somebody can push, then what they may do on each part of the repository and why. */
export function AccessExplained({ explanation, subject, isOwn = false }: AccessExplainedProps): ReactNode {
  const { can, sentence } = pushAnswer(explanation, subject, isOwn)
  const reasons = explanation.units.flatMap(unit => unit.reasons)
  const open = reasons.find(reason => reason.source === 'public')
  return (
    <>
      <p className={styles.answer} role="status">
        {can ? <CheckCircleFillIcon className={styles.yes} /> : <NoEntryFillIcon className={styles.no} />}
        <span>{sentence}</span>
      </p>
      <table className={styles.table}>
        <caption className={styles.caption}>
          What {isOwn ? 'you' : explanation.user.login} may do on each part of the repository
        </caption>
        <thead>
          <tr>
            <th scope="col" className={styles.parts}>
              Parts
            </th>
            <th scope="col" className={styles.modes}>
              Access
            </th>
            <th scope="col">Because</th>
          </tr>
        </thead>
        <tbody>
          {groupByAccess(explanation.units).map(access => (
            <AccessRow key={access.units[0]} access={access} subject={subject} />
          ))}
        </tbody>
      </table>
      {open ? <p className={styles.note}>Not private: {reasonLabel(open, subject)}.</p> : null}
    </>
  )
}

interface AccessRowProps {
  access: AccessGroup
  subject: ExplainedRepository
}

/** Parts of the repository, how far somebody's rights on them go, and what gives them. */
function AccessRow({ access: { units, mode, reasons }, subject }: AccessRowProps): ReactNode {
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

interface ReasonProps {
  reason: AccessReason
  subject: ExplainedRepository
}

/** The words for a ground; a team's lead to where its rights are set. */
function Reason({ reason, subject }: ReasonProps): ReactNode {
  // What that means is said once, below all of them.
  if (reason.source === 'public') return 'not private'
  if (reason.source !== 'team') return reasonLabel(reason, subject)
  return (
    <>
      team{' '}
      <QuietLink href={teamPath(subject.owner.login, reason.team.name, 'permissions')} inline>
        {reason.team.name}
      </QuietLink>{' '}
      gives {modeLabel(reason.mode)}
    </>
  )
}
