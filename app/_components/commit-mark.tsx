import type { ReactNode } from 'react'
import { commitPath } from '@/app/_lib/paths'
import type { CommitStates } from '@/server/statuses/schema'
import styles from './commit-mark.module.css'
import { CheckIcon, DotFillIcon, XIcon } from './icons'
import { QuietLink } from './links'

interface CommitMarkProps {
  repository: { full_name: string }
  sha: string
  states: CommitStates
}

/** Whether the checks of a commit passed, with a link to them. Renders nothing for a commit without checks. */
export function CommitMark({ repository, sha, states }: CommitMarkProps): ReactNode {
  const state = states[sha]
  if (!state) return null
  const [MarkIcon, name] = marks[state]
  return (
    <QuietLink href={commitPath(repository, sha)} name={`${name}: commit ${sha.slice(0, 10)}`}>
      <MarkIcon className={styles[state]} />
    </QuietLink>
  )
}

const marks = {
  success: [CheckIcon, 'All checks passed'],
  failure: [XIcon, 'Some checks failed'],
  pending: [DotFillIcon, 'Some checks haven’t completed'],
} as const
