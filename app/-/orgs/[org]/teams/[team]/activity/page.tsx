import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { ActivityFeed } from '@/app/_features/activity/activity-feed'
import { readTeam, type TeamParams, teamTitle } from '@/app/_features/teams/read-team'
import { caller, pageParam, type SearchParams, textParam } from '@/app/_lib/server'

interface TeamActivityPageProps extends TeamParams {
  searchParams: SearchParams
}

export function generateMetadata(props: TeamActivityPageProps): Promise<Metadata> {
  return teamTitle(props, 'Activity')
}

export default async function TeamActivityPage({
  params,
  searchParams,
}: TeamActivityPageProps): Promise<ReactNode> {
  const { team } = await readTeam({ params })
  const [date, page] = await Promise.all([textParam(searchParams, 'date'), pageParam(searchParams)])
  const feed = await (await caller()).activity.listOfTeam({ id: team.id, date, page })
  return <ActivityFeed feed={feed} date={date} empty="No activity in this team’s repositories yet." />
}
