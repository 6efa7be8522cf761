import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { TokensScreen } from '@/app/_features/tokens/tokens-screen'
import { Hydrate } from '@/app/_lib/hydrate'
import { tokensQuery } from '@/app/_lib/queries/tokens'
import { caller, instanceStatus, pageParam, requireSession, type SearchParams } from '@/app/_lib/server'

export const metadata: Metadata = { title: 'Access tokens' }

export default async function TokensPage({
  searchParams,
}: {
  searchParams: SearchParams
}): Promise<ReactNode> {
  const { user } = await requireSession()
  const page = await pageParam(searchParams)
  const username = user.login
  const [tokens, { base_url }] = await Promise.all([
    (await caller()).tokens.listExpiring({ username, page }),
    instanceStatus(),
  ])

  return (
    <Hydrate entries={[[tokensQuery(username, page), tokens]]}>
      <TokensScreen username={username} isAdmin={user.is_admin} page={page} baseUrl={base_url} />
    </Hydrate>
  )
}
