import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { KeysElsewhere, KeysScreen, PublicAddress } from '@/app/_features/keys/keys-screen'
import { Hydrate } from '@/app/_lib/hydrate'
import { keysQuery } from '@/app/_lib/queries'
import { caller, instanceStatus, pageParam, requireSession, type SearchParams } from '@/app/_lib/server'

export const metadata: Metadata = { title: 'SSH keys' }

export default async function KeysPage({ searchParams }: { searchParams: SearchParams }): Promise<ReactNode> {
  const { user, may_manage_keys } = await requireSession()
  const page = await pageParam(searchParams)
  const owner = { username: user.login, mine: true }
  const [keys, { base_url }] = await Promise.all([
    (await caller()).keys.listNewest({ page }),
    instanceStatus(),
  ])

  return (
    <Hydrate entries={[[keysQuery(owner, page), keys]]}>
      <KeysScreen
        title="SSH keys"
        lead="These keys prove who you are over SSH. Delete any you do not recognize. Git itself is reached over HTTP here, with a password or access token."
        owner={owner}
        page={page}
        mayManage={may_manage_keys}
        notice={may_manage_keys ? null : <KeysElsewhere />}
      />
      <PublicAddress url={`${base_url}/${user.login}.keys`} />
    </Hydrate>
  )
}
