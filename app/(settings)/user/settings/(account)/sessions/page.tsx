import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { PageHeading } from '@/app/_components/page-heading'
import { RevokeOwn } from '@/app/_features/sessions/revoke-access'
import { SessionList } from '@/app/_features/sessions/session-list'
import { Hydrate } from '@/app/_lib/hydrate'
import { sessionList } from '@/app/_lib/lists'
import { sessionsQuery } from '@/app/_lib/queries/sessions'
import { caller, listChoiceIn, requireSession, type SearchParams } from '@/app/_lib/server'

export const metadata: Metadata = { title: 'Sessions' }

export default async function SessionsPage({
  searchParams,
}: {
  searchParams: SearchParams
}): Promise<ReactNode> {
  const { user, login_type } = await requireSession()
  const choice = await listChoiceIn(searchParams, sessionList)
  const sessions = await (await caller()).sessions.browse(choice)
  return (
    <Hydrate entries={[[sessionsQuery(choice), sessions]]}>
      <PageHeading title="Sessions">
        These browsers are signed in to your account. If you don’t recognize one, sign it out and change your
        password.
      </PageHeading>
      <SessionList />
      <RevokeOwn username={user.login} hasPassword={login_type === 'local'} />
    </Hydrate>
  )
}
