import { PlayIcon } from '@primer/octicons-react'
import type { ReactNode } from 'react'
import { EmptyState } from '@/app/_components/empty-state'
import { ButtonLink } from '@/app/_components/links'
import { repositoryPath } from '@/app/_lib/paths'

interface LostRunProps {
  repository: { full_name: string }
  what: 'run' | 'job'
}

/** In place of what was lost, as `isLoss` tells, while its page was open. */
export function LostRun({ repository, what }: LostRunProps): ReactNode {
  return (
    <EmptyState
      icon={PlayIcon}
      title={`This ${what} is gone`}
      action={<ButtonLink href={repositoryPath(repository, 'actions')}>Show all runs</ButtonLink>}
    >
      <p>It was deleted, or you may no longer see it.</p>
    </EmptyState>
  )
}
