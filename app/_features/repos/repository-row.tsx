'use client'
import { GitBranchIcon, LockIcon, RepoIcon, RepoTemplateIcon } from '@primer/octicons-react'
import type { ReactNode } from 'react'
import { ListRow, RowFacts } from '@/app/_components/box'
import { RelativeDate } from '@/app/_components/relative-date'
import { RepositoryLabels, RepositoryLink } from '@/app/_components/repository-name'
import type { Repository } from '@/server/repos/schema'
import styles from './repository-row.module.css'

export function RepositoryRow({ repository }: { repository: Repository }): ReactNode {
  const { description, default_branch, empty, updated_at } = repository
  const Visual = repository.template ? RepoTemplateIcon : repository.private ? LockIcon : RepoIcon
  return (
    <ListRow visual={<Visual size={16} />}>
      <h3 className={styles.name}>
        <RepositoryLink repository={repository} />
        <RepositoryLabels repository={repository} />
      </h3>
      {description ? (
        <p className={styles.description} dir="auto">
          {description}
        </p>
      ) : null}
      <RowFacts>
        {empty ? (
          <span>Empty</span>
        ) : (
          <span>
            <GitBranchIcon size={12} /> {default_branch}
          </span>
        )}
        <span>
          Updated <RelativeDate value={updated_at} />
        </span>
      </RowFacts>
    </ListRow>
  )
}
