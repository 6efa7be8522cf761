import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { ButtonLink } from '@/app/_components/links'
import { PageHeading } from '@/app/_components/page-heading'
import { SearchBox } from '@/app/_components/query-controls'
import styles from '@/app/_features/repos/explore.module.css'
import { RepositoryList } from '@/app/_features/repos/repository-list'
import { orderOf, SortMenu } from '@/app/_features/repos/sort-menu'
import { caller, pageParam, requireSetUp, type SearchParams, textParam } from '@/app/_lib/server'

export const metadata: Metadata = { title: 'Explore' }

export default async function ExplorePage({
  searchParams,
}: {
  searchParams: SearchParams
}): Promise<ReactNode> {
  await requireSetUp()
  const [q, page, wanted] = await Promise.all([
    textParam(searchParams, 'q'),
    pageParam(searchParams),
    textParam(searchParams, 'sort'),
  ])
  const { sort, order } = orderOf(wanted)
  const found = await (await caller()).repos.search({
    q,
    includeDesc: true,
    is_private: false,
    sort,
    order,
    page,
  })

  return (
    <div className={styles.page}>
      <PageHeading title="Explore">The repositories that are open to everybody here.</PageHeading>
      <div className={styles.tools}>
        <SearchBox label="Search repositories" placeholder="Find a repository" q={q} />
        <SortMenu sort={sort} />
      </div>
      <RepositoryList
        {...found}
        emptyTitle={q === '' ? 'No public repositories yet' : `No repository matches “${q}”`}
        emptyAction={q === '' ? undefined : <ButtonLink href="/explore">Clear the search</ButtonLink>}
      />
    </div>
  )
}
