'use client'
import type { ReactNode } from 'react'
import { QuietLink } from '@/app/_components/links'
import { teamPath } from '@/app/_lib/paths'
import { type AccessReason, type ExplainedRepository, modeLabel, reasonLabel } from './access-labels'

interface ReasonProps {
  reason: AccessReason
  subject: ExplainedRepository
}

/** The words for a ground; a team's lead to where its rights are set. */
export function Reason({ reason, subject }: ReasonProps): ReactNode {
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
