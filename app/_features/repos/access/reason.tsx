'use client'
import type { ReactNode } from 'react'
import { QuietLink } from '@/app/_components/quiet-link'
import { teamAddress } from '@/app/_features/orgs/org-address'
import { type AccessReason, type AccessSubject, modeWord, reasonWords } from './access-words'

interface ReasonProps {
  reason: AccessReason
  subject: AccessSubject
}

/** The words for a ground; a team's lead to where its rights are set. */
export function Reason({ reason, subject }: ReasonProps): ReactNode {
  // What that means is said once, below all of them.
  if (reason.source === 'public') return 'not private'
  if (reason.source !== 'team') return reasonWords(reason, subject)
  return (
    <>
      team{' '}
      <QuietLink href={teamAddress(subject.owner.login, reason.team.name, 'permissions')} inline>
        {reason.team.name}
      </QuietLink>{' '}
      gives {modeWord(reason.mode)}
    </>
  )
}
