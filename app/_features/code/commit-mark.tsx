import type { ReactNode } from 'react'
import { CheckIcon, DotFillIcon, XIcon } from '@/app/_components/icons'
import { QuietLink } from '@/app/_components/links'
import { commitPath } from '@/app/_lib/paths'
import { caller } from '@/app/_lib/server'
import type { CommitStates } from '@/server/statuses/schema'
import styles from './commit-checks.module.css'

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

/** Reads the combined states of the checks of commits that a page shows. */
export async function commitStates(
  { owner, name }: { owner: { login: string }; name: string },
  shas: readonly string[],
): Promise<CommitStates> {
  if (shas.length === 0) return {}
  return await (await caller()).statuses.listStates({ owner: owner.login, repo: name, shas: [...shas] })
}
