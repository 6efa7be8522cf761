import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { ActivityFeed } from '@/app/_features/activity/activity-feed'
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
  const feed = await (await caller()).activity.listOfRepository({
    owner: repository.owner.login,
    repo: repository.name,
    date,
    page,
  })
  return <ActivityFeed feed={feed} date={date} empty="No activity yet." title="Activity" />
}
