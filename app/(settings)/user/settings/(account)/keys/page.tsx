import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { TextLink } from '@/app/_components/links'
import { KeysScreen } from '@/app/_features/keys/keys-screen'
import { FirstKeyHelp, KeysElsewhere, PublicAddress } from '@/app/_features/keys/own-keys'
import { Hydrate } from '@/app/_lib/hydrate'
import { keyList } from '@/app/_lib/lists'
import { keysQuery } from '@/app/_lib/queries/keys'
import { caller, instanceStatus, listChoiceIn, requireSession, type SearchParams } from '@/app/_lib/server'

export const metadata: Metadata = { title: 'SSH keys' }

export default async function KeysPage({ searchParams }: { searchParams: SearchParams }): Promise<ReactNode> {
  const { user, may_manage_keys } = await requireSession()
  const choice = await listChoiceIn(searchParams, keyList)
  const owner = { username: user.login, mine: true }
  const { keys, instance } = await caller()
  const [list, { address }, { base_url }] = await Promise.all([
    keys.browse(choice),
    instance.getSsh(),
    instanceStatus(),
  ])

  return (
    <Hydrate entries={[[keysQuery(owner, choice), list]]}>
      <KeysScreen
        title="SSH keys"
        lead={address ? <LeadOverSsh /> : <LeadWithoutSsh />}
        owner={owner}
        mayManage={may_manage_keys}
        address={address}
        help={may_manage_keys ? <FirstKeyHelp address={address} /> : null}
        notice={may_manage_keys ? null : <KeysElsewhere />}
      />
      <PublicAddress url={`${base_url}/${user.login}.keys`} />
    </Hydrate>
  )
}

const LeadOverSsh = (): ReactNode => (
  <>
    Use these keys to connect to Git over SSH. Delete any you don’t recognize.{' '}
    <TextLink href="/-/ssh" inline>
      Server address and fingerprints
    </TextLink>
  </>
)

const LeadWithoutSsh = (): ReactNode =>
  'SSH is turned off on this site. Clone over HTTP and use an access token as the password.'
