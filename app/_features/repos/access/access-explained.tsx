'use client'
import type { ReactNode } from 'react'
import { CheckCircleFillIcon, NoEntryFillIcon } from '@/app/_components/icons'
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
  /** Whether the explanation is about the viewer, who is then addressed as "you". */
  isOwn?: boolean
}

/**
 * Explains someone's access to a repository: whether they can push, and, for each part of it, their access
 * and the reasons.
 */
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
          {isOwn ? 'Your' : `${explanation.user.login}’s`} access to each part of the repository
        </caption>
        <thead>
          <tr>
            <th scope="col" className={styles.parts}>
              Parts
            </th>
            <th scope="col" className={styles.modes}>
              Access
            </th>
            <th scope="col">Reason</th>
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

/** Row for the parts of a repository to which someone has the same access for the same reasons. */
function AccessRow({ access: { units, mode, reasons }, subject }: AccessRowProps): ReactNode {
  return (
    <tr>
      <th scope="row">{units.map(unit => unitLabels[unit].name).join(', ')}</th>
      <td className={mode === 'none' ? styles.nothing : styles.mode}>{modeLabel(mode)}</td>
      <td>
        {reasons.length === 0 ? (
          <span className={styles.nothing}>no access</span>
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

/** Text for one reason for access. For a team, it links to the page with the team's permissions. */
function Reason({ reason, subject }: ReasonProps): ReactNode {
  // A note below the table explains "not private" once for all rows.
  if (reason.source === 'public') return 'not private'
  if (reason.source !== 'team') return reasonLabel(reason, subject)
  return (
    <>
      the team{' '}
      <QuietLink href={teamPath(subject.owner.login, reason.team.name, 'permissions')} inline>
        {reason.team.name}
      </QuietLink>{' '}
      grants {modeLabel(reason.mode)} access
    </>
  )
}
