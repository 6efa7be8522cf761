'use client'
import type { ReactNode } from 'react'
import { ListRow, RowFacts, RowTitle } from '@/app/_components/box'
import { EmptyState } from '@/app/_components/empty-state'
import { RepoIcon } from '@/app/_components/icons'
import { QuietLink } from '@/app/_components/links'
import { PageHeading } from '@/app/_components/page-heading'
import { RelativeDate } from '@/app/_components/relative-date'
import { RepositoryLabels } from '@/app/_components/repository-name'
import { WorkList } from '@/app/_components/work-list'
import { formatSize } from '@/app/_lib/format'
import { repositoryList } from '@/app/_lib/lists'
import { repositoryPath } from '@/app/_lib/paths'
import { repositoriesQuery } from '@/app/_lib/queries/repositories'
import { useListChoice } from '@/app/_lib/use-list-choice'
import { useListRows } from '@/app/_lib/use-list-rows'
import type { BrowsedRepository } from '@/server/repos/lists/schema'

/** List of all repositories on the site, for administrators. */
export function RepositoriesScreen(): ReactNode {
  const list = useListChoice(repositoryList)
  const rows = useListRows(repositoriesQuery('all', list.choice))
  return (
    <>
      <PageHeading title="Repositories">All repositories on this site, including private ones.</PageHeading>
      <WorkList<BrowsedRepository>
        title="Repositories"
        noun="repository"
        icon={RepoIcon}
        list={list}
        rows={rows}
        idOf={repository => repository.id}
        nameOf={repository => repository.full_name}
        empty={<EmptyState icon={RepoIcon} title="No repositories" />}
        row={repository => <RepositoryRow key={repository.id} repository={repository} />}
      />
    </>
  )
}

function RepositoryRow({ repository }: { repository: BrowsedRepository }): ReactNode {
  const { owner, full_name, size, pushed_at: pushed } = repository
  return (
    <ListRow visual={<RepoIcon />}>
      <RowTitle name={full_name} href={repositoryPath(repository)}>
        <RepositoryLabels repository={repository} />
      </RowTitle>
      <RowFacts>
        <span>
          Owned by{' '}
          <QuietLink href={`/${encodeURIComponent(owner)}`} inline>
            {owner}
          </QuietLink>
        </span>
        <span>{formatSize(size)}</span>
        <span>
          {pushed ? (
            <>
              Pushed <RelativeDate value={pushed} />
            </>
          ) : (
            'No pushes yet'
          )}
        </span>
        <span>
          Created <RelativeDate value={repository.created_at} />
        </span>
      </RowFacts>
    </ListRow>
  )
}
