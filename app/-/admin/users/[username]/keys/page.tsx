import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { Trail } from '@/app/_components/page-heading'
import { KeysScreen } from '@/app/_features/keys/keys-screen'
import { Hydrate } from '@/app/_lib/hydrate'
import { keyList } from '@/app/_lib/lists'
import { decodeSegment } from '@/app/_lib/paths'
import { keysQuery } from '@/app/_lib/queries/keys'
import { caller, listChoiceIn, orNotFound, requireAdmin, type SearchParams } from '@/app/_lib/server'

interface UserKeysPageProps {
  params: Promise<{ username: string }>
  searchParams: SearchParams
}

export async function generateMetadata({ params }: UserKeysPageProps): Promise<Metadata> {
  return { title: `SSH keys · ${decodeSegment((await params).username)}` }
}

export default async function UserKeysPage({ params, searchParams }: UserKeysPageProps): Promise<ReactNode> {
  await requireAdmin()
  const choice = await listChoiceIn(searchParams, keyList)
  const { users, keys } = await caller()
  const { login } = await orNotFound(users.get({ username: (await params).username }))
  const path = `/-/admin/users/${login}`
  const owner = { username: login, mine: false }

  return (
    <Hydrate entries={[[keysQuery(owner, choice), await keys.browse({ username: login, ...choice })]]}>
      <Trail
        steps={[
          { href: '/-/admin/users', label: 'Users' },
          { href: path, label: login },
          { href: `${path}/keys`, label: 'SSH keys' },
        ]}
      />
      <KeysScreen
        title={`${login}’s SSH keys`}
        lead="Changes to these keys take effect immediately."
        owner={owner}
        mayManage
        address={null}
      />
    </Hydrate>
  )
}
