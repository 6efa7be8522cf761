import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { Pager } from '@/app/_components/pager'
import { ActivityList } from '@/app/_features/activity/activity-list'
import { DayFilter } from '@/app/_features/activity/day-filter'
import { type RepositoryParams, repositoryAt, titleOf } from '@/app/_features/repos/read-repository'
import { caller, pageParam, type SearchParams, textParam } from '@/app/_lib/server'

interface ActivityPageProps extends RepositoryParams {
  searchParams: SearchParams
}

export const generateMetadata = (props: RepositoryParams): Promise<Metadata> => titleOf(props, 'Activity')

export default async function ActivityPage({ params, searchParams }: ActivityPageProps): Promise<ReactNode> {
  const { username, repo } = await params
  const { repository } = await repositoryAt(username, repo)
  const [date, page] = await Promise.all([textParam(searchParams, 'date'), pageParam(searchParams)])
  const { items, total, limit } = await (await caller()).activity.listOfRepository({
    owner: repository.owner.login,
    repo: repository.name,
    date,
    page,
  })

  return (
    <>
      <DayFilter date={date} title="Activity" />
      <ActivityList
        items={items}
        empty={date ? 'Nothing happened on this day.' : 'Nothing has happened here yet.'}
      />
      <Pager label="Pages of activity" page={page} limit={limit} total={total} />
    </>
  )
}
