'use client'
import { GitBranchIcon, LockIcon, RepoIcon, RepoTemplateIcon } from '@primer/octicons-react'
import type { ReactNode } from 'react'
import { ListBox, ListRow, RowFacts } from '@/app/_components/box'
import { EmptyState } from '@/app/_components/empty-state'
import { Pager } from '@/app/_components/pager'
import { RelativeDate } from '@/app/_components/relative-date'
import { RepositoryLabels, RepositoryLink } from '@/app/_components/repository-name'
import type { Repository } from '@/server/repos/schema'
import styles from './repository-list.module.css'

interface RepositoryListProps {
  items: readonly Repository[]
  total: number
  page: number
  limit: number
  title?: string
  emptyTitle: string
  emptyAction?: ReactNode
}

/** One page of repositories, or what to do when there is none. */
export function RepositoryList(props: RepositoryListProps): ReactNode {
  const { items, total, page, limit, title = 'Repositories', emptyTitle, emptyAction } = props
  return (
    <>
      {total === 0 ? (
        <EmptyState icon={RepoIcon} title={emptyTitle} action={emptyAction} />
      ) : (
        <ListBox title={title} total={total}>
          {items.map(repository => (
            <RepositoryRow key={repository.id} repository={repository} />
          ))}
        </ListBox>
      )}
      <Pager label={`Pages of ${title.toLowerCase()}`} page={page} limit={limit} total={total} />
    </>
  )
}

function RepositoryRow({ repository }: { repository: Repository }): ReactNode {
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
