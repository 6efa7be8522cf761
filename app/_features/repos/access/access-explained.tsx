'use client'
import { CheckCircleFillIcon, NoEntryFillIcon } from '@primer/octicons-react'
import type { ReactNode } from 'react'
import type { AccessExplanation } from '@/server/repos/schema'
import styles from './access.module.css'
import { type ExplainedRepository, reasonLabel } from './access-labels'
import { AccessRow } from './access-row'
import { groupByAccess } from './group-by-access'
import { pushAnswer } from './push-answer'

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
