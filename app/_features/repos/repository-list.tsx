'use client'
import { RepoIcon } from '@primer/octicons-react'
import type { ReactNode } from 'react'
import { ListBox } from '@/app/_components/box'
import { EmptyState } from '@/app/_components/empty-state'
import { Pager } from '@/app/_components/pager'
import type { Repository } from '@/server/repos/schema'
import { RepositoryRow } from './repository-row'

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
