import type { ReactNode } from 'react'
import { commitPath } from '@/app/_lib/paths'
import { CopyButton } from './copy-button'
import { QuietLink } from './links'

interface CommitIdProps {
  repository: { full_name: string }
  sha: string
  /** Whether a button that copies the whole ID follows. */
  copy?: boolean
}

/** Abbreviated ID of a commit, which leads to its page. */
export function CommitId({ repository, sha, copy = false }: CommitIdProps): ReactNode {
  const short = sha.slice(0, 10)
  return (
    <>
      <QuietLink href={commitPath(repository, sha)} name={`Commit ${short}`}>
        <code title={sha}>{short}</code>
      </QuietLink>
      {copy ? <CopyButton text={sha} what="commit ID" /> : null}
    </>
  )
}
