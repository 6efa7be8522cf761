import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { TokensScreen } from '@/app/_features/tokens/tokens-screen'
import { Hydrate } from '@/app/_lib/hydrate'
import { tokenList } from '@/app/_lib/lists'
import { tokensQuery } from '@/app/_lib/queries/tokens'
import { caller, instanceStatus, listChoiceIn, requireSession, type SearchParams } from '@/app/_lib/server'

export const metadata: Metadata = { title: 'Access tokens' }

export default async function TokensPage({
  searchParams,
}: {
  searchParams: SearchParams
}): Promise<ReactNode> {
  const { user } = await requireSession()
  const choice = await listChoiceIn(searchParams, tokenList)
  const username = user.login
  const [tokens, { base_url }] = await Promise.all([
    (await caller()).tokens.browse({ username, ...choice }),
    instanceStatus(),
  ])

  return (
    <Hydrate entries={[[tokensQuery(username, choice), tokens]]}>
      <TokensScreen username={username} isAdmin={user.is_admin} baseUrl={base_url} />
    </Hydrate>
  )
}
