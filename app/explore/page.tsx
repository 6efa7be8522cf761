import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { PageHeading } from '@/app/_components/page-heading'
import { AccountList } from '@/app/_features/explore/account-list'
import styles from '@/app/_features/explore/explore.module.css'
import { ExploreTabs } from '@/app/_features/explore/explore-tabs'
import { TopicFilter } from '@/app/_features/explore/topic-filter'
import { RepositoryList } from '@/app/_features/repos/repository-list'
import { Hydrate } from '@/app/_lib/hydrate'
import { accountList, publicRepositoryList, repositoryList } from '@/app/_lib/lists'
import { type ExploreTab, exploreTabs } from '@/app/_lib/paths'
import { repositoriesQuery } from '@/app/_lib/queries/repositories'
import { accountsQuery } from '@/app/_lib/queries/search'
import {
  caller,
  currentSession,
  listChoiceIn,
  requireSetUp,
  type SearchParams,
  textParam,
} from '@/app/_lib/server'
import { isTopicName, topicNameOf } from '@/server/repos/topics/names'

export const metadata: Metadata = { title: 'Explore' }

const lists: Record<ExploreTab, (params: SearchParams) => Promise<ReactNode>> = {
  repositories: exploreRepositories,
  organizations: params => exploreAccounts('organization', params),
  people: params => exploreAccounts('person', params),
}

export default async function ExplorePage({
  searchParams,
}: {
  searchParams: SearchParams
}): Promise<ReactNode> {
  await requireSetUp()
  const wanted = await textParam(searchParams, 'tab')
  const tab = exploreTabs.find(tab => tab === wanted) ?? 'repositories'
  return (
    <div className={styles.page}>
      <PageHeading title="Explore">Browse repositories, organizations, and people.</PageHeading>
      <ExploreTabs current={tab} />
      {await lists[tab](searchParams)}
    </div>
  )
}

async function exploreRepositories(params: SearchParams): Promise<ReactNode> {
  const session = await currentSession()
  const choice = await listChoiceIn(params, session ? repositoryList : publicRepositoryList)
  const asked = topicNameOf(await textParam(params, 'topic'))
  const topic = isTopicName(asked) ? asked : ''
  const found = await (await caller()).repos.browse({ scope: 'all', ...choice, topic })
  return (
    <Hydrate entries={[[repositoriesQuery('all', choice, topic), found]]}>
      {topic ? <TopicFilter topic={topic} /> : null}
      <RepositoryList
        key={topic}
        scope="all"
        topic={topic}
        isSignedIn={session !== null}
        emptyTitle={topic ? `No repositories with the topic ${topic}` : 'No repositories yet'}
      />
    </Hydrate>
  )
}

async function exploreAccounts(kind: 'person' | 'organization', params: SearchParams): Promise<ReactNode> {
  const choice = await listChoiceIn(params, accountList)
  const found = await (await caller()).search.browseAccounts({ kind, ...choice })
  return (
    <Hydrate entries={[[accountsQuery(kind, choice), found]]}>
      <AccountList key={kind} kind={kind} />
    </Hydrate>
  )
}
