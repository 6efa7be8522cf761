import type { ReactNode } from 'react'
import { EmptyState } from '@/app/_components/empty-state'
import { PlayIcon } from '@/app/_components/icons'
import { ButtonLink } from '@/app/_components/links'
import { repositoryPath } from '@/app/_lib/paths'

interface LostRunProps {
  repository: { full_name: string }
  what: 'run' | 'job'
}

/** Replaces the page of a run or job once it is lost (`isLoss`) while the page is open. */
export function LostRun({ repository, what }: LostRunProps): ReactNode {
  return (
    <EmptyState
      icon={PlayIcon}
      title={`This ${what} no longer exists`}
      action={<ButtonLink href={repositoryPath(repository, 'actions')}>Show all runs</ButtonLink>}
    >
      <p>It was deleted, or you no longer have access to it.</p>
    </EmptyState>
  )
}
