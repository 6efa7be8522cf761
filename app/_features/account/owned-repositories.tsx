import type { ReactNode } from 'react'
import { ButtonLink } from '@/app/_components/links'
import { RepositoryList } from '@/app/_features/repos/repository-list'
import type { Page } from '@/server/kernel/pagination'
import type { Repository } from '@/server/repos/schema'

interface OwnedRepositoriesProps {
  owner: string
  found: Page<Repository>
  /** What was searched for; everything when empty. */
  q: string
  emptyTitle: string
  emptyAction?: ReactNode
}

/** The repositories of a person or organization that the viewer may see. */
export function OwnedRepositories(props: OwnedRepositoriesProps): ReactNode {
  const { owner, found, q, emptyTitle, emptyAction } = props
  if (q === '') return <RepositoryList {...found} emptyTitle={emptyTitle} emptyAction={emptyAction} />
  return (
    <RepositoryList
      {...found}
      title="Matching repositories"
      emptyTitle={`No repository of ${owner} matches “${q}”`}
      emptyAction={<ButtonLink href={`/${encodeURIComponent(owner)}`}>Clear the search</ButtonLink>}
    />
  )
}
