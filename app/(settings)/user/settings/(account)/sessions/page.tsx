import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { PageHeading } from '@/app/_components/page-heading'
import { RevokeOwn } from '@/app/_features/sessions/revoke-access'
import { SessionList } from '@/app/_features/sessions/session-list'
import { Hydrate } from '@/app/_lib/hydrate'
import { sessionsQuery } from '@/app/_lib/queries/sessions'
import { caller, requireSession } from '@/app/_lib/server'

export const metadata: Metadata = { title: 'Sessions' }

export default async function SessionsPage(): Promise<ReactNode> {
  const { user, login_type } = await requireSession()
  const sessions = await (await caller()).sessions.list()
  return (
    <Hydrate entries={[[sessionsQuery(), sessions]]}>
      <PageHeading title="Sessions">
        The browsers you are signed in with. Sign out any you do not recognize, then change your password.
      </PageHeading>
      <SessionList />
      <RevokeOwn username={user.login} hasPassword={login_type === 'local'} />
    </Hydrate>
  )
}
