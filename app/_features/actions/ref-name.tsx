import type { ReactNode } from 'react'
import { GitBranchIcon, TagIcon } from '@/app/_components/icons'
import { QuietLink } from '@/app/_components/links'
import { repositoryPath } from '@/app/_lib/paths'
import styles from './actions.module.css'

const kinds = [
  { prefix: 'refs/heads/', Icon: GitBranchIcon, isBranch: true },
  { prefix: 'refs/tags/', Icon: TagIcon, isBranch: false },
]

/** Shows a branch, linked to its runs, or a tag. Renders nothing for a run without either. */
export function RefName({
  repository,
  name,
}: {
  repository: { full_name: string }
  name: string
}): ReactNode {
  if (name === '') return null
  const kind = kinds.find(({ prefix }) => name.startsWith(prefix))
  const short = kind ? name.slice(kind.prefix.length) : name
  const Visual = kind?.Icon ?? GitBranchIcon
  return (
    <span className={styles.ref}>
      <Visual />
      {kind?.isBranch ? (
        <QuietLink href={`${repositoryPath(repository, 'actions')}?branch=${encodeURIComponent(short)}`}>
          {short}
        </QuietLink>
      ) : (
        <span>{short}</span>
      )}
    </span>
  )
}
