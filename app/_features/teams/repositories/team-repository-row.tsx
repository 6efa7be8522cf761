'use client'
import { LockIcon, RepoIcon } from '@primer/octicons-react'
import type { ReactNode } from 'react'
import { ListRow } from '@/app/_components/box'
import { RepositoryLabels, RepositoryLink } from '@/app/_components/repository-name'
import styles from '@/app/_features/orgs/orgs.module.css'
import type { Repository } from '@/server/repos/schema'
import type { Team } from '@/server/teams/schema'
import { DetachButton } from './detach-button'

export function TeamRepositoryRow({ team, repository }: { team: Team; repository: Repository }): ReactNode {
  const Visual = repository.private ? LockIcon : RepoIcon
  const mayDetach = repository.permissions.admin && !team.includes_all_repositories
  return (
    <ListRow
      visual={<Visual />}
      action={mayDetach ? <DetachButton team={team} repo={repository.name} /> : null}
    >
      <div className={styles.title}>
        <strong>
          <RepositoryLink repository={repository} />
        </strong>
        <RepositoryLabels repository={repository} />
      </div>
      {repository.description ? (
        <p className={styles.muted} dir="auto">
          {repository.description}
        </p>
      ) : null}
    </ListRow>
  )
}
