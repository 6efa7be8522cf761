import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { PageHeading } from '@/app/_components/page-heading'
import { ActivityFeed } from '@/app/_features/activity/activity-feed'
import { readOrg } from '@/app/_features/orgs/read-org'
import { decodeSegment } from '@/app/_lib/paths'
import { caller, orNotFound, pageParam, type SearchParams, textParam } from '@/app/_lib/server'

interface OrgActivityPageProps {
  params: Promise<{ org: string }>
  searchParams: SearchParams
}

export async function generateMetadata({ params }: OrgActivityPageProps): Promise<Metadata> {
  return { title: `Activity · ${decodeSegment((await params).org)}` }
}

export default async function OrgActivityPage({
  params,
  searchParams,
}: OrgActivityPageProps): Promise<ReactNode> {
  const { organization } = await readOrg((await params).org)
  const [date, page] = await Promise.all([textParam(searchParams, 'date'), pageParam(searchParams)])
  const { activity } = await caller()
  const feed = await orNotFound(activity.listOfOrg({ org: organization.name, date, page }))
  return (
    <>
      <PageHeading title="Activity">
        Activity in the organization’s repositories that you have access to.
      </PageHeading>
      <ActivityFeed feed={feed} date={date} empty="No activity yet." />
    </>
  )
}
